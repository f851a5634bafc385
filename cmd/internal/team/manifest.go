// Package team reads a team's manifest, .agents/agents-hooks.toml in a project, and
// compares it with a machine. It changes nothing and prints nothing.
//
//	requires = "0.3.0"                       # the minimum version of agents-hooks
//	agents = ["claude-code", "codex"]
//
//	[[pack]]
//	source = "https://git.example/hooks@v1.2.0"
//
//	[[require]]
//	hook = "no-force-push"
//	agents = ["claude-code"]                 # all if left out
//
// The file comes with a repository, so it is not trusted: it only says what the team
// wants. Nothing in it is run, fetched or approved without the user's consent, and it
// changes none of the user's settings.
package team

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/keep"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/internal/toml"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// File is the manifest's path in a project.
const File = ".agents/agents-hooks.toml"

// A Manifest is what a team wants.
type Manifest struct {
	Path     string
	Project  string
	Requires string              // the minimum version, "" for any
	Agents   []*protocol.Dialect // in their order
	Packs    []Pack
	Hooks    []Required
	Problems []discovery.Problem
}

// A Pack is one that the team uses.
type Pack struct {
	Source string
	At     string // FILE:LINE
}

// A Required hook is one that has to run.
type Required struct {
	Name   string
	Agents []*protocol.Dialect // in these; none: in all of the manifest's
	At     string              // FILE:LINE
	Line   int
}

// Limits of a manifest.
const (
	maxManifest = 64 << 10 // bytes
	maxWanted   = 500      // packs, and required hooks
)

// Find is the project whose manifest applies in a folder: the nearest up to the
// repository's root; "" if there is none.
func Find(dir, home string) string {
	_, root := discovery.FindProject(dir, home)
	for at := setup.RealPath(dir); ; {
		if at != home && (beneath.Exists(filepath.Join(at, filepath.FromSlash(File))) || beneath.IsLink(filepath.Join(at, filepath.FromSlash(File)))) {
			return at
		}
		up := filepath.Dir(at)
		if at == root || up == at || at == home {
			return ""
		}
		at = up
	}
}

// Read reads a project's manifest; nil if it has none. Its Problems say what is wrong
// with it.
func Read(project string) *Manifest {
	path := filepath.Join(project, filepath.FromSlash(File))
	m := &Manifest{Path: path, Project: project}
	b, err := beneath.At(project).Read(path, maxManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		m.Problems = []discovery.Problem{{File: path, Severity: discovery.Error, Message: "cannot be read: " + beneath.Why(err), Fix: "write the file itself into the project"}}
		return m
	}
	doc, err := toml.Parse(string(b))
	if err != nil {
		p := discovery.Problem{File: path, Line: 1, Column: 1, Severity: discovery.Error, Message: "no valid TOML: " + err.Error()}
		if e, ok := errors.AsType[*toml.Error](err); ok {
			p.Line, p.Column = toml.Position(string(b), e.Offset)
			p.Message = e.Behind("no valid TOML")
		}
		m.Problems = []discovery.Problem{p}
		return m
	}
	r := reader{m, string(b), doc}
	r.root()
	order.By(m.Problems, func(a, b discovery.Problem) int { return a.Line - b.Line })
	return m
}

// Wrong reports whether the manifest has an error.
func (m *Manifest) Wrong() bool {
	return slices.ContainsFunc(m.Problems, func(p discovery.Problem) bool { return p.Severity == discovery.Error })
}

// A reader checks the TOML, key by key.
type reader struct {
	*Manifest
	text string
	doc  *toml.Document
}

func (r reader) line(path string) (line, col int) {
	if p, ok := r.doc.Find(path); ok {
		return toml.Position(r.text, p.Key)
	}
	return 1, 1
}

func (r reader) problem(path, fix, format string, args ...any) {
	line, col := r.line(path)
	r.Problems = append(r.Problems, discovery.Problem{File: r.Path, Line: line, Column: col, Field: path, Severity: discovery.Error, Message: fmt.Sprintf(format, args...), Fix: fix})
}

