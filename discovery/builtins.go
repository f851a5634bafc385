package discovery

import (
	"maps"
	"slices"
)

// Behaviours describes the built-in behaviours to whatever reads a hooks.toml. With the
// zero value every [builtin.NAME] is accepted, with any key.
type Behaviours struct {
	// Names are their names; nil: not checked.
	Names func() []string
	// Key checks a key of [builtin.NAME]: it returns what its value must be, or "" if
	// the value is valid. known are the keys of the behaviour, nil if this is one of
	// them. loose means that a file of this layer must not set the key, or not to this
	// value, which is valid in other layers. nil: not checked.
	Key func(layer LayerName, behaviour, key string, value any) (want string, known []string, loose bool)
}

// builtins adds the hooks that come with the program. Those whose behaviour is not
// enabled are skipped at an event.
func (l *loader) builtins() {
	builtins := l.src.Builtins()
	for _, b := range builtins {
		if l.event != "" && !l.builtinEnabled(b) {
			continue
		}
		h := *b
		h.Status, h.Trusted, h.folder = Ready, true, b.Name
		h.Problems = slices.Clone(b.Problems)
		l.set.Found++
		if l.event != "" && h.Trigger != l.event {
			l.bystanders = append(l.bystanders, bystander{name: h.Name, folder: h.Name, layer: BuiltinLayer, builtin: &h})
			continue
		}
		l.hooks = append(l.hooks, &h)
	}
	if len(builtins) > 0 && (l.event == "" || l.set.Found > 0) {
		l.set.Layers = append([]Layer{{Name: BuiltinLayer}}, l.set.Layers...)
	}
}

// mergeBuiltin merges the tables of the built-in behaviours key by key: the
// project's over the user's over the system's.
func (l *loader) mergeBuiltin() {
	all := slices.Clone(l.files)
	slices.Reverse(all)
	if own := l.own(); own != nil {
		all = append(all, own)
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
	name := h.Behaviour
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
	if _, locked := l.lock(h.Name); locked {
		return on, at
	}
	return l.lastWord(name, on, at)
}

// lastWord asks Sources.BuiltinSwitch about a behaviour, once for each answer of its
// files.
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

// A verdict is what the files say about a behaviour; switched is the final answer.
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

// builtins reads the [builtin.NAME] tables. Only the key enabled is known here;
// Behaviours knows the rest.
func (r *settingsReader) builtins(t map[string]any) {
	r.builtin, r.builtinAt = map[string]map[string]any{}, map[string]string{}
	var names []string
	if r.behaviours.Names != nil && len(t) > 0 {
		names = r.behaviours.Names()
	}
	for name, v := range t {
		path := "builtin." + name
		if names != nil && !slices.Contains(names, name) {
			r.unknown(path, names...)
			continue
		}
		table := r.tableAt(path, v)
		values := map[string]any{}
		for key, v := range table {
			sub := path + "." + key
			switch v.(type) {
			case string, int64, float64, bool, []any:
			default:
				r.want(sub, v, "a text, a number, a boolean or an array of these")
				continue
			}
			if key == "enabled" {
				if s := r.boolean(sub, v); !s.ok {
					continue
				}
				r.builtinAt[name] = r.at(sub)
			} else if !r.builtinKey(name, key, sub, v) {
				continue
			}
			values[key] = v
		}
		r.builtin[name] = values
	}
}

// builtinKey reports whether a setting of a behaviour may be used, and says what is
// wrong with it. A key that nobody knows does no harm.
func (r *settingsReader) builtinKey(behaviour, key, path string, v any) bool {
	if r.behaviours.Key == nil {
		return true
	}
	want, known, loose := r.behaviours.Key(r.layer, behaviour, key, v)
	switch {
	case known != nil:
		r.unknown(path, append(known, "enabled")...)
		return false
	case want != "":
		r.want(path, v, want)
	case loose: // not quoted: the value may be a secret key
		r.problem(Warning, path, "", "set it in your own hooks.toml", "a project may not set it so; it is left out")
	}
	return want == "" && !loose
}
