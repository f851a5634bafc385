package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/memories"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/skillset"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/runner"
	"github.com/agents-hooks/agents-hooks/spec"
)

// general checks what concerns no single agent.
func (d *doctor) general() {
	d.program()
	d.stateDirectory()
	d.layers()
	d.settings()
	d.hooks()
	d.trust()
	d.skills()
	d.tooDeep()
	d.foreignFile()
	d.recording()
	d.private()
	if s, err := memories.ShelfOf(d.Shell, context.Background(), d.from, false); err == nil {
		d.memory(s)
	}
	if runs := runner.LiveAsync(d.Host.State); len(runs) > 0 {
		var names []string
		for _, r := range runs {
			names = append(names, fmt.Sprintf("%s (pid %d, since %s)", r.Hook, r.Pid, r.Started.Local().Format("15:04:05")))
		}
		d.add("async", checkOK, "", "async hooks running now: %s", strings.Join(names, ", "))
	}
}

func (d *doctor) program() {
	path, err := setup.EntryProgram(d.Shell)
	var h shell.Hinted
	switch {
	case errors.As(err, &h):
		d.add("program", checkWarn, strings.Join(h.Hints, "; "), "%v", h.Unwrap())
	case err != nil:
		d.add("program", checkWarn, setup.InstallHint, "%v", err)
	default:
		d.add("program", checkOK, "", "%s, format %s; entries name %s", shell.ProgramVersion(), spec.Version, d.Short(path))
	}
}

// stateDirectory tries to write, as an event would.
func (d *doctor) stateDirectory() {
	dir := d.Host.State
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		var f *os.File
		if f, err = os.CreateTemp(dir, ".doctor-*"); err == nil {
			_, err = f.WriteString("x")
			err = errors.Join(err, f.Close(), os.Remove(f.Name()))
		}
	}
	if err != nil {
		d.add("state", checkError, "make "+d.Short(dir)+" writable: until then nothing is logged or remembered", "the state directory cannot be written: %v", err)
		return
	}
	d.add("state", checkOK, "", "%s can be written", d.Short(dir))
}

// layers tells where hooks are looked for.
func (d *doctor) layers() {
	user := filepath.Join(d.Host.Config, "hooks")
	if info, err := os.Stat(user); err != nil || !info.IsDir() {
		d.add("folder", checkOff, "agents-hooks new NAME --user", "there is no %s yet", d.Short(user))
	} else {
		d.add("folder", checkOK, "", "hooks of the user: %s", d.Short(user))
	}
	if d.set.Project != "" {
		d.add("project", checkOK, "", "hooks of the project: %s", d.Short(filepath.Join(d.set.Project, ".agents", "hooks")))
	}
}

// settings tells what is wrong with hooks.toml files, folders and the trust
// store, and whether hooks are switched off altogether.
func (d *doctor) settings() {
	for _, p := range d.set.Problems {
		status := checkWarn
		if p.Severity == discovery.Error {
			status = checkError
		}
		p.File = d.Short(p.File)
		fix := p.Fix
		p.Fix = ""
		d.add("settings", status, fix, "%s", p)
	}
	if !d.set.Settings.Enabled {
		d.add("settings", checkWarn, "unset AGENTS_HOOKS_DISABLE, or [hooks] enabled = true", "all hooks are switched off")
	}
}

// hooks tells of each hook that does not run because something is wrong with
// it, with the place.
func (d *doctor) hooks() {
	count := map[discovery.Status]int{}
	for _, h := range d.set.Hooks {
		count[h.Status]++
		switch h.Status {
		case discovery.Broken:
			for _, p := range h.Problems {
				if p.Severity == discovery.Error {
					fix := setup.OrElse(p.Fix, "agents-hooks validate "+d.Shown(h.Dir))
					p.File, p.Fix = d.Short(p.File), ""
					d.add("hook", checkError, fix, "%s does not run: %s", h.Name, p)
				}
			}
		case discovery.Foreign:
			d.add("hook", checkOff, "", "%s is a hook of another program, not run", d.Short(h.Dir))
		case discovery.Ready:
			if n := len(h.Problems); n > 0 {
				p := h.Problems[0]
				fix := setup.OrElse(p.Fix, "agents-hooks validate "+d.Shown(h.Dir))
				p.File, p.Fix = d.Short(p.File), ""
				d.add("hook", checkWarn, fix, "%s runs, with %d warnings: %s", h.Name, n, p)
			}
		}
	}
	var words []string
	for _, s := range []discovery.Status{discovery.Ready, discovery.Disabled, discovery.Untrusted, discovery.Overridden, discovery.Broken, discovery.Foreign} {
		if count[s] > 0 {
			words = append(words, fmt.Sprintf("%d %s", count[s], s))
		}
	}
	if len(words) == 0 {
		d.add("hooks", checkOff, "agents-hooks new NAME", "no hook counts here")
		return
	}
	d.add("hooks", checkOK, "", "%s", strings.Join(words, ", "))
}

