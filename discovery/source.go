package discovery

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/trust"
)

// A source is one [[hooks.source]]: an agent's plugin, whose hooks belong to the layer
// of the file that names it, and are run in place.
type source struct {
	path string // as written
	kind string
	at   Problem // its place in the file, without a message
}

// maxSources is how many sources one hooks.toml may name.
const maxSources = 64

// sources reads [[hooks.source]].
func (r *settingsReader) sources(path string, v any) {
	for i, t := range r.tablesAt(path, v) {
		if t == nil {
			continue
		}
		entry := path + "[" + strconv.Itoa(i) + "]"
		if len(r.plugins) == maxSources {
			r.problem(Error, entry, "", "merge some of them", "is left out: %d sources are as many as one file may name", maxSources)
			return
		}
		var s source
		s.path, s.kind = r.sourceWord(entry, "path", t), r.sourceWord(entry, "kind", t)
		for key := range t {
			if key != "path" && key != "kind" {
				r.unknown(entry+"."+key, "path", "kind")
			}
		}
		line, col := r.where(entry + ".path")
		s.at = Problem{File: r.path, Line: line, Column: col, Field: path, Severity: Error, Value: s.path}
		if s.path != "" && s.kind != "" {
			r.plugins = append(r.plugins, s)
		}
	}
}

// sourceWord is a text that a source must have.
func (r *settingsReader) sourceWord(entry, key string, t map[string]any) string {
	v, ok := t[key]
	if !ok {
		r.problem(Error, entry, "", "write "+key+` = "…"`, "has no %s and is left out", key)
		return ""
	}
	word, _ := v.(string)
	if word == "" {
		r.want(entry+"."+key, v, "a text")
	}
	return word
}

// fromSources reads the hooks of the sources that a settings file names.
func (l *loader) fromSources(f *settingsFile, place int) {
	for _, s := range f.plugins {
		p, problem := l.plugin(s, f, place)
		if problem != "" {
			s.at.Message = problem
			l.problem(s.at)
			continue
		}
		if p != nil {
			l.hooksOf(p)
		}
	}
}

// plugin finds the folder of a source. A project's file can only name one inside the
// project. The user may name any, but one that lies in a project is somebody else's
// code all the same.
func (l *loader) plugin(s source, f *settingsFile, place int) (p *plugin, problem string) {
	tongue, kinds := l.tongueOf(s.kind)
	if tongue == nil {
		return nil, fmt.Sprintf("kind %s is none that is known: write %s", quoted(s.kind), strings.Join(kinds, " or "))
	}
	p = &plugin{tongue: tongue, form: tongue.Plugin, layer: f.layer, place: place, at: s.at}
	if f.layer == ProjectLayer {
		p.project = l.projects[place].dir
		if filepath.IsAbs(s.path) || !filepath.IsLocal(filepath.FromSlash(s.path)) {
			return nil, "leads out of the project: what lies elsewhere a person names in their own hooks.toml"
		}
		p.dir = filepath.Join(p.project, filepath.FromSlash(s.path))
		p.in = l.below(ProjectLayer, place).Sub(p.dir)
	} else {
		p.dir = l.absolute(s.path, f.path)
		if near, _ := l.ground.climb(p.dir, ""); len(near) > 0 {
			p.project, p.dir = near[0], l.ground.realDir(p.dir)
		}
		p.in = beneath.At(p.dir)
	}
	if !beneath.IsFolder(p.dir) {
		return nil, quoted(p.dir) + " is no folder"
	}
	return p, ""
}

// tongueOf is the protocol of the agent that a kind names, and the list of kinds.
func (l *loader) tongueOf(kind string) (of *protocol.Tongue, kinds []string) {
	if l.src.Tongues == nil {
		return nil, nil
	}
	for _, t := range l.src.Tongues() {
		if t.Plugin == nil {
			continue
		}
		if kinds = append(kinds, t.Plugin.Kind); t.Plugin.Kind == kind {
			of = t
		}
	}
	return of, kinds
}

