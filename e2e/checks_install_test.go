//go:build e2e && unix

package e2e

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/e2e/model"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// note is a hook that leaves a mark when a prompt comes in; where that is never
// told, when a tool is called.
func (l *Lab) note(name string) Hook {
	trigger := "pre-agent-turn"
	if !slices.Contains(l.Agent.Events, trigger) {
		trigger = "pre-tool-call"
	}
	return Hook{Name: name, Trigger: trigger, Script: `: > '` + l.mark("noted-"+name) + `'`}
}

// plain is the shortest run there is in which a note is made.
func (l *Lab) plain() *Run {
	if slices.Contains(l.Agent.Events, "pre-agent-turn") {
		return l.run(model.Play(says("all is well"))).well()
	}
	return l.run(model.Play(calls(l.touch("ran")), says("all is well"))).well()
}

// settle lets an agent that writes its own settings do so.
func (l *Lab) settle() {
	l.t.Helper()
	if l.Agent.Settles != "" {
		l.plain()
	}
}

// configs are the bytes of the files that hold our entry, nil for one that is
// not there.
func (l *Lab) configs() map[string][]byte {
	l.t.Helper()
	out := map[string][]byte{}
	for _, name := range l.Agent.Config {
		data, err := os.ReadFile(filepath.Join(l.Home, name))
		if err != nil && !os.IsNotExist(err) {
			l.t.Fatal(err)
		}
		out[name] = data
	}
	return out
}

func (l *Lab) wantConfigs(what string, want map[string][]byte) {
	l.t.Helper()
	for name, now := range l.configs() {
		if !bytes.Equal(now, want[name]) || (now == nil) != (want[name] == nil) {
			l.t.Errorf("%s: %s is\n%s\nwant\n%s", what, name, now, want[name])
		}
	}
}

// treeOf lists all files below dir but our own state.
func (l *Lab) treeOf(dir string) map[string]string {
	l.t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		if top, _, _ := strings.Cut(rel, "/"); top == ".local" || top == ".cache" || top == ".git" {
			return nil
		}
		out[rel] = d.Type().String()
		if d.Type().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			out[rel] = string(data)
		}
		return nil
	})
	must.Do(l.t, err)
	return out
}

// wantTree fails the check unless dir is as it was.
func (l *Lab) wantTree(what, dir string, before map[string]string) {
	l.t.Helper()
	after := l.treeOf(dir)
	for name, text := range after {
		if was, ok := before[name]; !ok || was != text {
			l.t.Errorf("%s left %s:\n%s\nwant (%v)\n%s", what, name, text, ok, was)
		}
	}
	for name := range before {
		if _, ok := after[name]; !ok {
			l.t.Errorf("%s took %s away", what, name)
		}
	}
}

func proveUninstall(l *Lab) {
	l.settle()
	l.userHook(l.note("one"))
	before := l.treeOf(l.Home)
	untouched := l.configs()
	l.install()
	installed := l.configs()
	l.install()
	l.wantConfigs("after a second install", installed)
	must.Do(l.t, must.Err(l.ours("uninstall", l.Agent.ID)))
	l.wantTree("uninstall", l.Home, before)

	l.install()
	l.plain().wantMarks("noted-one")
	must.Do(l.t, os.Remove(l.mark("noted-one")))
	must.Do(l.t, must.Err(l.ours("uninstall", l.Agent.ID)))
	l.wantConfigs("after a run and uninstall", untouched)
	l.plain().wantNoMarks("noted-one")
}

// proveProjectScope: an entry for one project works there, and goes without a
// trace.
func proveProjectScope(l *Lab) {
	if l.Agent.TrustProject != nil {
		l.Agent.TrustProject(l)
	}
	l.settle()
	l.userHook(l.note("one"))
	home, project := l.treeOf(l.Home), l.treeOf(l.Project)
	must.Do(l.t, must.Err(l.ours("install", "--project", l.Agent.ID)))
	l.plain().wantMarks("noted-one")
	must.Do(l.t, must.Err(l.ours("uninstall", "--project", l.Agent.ID)))
	l.wantTree("uninstall --project", l.Project, project)
	for _, name := range l.Agent.Config {
		data, _ := os.ReadFile(filepath.Join(l.Home, name))
		if string(data) != home[name] {
			l.t.Errorf("uninstall --project left ~/%s as\n%s\nwant\n%s", name, data, home[name])
		}
	}
}

