package dispatch

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

func TestSpecForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(w.userHooks(), "guard", "trigger: pre-tool-call\nmatcher:\n  pattern: 'rm -rf'", "echo 'no deleting' >&2; exit 2")
	w.hook(w.userHooks(), "note", "trigger: pre-agent-turn", `printf '{"additional_context": "<b> & é", "log": 1}'`)
	w.hook(w.userHooks(), "crash", "trigger: post-agent-turn", "exit 1")
	t.Run("block", func(t *testing.T) {
		r := w.run(w.specEvent("pre-tool-call", `,"tool_name":"Shell","tool_input":{"command":"rm -rf /"}`))
		if r.exit != 2 || r.stdout != "" {
			t.Errorf("%+v", r)
		}
		has(t, "stderr", r.stderr, "no deleting")
	})
	t.Run("outcome", func(t *testing.T) {
		r := w.run(w.specEvent("pre-agent-turn", `,"prompt":"x"`))
		if r.exit != 0 || r.stdout != `{"additional_context": "<b> & é", "log": 1}`+"\n" || r.stderr != "" {
			t.Errorf("%+v", r)
		}
	})
	t.Run("nothing to say", func(t *testing.T) {
		r := w.run(w.specEvent("pre-tool-call", shell))
		if r.exit != 0 || r.stdout != "" || r.stderr != "" {
			t.Errorf("%+v", r)
		}
	})
	t.Run("failure is loud and open", func(t *testing.T) {
		r := w.run(w.specEvent("post-agent-turn", ""))
		if r.exit != 0 || r.stdout != "" {
			t.Errorf("%+v", r)
		}
		has(t, "stderr", r.stderr, "agents-hooks: hook crash: ")
	})
	t.Run("unknown event", func(t *testing.T) {
		r := w.run(w.specEvent("pre-model-call", ""))
		if r.exit != 0 || r.stdout != "" {
			t.Errorf("%+v", r)
		}
		has(t, "stderr", r.stderr, "pre-model-call")
	})
}

// unreadable are events that nobody can read.
func unreadable() map[string]io.Reader {
	return map[string]io.Reader{
		"empty":        strings.NewReader(""),
		"white space":  strings.NewReader(" \n\t"),
		"garbage":      strings.NewReader("what\x00ever"),
		"truncated":    strings.NewReader(`{"event_type":"pre-tool-call","tool_name":"Sh`),
		"an array":     strings.NewReader(`[]`),
		"two objects":  strings.NewReader(`{"event_type":"pre-session"}{"event_type":"pre-session"}`),
		"deep":         strings.NewReader(`{"event_type":"pre-session","x":` + strings.Repeat("[", 200_000) + strings.Repeat("]", 199_999) + `}`),
		"twice":        strings.NewReader(`{"event_type":"pre-session","hook_event_name":"SessionStart","event_type":"post-session","hook_event_name":"x"}`),
		"twice inside": strings.NewReader(`{"event_type":"pre-tool-call","hook_event_name":"PreToolUse","tool_name":"Shell","tool_input":{"command":"ls","command":"rm"}}`),
		"not UTF-8":    strings.NewReader("{\"event_type\":\"pre-session\",\"hook_event_name\":\"SessionStart\",\"x\":\"\xff\"}"),
		"100 MB":       io.MultiReader(strings.NewReader(`{"event_type":"pre-session","x":"`), io.LimitReader(letters{}, 100<<20), strings.NewReader(`"}`)),
	}
}

type letters struct{}

func (letters) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'a'
	}
	return len(b), nil
}

func TestUnreadableEvent(t *testing.T) {
	t.Parallel()
	for i, form := range []struct {
		args   []string
		exit   int
		stdout string
	}{
		{nil, 1, ""},
		{[]string{"--agent=claude-code"}, 0, ""},
		{[]string{"--agent=codex"}, 0, ""},
		{[]string{"--agent=gemini-cli"}, 0, "{}"},
	} {
		if i > 1 && !slowtest.On() {
			continue
		}
		for name, stdin := range unreadable() {
			if name == "100 MB" && !slowtest.On() {
				continue // TestAnEndlessEventIsHeldBack has one that is too large
			}
			t.Run(strings.Join(append(form.args, name), " "), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				w.hook(w.userHooks(), "guard", "trigger: pre-session", "exit 2")
				r := w.finish(w.command(form.args, stdin))
				told := form.exit == 0 && strings.HasPrefix(r.stdout, `{"systemMessage": "agents-hooks: an event of `) && strings.Count(r.stdout, "\": ") == 1
				if r.exit != form.exit || strings.TrimSpace(r.stdout) != form.stdout && !told {
					t.Errorf("exit %d, stdout %q, want %d, %q", r.exit, r.stdout, form.exit, form.stdout)
				}
				if form.exit == 0 && r.stderr != "" {
					t.Errorf("stderr %q", r.stderr)
				}
				if n := strings.Count(w.log(), "\n"); n != 1 || !strings.Contains(w.log(), `"unreadable"`) {
					t.Errorf("%d log lines, want one about an unreadable event:\n%s", n, w.log())
				}
			})
		}
	}
}