// absolute resolves a path in a user's file: from their home, or else from the folder
// of the file.
func (l *loader) absolute(path, file string) string {
	if rest, ok := strings.CutPrefix(path, "~"); ok && l.src.Home != "" && (rest == "" || rest[0] == '/' || rest[0] == filepath.Separator) {
		return filepath.Join(l.src.Home, rest)
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(filepath.Dir(file), path)
}

// hooksOf reads the hooks of a plugin: at an event, only those that wait for it. A
// plugin that needs approval is read from the approved copy, so that what is read is
// what is run.
func (l *loader) hooksOf(p *plugin) {
	l.set.Layers = append(l.set.Layers, Layer{p.layer, p.dir})
	hooks := p.read()
	due := l.event != "" && slices.ContainsFunc(hooks, func(h *Hook) bool { return h.Trigger == l.event })
	trusted := p.project == "" || l.vouchesFor(p, due)
	if p.copy != "" {
		hooks = p.read()
	}
	for _, problem := range p.problems {
		if l.event == "" || problem.Severity == Error {
			l.problem(problem)
		}
	}
	for _, h := range hooks {
		l.set.Found++
		if l.event != "" && h.Trigger != l.event {
			continue // no other hook has its name, since the event is part of that
		}
		if h.Trusted = trusted; !trusted && l.event != "" {
			h.Status = Untrusted
		}
		l.hooks = append(l.hooks, h)
	}
}

// PluginHooks returns the hooks of a plugin's folder, as if it were a source of the
// user's, and its problems; none if it is not an agent's plugin.
func PluginHooks(src Sources, dir string) (hooks []*Hook, problems []Problem) {
	for _, t := range src.Tongues() {
		if t.Plugin == nil || !beneath.Exists(filepath.Join(dir, filepath.FromSlash(t.Plugin.Manifest))) && !beneath.Exists(filepath.Join(dir, filepath.FromSlash(t.Plugin.Hooks))) {
			continue
		}
		p := &plugin{tongue: t, form: t.Plugin, dir: dir, in: beneath.At(dir), layer: UserLayer}
		hooks = p.read()
		return hooks, p.problems
	}
	return nil, nil
}

// thing identifies a plugin in the record of approvals.
func (p *plugin) thing() trust.Thing {
	rel, err := filepath.Rel(p.project, p.dir)
	if err != nil {
		rel = filepath.Base(p.dir)
	}
	return trust.Thing{ID: trust.SourceID(filepath.ToSlash(rel)), Path: p.dir}
}

// vouchesFor reports whether a plugin in a project may be run, as [loader.trusts] does
// for a hook; due says that it is about to run.
func (l *loader) vouchesFor(p *plugin, due bool) bool {
	ctx := l.owed()
	if l.always {
		others, err := trust.Contained(ctx, p.project, p.dir)
		if err != nil {
			p.problem(Error, p.dir, 0, "keep all files of the plugin in its folder", "is not run: %s", beneath.Why(err))
			return false
		}
		if others == nil || l.src.AnyOwner {
			return true
		}
		if !l.record().Approves(ctx, p.project, p.thing()) {
			l.tellOthers(p.dir, others)
			return false
		}
	}
	if !due {
		return l.event != "" || l.record().Approves(ctx, p.project, p.thing())
	}
	dir, ok, err := l.record().Admit(ctx, p.project, p.thing(), trust.Start{})
	if err != nil {
		p.problem(Error, p.dir, 0, "make room in "+l.src.State, "is not run: what was approved cannot be kept: %s", err)
		return false
	}
	if ok && dir != "" {
		p.copy, p.in = dir, beneath.At(dir)
	}
	return ok
}

// sourcesToApprove are the plugins of a project that need approval: those named in its
// own settings, and those in the user's.
func (l *loader) sourcesToApprove(project string) (list []*plugin) {
	files := slices.Clone(l.files)
	if own := readSettings(settingsPath(project), ProjectLayer, l.src.Behaviours); len(own.plugins) > 0 {
		files = append(files, own)
	}
	for _, f := range files {
		for _, s := range f.plugins {
			p, _ := l.plugin(s, f, 0)
			if p != nil && p.project == project && len(p.read()) > 0 && !slices.ContainsFunc(list, func(q *plugin) bool { return q.dir == p.dir }) {
				list = append(list, p)
			}
		}
	}
	return list
}

// readJSON reads a file of a plugin; object is nil if there is none.
func (p *plugin) readJSON(path string) (object protocol.Object, text []byte) {
	file := filepath.Join(p.root(), filepath.FromSlash(path))
	text, err := p.in.Read(file, maxPluginFile)
	shown := filepath.Join(p.dir, filepath.FromSlash(path))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		p.problem(Error, shown, 0, "its hooks do not run until then", "cannot be read: %s", safefile.Reason(err))
		return nil, nil
	}
	object, err = protocol.ParseObject(text)
	if e, ok := errors.AsType[*protocol.SyntaxError](err); ok {
		q := p.problem(Error, shown, 1, "mend it: its hooks do not run until then", "no valid JSON: %s", e.Msg)
		q.Line, q.Column = position(text, e.Offset)
		return nil, nil
	}
	return object, text
}

const maxPluginFile = 1 << 20 // bytes
