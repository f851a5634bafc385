package dispatch

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestLoopGuard(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(w.userHooks(), "gate", "trigger: pre-agent-turn-stop", "echo 'not done yet' >&2; exit 2")
	stop := w.claude("Stop", `,"stop_hook_active":false,"last_assistant_message":"done"`)
	blocks := 0
	for range 8 {
		r := w.run(stop, "--agent=claude-code")
		if strings.Contains(r.stdout, `"decision": "block"`) {
			blocks++
		}
	}
	if blocks != 5 {
		t.Errorf("the agent was made to go on %d times in a row, want 5", blocks)
	}
	w.run(w.claude("UserPromptSubmit", `,"prompt":"go on"`), "--agent=claude-code")
	if r := w.run(stop, "--agent=claude-code"); !strings.Contains(r.stdout, `"block"`) {
		t.Errorf("a new prompt of the person starts a new row: %+v", r)
	}
}

func TestSameCallTwice(t *testing.T) {
	// Two registrations of our entry: one run, the same answer to both.
	t.Parallel()
	w := newWorld(t)
	w.hook(w.userHooks(), "guard", "trigger: pre-tool-call", "echo run >>\"$HOME/runs\"; sleep 0.3; echo 'no' >&2; exit 2")
	var wg sync.WaitGroup
	answers := make([]ended, 2)
	for i := range answers {
		wg.Go(func() { answers[i] = w.run(w.claude("PreToolUse", bash), "--agent=claude-code") })
	}
	wg.Wait()
	if answers[0].stdout != answers[1].stdout || answers[0].stdout == "" {
		t.Errorf("two answers: %q and %q", answers[0].stdout, answers[1].stdout)
	}
	b, err := os.ReadFile(filepath.Join(w.home, "runs"))
	if err != nil || strings.Count(string(b), "run") != 1 {
		t.Errorf("the hook ran %q, want once (%v)", b, err)
	}
}

// An agent that gives two calls one id, by a mistake or because a model makes the
// ids up, gets each of them judged, and so does a call whose result is another.
func TestAnotherCallWithTheSameIDIsJudgedAnew(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(w.userHooks(), "guard", "trigger: pre-tool-call", "case $(cat) in *'push --force'*) echo 'no force' >&2; exit 2 ;; esac")
	w.hook(w.userHooks(), "look", "trigger: post-tool-call", "echo run >>\"$HOME/runs\"")
	say := func(event, more string) ended { return w.run(w.claude(event, more), "--agent=claude-code") }
	call := func(tool, key, value string) string {
		return fmt.Sprintf(`,"tool_name":%q,"tool_input":{%q:%q},"tool_use_id":"toolu_1"`, tool, key, value)
	}
	for _, tc := range []struct {
		what, call string
		blocked    bool
	}{
		{"a harmless command", call("Bash", "command", "git status"), false},
		{"another command", call("Bash", "command", "git push --force"), true},
		{"the harmless one again", call("Bash", "command", "git status"), false},
		{"the same text in another tool", call("Other", "command", "git push --force"), true},
		{"another key", call("Bash", "cmd", "git push --force"), true},
	} {
		t.Run(tc.what, func(t *testing.T) {
			if r := say("PreToolUse", tc.call); strings.Contains(r.stdout, `"deny"`) != tc.blocked {
				t.Errorf("%s: %+v", tc.what, r)
			}
		})
	}
	for _, result := range []string{"a", "b", "b"} {
		say("PostToolUse", call("Bash", "command", "ls")+`,"tool_response":{"stdout":"`+result+`"}`)
	}
	if b, _ := os.ReadFile(filepath.Join(w.home, "runs")); strings.Count(string(b), "run") != 2 {
		t.Errorf("two results, and one of them twice: the hook ran %q", b)
	}
}

func TestManyAtOnce(t *testing.T) {
	// 24 dispatchers at once: every answer right, every log line whole.
	t.Parallel()
	w := newWorld(t)
	w.hook(w.userHooks(), "guard", "trigger: pre-tool-call\nmatcher:\n  pattern: 'bad'", "echo no >&2; exit 2")
	var wg sync.WaitGroup
	for i := range 24 {
		command, want := "good", ""
		if i%2 == 0 {
			command, want = "bad", `"deny"`
		}
		wg.Go(func() {
			r := w.run(w.claude("PreToolUse", fmt.Sprintf(`,"tool_name":"Bash","tool_input":{"command":%q},"tool_use_id":"toolu_%d"`, command, i)), "--agent=claude-code")
			if r.exit != 0 || strings.Contains(r.stdout, `"deny"`) != (want != "") {
				t.Errorf("%s: %+v", command, r)
			}
		})
	}
	wg.Wait()
	// Who finds another's line unfinished begins a new one, so that there may be empty ones.
	lines := 0
	for line := range strings.Lines(w.log()) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if lines++; !json.Valid([]byte(line)) {
			t.Errorf("no whole line: %s", line)
		}
	}
	if lines != 24 {
		t.Errorf("%d log lines, want 24:\n%s", lines, w.log())
	}
}
