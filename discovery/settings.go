package discovery

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/trust"
)

// Order says how the hooks of an event are ordered.
type Order string

const (
	OrderLayer    Order = "layer"    // system, user, project, built-in; priority inside each
	OrderPriority Order = "priority" // priority across all layers
)

// Settings are the merged hooks.toml files and environment.
type Settings struct {
	Enabled       bool
	Debug         bool
	LogChanges    bool // the run log contains what hooks changed in inputs
	OnError       OnError
	Order         Order
	DenyJSON      bool // deny_json = "block"
	OnUnsupported protocol.Unsupported
	PlainBlock    bool // blocked_command = "block"
	NoShell       bool // shell = "none"
	StopRow       int  // most continuations in a row, stop_limit; 0: none
	StopTotal     int  // most continuations per session; 0: none

	// Export is where the user has the run log sent; nil: nowhere.
	Export *Export

	// Builtin holds the [builtin.NAME] tables, merged key by key: values as strings,
	// int64, float64, bool or []any, as in TOML.
	Builtin map[string]map[string]any
}

// The values of stop_limit if the user sets none.
const (
	DefaultStopRow   = 5
	DefaultStopTotal = 20
)

// settings reads the system's and the user's settings files and merges them: the
// environment over the user's file, that over the system's, and each system directory
// over the next.
func (l *loader) settings() {
	if l.src.User != "" {
		l.addFile(filepath.Join(l.src.User, "hooks.toml"), UserLayer, 0)
	}
	for place, dir := range l.src.System {
		l.addFile(filepath.Join(dir, "hooks.toml"), SystemLayer, place)
	}
	l.always = l.src.TrustAlways
	for _, f := range l.files {
		l.always = l.always || f.trustAlways.value
	}
	l.general()
}

// ownSettings reads the hooks.toml of the projects, once.
func (l *loader) ownSettings() {
	if l.ownRead {
		return
	}
	l.ownRead = true
	for _, p := range l.projects {
		l.projectFile(p)
	}
	if slices.ContainsFunc(l.projects, func(p *project) bool { return p.own != nil }) {
		l.general()
	}
}

func (l *loader) addFile(path string, layer LayerName, place int) {
	if !beneath.Exists(path) {
		return
	}
	f := readSettings(path, layer, l.src.Behaviours)
	f.place = place
	l.set.Problems = append(l.set.Problems, f.problems...)
	l.files = append(l.files, f)
}

// projectFile reads a project's hooks.toml, which applies only if it is trusted. The
// bytes that are hashed are those that are used.
func (l *loader) projectFile(p *project) {
	path := settingsPath(p.dir)
	if !beneath.Exists(path) && !beneath.IsLink(path) {
		return
	}
	in := beneath.Root{Dir: p.dir, Ctx: l.owed()}
	b, err := in.Read(path, trust.MaxSettings)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		l.problem(Problem{File: path, Severity: Error, Message: "cannot be read: " + beneath.Why(err), Fix: "its settings are not honoured"})
		return
	}
	var others error
	if l.always && !l.src.AnyOwner {
		others = trust.Others(p.dir, path)
	}
	if (!l.always || others != nil) && !l.record().ApprovesSettings(p.dir, b) {
		if others != nil {
			l.tellOthers(path, others)
			return
		}
		if l.event != "" && l.refused().WhenOfSettings(p.dir, b) != "" {
			return
		}
		why := "nobody has approved them"
		if l.record().Knows(p.dir, trust.SettingsID) {
			why = "they have changed since you approved them"
		}
		l.problem(Problem{File: path, Severity: Warning, Message: "the settings of this project are not honoured, because " + why,
			Fix: "look at them with `agents-hooks trust`"})
		return
	}
	p.own = parseSettings(string(b), path, ProjectLayer, l.src.Behaviours)
	l.set.Problems = append(l.set.Problems, p.own.problems...)
}

// own is the file of the nearest project, if it is trusted: the one that applies to
// built-in hooks.
func (l *loader) own() *settingsFile {
	if l.set.Project == "" {
		return nil
	}
	return l.projects[0].own
}

