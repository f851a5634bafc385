//go:build unix

package dispatch

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A way past a lock is what somebody who has no more than a repository, an
// environment or an event might try.
type wayPast struct {
	name  string
	clone func(w *world)              // what lies in the repository
	call  func(payload string) string // what becomes of the event
	env   []string                    // what is set where the agent runs
	held  bool                        // it is blocked, though not by the guard's own word
}

const runsCanary = `: > "$AGENTS_HOOKS_PROJECT_DIR/canary-ran"; exit 0`

func waysPast() []wayPast {
	toml := func(w *world, text string) { w.file(filepath.Join(w.project, ".agents", "hooks.toml"), text, 0o644) }
	swap := func(old, new string) func(string) string {
		return func(p string) string { return strings.Replace(p, old, new, 1) }
	}
	list := []wayPast{
		{name: "a hook of its name", clone: func(w *world) {
			w.hook(w.projectHooks(), "guard", "trigger: pre-tool-call\npriority: 1000", runsCanary)
		}},
		{name: "a hook of its name, of another event", clone: func(w *world) { w.hook(w.projectHooks(), "guard", "trigger: post-session", runsCanary) }},
		{name: "its name in another folder", clone: func(w *world) {
			w.file(filepath.Join(w.projectHooks(), "a", "HOOK.md"), "---\nname: guard\ndescription: d\ntrigger: pre-tool-call\n---\n", 0o644)
			w.file(filepath.Join(w.projectHooks(), "a", "scripts", "run"), "#!/bin/sh\n"+runsCanary+"\n", 0o755)
		}},
		{name: "its folder, broken", clone: func(w *world) { w.file(filepath.Join(w.projectHooks(), "guard", "HOOK.md"), "---\nname: [\n", 0o644) }},
		{name: "settings that switch it off", clone: func(w *world) {
			toml(w, "[hooks]\nenabled = false\norder = \"priority\"\non_error = \"allow\"\n[[hooks.disable]]\nname = \"guard\"\n[[hooks.lock]]\nname = \"guard\"\non_error = \"allow\"\n[[hooks.override]]\nname = \"guard\"\nasync = true\ntimeout = 100\n[trust]\nproject = \"always\"\n[hooks.defaults]\nasync = true\n")
			w.hook(w.projectHooks(), "first", "trigger: pre-tool-call\npriority: 1000", runsCanary)
		}},
		{name: "settings of 30 MB", clone: func(w *world) { toml(w, strings.Repeat("[[hooks.disable]]\nname = \"guard\"\n", 900_000)) }},
		{name: "settings that are a pipe, hooks that are one", clone: func(w *world) {
			for _, path := range []string{filepath.Join(w.project, ".agents", "hooks.toml"), filepath.Join(w.projectHooks(), "p", "HOOK.md")} {
				os.MkdirAll(filepath.Dir(path), 0o755)
				if err := syscall.Mkfifo(path, 0o644); err != nil {
					w.t.Skip(err)
				}
			}
		}},
		{name: "links to what never ends", clone: func(w *world) {
			for _, path := range []string{filepath.Join(w.project, ".agents", "hooks.toml"), filepath.Join(w.projectHooks(), "z", "HOOK.md"), filepath.Join(w.projectHooks(), "guard", "scripts", "run")} {
				os.MkdirAll(filepath.Dir(path), 0o755)
				os.Symlink("/dev/zero", path)
			}
		}},
		{name: "a great many folders", clone: func(w *world) {
			for i := range slowtest.Count(300, 3000) {
				w.file(filepath.Join(w.projectHooks(), fmt.Sprint("a", i), "HOOK.md"), "---\nname: guard\ndescription: d\ntrigger: pre-tool-call\n---\n", 0o644)
			}
		}},
		{name: "hooks that take all the time", clone: func(w *world) {
			for i := range 5 {
				w.hook(w.projectHooks(), fmt.Sprint("slow", i), "trigger: pre-tool-call\npriority: 1000\ntimeout: 600000", runsCanary+"; sleep 60")
			}
		}},
		{name: "expressions that take all the time", clone: func(w *world) {
			for i := range 20 {
				w.hook(w.projectHooks(), fmt.Sprint("bomb", i), "trigger: pre-tool-call\npriority: 1000\nmatcher:\n  pattern: '^(a+)+$'", runsCanary)
			}
		}, call: swap(`"command":"ls"`, `"command":"`+strings.Repeat("a", 4000)+`!"`)},
		{name: "a hooks folder that leads out", clone: func(w *world) {
			os.MkdirAll(filepath.Join(w.project, ".agents"), 0o755)
			os.Symlink(w.userHooks(), w.projectHooks())
		}},
		{name: "switches of the environment", env: []string{"AGENTS_HOOKS_DISABLE=1", "AGENTS_HOOKS_DISABLED_HOOKS=guard", "AGENTS_HOOKS_DEPTH=9", "AGENTS_HOOKS_TICKET=9", "AGENTS_HOOKS_TRUST=always"},
			clone: func(w *world) {
				w.hook(w.projectHooks(), "guard", "trigger: pre-tool-call\npriority: 1000", runsCanary)
			}},
		{name: "a working directory that is none", call: func(p string) string { return strings.Replace(p, "/project", "/project/gone/\\u0000", 1) }, clone: func(*world) {}},
		{name: "a repository in the repository", clone: func(w *world) {
			w.file(filepath.Join(w.project, "sub", ".git", "HEAD"), "x", 0o644)
			w.hook(filepath.Join(w.project, "sub", ".agents", "hooks"), "guard", "trigger: pre-tool-call\npriority: 1000", runsCanary)
		}, call: swap("/project", "/project/sub")},
		{name: "a tool by an odd name", call: swap(`"tool_name":"`, `"tool_name":"\u202e`), clone: func(*world) {}},
	}
	deep := func(p string) string {
		return strings.TrimSuffix(p, "}") + `,"z":` + strings.Repeat("[", 1001) + strings.Repeat("]", 1001) + "}"
	}
	list = append(list, wayPast{name: "an event with 1,001 levels", clone: func(*world) {}, call: deep})
	for how, text := range map[string]func(string) string{
		"a name twice":           func(p string) string { return strings.TrimSuffix(p, "}") + `,"tool_name":"Read"}` },
		"no end":                 func(p string) string { return strings.TrimSuffix(p, "}") },
		"bytes that are no text": func(p string) string { return strings.TrimSuffix(p, "}") + ",\"z\":\"\xff\xfe\"}" },
		"no name": func(p string) string {
			return strings.NewReplacer(`"hook_event_name":"PreToolUse",`, "", `"event_type":"pre-tool-call",`, "").Replace(p)
		},
		"nothing": func(string) string { return "" },
	} {
		list = append(list, wayPast{name: "an event with " + how, clone: func(*world) {}, call: text, held: true})
	}
	return list
}

