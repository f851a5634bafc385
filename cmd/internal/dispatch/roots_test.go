package dispatch

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/linktest"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/trust"
)

// guarded is a world whose project has an approved guard, in a repository of git.
func guarded(t *testing.T) *world {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	w := newWorld(t)
	must.Do(t, os.RemoveAll(filepath.Join(w.project, ".git")))
	w.file(filepath.Join(w.project, "main.go"), "", 0o644)
	w.git(w.project, "init", "-q")
	w.git(w.project, "add", "-A")
	w.git(w.project, "commit", "-q", "-m", "without hooks")
	w.git(w.project, "branch", "bare-of-hooks")
	w.hook(w.projectHooks(), "guard", "trigger: pre-tool-call", "echo held by $AGENTS_HOOKS_PROJECT_DIR >&2; exit 2")
	w.git(w.project, "add", "-A")
	w.git(w.project, "commit", "-q", "-m", "with hooks")
	w.approve()
	return w
}

func (w *world) git(dir string, args ...string) {
	w.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@x", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

// A form is one that events come in.
type form struct {
	name string
	call func(w *world, session, dir string) (blocked bool, said string)
}

// forms are the format's own, and that of an agent with what install writes.
func forms() []form {
	return []form{
		{"spec", func(w *world, session, dir string) (bool, string) {
			r := w.run(strings.Replace(strings.Replace(w.specEvent("pre-tool-call", shell), fmt.Sprintf("%q", w.project), fmt.Sprintf("%q", dir), 1), "s-1", session, 1))
			return r.exit == 2, r.stdout + r.stderr
		}},
		{"agent", func(w *world, session, dir string) (bool, string) {
			w.t.Helper()
			text := strings.Replace(strings.Replace(w.claude("PreToolUse", bash), fmt.Sprintf("%q", w.project), fmt.Sprintf("%q", dir), 1), "s-1", session, 1)
			r := w.run(strings.Replace(text, "toolu_1", fmt.Sprintf("toolu_%x", sha256.Sum256([]byte(session+dir+time.Now().String()))), 1), "--agent=claude-code")
			return strings.Contains(r.stdout, `"deny"`), r.stdout + r.stderr
		}},
	}
}

// TestGuardsStayWithTheSession lets an agent go elsewhere in each way that it can,
// in a session that began in the project: the project's approved guard judges on.
func TestGuardsStayWithTheSession(t *testing.T) {
	t.Parallel()
	w := guarded(t)
	at := func(name string) string { return filepath.Join(w.project, name) }
	beside := func(name string) string { return filepath.Join(filepath.Dir(w.project), name) }
	empty := func(dir string) string {
		must.Do(t, os.MkdirAll(filepath.Join(dir, ".agents", "hooks"), 0o755))
		return dir
	}
	hooked := func(dir, name string) string {
		w.hook(filepath.Join(dir, ".agents", "hooks"), name, "trigger: pre-tool-call", "exit 0")
		return dir
	}
	w.git(w.project, "worktree", "add", "-q", beside("worktree"), "bare-of-hooks")
	w.git(w.project, "worktree", "add", "-q", at("worktree-inside"), "-b", "other", "bare-of-hooks")
	w.git(filepath.Dir(w.project), "clone", "-q", w.project, beside("clone"))
	w.git(w.project, "submodule", "--quiet", "add", w.project, "module")
	w.git(at("module"), "checkout", "-q", "HEAD~1")
	w.file(filepath.Join(hooked(at("fake-folder"), "guard"), ".git", "HEAD"), "ref: refs/heads/main\n", 0o644)
	w.file(filepath.Join(hooked(at("fake-file"), "guard"), ".git"), "gitdir: ../.git\n", 0o644)
	w.file(filepath.Join(at("toml"), ".agents", "hooks.toml"), "[[hooks.disable]]\nname = \"guard\"\n[hooks]\nenabled = false\n", 0o644)
	linktest.Make(t, w.home, at("link"))
	places := map[string]string{
		"the project itself":                 w.project,
		"a subfolder":                        filepath.Join(w.project, ".agents"),
		"a folder that is gone":              at("gone/too"),
		"a folder with hooks of its own":     empty(at("nested")),
		"one with a hook of that name":       hooked(at("replaced"), "guard"),
		"one with settings of its own":       at("toml"),
		"a folder with a .git folder":        at("fake-folder"),
		"a folder with a .git file":          at("fake-file"),
		"a submodule without hooks":          at("module"),
		"a submodule with hooks":             empty(at("module")),
		"a worktree without hooks":           beside("worktree"),
		"a worktree inside the project":      at("worktree-inside"),
		"a clone that nobody approved":       beside("clone"),
		"a repository of somebody":           filepath.Join(hooked(beside("other"), "guard"), "x"),
		"the home directory":                 w.home,
		"the home directory through a link":  at("link"),
		"the root of the file system":        string(filepath.Separator),
		"a relative directory, which is bad": "here",
	}
	for _, f := range forms() {
		if blocked, said := f.call(w, "s-"+f.name, w.project); !blocked {
			t.Fatalf("%s: where it began: %s", f.name, said)
		}
		for what, dir := range places {
			t.Run(f.name+" form, "+what, func(t *testing.T) {
				blocked, said := f.call(w, "s-"+f.name, dir)
				if !blocked || !strings.Contains(said, "held by") || !strings.Contains(said, "/project") {
					t.Errorf("%t, %s", blocked, said)
				}
			})
		}
		// One that begins inside of the project is, whatever looks like a repository there.
		for i, dir := range []string{"nested", "replaced", "toml", "fake-folder", "fake-file", "module", "worktree-inside"} {
			t.Run(f.name+" form, a session that begins in "+dir, func(t *testing.T) {
				if blocked, said := f.call(w, fmt.Sprintf("inside-%s-%d", f.name, i), at(dir)); !blocked || !strings.Contains(said, "/project") {
					t.Errorf("%t, %s", blocked, said)
				}
			})
		}
		// A session that begins elsewhere is none of the project's.
		if blocked, said := f.call(w, "elsewhere-"+f.name, beside("other")); blocked {
			t.Errorf("%s form, a session elsewhere: %s", f.name, said)
		}
	}
}

// The nearest project replaces by name what lies around it, once somebody approved
// that; its settings reach its own hooks.
func TestNearestApprovedReplaces(t *testing.T) {
	t.Parallel()
	w := guarded(t)
	outer := w.project
	w.project = filepath.Join(outer, "nested")
	w.hook(w.projectHooks(), "guard", "trigger: pre-tool-call", "exit 0")
	w.hook(w.projectHooks(), "second", "trigger: pre-tool-call", "echo second says no >&2; exit 2")
	for _, f := range forms() {
		if blocked, said := f.call(w, "s", w.project); !blocked || !strings.Contains(said, "held by") {
			t.Errorf("%s form, not approved: %s", f.name, said)
		}
	}
	w.approve()
	for _, f := range forms() {
		if blocked, said := f.call(w, "s", w.project); !blocked || !strings.Contains(said, "second says no") {
			t.Errorf("%s form, approved: %s", f.name, said)
		}
	}
	w.file(filepath.Join(w.project, ".agents", "hooks.toml"), "[[hooks.disable]]\nname = \"guard\"\n[[hooks.disable]]\nname = \"second\"\n", 0o644)
	w.approve()
	for _, f := range forms() {
		if blocked, said := f.call(w, "s", w.project); !blocked || !strings.Contains(said, "held by") {
			t.Errorf("%s form, switched off: %s", f.name, said)
		}
	}
}

// What a worktree has that its repository approved needs nobody; what a clone has
// does.
func TestWorktreesShareWhatWasApproved(t *testing.T) {
	t.Parallel()
	w := guarded(t)
	beside := func(name string) string { return filepath.Join(filepath.Dir(w.project), name) }
	w.git(w.project, "worktree", "add", "-q", "--detach", beside("worktree"))
	w.git(filepath.Dir(w.project), "clone", "-q", w.project, beside("clone"))
	for _, f := range forms() {
		for dir, want := range map[string]bool{beside("worktree"): true, beside("clone"): false} {
			if blocked, said := f.call(w, f.name+filepath.Base(dir), dir); blocked != want {
				t.Errorf("%s form, %s: %s", f.name, dir, said)
			}
		}
	}
}

// A project that is moved or renamed is asked for again where it is then; a session
// that began in it is told that its guards are gone.
func TestAMovedProjectIsAskedForAgain(t *testing.T) {
	t.Parallel()
	w := guarded(t)
	for _, f := range forms() {
		if blocked, said := f.call(w, f.name, w.project); !blocked {
			t.Fatalf("%s: where it began: %s", f.name, said)
		}
	}
	moved := w.project + "-moved"
	must.Do(t, os.Rename(w.project, moved))
	old := w.project
	w.project = moved
	for _, f := range forms() {
		blocked, said := f.call(w, f.name, moved)
		if blocked || !strings.Contains(said, "not there any more") || !strings.Contains(said, "agents-hooks trust") {
			t.Errorf("%s form: %s", f.name, said)
		}
	}
	must.Do(t, os.Rename(moved, old))
	w.project = old
	for _, f := range forms() {
		if blocked, said := f.call(w, f.name, old); !blocked {
			t.Errorf("%s form, back again: %s", f.name, said)
		}
	}
}

// An agent that takes the guards of its session away is told of.
func TestRemovedGuardsAreTold(t *testing.T) {
	t.Parallel()
	w := guarded(t)
	for _, f := range forms() {
		if blocked, said := f.call(w, f.name, w.project); !blocked {
			t.Fatal(said)
		}
	}
	must.Do(t, os.RemoveAll(filepath.Join(w.project, ".agents")))
	for _, f := range forms() {
		if blocked, said := f.call(w, f.name, w.project); blocked || !strings.Contains(said, "its hooks are not there any more") {
			t.Errorf("%s form: %s", f.name, said)
		}
	}
}

// So is whoever takes a part of them away, in each way that it goes: once in every
// session, until it is back or the approval was taken back.
func TestAGuardDoesNotLeaveInSilence(t *testing.T) {
	t.Parallel()
	w := guarded(t)
	w.hook(w.projectHooks(), "second", "trigger: post-tool-call", "exit 0")
	w.file(filepath.Join(w.project, ".agents", "hooks.toml"), "[hooks]\norder = \"layer\"\n", 0o644)
	w.git(w.project, "add", "-A")
	w.git(w.project, "commit", "-q", "-m", "two")
	w.approve()
	at := func(name string) string { return filepath.Join(w.project, ".agents", "hooks", name) }
	for what, take := range map[string]func() error{
		"its folder":       func() error { return os.RemoveAll(at("guard")) },
		"its HOOK.md":      func() error { return os.Remove(at("guard/HOOK.md")) },
		"its name":         func() error { return os.Rename(at("guard"), at("other")) },
		"a file for it":    func() error { return errors.Join(os.RemoveAll(at("guard")), os.WriteFile(at("guard"), nil, 0o600)) },
		"all of them":      func() error { return os.RemoveAll(at("")) },
		"out of the hooks": func() error { return os.Rename(at("guard"), filepath.Join(w.project, "guard")) },
	} {
		t.Run(what, func(t *testing.T) {
			for i, f := range forms() {
				session := fmt.Sprintf("%s-%s", f.name, strings.ReplaceAll(what, " ", ""))
				if blocked, said := f.call(w, session, w.project); !blocked || strings.Contains(said, "any more") {
					t.Fatalf("%s, %s form, before: %s", what, f.name, said)
				}
				must.Do(t, take())
				for _, session := range []string{session, session + "-another"} {
					if blocked, said := f.call(w, session, w.project); blocked || !strings.Contains(said, "has no guard") && !strings.Contains(said, "has no guard, second") || !strings.Contains(said, "any more") || !strings.Contains(said, "agents-hooks untrust") {
						t.Errorf("%s, %s form, session %s: %t, %s", what, f.name, session, blocked, said)
					}
				}
				if _, said := f.call(w, session, w.project); i == 1 && strings.Contains(said, "any more") {
					t.Errorf("%s, %s form, told again: %s", what, f.name, said)
				}
				must.Do(t, os.RemoveAll(at("")))
				w.git(w.project, "checkout", "-q", "--", ".")
				w.git(w.project, "clean", "-qfd")
			}
		})
	}
	// Where no project is left, a session that begins there is told as well.
	must.Do(t, os.RemoveAll(filepath.Join(w.project, ".agents")))
	begins := w.claude("SessionStart", `,"source":"startup"`)
	if r := w.run(begins, "--agent=claude-code"); !strings.Contains(r.stdout, "has no guard, second any more") {
		t.Errorf("a session that begins without: %s", r.stdout)
	}
	project, err := filepath.EvalSymlinks(w.project)
	if err == nil {
		_, err = trust.Revoke(w.state(), project, nil)
	}
	must.Do(t, err)
	if r := w.run(begins, "--agent=claude-code"); strings.Contains(r.stdout+r.stderr, "any more") {
		t.Errorf("taken back, and told: %s", r.stdout)
	}
}

// A new session begins where it begins, also where an agent calls each of its
// sessions by one name.
func TestASessionThatStartsBeginsAnew(t *testing.T) {
	t.Parallel()
	w := guarded(t)
	other := filepath.Join(filepath.Dir(w.project), "other")
	w.hook(filepath.Join(other, ".agents", "hooks"), "x", "trigger: pre-tool-call", "exit 0")
	for _, f := range forms() {
		if blocked, said := f.call(w, "s-1", w.project); !blocked {
			t.Fatal(said)
		}
		if blocked, said := f.call(w, "s-1", other); !blocked {
			t.Errorf("%s form: left: %s", f.name, said)
		}
	}
	in := func(text string) string {
		return strings.Replace(text, fmt.Sprintf("%q", w.project), fmt.Sprintf("%q", other), 1)
	}
	w.run(in(w.claude("SessionStart", `,"source":"compact"`)), "--agent=claude-code")
	if blocked, said := forms()[1].call(w, "s-1", other); !blocked {
		t.Errorf("compacted, and lost: %s", said)
	}
	w.run(in(w.claude("SessionStart", `,"source":"startup"`)), "--agent=claude-code")
	for _, f := range forms() {
		if blocked, said := f.call(w, "s-1", other); blocked {
			t.Errorf("%s form: still: %s", f.name, said)
		}
	}
}

// An agent that leaves its directory out is where it called us: the guard of the
// project judges.
func TestACallWithoutADirectoryIsWhereItWasMade(t *testing.T) {
	t.Parallel()
	w := guarded(t)
	for _, cwd := range []string{`""`, "null", "7"} {
		payload := strings.Replace(w.bash("t"+cwd, "ls"), string(protocol.Quote(w.project)), cwd, 1)
		if r := w.run(payload, "--agent=claude-code"); !strings.Contains(payload, `"cwd":`+cwd) || !strings.Contains(r.stdout, "held by") {
			t.Errorf("cwd %s: %+v\n%s", cwd, r, payload)
		}
	}
}