func TestStdinThatNeverEnds(t *testing.T) {
	slowtest.Only(t, "it waits five seconds, TestStdinIsReadToItsEndAndWaitedForNoLongerThanALimit a moment")
	// Refused 5 s after the first byte.
	t.Parallel()
	w := newWorld(t)
	r, out, err := os.Pipe()
	must.Do(t, err)
	defer out.Close()
	must.Do(t, must.Err(out.WriteString(w.claude("SessionStart", `,"source":"startup"`))))
	if got := w.finish(w.command([]string{"--agent=claude-code"}, r)); got.exit != 0 || got.stdout != "" {
		t.Errorf("%+v", got)
	}
	has(t, "log", w.log(), "unreadable")
}

func TestOddArgumentsNeverStopAnAgent(t *testing.T) {
	// Never 64, whatever its arguments.
	t.Parallel()
	w := newWorld(t)
	w.hook(w.userHooks(), "guard", "trigger: pre-tool-call", "echo no >&2; exit 2")
	for i, args := range [][]string{
		{"--agent=claude-code", "--nonsense"},
		{"--agent", "claude-code", "--deadline=soon", "extra"},
		{"--agent=claude-code", "--config=relative", "--event"},
		{"-agent=claude-code", "--trust=sometimes"},
		{"--agent=nobody-knows-me"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			call := strings.Replace(bash, "toolu_1", fmt.Sprintf("toolu_%d", i), 1) // not the same call again
			r := w.run(w.claude("PreToolUse", call), args...)
			if r.exit != 0 || r.stderr != "" {
				t.Errorf("%+v", r)
			}
			has(t, "stdout", r.stdout, `"permissionDecision": "deny"`)
		})
	}
	has(t, "log", w.log(), "--nonsense", "nobody-knows-me")
}

func TestPanicIsNoOpinion(t *testing.T) {
	// A Go panic leaves with 2, which an agent reads as a block.
	t.Parallel()
	w := newWorld(t)
	w.role = "panic"
	for _, tc := range []struct {
		name  string
		args  []string
		stdin string
	}{
		{"an agent is named", []string{"--agent=claude-code"}, "garbage"},
		{"none is", nil, "garbage"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := w.run(tc.stdin, tc.args...)
			if r.exit == 2 || r.stdout != "" || strings.Contains(r.stderr, "goroutine") {
				t.Errorf("%q: %+v", tc.args, r)
			}
		})
	}
}

func TestDeadlineIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(w.userHooks(), "slow", "trigger: pre-tool-call\npriority: 200", "echo $$ >\"$HOME/pid\"; sleep 300 & wait")
	w.hook(w.userHooks(), "next", "trigger: pre-tool-call", ": >\"$HOME/next\"")
	deadline := "700ms"
	if runtime.GOOS == "windows" {
		deadline = "5s" // a process takes its time to begin there
	}
	r := w.run(w.claude("PreToolUse", bash), "--agent=claude-code", "--deadline="+deadline)
	if r.exit != 0 || r.took > 30*time.Second {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(filepath.Join(w.home, "next")); err == nil {
		t.Error("the hook behind the deadline ran")
	}
	has(t, "log", w.log(), `"timeout"`, `"skipped"`)
}