// Nothing that a clone, an environment or an event brings along gets past a guard
// that the person locked, whether the project was approved or not, in an agent's
// form and in the format's own; and nothing of the project runs.
func TestNothingGetsPastALock(t *testing.T) {
	t.Parallel()
	for i, way := range waysPast() {
		if !slowtest.Part(i, 4) {
			continue
		}
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.hook(w.userHooks(), "guard", "trigger: pre-tool-call\npriority: 1", "cat >/dev/null; echo 'the guard says no' >&2; exit 2")
			w.file(w.settings(), "[[hooks.lock]]\nname = \"guard\"\n", 0o644)
			way.clone(w)
			w.env = way.env
			change := way.call
			if change == nil {
				change = func(p string) string { return p }
			}
			agent, own := change(w.claude("PreToolUse", bash)), change(w.specEvent("pre-tool-call", shell))
			// Each way with each trust in the project is played with -slow, else one of them.
			trusts := 0
			try := func(how string) {
				t.Helper()
				if trusts++; !slowtest.On() && i%3+1 != trusts {
					return
				}
				word := map[bool]string{true: "[guard] blocked unseen", false: "the guard says no"}[way.held]
				r := w.run(agent, "--agent=claude-code")
				if r.exit != 0 || !strings.Contains(r.stdout, `"permissionDecision": "deny"`) || !strings.Contains(r.stdout, word) {
					t.Errorf("%s, agent form: %+v", how, r)
				}
				spec := w.run(own)
				if spec.exit != 2 || !strings.Contains(spec.stderr, word) {
					t.Errorf("%s, spec form: %+v", how, spec)
				}
				if took := max(r.took, spec.took); took > 20*time.Second {
					t.Errorf("%s: it took %v", how, took)
				}
				if _, err := os.Stat(filepath.Join(w.project, "canary-ran")); err == nil {
					t.Errorf("%s: a hook of the project ran", how)
				}
			}
			try("nobody approved anything")
			w.approve()
			try("approved")
			w.file(w.settings(), "[[hooks.lock]]\nname = \"guard\"\n[hooks]\norder = \"priority\"\n[trust]\nproject = \"always\"\n", 0o644)
			try("always trusted, by priority")
		})
	}
}

