package discovery

import (
	"maps"
	"slices"
	"strings"
)

// builtins adds the hooks that come with the program. One whose behaviour is not
// enabled is of no event.
func (l *loader) builtins() {
	builtins := l.src.Builtins()
	for _, b := range builtins {
		h := *b
		h.Layer, h.Status, h.Trusted, h.folder = BuiltinLayer, Ready, true, b.Name
		h.Problems = slices.Clone(b.Problems)
		if l.event != "" && !l.builtinEnabled(&h) {
			continue
		}
		l.set.Found++
		if l.event != "" && h.Trigger != l.event {
			l.bystanders = append(l.bystanders, bystander{name: h.Name, folder: h.Name, layer: BuiltinLayer, builtin: &h})
			continue
		}
		l.hooks = append(l.hooks, &h)
	}
	if len(builtins) > 0 && (l.event == "" || l.set.Found > 0) {
		l.set.Layers = append(l.set.Layers, Layer{Name: BuiltinLayer})
	}
}

// mergeBuiltin merges the tables of the built-in behaviours key by key: the
// project's over the user's over the system's.
func (l *loader) mergeBuiltin() {
	all := slices.Clone(l.files)
	slices.Reverse(all)
	if l.own != nil {
		all = append(all, l.own)
	}
	for _, f := range all {
		for name, table := range f.builtin {
			if l.set.Settings.Builtin == nil {
				l.set.Settings.Builtin = map[string]map[string]any{}
			}
			if l.set.Settings.Builtin[name] == nil {
				l.set.Settings.Builtin[name] = map[string]any{}
			}
			maps.Copy(l.set.Settings.Builtin[name], table)
		}
	}
}

// behaviour is the [builtin.NAME] table that a built-in hook belongs to: the
// first word of its name.
func behaviour(h *Hook) string {
	word, _, _ := strings.Cut(h.Name, "-")
	return word
}

// builtinEnabled asks the files that may touch a built-in hook, the project's
// first, whether its behaviour is on.
func (l *loader) builtinEnabled(h *Hook) bool {
	on, _ := l.builtinSwitch(h)
	return on
}

func (l *loader) builtinOffAt(h *Hook) string {
	_, at := l.builtinSwitch(h)
	return at
}

func (l *loader) builtinSwitch(h *Hook) (on bool, at string) {
	name := behaviour(h)
	files := l.touching(h)
	if n := len(files); n > 0 && files[n-1].layer == ProjectLayer {
		files = append([]*settingsFile{files[n-1]}, files[:n-1]...)
	}
	for _, f := range files {
		if v, ok := f.builtin[name]["enabled"].(bool); ok {
			on, at = v, f.builtinAt[name]
			break
		}
	}
	if l.src.BuiltinSwitch == nil {
		return on, at
	}
	if _, _, locked := l.lock(h.Name); locked {
		return on, at
	}
	return l.lastWord(name, on, at)
}

// lastWord asks once for each behaviour, and whether its files say on or off.
func (l *loader) lastWord(name string, on bool, at string) (bool, string) {
	key := verdict{name, on}
	v, asked := l.switched[key]
	if !asked {
		v.on, v.by = l.src.BuiltinSwitch(name, l.set.Project, l.set.Root, on)
		if l.switched == nil {
			l.switched = map[verdict]switched{}
		}
		l.switched[key] = v
	}
	if v.on != on {
		at = v.by
	}
	return v.on, at
}

// A verdict is what the files say of a behaviour; switched is the last word.
type (
	verdict struct {
		behaviour string
		on        bool
	}
	switched struct {
		on bool
		by string
	}
)
