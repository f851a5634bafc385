package bring

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	words "github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Source is a file with entries, or a folder of scripts.
type Source struct {
	Agent   *protocol.Dialect // nil: it belongs to no agent
	Path    string
	Scope   protocol.Scope
	Private bool    // in a project, but not in its repository
	Plugin  *Plugin // the plugin that it belongs to, nil if none
	Strange bool    // not what an agent of the user reads in every project anyway: see own

	in *beneath.Root // nil: the user's own
}

// maxFile is how long a configuration may be.
const maxFile = 1 << 20

// A finder finds sources and reads their entries.
type finder struct {
	h        host.Host
	project  string
	in       *beneath.Root // the project's root
	problems []Problem
	notes    []string

	set func() *discovery.Set // the hooks that there are, also built-in ones that are off

	began  time.Time
	asides map[string]string // tests by matcher, since finding one takes long
}

// A Problem is a file that could not be read, with the position and how to fix it.
type Problem struct {
	File    string `json:"file"`
	Line    int    `json:"line"` // 0: the whole file
	Column  int    `json:"column"`
	Message string `json:"message"`
	Fix     string `json:"fix"`
	Agent   string `json:"agent"`
}

// sources are all sources of the user and the project.
func (f *finder) sources() (list []Source) {
	for _, d := range agentarg.Installable() {
		list = append(list, f.ofAgent(d)...)
	}
	return append(list, f.runners()...)
}

// ofAgent are an agent's sources: the files that exist, and its enabled plugins.
func (f *finder) ofAgent(d *protocol.Dialect) (list []Source) {
	seen := map[string]bool{}
	for _, scope := range []protocol.Scope{protocol.UserScope, protocol.ProjectScope} {
		if scope == protocol.ProjectScope && f.project == "" {
			continue
		}
		site := setup.Site(f.h, scope, f.project)
		for _, path := range filesOf(d, site) {
			if path == "" || seen[path] {
				continue
			}
			seen[path] = true
			s := f.at(d, path, scope)
			if _, err := s.in.Stat(path); err == nil {
				list = append(list, s)
			} else if !errors.Is(err, fs.ErrNotExist) {
				f.wrong(s, err)
			}
		}
	}
	return append(list, f.plugins(d)...)
}

// own reports whether a source is what an agent of the user reads in every project anyway: settings
// at their usual place, or a plugin that the user has switched on. A file that lies elsewhere may be
// anybody's, even if the user named it, and so may one of the project that a variable leads to.
func (f *finder) own(s Source) bool {
	if s.Scope != protocol.UserScope || f.project != "" && setup.Within(s.Path, f.project) {
		return false
	}
	return s.Plugin != nil || s.Agent != nil && slices.Contains(filesOf(s.Agent, setup.Site(f.h, protocol.UserScope, "")), s.Path)
}

// filesOf are the files of the site's scope that may contain an agent's hooks.
func filesOf(d *protocol.Dialect, site protocol.Site) []string {
	switch {
	case d.Custom != nil && d.Custom.Files != nil:
		return d.Custom.Files(site)
	case d.Config == nil || d.Config.Shape == protocol.Plugin:
		return nil
	case d.Config.Files != nil:
		return d.Config.Files(site)
	}
	return []string{d.Config.File(site)}
}

// at is an agent's source at a path.
func (f *finder) at(d *protocol.Dialect, path string, scope protocol.Scope) Source {
	s := Source{Agent: d, Path: path, Scope: scope}
	if scope == protocol.ProjectScope && f.project != "" && setup.Within(path, f.project) {
		s.in = f.in
	}
	if d != nil && d.Custom != nil && d.Custom.Private != "" {
		s.Private = scope == protocol.ProjectScope && strings.HasSuffix(path, d.Custom.Private)
	}
	return s
}

// wrong records a problem with a source.
func (f *finder) wrong(s Source, err error) {
	p := Problem{File: s.Path, Message: beneath.Why(err), Fix: "fix it, and run agents-hooks import again"}
	if s.Agent != nil {
		p.Agent = s.Agent.ID
	}
	if at, ok := errors.AsType[*fileError](err); ok {
		p.Line, p.Column, p.Message = at.line, at.col, at.msg
	}
	f.problems = append(f.problems, p)
}

// read reads a source's file; ok is false if it cannot be read.
func (f *finder) read(s Source) (value, bool) {
	b, err := s.in.Read(s.Path, maxFile)
	if err == nil {
		var v value
		if v, err = parse(s.Path, b); err == nil {
			return v, true
		}
	}
	f.wrong(s, err)
	return value{}, false
}

// nothingCalled is the error for a word that is neither an agent nor an existing path.
func nothingCalled(word string) error {
	var ids []string
	for _, d := range agentarg.Installable() {
		ids = append(ids, d.ID)
	}
	hint := "agents-hooks import --dry-run shows what was found"
	if near := words.Nearest(word, ids, 2); near != "" {
		hint = "agents-hooks import " + near
	}
	return shell.WithHint(fmt.Errorf("%q is neither an agent nor a file or folder", word), hint)
}