// ownOf is the project's file that applies to a hook, nil if none does: that of the
// project that the hook comes with.
func (l *loader) ownOf(h *Hook) *settingsFile {
	var own *settingsFile
	switch h.Layer {
	case ProjectLayer:
		own = l.projects[h.place].own
	case BuiltinLayer:
		own = l.own()
	}
	if own == nil || !l.reaches(own, h) {
		return nil
	}
	return own
}

// A setting is a value of a settings file, and its place.
type setting[T any] struct {
	ok    bool
	value T
	at    string // "FILE:LINE"
}

// or is the first of two settings that is set.
func (s setting[T]) or(t setting[T]) setting[T] {
	if s.ok {
		return s
	}
	return t
}

// first is the strongest value in the user's and the system's files.
func first[T any](files []*settingsFile, get func(*settingsFile) setting[T]) setting[T] {
	for _, f := range files {
		if s := get(f); s.ok {
			return s
		}
	}
	return setting[T]{}
}

// general merges the settings for all hooks.
func (l *loader) general() {
	s := &l.set.Settings
	s.Enabled = !l.src.Off && l.enabled().value
	s.Debug = l.src.Debug || first(l.files, func(f *settingsFile) setting[bool] { return f.debug }).value
	s.LogChanges = first(l.files, func(f *settingsFile) setting[bool] { return f.logChanges }).or(setting[bool]{value: true}).value
	s.OnError = first(l.files, func(f *settingsFile) setting[OnError] { return f.onError }).value
	s.Order = first(l.files, func(f *settingsFile) setting[Order] { return f.order }).or(setting[Order]{value: OrderLayer}).value
	s.DenyJSON = first(l.files, func(f *settingsFile) setting[bool] { return f.denyJSON }).value
	s.OnUnsupported = first(l.files, func(f *settingsFile) setting[protocol.Unsupported] { return f.onUnsupported }).value
	s.PlainBlock = first(l.files, func(f *settingsFile) setting[bool] { return f.plainBlock }).value
	s.NoShell = first(l.files, func(f *settingsFile) setting[bool] { return f.noShell }).value
	for _, p := range l.projects { // they may only make it stricter
		if p.own != nil && p.own.onUnsupported.ok {
			s.OnUnsupported = p.own.onUnsupported.value
		}
	}
	s.StopRow = first(l.files, func(f *settingsFile) setting[int] { return f.stopRow }).or(setting[int]{value: DefaultStopRow}).value
	s.StopTotal = first(l.files, func(f *settingsFile) setting[int] { return f.stopTotal }).or(setting[int]{value: DefaultStopTotal}).value
	if e := first(l.files, func(f *settingsFile) setting[Export] { return f.export }); e.value.OTLP != "" {
		s.Export = &e.value
	}
	says := func(f *settingsFile) bool { return len(f.builtin) > 0 }
	if own := l.own(); slices.ContainsFunc(l.files, says) || own != nil && says(own) {
		l.mergeBuiltin()
	}
}

func (l *loader) enabled() setting[bool] {
	return first(l.files, func(f *settingsFile) setting[bool] { return f.enabled }).or(setting[bool]{value: true})
}

// A lock is one [[hooks.lock]].
type lock struct {
	rank  int    // of its layer
	at    string // "FILE:LINE"
	allow bool   // on_error = "allow"
}

// lock is the strictest lock on a name. The system's takes precedence over the user's.
func (l *loader) lock(name string) (k lock, locked bool) {
	for _, f := range l.files {
		if has, ok := f.lock[name]; ok && (!locked || has.rank < k.rank) {
			k, locked = has, true
		}
	}
	return k, locked
}

func (l *loader) anyLock() bool {
	return slices.ContainsFunc(l.files, func(f *settingsFile) bool { return len(f.lock) > 0 })
}

// reaches reports whether a settings file may affect a hook: a lock keeps off all
// layers above it, and a project's file affects only its own hooks and built-in ones.
func (l *loader) reaches(f *settingsFile, h *Hook) bool {
	if f.layer == ProjectLayer && h.Layer != ProjectLayer && h.Layer != BuiltinLayer {
		return false
	}
	k, locked := l.lock(h.Name)
	return !locked || f.layer.rank() <= k.rank
}

