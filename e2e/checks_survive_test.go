//go:build e2e && unix

package e2e

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/e2e/model"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// keptPrograms is where the copy lies that entries name, below the home directory.
const keptPrograms = ".local/share/agents-hooks/bin"

// A brought package is one that a person has of us, at a place of this machine's.
type brought struct {
	l   *Lab
	dir string
}

func (l *Lab) bring(name string) brought {
	l.t.Helper()
	p := brought{l, filepath.Join(l.Root, name)}
	for _, program := range []string{"agents-hooks", "agents-hooks-run"} {
		from, err := os.Open(filepath.Join(filepath.Dir(l.bench.Binary), program))
		must.Do(l.t, err)
		text, err := io.ReadAll(from)
		from.Close()
		must.Do(l.t, err)
		l.write(filepath.Join(p.dir, program), string(text), 0o755)
	}
	return p
}

func (p brought) ours(args ...string) string {
	p.l.t.Helper()
	out, err := p.l.command(filepath.Join(p.dir, "agents-hooks"), args...).CombinedOutput()
	if err != nil {
		p.l.t.Fatalf("agents-hooks %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// proveSurvives: a guard holds whatever becomes of the package that brought it; where
// even the copy is gone, or the home that it lay in, the agent goes on.
func proveSurvives(l *Lab) {
	l.settle()
	l.userHook(forbid)
	untouched := l.configs()
	package1 := l.bring("one")
	package1.ours("install", l.Agent.ID)
	installed := l.configs()
	try := func(state string, holds bool) *Run {
		l.t.Helper()
		mark := "forbidden-" + strings.ReplaceAll(state, " ", "-")
		r := l.run(model.Play(calls(l.touch(mark)), says("all is well"))).well()
		if ran := l.marked(mark); ran == holds {
			r.errorf("%s: the command ran: %t", state, ran)
		}
		return r
	}
	kept := filepath.Join(l.Home, keptPrograms, "agents-hooks-run")

	// upgraded in place: the next call renews the copy
	for _, program := range []string{"agents-hooks", "agents-hooks-run"} {
		path := filepath.Join(package1.dir, program)
		text := must.Read(l.t, path)
		must.Do(l.t, os.Remove(path))
		l.write(path, text+"a newer build", 0o755)
	}
	package1.ours("version")
	if text, err := os.ReadFile(kept); err != nil || !strings.HasSuffix(string(text), "a newer build") {
		l.t.Errorf("the copy is not of the package that was upgraded (%v)", err)
	}
	try("upgraded", true)

	// moved, and removed
	package2 := brought{l, filepath.Join(l.Root, "two")}
	must.Do(l.t, os.Rename(package1.dir, package2.dir))
	try("moved", true)
	package2.ours("version")
	must.Do(l.t, os.RemoveAll(package2.dir))
	try("removed", true)
	l.wantConfigs("after all that", installed)

	// even the copy: the agent goes on
	must.Do(l.t, os.Rename(kept, kept+"-away"))
	r := try("without the copy", false)
	l.t.Logf("without the copy: stdout %q, stderr %q", clip(r.Stdout, 700), clip(r.Stderr, 700))
	must.Do(l.t, os.Rename(kept+"-away", kept))
	try("with it again", true)

	// the home that the entries name is somewhere else
	l.sweep() // a daemon that an agent left would go on in the old one
	home := l.Home
	l.Home = filepath.Join(l.Root, "moved")
	must.Do(l.t, os.Rename(home, l.Home))
	try("in another home", false)
	must.Do(l.t, os.Rename(l.Home, home))
	l.Home = home

	// what is left uninstalls itself
	uninstalls := l.command(filepath.Join(l.Home, keptPrograms, "agents-hooks"), "uninstall", "--all", "--yes")
	if out, err := uninstalls.CombinedOutput(); err != nil {
		l.t.Fatalf("the copy uninstalls: %v: %s", err, out)
	}
	l.wantConfigs("after uninstall", untouched)
	if _, err := os.Lstat(filepath.Join(l.Home, keptPrograms)); err == nil {
		l.t.Error("the copy is left")
	}
	try("uninstalled", false)
}

// proveClosed: whoever ends the dispatcher, or takes it away, passes a hook that blocks
// where it fails no more than whoever makes the hook fail. Without such a hook the agent
// goes on.
func proveClosed(l *Lab) {
	kept := filepath.Join(l.Home, keptPrograms, "agents-hooks-run")
	play := func(state string, blocks bool) {
		l.t.Helper()
		mark := strings.ReplaceAll(state, " ", "-")
		r := l.run(model.Play(calls(l.touch(mark)), says("all is well"))).well()
		if ran := l.marked(mark); ran == blocks {
			r.errorf("%s: the command ran: %t", state, ran)
		}
		if blocks {
			r.wantFirst(`onFailure is "block"`, 1)
		}
	}
	move := func(from, to string) {
		l.t.Helper()
		must.Do(l.t, os.Rename(from, to))
	}
	dies := func() {
		move(kept, kept+"-away") // it may be a link to the program of the package
		l.write(kept, "#!/bin/sh\nkill -9 $$\n", 0o755)
	}
	l.userHook(Hook{Name: "guard", Trigger: "pre-tool-call", Script: "exit 0"})
	l.install()
	dies()
	play("killed and nothing blocks", false)
	move(kept+"-away", kept)
	l.userHook(Hook{Name: "guard", Trigger: "pre-tool-call", Matter: "metadata:\n  on_error: block", Script: "exit 0"})
	l.install()
	play("whole", false)
	dies()
	play("killed", true)
	must.Do(l.t, os.Remove(kept))
	play("gone", true)
}

// proveResident: hooks of later calls are run by one and the same dispatcher, which
// reads events line by line, and which is gone with the agent.
func proveResident(l *Lab) {
	l.userHook(Hook{Name: "who", Trigger: "pre-tool-call", Script: `cat >/dev/null; echo "$PPID $(tr '\0' ' ' </proc/$PPID/cmdline)" >>"$MARKS/who"`})
	l.install()
	var turns []model.Turn
	for i := range 6 {
		turns = append(turns, calls(l.touch(fmt.Sprint("call-", i))))
	}
	r := l.run(model.Play(append(turns, says("all is well"))...)).well()
	text, _ := os.ReadFile(l.mark("who"))
	stays := map[string]int{}
	for line := range strings.Lines(string(text)) {
		if pid, args, _ := strings.Cut(line, " "); strings.HasSuffix(strings.TrimSpace(args), "--stream") {
			stays[pid]++
		}
	}
	if len(stays) != 1 {
		r.errorf("%d dispatchers stayed:\n%s", len(stays), text)
	}
	for pid, n := range stays {
		if n < 2 || strings.Count(string(text), "\n") != 6 {
			r.errorf("the one that stayed answered %d calls:\n%s", n, text)
		}
		if !l.eventually(func() bool { _, err := os.Stat("/proc/" + pid); return err != nil }) {
			r.errorf("process %s is still there", pid)
		}
	}
}

// proveResidentDies: a hook kills the dispatcher that stays. The calls after it are guarded
// all the same, and another one stays.
func proveResidentDies(l *Lab) {
	l.userHook(forbid)
	l.userHook(Hook{Name: "who", Trigger: "pre-tool-call", Script: `
case "$(cat)" in *call-fatal*) exec kill -9 $PPID;; esac
echo "$PPID $(tr '\0' ' ' </proc/$PPID/cmdline)" >>"$MARKS/who"`})
	l.install()
	var turns []model.Turn
	for _, name := range []string{"call-0", "call-1", "call-fatal", "forbidden", "call-2", "call-3", "call-4"} {
		turns = append(turns, calls(l.touch(name)))
	}
	r := l.run(model.Play(append(turns, says("all is well"))...)).well()
	r.wantMarks("call-0", "call-1", "call-2", "call-3", "call-4")
	r.wantNoMarks("forbidden")
	text, _ := os.ReadFile(l.mark("who"))
	stayed := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if pid, args, _ := strings.Cut(line, " "); strings.HasSuffix(strings.TrimSpace(args), "--stream") {
			stayed[pid] = true
		}
	}
	if len(stayed) != 2 {
		r.errorf("%d dispatchers stayed, want one before and one after:\n%s", len(stayed), text)
	}
}

// proveFirstStart: a guard holds from the first start on, though the package that the agent
// wants beside a plugin is not there and cannot be fetched.
func proveFirstStart(l *Lab) {
	home := filepath.Join(l.Home, filepath.Dir(l.Agent.Config[0]))
	for _, name := range []string{"node_modules", "package.json", "package-lock.json", ".gitignore"} {
		must.Do(l.t, os.RemoveAll(filepath.Join(home, name)))
	}
	l.userHook(forbid)
	l.install()
	r := l.run(model.Play(calls(l.touch("forbidden")), calls(l.touch("fine")), says("all is well"))).well()
	r.wantNoMarks("forbidden")
	r.wantMarks("fine")
	r.wantFirst(forbidReason, 1)
}