func TestAsyncDoesNotHoldTheAgent(t *testing.T) {
	// The agent waits for the end of our pipes, not only for our exit.
	t.Parallel()
	w := newWorld(t)
	w.hook(w.userHooks(), "later", "trigger: post-tool-call\nasync: true", "while [ ! -e \"$HOME/go\" ]; do sleep 0.05; done; cat >\"$HOME/event\"; : >\"$HOME/done\"")
	r := w.run(w.claude("PostToolUse", bash+`,"tool_response":{"stdout":"x"},"duration_ms":3`), "--agent=claude-code")
	if r.exit != 0 || r.stdout != "" {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(filepath.Join(w.home, "done")); err == nil {
		t.Fatal("the async hook was waited for")
	}
	w.file(filepath.Join(w.home, "go"), "", 0o644)
	waitFor(t, filepath.Join(w.home, "done"))
	b, _ := os.ReadFile(filepath.Join(w.home, "event"))
	has(t, "the async hook's event", string(b), `"event_type": "post-tool-call"`, `"command": "ls"`)
}

func waitFor(t testing.TB, path string) {
	t.Helper()
	for range 600 {
		if _, err := os.Stat(path); err == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("%s never came", path)
}

func TestOneStopFeedsThreeEvents(t *testing.T) {
	// The later ones only if the agent is not made to go on.
	t.Parallel()
	w := newWorld(t)
	for _, e := range []string{"post-agent-turn-stop", "post-agent-turn"} {
		w.hook(w.userHooks(), e, "trigger: "+e, "echo "+e+" >>\"$HOME/ran\"")
	}
	w.hook(w.userHooks(), "gate", "trigger: pre-agent-turn-stop", "echo gate >>\"$HOME/ran\"; [ -e \"$HOME/open\" ] || { echo 'go on' >&2; exit 2; }")
	stop := w.claude("Stop", `,"stop_hook_active":false,"last_assistant_message":"done"`)
	r := w.run(stop, "--agent=claude-code")
	has(t, "stdout", r.stdout, `"decision": "block"`, `"reason": "[gate] go on"`)
	w.file(filepath.Join(w.home, "open"), "", 0o644)
	if r := w.run(stop, "--agent=claude-code"); r.stdout != "" || r.exit != 0 {
		t.Errorf("%+v", r)
	}
	b, _ := os.ReadFile(filepath.Join(w.home, "ran"))
	if string(b) != "gate\ngate\npost-agent-turn-stop\npost-agent-turn\n" {
		t.Errorf("ran %q", b)
	}
}

func TestStateThatCannotBeWritten(t *testing.T) {
	// Hooks still run, and what could not be recorded is said.
	t.Parallel()
	w := newWorld(t)
	w.hook(w.userHooks(), "guard", "trigger: pre-tool-call", "echo no >&2; exit 2")
	w.file(filepath.Join(w.home, "file"), "", 0o644)
	w.env = []string{"XDG_STATE_HOME=" + filepath.Join(w.home, "file", "below")}
	r := w.run(w.specEvent("pre-tool-call", shell))
	if r.exit != 2 {
		t.Errorf("%+v", r)
	}
	has(t, "stderr", r.stderr, "run log", "no")
	r = w.run(w.claude("PreToolUse", bash), "--agent=claude-code", "--state="+filepath.Join(w.home, "file", "below", "agents-hooks"))
	has(t, "stdout", r.stdout, `"deny"`, "run log")
	if r.exit != 0 || r.stderr != "" {
		t.Errorf("%+v", r)
	}
}

func TestProjectHooksNeedTrust(t *testing.T) {
	// The notice comes once a session and names the command.
	t.Parallel()
	w := newWorld(t)
	w.hook(w.projectHooks(), "theirs", "trigger: pre-tool-call", "echo theirs >&2; exit 2")
	pre := w.claude("PreToolUse", bash)
	first := w.run(pre, "--agent=claude-code")
	has(t, "stdout", first.stdout, "systemMessage", "agents-hooks trust", "theirs")
	hasNot(t, "stdout", first.stdout, "deny")
	if second := w.run(strings.Replace(pre, "toolu_1", "toolu_2", 1), "--agent=claude-code"); second.stdout != "" {
		t.Errorf("told twice: %q", second.stdout)
	}
	w.env = []string{"AGENTS_HOOKS_TRUST=always"}
	if r := w.run(strings.Replace(pre, "toolu_1", "toolu_3", 1), "--agent=claude-code"); strings.Contains(r.stdout, "deny") {
		t.Error("the environment granted trust in agent form")
	}
	if r := w.run(w.specEvent("pre-tool-call", shell)); r.exit != 2 {
		t.Errorf("the environment grants trust in spec form: %+v", r)
	}
	if r := w.run(strings.Replace(pre, "toolu_1", "toolu_4", 1), "--agent=claude-code", "--trust=always"); !strings.Contains(r.stdout, "deny") {
		t.Errorf("install --trust always bakes it in: %+v", r)
	}
}

func TestNestedDispatchers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(w.userHooks(), "guard", "trigger: pre-tool-call", "echo no >&2; exit 2")
	w.env = []string{"AGENTS_HOOKS_DEPTH=3"}
	if r := w.run(w.specEvent("pre-tool-call", shell)); r.exit != 2 {
		t.Errorf("depth 3: %+v", r)
	}
	w.env = []string{"AGENTS_HOOKS_DEPTH=4"}
	r := w.run(w.specEvent("pre-tool-call", shell))
	if r.exit != 0 || r.stdout != "" {
		t.Errorf("depth 4: %+v", r)
	}
	has(t, "stderr", r.stderr, "inside one another")
}

func TestAgentByPayload(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(w.userHooks(), "guard", "trigger: pre-tool-call", "echo no >&2; exit 2")
	r := w.run(w.claude("PreToolUse", bash))
	if r.exit != 0 {
		t.Errorf("%+v", r)
	}
	has(t, "stdout", r.stdout, `"hookEventName": "PreToolUse"`)
	r = w.run(`{"hook_event_name":"SomethingNew","x":1}`)
	if r.exit != 0 || r.stdout != "" {
		t.Errorf("ambiguous: %+v", r)
	}
	has(t, "stderr", r.stderr, "cannot tell which agent", "agents-hooks agents lists them")
	has(t, "log", w.log(), "cannot tell which agent")
}

func TestMistypedAgent(t *testing.T) {
	// Nobody is blocked by it; where no hook can be asked, somebody has to hear of it.
	t.Parallel()
	w := newWorld(t)
	w.hook(w.userHooks(), "guard", "trigger: pre-tool-call", "echo no >&2; exit 2")
	const list = "agents-hooks agents lists them"
	for _, c := range []struct {
		name, agent, event string
		exit               int
		says               []string
	}{
		{"an event of any of several agents", "claude-cod", `{"hook_event_name":"Stop"}`, 1, []string{`no such agent: "claude-cod"`, "did you mean claude-code?", "no hook was asked", list}},
		{"an event of no agent", "nonsense", `{"tool_name":"Bash"}`, 1, []string{`no such agent: "nonsense"`, "no hook was asked", list}},
		{"no event", "codx", ``, 1, []string{`no such agent: "codx"`, "did you mean codex?", "nothing on stdin", list}},
		{"an event that tells its agent", "claud", w.claude("PreToolUse", bash), 0, []string{`no such agent: \"claud\"`, "did you mean claude?", "it is claude-code", list, `"permissionDecision": "deny"`}},
		{"the format's own form", "claud", w.specEvent("pre-tool-call", shell), 2, []string{`no such agent: "claud"`, "did you mean claude?", "no"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := w.run(c.event, "--agent="+c.agent)
			if r.exit != c.exit {
				t.Errorf("exit %d, want %d", r.exit, c.exit)
			}
			has(t, "answer", r.stdout+r.stderr, c.says...)
		})
	}
}

func TestSwitchedOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(w.userHooks(), "guard", "trigger: pre-tool-call", "exit 2")
	for _, env := range []string{"AGENTS_HOOKS_DISABLE=1", "AGENTS_HOOKS_DISABLED_HOOKS=x,guard"} {
		w.env = []string{env}
		if r := w.run(w.specEvent("pre-tool-call", shell)); r.exit != 0 {
			t.Errorf("%s: %+v", env, r)
		}
	}
}