func (r reader) unknown(path, word string, known ...string) {
	fix := "known are " + strings.Join(known, ", ")
	if w := text.Nearest(word, known, 2); w != "" {
		fix = "did you mean " + w + "?"
	}
	r.problem(path, fix, "unknown key %q", text.Clip(word, 81))
}

func (r reader) root() {
	for name, v := range r.doc.Root {
		switch name {
		case "requires":
			if s, ok := v.(string); ok && keep.Version(s) != nil {
				r.Requires = s
			} else {
				r.problem(name, `write requires = "0.3.0"`, "is not a version")
			}
		case "agents":
			r.Agents = r.agents(name, v)
		case "pack":
			r.tables(name, v, []string{"source"}, func(path string, t map[string]any) {
				if s := r.word(path, "source", t); s != "" {
					r.Packs = append(r.Packs, Pack{s, r.at(path)})
				}
			})
		case "require":
			r.tables(name, v, []string{"hook", "agents"}, func(path string, t map[string]any) {
				line, _ := r.line(path)
				q := Required{Name: r.word(path, "hook", t), At: r.at(path), Line: line}
				if q.Name != "" && !validHook(q.Name) {
					r.problem(path, "write the name that list shows", "%q is not a hook name", text.Clip(q.Name, 81))
					return
				}
				if a, ok := t["agents"]; ok {
					q.Agents = r.agents(path+".agents", a)
				}
				if q.Name != "" {
					r.Hooks = append(r.Hooks, q)
				}
			})
		default:
			r.unknown(toml.Dotted("", name), name, "requires", "agents", "pack", "require")
		}
	}
}

// validHook reports whether a text may name a hook, including a plugin's.
func validHook(name string) bool {
	plugin, entry, has := strings.Cut(name, "/")
	return discovery.ValidName(plugin) && (!has || discovery.ValidName(entry))
}

func (r reader) at(path string) string {
	line, _ := r.line(path)
	return r.Path + ":" + strconv.Itoa(line)
}

// tables calls f for each table of an array, and checks their keys.
func (r reader) tables(name string, v any, known []string, f func(path string, t map[string]any)) {
	var list []map[string]any
	switch v := v.(type) {
	case []map[string]any:
		list = v
	case []any:
		for _, e := range v {
			t, _ := e.(map[string]any)
			list = append(list, t)
		}
	default:
		r.problem(name, "write [["+name+"]]", "is not an array of tables")
		return
	}
	if len(list) > maxWanted {
		r.problem(name, "", "has %d entries, and %d are as many as are looked at", len(list), maxWanted)
		list = list[:maxWanted]
	}
	for i, t := range list {
		path := name + "[" + strconv.Itoa(i) + "]"
		if t == nil {
			r.problem(name, "write [["+name+"]]", "contains something that is not a table")
			continue
		}
		for key := range t {
			if !slices.Contains(known, key) {
				r.unknown(path, key, known...)
			}
		}
		f(path, t)
	}
}

// word is a text that a table must have, without characters that no line shows.
func (r reader) word(path, key string, t map[string]any) string {
	s, _ := t[key].(string)
	if s == "" || s != protocol.Plain(s) || strings.ContainsAny(s, "\n\t") || len(s) > 2048 {
		r.problem(path, "write "+key+` = "…"`, "has no %s that can be used", key)
		return ""
	}
	return s
}

func (r reader) agents(path string, v any) (list []*protocol.Dialect) {
	words, ok := v.([]any)
	if !ok {
		r.problem(path, "write a list: agents-hooks agents has the names", "is not a list of agents")
	}
	for _, w := range words {
		id, _ := w.(string)
		d, ok := agents.Lookup(id)
		switch {
		case !ok || d.Config == nil:
			hint, _ := agents.Meant(id)
			r.problem(path, hint, "%q is not a known agent", text.Clip(id, 81))
		case !slices.Contains(list, d):
			list = append(list, d)
		}
	}
	return list
}