// proveTwice: install refuses a second entry, but one can still come with a
// project, from somebody who has our program elsewhere. A tool call with an id
// is one event all the same.
func proveTwice(l *Lab) {
	l.userHook(Hook{Name: "count", Trigger: "pre-tool-call", Script: `cat >> '` + l.mark("counted") + `'`})
	l.userHook(Hook{Name: "alive", Trigger: "pre-agent-turn", Script: `cat >> '` + l.mark("prompts") + `'`})
	l.install()
	if _, err := l.ours("install", "--project", l.Agent.ID); err == nil {
		l.t.Error("install added a second entry")
	}
	entry, err := os.ReadFile(filepath.Join(l.Home, ".claude/settings.json"))
	must.Do(l.t, err)
	elsewhere, kept := l.mark("elsewhere"), filepath.Join(l.Home, keptPrograms)
	must.Do(l.t, os.Symlink(kept, elsewhere))
	second := strings.ReplaceAll(string(entry), kept, elsewhere)
	if second == string(entry) {
		l.t.Fatalf("the entry does not name our program by its path: %s", entry)
	}
	l.write(filepath.Join(l.Project, ".claude/settings.json"), second, 0o644)
	r := l.run(model.Play(calls(l.touch("ran")), calls(l.touch("ran-again")), says("all is well"))).well()
	r.wantMarks("ran", "ran-again")
	// a prompt has no id to tell it by, and shows that both entries are alive
	if n := len(l.eventsIn("prompts")); n != 2 {
		r.errorf("with two entries, one prompt was told %d times: is the second one alive?", n)
	}
	if n := len(l.eventsIn("counted")); n != 2 {
		r.errorf("two tool calls were told %d times", n)
	}
}

// proveOwnHooks: an entry that the user had before ours stays as it is, and both
// fire.
func proveOwnHooks(l *Lab) {
	script := l.mark("own-hook")
	l.write(script, "#!/bin/sh\n: > '"+l.mark("own")+"'\n", 0o755)
	l.Agent.OwnHook(l, script)
	l.settle()
	_ = os.Remove(l.mark("own"))
	before := l.configs()
	l.userHook(l.note("one"))
	l.install()
	l.plain().wantMarks("own", "noted-one")
	must.Do(l.t, must.Err(l.ours("uninstall", l.Agent.ID)))
	l.wantConfigs("after uninstall", before)
	for _, m := range []string{"own", "noted-one"} {
		must.Do(l.t, os.Remove(l.mark(m)))
	}
	r := l.plain()
	r.wantMarks("own")
	r.wantNoMarks("noted-one")
}

// proveTrust: a hook that came with a project runs once its user has approved
// it, and no longer when a byte of it has changed. What the environment of the
// agent says does not count.
func proveTrust(l *Lab) {
	l.projectHook(forbid)
	l.install()
	env := l.Agent.Env
	defer func() { l.Agent.Env = env }()
	l.Agent.Env = func(l *Lab) []string { return append(env(l), "AGENTS_HOOKS_TRUST=always") }
	try := func(mark string, want bool) {
		l.t.Helper()
		r := l.run(model.Play(calls(l.touch("forbidden-"+mark)), says("all is well"))).well()
		if ran := l.marked("forbidden-" + mark); ran != want {
			r.errorf("%s: the command ran: %v, want %v", mark, ran, want)
		}
	}
	try("untrusted", true)
	must.Do(l.t, must.Err(l.ours("trust", "--yes")))
	try("trusted", false)
	entry := filepath.Join(l.Project, ".agents/hooks/forbid/scripts/run")
	l.write(entry, must.Read(l.t, entry)+"#", 0o755)
	try("changed", true)
}

// proveSeeded: no flag makes Codex run hooks here, only the trust that install
// wrote; a changed entry is no longer trusted, and doctor says so.
func proveSeeded(l *Lab) {
	l.userHook(l.note("one"))
	l.install()
	l.plain().wantMarks("noted-one")
	if problems := l.doctor(); len(problems) > 0 {
		l.t.Errorf("doctor is not content with a fresh install: %q", problems)
	}
	must.Do(l.t, os.Remove(l.mark("noted-one")))
	name := filepath.Join(l.Home, ".codex/hooks.json")
	text, err := os.ReadFile(name)
	must.Do(l.t, err)
	changed := strings.ReplaceAll(string(text), " --agent", "  --agent")
	if changed == string(text) {
		l.t.Fatalf("no entry to tamper with in %s", text)
	}
	l.write(name, changed, 0o644)
	l.plain().wantNoMarks("noted-one")
	if problems := l.doctor(); len(problems) == 0 {
		l.t.Error("doctor did not notice that the entry is no longer trusted")
	} else {
		l.t.Logf("doctor: %q", problems)
	}
}

// doctor gives what doctor finds wrong with the agent.
func (l *Lab) doctor() []string {
	l.t.Helper()
	cmd := l.command(l.bench.Binary, "doctor", "--json")
	out, _ := cmd.Output() // it ends with 1 if it found an error
	var doc struct {
		Checks []struct{ ID, Agent, Status, Message string }
	}
	if err := json.Unmarshal(out, &doc); err != nil {
		l.t.Fatalf("doctor --json: %v: %s", err, out)
	}
	var bad []string
	for _, c := range doc.Checks {
		if c.Agent == l.Agent.ID && c.Status != "ok" {
			bad = append(bad, c.Status+": "+c.Message)
		}
	}
	return bad
}
