package bring

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	words "github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// The configurations of programs that run git hooks. What git runs, it already runs for every
// agent; what is imported are hooks named for an agent, as in lefthook's section ai: {AGENT:
// {EVENT: HOOK}}, each run by "lefthook run HOOK".
const (
	precommitFile = ".pre-commit-config.yaml"
	huskyFolder   = ".husky"
)

// runnerFiles are their files in a project, by the program's name.
var runnerFiles = map[string][]string{
	"lefthook": {"lefthook.yml", ".lefthook.yml", "lefthook.yaml", ".lefthook.yaml", "lefthook.toml", ".lefthook.toml", "lefthook.json", ".lefthook.json",
		".config/lefthook.yml", "lefthook-local.yml", ".lefthook-local.yml"},
	"pre-commit": {precommitFile},
	"husky":      {huskyFolder},
}

// isRunner reports whether a path is one of these files.
func isRunner(path string) bool {
	return slices.Contains(runnerFiles["lefthook"], filepath.Base(path)) || filepath.Base(path) == precommitFile
}

// ofGit reports whether a path is a script that git runs, or the folder of them.
func ofGit(path string) bool {
	dir, base := filepath.Split(filepath.ToSlash(path))
	return strings.HasSuffix(dir, ".git/hooks/") || strings.HasSuffix(dir, huskyFolder+"/") && gits(base) || strings.HasSuffix(dir, ".git/") && base == "hooks"
}

// callIt adds to an error how an agent hears of a hook of git before it commits.
func callIt(err error) error {
	return shell.WithHint(err, "docs/import.md, Hooks of git: how an agent hears of it before it commits")
}

// runners are the sources in a project that belong to no agent.
func (f *finder) runners() (list []Source) {
	for _, program := range []string{"lefthook", "pre-commit", "husky"} {
		list = append(list, f.runnersNamed(runnerFiles[program])...)
	}
	return list
}

// ofProgram are the sources of one of these programs, which must have some.
func (f *finder) ofProgram(program string, names []string) ([]Source, error) {
	list := f.runnersNamed(names)
	if len(list) == 0 {
		return nil, callIt(fmt.Errorf("%s: there is no %s here", program, names[0]))
	}
	return list, nil
}

func (f *finder) runnersNamed(names []string) (list []Source) {
	if f.project == "" {
		return nil
	}
	for _, name := range names {
		path := filepath.Join(f.project, filepath.FromSlash(name))
		if _, err := f.in.Lstat(path); err == nil {
			list = append(list, Source{Path: path, Scope: protocol.ProjectScope, Private: strings.Contains(name, "-local"), in: f.in})
		}
	}
	return list
}

// ofRunner are the entries of such a source.
func (f *finder) ofRunner(s Source) []Entry {
	switch base := filepath.Base(s.Path); {
	case base == huskyFolder:
		return f.inHusky(s)
	case base == precommitFile:
		f.noteGit(s, []string{"pre-commit"})
		return nil
	}
	return f.inLefthook(s)
}

// note adds a note to the plan.
func (f *finder) note(format string, args ...any) {
	f.notes = append(f.notes, fmt.Sprintf(format, args...))
}

// gits reports whether a name is one of git's usual hooks; a runner's file names them.
func gits(name string) bool {
	return slices.Contains([]string{"pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "pre-push", "post-merge", "post-checkout", "pre-rebase", "post-rewrite", "pre-merge-commit"}, name)
}

// noteGit mentions a runner's git hooks.
func (f *finder) noteGit(s Source, names []string) {
	if names = slices.DeleteFunc(names, func(n string) bool { return !gits(n) }); len(names) > 0 {
		f.note("%s: git runs %s for every agent already; docs/import.md, Hooks of git: how an agent hears of it before it commits", f.h.Short(s.Path), strings.Join(names, ", "))
	}
}

// asEntry is the agent's entry that a runner's hook stands for.
func asEntry(s Source, d *protocol.Dialect, event, command string, at value) Entry {
	s.Agent = d
	fields := value{kind: object, members: []member{{"type", value{kind: text, text: "command"}}, {"command", value{kind: text, text: command}}}}
	return Entry{Source: s, Event: event, fields: fields, First: at.first, Last: at.last}
}

func (f *finder) inLefthook(s Source) (list []Entry) {
	v, ok := f.read(s)
	if !ok {
		return nil
	}
	for _, agent := range v.get("ai").members {
		d, err := agentarg.Lookup(agent.name)
		for _, e := range agent.members {
			one := asEntry(s, d, e.name, "lefthook run "+words.ShellWord(e.text), e.value)
			if err != nil || d.Config == nil {
				one.Agent = nil
				one.never = fmt.Sprintf("%q is not a known agent", agent.name)
			}
			if v.get(e.text).kind == absent {
				one.never = fmt.Sprintf("%s has no hook %q", filepath.Base(s.Path), e.text)
			}
			list = append(list, one)
		}
	}
	var names []string
	for _, m := range v.members {
		names = append(names, m.name)
	}
	f.noteGit(s, names)
	return append(list, f.calledLike(s, v)...)
}

// calledLike are hooks that are named like an agent's event: git never calls them.
func (f *finder) calledLike(s Source, v value) (list []Entry) {
	for _, m := range v.members {
		d := ownerOf(m.name)
		if d == nil || m.kind != object {
			continue
		}
		list = append(list, asEntry(s, d, m.name, "lefthook run "+m.name, m.value))
	}
	return list
}

// ownerOf is the first agent that has an event of this name and a protocol of its own that we
// speak, nil if there is none.
func ownerOf(event string) *protocol.Dialect {
	for _, d := range agentarg.Installable() {
		if _, ok := d.Native(event); ok && d.Custom != nil && d.Custom.Speaks == d.ID {
			return d
		}
	}
	return nil
}

// inHusky are the files that are named after an agent's event.
func (f *finder) inHusky(s Source) (list []Entry) {
	files, err := s.in.List(s.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		f.wrong(s, err)
	}
	var names []string
	for _, file := range files {
		names = append(names, file.Name())
	}
	f.noteGit(s, names)
	for _, file := range files {
		if d := ownerOf(file.Name()); d != nil && !file.IsDir() {
			one := s
			one.Path = filepath.Join(s.Path, file.Name())
			list = append(list, asEntry(one, d, file.Name(), "sh -e "+huskyFolder+"/"+file.Name(), value{}))
		}
	}
	return list
}