// trust tells which hooks of the project wait for an approval.
func (d *doctor) trust() {
	var names []string
	for _, h := range d.set.Hooks {
		if h.Status == discovery.Untrusted {
			names = append(names, h.Name)
		}
	}
	if len(names) > 0 {
		d.add("trust", checkWarn, "agents-hooks trust", "not approved, so not run: %s", strings.Join(names, ", "))
	}
}

// shelf is the skills that are there, looked for once.
func (d *doctor) shelf() skillset.SkillShelf {
	if d.skillShelf == nil {
		shelf := skillset.SkillsFrom(d.Shell, d.Host.WorkDir)
		d.skillShelf = &shelf
	}
	return *d.skillShelf
}

// skills checks the prompts of skills, if agents are given them.
func (d *doctor) skills() {
	shelf := d.shelf()
	if !shelf.On {
		return
	}
	prompts, problems := 0, 0
	var untrusted []string
	for _, s := range shelf.Skills {
		problems += len(s.Problems)
		switch s.Status {
		case discovery.Ready:
			prompts += len(s.Hooks)
		case discovery.Untrusted:
			untrusted = append(untrusted, s.Name)
		}
	}
	d.add("skills", checkOK, "", "%s of skills are given: agents-hooks skills list", shell.Count(prompts, "prompt"))
	if problems > 0 {
		d.add("skills", checkWarn, "agents-hooks skills validate", "%s in the prompts of skills", shell.Count(problems, "problem"))
	}
	if len(untrusted) > 0 {
		d.add("skills", checkWarn, "agents-hooks trust", "not approved, so not given: the prompts of %s", strings.Join(untrusted, ", "))
	}
}

// maxDeep and maxFolders bound the search for hooks that lie too deep.
const (
	maxDeep    = 3
	maxFolders = 2000
)

// tooDeep finds a HOOK.md that lies where nobody looks: hooks lie one level deep
// in their folder (DESIGN 3).
func (d *doctor) tooDeep() {
	for _, l := range d.set.Layers {
		if l.Dir == "" {
			continue
		}
		folders := 0
		_ = filepath.WalkDir(l.Dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return fs.SkipDir
			}
			rel, _ := filepath.Rel(l.Dir, path)
			depth := 0
			if rel != "." {
				depth = strings.Count(filepath.ToSlash(rel), "/") + 1
			}
			if e.IsDir() {
				if folders++; folders > maxFolders || depth > maxDeep || depth > 0 && strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules" {
					return fs.SkipDir
				}
				return nil
			}
			if depth != 2 && strings.EqualFold(e.Name(), "HOOK.md") && e.Type().IsRegular() {
				d.add("depth", checkWarn, "move it to "+d.Short(filepath.Join(l.Dir, "NAME", "HOOK.md")), "%s is not found: hooks lie one level deep", d.Short(path))
			}
			return nil
		})
	}
}

// foreignFile tells of .agents/hooks.json, a file of Antigravity's beside ours;
// not where our own entry stands in it.
func (d *doctor) foreignFile() {
	for _, dir := range []string{d.set.Project, d.set.Root} {
		if dir == "" {
			continue
		}
		path := filepath.Join(dir, ".agents", "hooks.json")
		ours := slices.ContainsFunc(setup.StandingEntries(d.Shell, d.set.Root), func(s setup.Standing) bool { return s.File == path })
		if _, err := os.Lstat(path); err == nil && !ours {
			d.add("foreign", checkOff, "", "%s belongs to another program; what it starts is neither seen nor ordered by us", d.Short(path))
			return
		}
	}
}