// touching are the settings files that may affect a hook, strongest first.
func (l *loader) touching(h *Hook) []*settingsFile {
	own := l.ownOf(h)
	if len(l.files) == 0 && own == nil {
		return nil
	}
	var out []*settingsFile
	for _, f := range l.files {
		if l.reaches(f, h) {
			out = append(out, f)
		}
	}
	if own != nil {
		out = append(out, own)
	}
	return out
}

// disabled reports whether a hook is switched off, and by what: a file and line, or the
// name of a variable; "" for a built-in hook that nobody has enabled.
func (l *loader) disabled(h *Hook) (by string, off bool) {
	k, locked := l.lock(cmp.Or(h.Name, h.folder))
	files := l.touching(h)
	for _, f := range files {
		if locked && f.layer.rank() >= k.rank {
			continue // a layer that locks a hook does not also disable it by name
		}
		if at, ok := f.disable[h.Name]; ok {
			return at, true
		}
		if at, ok := f.disable[h.folder]; ok && h.Status == Broken {
			return at, true
		}
	}
	if !locked {
		switch {
		case l.src.Off:
			return "AGENTS_HOOKS_DISABLE", true
		case slices.Contains(l.src.OffNames, h.Name):
			return "AGENTS_HOOKS_DISABLED_HOOKS", true
		case !l.set.Settings.Enabled:
			return l.enabled().at, true
		}
	}
	if h.Layer == BuiltinLayer && !l.builtinEnabled(h) {
		return l.builtinOffAt(h), true
	}
	if locked || l.event != "" && l.src.Agent == "" {
		return "", false
	}
	if h.Layer == UserLayer && l.hasPins() || slices.ContainsFunc(files, func(f *settingsFile) bool { return len(f.except) > 0 }) {
		h.LeftOut = l.leftOut(h, files)
	}
	for _, o := range h.LeftOut {
		if l.src.Agent != "" && o.In(l.src.Agent) {
			return o.By, true
		}
	}
	return "", false
}

// apply applies the settings to a hook: the overrides by name, else its HOOK.md, else
// the defaults. A project's own defaults take precedence for its hooks over the user's.
func (l *loader) apply(h *Hook) {
	h.DenyJSON = l.set.Settings.DenyJSON
	files := l.touching(h)
	if h.Sandbox != nil || len(files) > 0 || len(l.files) > 0 {
		l.confine(h)
	}
	if len(files) == 0 {
		return
	}
	var o override
	for _, f := range files {
		e := f.overrides[h.Name]
		o = override{o.priority.or(e.priority), o.timeout.or(e.timeout), o.async.or(e.async), o.onError.or(e.onError), o.sandbox.or(e.sandbox)}
	}
	nearest := files
	if last := files[len(files)-1]; last.layer == ProjectLayer {
		nearest = append([]*settingsFile{last}, files[:len(files)-1]...)
	}
	timeout, async := o.timeout, o.async
	if !h.given[keyTimeout] && h.Layer != BuiltinLayer {
		timeout = timeout.or(first(nearest, func(f *settingsFile) setting[time.Duration] { return f.timeout }))
	}
	if !h.given[keyAsync] && h.Layer != BuiltinLayer {
		async = async.or(first(nearest, func(f *settingsFile) setting[bool] { return f.async }))
	}
	if o.priority.ok {
		h.Priority = o.priority.value
	}
	if timeout.ok {
		h.Timeout = timeout.value
	}
	if async.ok {
		h.Async = async.value
	}
	l.applyPolicies(h, o.onError)
}

// applyPolicies decides what a hook's failure means: an override, else its own
// metadata, else its project's setting for its own hooks. Otherwise the general setting
// applies.
func (l *loader) applyPolicies(h *Hook, o setting[OnError]) {
	own := l.ownOf(h)
	switch {
	case o.ok:
		h.OnError = o.value
	case h.OnError == OnErrorDefault && own != nil && own.onError.ok:
		h.OnError = own.onError.value
	}
	h.DenyJSON = h.DenyJSON || own != nil && own.denyJSON.value
}