// named are the sources for a word that the user typed: an agent, a file or a folder; "" for all.
func (f *finder) named(word string) ([]Source, error) {
	if word == "" {
		return f.sources(), nil
	}
	if d, err := agentarg.Lookup(word); err == nil && d.Config != nil {
		return f.ofAgent(d), nil
	}
	if names, ok := runnerFiles[word]; ok {
		return f.ofProgram(word, names)
	}
	path, err := f.h.Abs(word)
	if err != nil {
		return nil, err
	}
	var in *beneath.Root
	if f.project != "" && setup.Within(path, f.project) {
		in = f.in
	}
	info, err := in.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nothingCalled(word)
	case err != nil:
		return nil, fmt.Errorf("%s: %s", path, beneath.Why(err))
	case ofGit(path):
		return nil, callIt(fmt.Errorf("%s: git runs it for every agent already", path))
	case info.IsDir():
		return f.folder(path)
	}
	return f.file(path, in)
}

// scopeOf says who owns a path: the project if it is inside it, else the user.
func (f *finder) scopeOf(path string) protocol.Scope {
	if f.project != "" && setup.Within(path, f.project) {
		return protocol.ProjectScope
	}
	return protocol.UserScope
}

// file is a settings file that the user named: its agent is recognized by the path, else by the
// content.
func (f *finder) file(path string, in *beneath.Root) ([]Source, error) {
	s := Source{Path: path, Scope: f.scopeOf(path), in: in}
	if isRunner(path) {
		return []Source{s}, nil
	}
	for _, d := range agentarg.Installable() {
		for _, ending := range endings(d) {
			if strings.HasSuffix(filepath.ToSlash(path), ending) {
				one := f.at(d, path, s.Scope)
				one.in = in
				return []Source{one}, nil
			}
		}
	}
	v, ok := f.read(s)
	if !ok {
		return nil, nil
	}
	if s.Agent = byContent(v); s.Agent == nil {
		return nil, fmt.Errorf("%s contains no hooks of a known agent", f.h.Short(path))
	}
	return []Source{s}, nil
}

// endings are how the paths of an agent's files end: ".claude/settings.json".
func endings(d *protocol.Dialect) (list []string) {
	for _, scope := range []protocol.Scope{protocol.UserScope, protocol.ProjectScope} {
		site := protocol.Site{Scope: scope, GOOS: "linux", Home: "/", Project: "/"}
		for _, path := range filesOf(d, site) {
			if path != "" {
				list = append(list, path)
			}
		}
	}
	return list
}

// byContent is the agent whose hooks a file contains: the first of those that know most of its
// events, in the form that it uses.
func byContent(v value) *protocol.Dialect {
	events := eventsOf(v)
	var best *protocol.Dialect
	most := 0
	for _, d := range agentarg.Installable() {
		if d.Custom == nil || d.Config.Shape == protocol.Wrappers {
			continue
		}
		known := 0
		for _, m := range events.members {
			if _, ok := nativeOf(d, m.name); ok {
				known++
			}
		}
		if known > 0 && isFlat(events) == (d.Config.Shape == protocol.FlatJSON) {
			known++
		}
		if known > 0 && hasMember(events, cmp.Or(d.Config.Command, "command")) {
			known++
		}
		if known > most {
			best, most = d, known
		}
	}
	return best
}

// hasMember reports whether the first entry has a member.
func hasMember(events value, name string) bool {
	for _, m := range events.members {
		for _, e := range m.items {
			return e.get(name).kind != absent
		}
	}
	return false
}

// folder are the sources in a folder that the user named: a plugin, an agent's folder, or a
// project.
func (f *finder) folder(dir string) ([]Source, error) {
	for _, d := range agentarg.Installable() {
		if d.Custom == nil || d.Custom.Plugins == nil {
			continue
		}
		for _, name := range []string{d.Custom.Plugins.Manifest, d.Custom.Plugins.Hooks} {
			if _, err := beneath.At(dir).Stat(filepath.Join(dir, filepath.FromSlash(name))); err == nil {
				list := f.plugin(d, dir, f.scopeOf(dir))
				for i := range list {
					list[i].Strange = true
				}
				return list, nil
			}
		}
	}
	whole := finder{h: f.h, project: dir, in: beneath.At(dir)}
	for _, up := range []string{dir, filepath.Dir(dir)} {
		whole.project, whole.in = up, beneath.At(up)
		var list []Source
		for _, s := range whole.sources() {
			if s.Scope == protocol.ProjectScope && s.Plugin == nil && setup.Within(s.Path, dir) {
				s.Scope = f.scopeOf(s.Path)
				list = append(list, s)
			}
		}
		if len(list) > 0 {
			return list, nil
		}
	}
	return nil, fmt.Errorf("%s is neither a plugin with hooks nor settings of a known agent", f.h.Short(dir))
}