func TestNoHookNoLog(t *testing.T) {
	// A line even when nothing ran, none when no hook exists at all.
	t.Parallel()
	w := newWorld(t)
	w.run(w.claude("PreToolUse", bash), "--agent=claude-code")
	w.run(w.claude("Stop", `,"stop_hook_active":false`), "--agent=claude-code")
	w.run(w.specEvent("pre-tool-call", shell))
	if w.log() != "" {
		t.Errorf("log %q", w.log())
	}
	// A hook of another trigger is a hook: its user may wonder why it did not run.
	w.hook(w.userHooks(), "other", "trigger: pre-session", "exit 0")
	w.run(w.claude("PreToolUse", bash), "--agent=claude-code")
	has(t, "log", w.log(), `"event": "pre-tool-call"`)
	w.run(w.claude("Stop", `,"stop_hook_active":false`), "--agent=claude-code")
	has(t, "log", w.log(), `"event": "pre-agent-turn-stop"`, `"event": "post-agent-turn-stop"`, `"event": "post-agent-turn"`)
	w.run(w.specEvent("pre-subagent", ""))
	has(t, "log", w.log(), `"event": "pre-subagent"`)
}

// So is one of the project that nobody approved, and one that is broken.
func TestIdleHookIsLogged(t *testing.T) {
	t.Parallel()
	for name, hook := range map[string]func(w *world){
		"untrusted, another trigger": func(w *world) { w.hook(w.projectHooks(), "other", "trigger: pre-session", "exit 0") },
		"broken":                     func(w *world) { w.file(filepath.Join(w.userHooks(), "odd", "HOOK.md"), "---\nname: [\n---\n", 0o644) },
		"another layer": func(w *world) {
			w.hook(filepath.Join(w.home, "etc", "agents", "hooks"), "sys", "trigger: pre-session", "exit 0")
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			hook(w)
			w.run(w.claude("PreToolUse", bash), "--agent=claude-code", "--system="+filepath.Join(w.home, "etc", "agents"))
			if n := strings.Count(w.log(), "\n"); n != 1 {
				t.Errorf("%s: %d lines, want 1: %s", name, n, w.log())
			}
		})
	}
}
