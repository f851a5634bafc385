package discovery

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Hold is the lock on a hook: no layer above can override, change or disable the
// hook, and what it cannot judge is blocked.
type Hold struct {
	At    string // place of the lock, a file:line
	Allow bool   // on_error = "allow": its failure counts like any hook's
	// Against is what the lock currently prevents. It is not computed for one event.
	Against []string
}

// hold puts the lock on a hook's name on the hook, if it applies to it. A lock applies
// to the hooks of its own layer and those below; if these have none of that name, to
// the one in the layers above.
func (l *loader) hold(h *Hook, alone bool) {
	name := cmp.Or(h.Name, h.folder)
	k, locked := l.lock(name)
	if !locked || h.Layer.rank() > k.rank && !alone {
		return
	}
	h.Held = &Hold{At: k.at, Allow: k.allow}
	if !k.allow {
		h.OnError = OnErrorBlock
	}
}

// against fills in what each lock prevents, once everything was read.
func (l *loader) against() {
	if l.event != "" || !l.opened {
		return
	}
	for _, h := range l.set.Hooks {
		if h.Held != nil {
			name := cmp.Or(h.Name, h.folder)
			k, _ := l.lock(name)
			h.Held.Against = append(h.Held.Against, l.switches(name, k)...)
		}
	}
}

// switches are the attempts to disable a hook that its lock prevents.
func (l *loader) switches(name string, k lock) (list []string) {
	files := slices.Clone(l.files)
	for _, p := range l.projects {
		files = append(files, p.own)
	}
	for _, f := range files {
		if f == nil || f.layer.rank() < k.rank {
			continue
		}
		if at, ok := f.disable[name]; ok {
			list = append(list, "[[hooks.disable]] at "+at)
		}
		if o, ok := f.overrides[name]; ok && f.layer.rank() > k.rank {
			list = append(list, "[[hooks.override]] at "+cmp.Or(o.priority.at, o.timeout.at, o.async.at, o.onError.at, f.path))
		}
	}
	switch {
	case l.src.Off:
		list = append(list, "AGENTS_HOOKS_DISABLE")
	case !l.set.Settings.Enabled:
		list = append(list, "hooks.enabled = false at "+l.enabled().at)
	}
	if slices.Contains(l.src.OffNames, name) {
		list = append(list, "AGENTS_HOOKS_DISABLED_HOOKS")
	}
	return list
}

// absent puts a broken hook in the place of each that is locked but missing: an event
// that it might have judged does not pass. Nobody knows which events these are, so it
// blocks every event that can be prevented, except the end of a turn, where a block
// would make the agent go on.
func (l *loader) absent() {
	if l.event != "" && (!l.event.Prevents() || l.event == protocol.PreAgentTurnStop) {
		return
	}
	for _, f := range l.files {
		for _, name := range slices.Sorted(maps.Keys(f.lock)) {
			k, _ := l.lock(name)
			switch {
			case k.at != f.lock[name].at: // a stricter one applies
			case l.present(name):
				l.holdBroken(name, k)
			case k.allow && l.event != "", !l.opened && l.mayComeWith(name):
			default:
				l.standFor(name, f)
			}
		}
	}
}

// standFor adds a broken hook for one that is locked but missing.
func (l *loader) standFor(name string, f *settingsFile) {
	file, line, _ := cutLast(f.lock[name].at, ":")
	n, _ := strconv.Atoi(line)
	h := &Hook{Name: name, Layer: f.layer, File: file, Status: Broken, Trusted: true, Timeout: DefaultTimeout, late: l.opened}
	h.Problems = []Problem{{File: file, Line: n, Column: 1, Field: "hooks.lock", Severity: Error, Fatal: true, Value: name,
		Message: fmt.Sprintf("no hook goes by the name %s that is locked here", quoted(name)),
		Fix:     "put its folder back into " + filepath.Join(filepath.Dir(file), "hooks") + ", or take the lock out"}}
	l.hold(h, true)
	l.set.Hooks = append(l.set.Hooks, h)
}

// holdBroken gives a lock to a broken hook of a layer above it, if the layers below
// have none of that name: it is the one that is meant.
func (l *loader) holdBroken(name string, k lock) {
	below := func(layer LayerName) bool { return layer.rank() <= k.rank }
	if l.anyBeside(func(o bystander) bool { return o.name == name && below(o.layer) }) {
		return
	}
	var broken []*Hook
	for _, h := range l.set.Hooks {
		switch {
		case cmp.Or(h.Name, h.folder) != name:
		case h.Held != nil || below(h.Layer):
			return
		case h.Status == Broken:
			broken = append(broken, h)
		}
	}
	for _, h := range broken {
		l.hold(h, true)
	}
}

// present reports whether there is a hook of a name, whether or not it runs. One that
// is not approved does not count, nor does another program's.
func (l *loader) present(name string) bool {
	return slices.ContainsFunc(l.set.Hooks, func(h *Hook) bool {
		return cmp.Or(h.Name, h.folder) == name && h.Status != Untrusted && h.Status != Foreign
	}) || l.anyBeside(func(o bystander) bool {
		return o.name == name && (o.layer != ProjectLayer || l.always || slices.Contains(l.record().Folders(l.projects[o.place].dir, name), o.folder))
	}) || l.src.Builtins != nil && slices.ContainsFunc(l.src.Builtins(), func(h *Hook) bool { return h.Name == name })
}

// mayComeWith reports whether the project may have a hook of a name that may run.
func (l *loader) mayComeWith(name string) bool {
	return slices.ContainsFunc(l.projects, func(p *project) bool { return l.always || len(l.record().Folders(p.dir, name)) > 0 })
}

// LockOn is where the lock on a name is, "" if there is none: to disable the hook, one
// must be able to remove it there.
func (s *Set) LockOn(name string) string {
	k, _ := s.loader.lock(name)
	return k.at
}

// cutLast cuts a text at the last of some separators.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