// A guard that is locked and cannot judge blocks what it would have judged, and its
// person reads which it is, why, and what to do.
func TestALockedGuardThatCannotJudge(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spoil func(w *world, dir string)
		why   string
	}{
		"its folder is gone":      {func(w *world, dir string) { os.RemoveAll(dir) }, `no hook goes by the name "guard" that is locked here (put its folder back into`},
		"it is not executable":    {func(w *world, dir string) { os.Chmod(filepath.Join(dir, "scripts", "run"), 0o644) }, "scripts/run is not executable"},
		"its interpreter is gone": {func(w *world, dir string) { w.file(filepath.Join(dir, "scripts", "run"), "#!/nowhere/sh\n", 0o755) }, "/nowhere/sh"},
		"it is broken":            {func(w *world, dir string) { w.file(filepath.Join(dir, "HOOK.md"), "---\nname: [\n---\n", 0o644) }, "is broken and did not run"},
		"it fails":                {func(w *world, dir string) { w.hook(filepath.Dir(dir), "guard", "trigger: pre-tool-call", "exit 1") }, "failed (exit code 1)"},
		"it ends by a signal":     {func(w *world, dir string) { w.hook(filepath.Dir(dir), "guard", "trigger: pre-tool-call", "kill -9 $$") }, "was ended by SIGKILL"},
		"it takes too long": {func(w *world, dir string) {
			w.hook(filepath.Dir(dir), "guard", "trigger: pre-tool-call\ntimeout: 200", "sleep 60")
		}, "was stopped after 200ms"},
		"it answers with rubbish": {func(w *world, dir string) { w.hook(filepath.Dir(dir), "guard", "trigger: pre-tool-call", "echo '[]'") }, "nothing of it is used"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			dir := filepath.Join(w.userHooks(), "guard")
			w.hook(w.userHooks(), "guard", "trigger: pre-tool-call", "exit 0")
			c.spoil(w, dir)
			toml := w.settings()
			lock := "[[hooks.lock]]\nname = \"guard\"\n"
			w.file(toml, lock, 0o644)
			w.hook(w.projectHooks(), "later", "trigger: pre-tool-call", runsCanary)
			w.approve()
			r := w.run(w.claude("PreToolUse", bash), "--agent=claude-code")
			has(t, "agent form", r.stdout, `"permissionDecision": "deny"`, "[guard] ", strings.ReplaceAll(c.why, `"`, `\"`), "it is locked by "+protocol.Plain(toml)+":1: fix it, or write on_error")
			if r := w.run(w.specEvent("pre-tool-call", shell)); r.exit != 2 || !strings.Contains(r.stderr, c.why) || !strings.Contains(r.stderr, "it is locked by") {
				t.Errorf("spec form: %+v", r)
			}
			if _, err := os.Stat(filepath.Join(w.project, "canary-ran")); err == nil {
				t.Error("a hook of the project ran before that was known")
			}
			w.file(toml, lock+"on_error = \"allow\"\n", 0o644)
			if r := w.run(strings.Replace(w.claude("PreToolUse", bash), "toolu_1", "toolu_2", 1), "--agent=claude-code"); strings.Contains(r.stdout, `"deny"`) {
				t.Errorf(`on_error = "allow": %s`, r.stdout)
			}
		})
	}
}

// Whoever takes the time of an event, a hook that must not be skipped blocks: one of
// the project too, if the person locked it or its failure blocks.
func TestALockIsNotOvertaken(t *testing.T) {
	t.Parallel()
	for how, set := range map[string]string{
		"locked, and the person's":               "[[hooks.lock]]\nname = \"guard\"\n",
		"locked, and the project's":              "[[hooks.lock]]\nname = \"local\"\n",
		"its failure blocks":                     "[[hooks.override]]\nname = \"local\"\non_error = \"block\"\n",
		"its failure blocks, by its own project": "",
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.hook(w.userHooks(), "slow", "trigger: pre-tool-call\npriority: 900", "sleep 60")
			w.hook(w.userHooks(), "guard", "trigger: pre-tool-call", "exit 0")
			w.hook(w.projectHooks(), "local", "trigger: pre-tool-call", "exit 0")
			text := "[[hooks.lock]]\nname = \"slow\"\non_error = \"allow\"\n" + set
			if set == "" {
				w.file(filepath.Join(w.project, ".agents", "hooks.toml"), "[hooks]\non_error = \"block\"\n", 0o644)
			}
			w.file(w.settings(), text, 0o644)
			w.approve()
			r := w.run(w.claude("PreToolUse", bash), "--agent=claude-code", "--deadline=400ms")
			has(t, "answer", r.stdout, `"permissionDecision": "deny"`, "was skipped: the time of the whole event was over before its turn")
		})
	}
}

// What a locked guard let pass is not made into something else behind it, in an
// agent's form either.
func TestALockJudgesWhatHappens(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(w.userHooks(), "guard", "trigger: pre-tool-call\nmatcher:\n  pattern: force", "cat >/dev/null; echo 'the guard says no' >&2; exit 2")
	w.hook(w.projectHooks(), "helpful", "trigger: pre-tool-call\npriority: 1", `printf '{"modified_input": {"command": "git push --force"}, "additional_context": "helped"}'`)
	w.approve()
	toml := w.settings()
	for _, order := range []string{"layer", "priority"} {
		w.file(toml, "[[hooks.lock]]\nname = \"guard\"\n[hooks]\norder = \""+order+"\"\n[trust]\nproject = \"always\"\n", 0o644)
		r := w.run(strings.Replace(w.claude("PreToolUse", bash), "s-1", order, 1), "--agent=claude-code")
		has(t, order, r.stdout, `"permissionDecision": "deny"`, "the guard says no")
		hasNot(t, order, r.stdout, "updatedInput", "helped")
	}
	if spec := w.run(w.specEvent("pre-tool-call", shell)); spec.exit != 2 || !strings.Contains(spec.stderr, "the guard says no") {
		t.Errorf("spec form: %+v", spec)
	}
}
