package dispatch

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/record"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// recording switches recording on, as agents-hooks record on does.
func (w *world) recording() {
	w.t.Helper()
	real, err := filepath.EvalSymlinks(w.project)
	must.Do(w.t, err)
	must.Do(w.t, (record.Store{State: w.state()}).Start(real, time.Now()))
}

// recorded are the entries of all sessions, and how many lines were none.
func (w *world) recorded() (list []record.Entry, bad int) {
	w.t.Helper()
	files, err := filepath.Glob(filepath.Join(w.state(), "record", "*", "*.jsonl"))
	must.Do(w.t, err)
	for _, f := range files {
		b, err := os.ReadFile(f)
		must.Do(w.t, err)
		for line := range bytes.Lines(b) {
			o, err := protocol.ParseObject(line)
			e, ok := record.Parse(o)
			if err != nil || !ok {
				bad++
				continue
			}
			list = append(list, e)
		}
	}
	return list, bad
}

func (w *world) bash(id, command string) string {
	return w.claude("PreToolUse", fmt.Sprintf(`,"tool_name":"Bash","tool_input":{"command":%q},"tool_use_id":%q`, command, id))
}

// The payload and our native answer are kept, once somebody said so.
func TestRecord(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(w.userHooks(), "guard", "trigger: pre-tool-call\nmatcher:\n  pattern: 'rm -rf'", "echo 'no: ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' >&2; exit 2")
	w.hook(w.userHooks(), "names", "trigger: pre-session", `printf '{"env": {"API_KEY": "hunter2", "COLOUR": "red"}}'`)
	w.hook(w.userHooks(), "nested", "trigger: post-tool-call", `"$AGENTS_HOOKS_BIN" run </dev/null >/dev/null 2>&1; cat | "$AGENTS_HOOKS_BIN" run`)
	w.run(w.bash("t1", "ls"), "--agent=claude-code")
	if list, bad := w.recorded(); len(list)+bad != 0 {
		t.Errorf("off: %d entries", len(list))
	}
	w.recording()
	r := w.run(w.bash("t2", "rm -rf / --token hunter2"), "--agent=claude-code")
	w.run(`{"hook_event_name":"PreToolUse","cwd":"/","x":1}`, "--agent=claude-code")
	w.run("no event", "--agent=claude-code")
	own := filepath.Join(w.home, ".claude", "session-env", "s-1")
	must.Do(t, os.MkdirAll(own, 0o700))
	w.env = []string{"CLAUDE_ENV_FILE=" + filepath.Join(own, "hook-0.sh")}
	w.run(w.claude("SessionStart", `,"source":"startup"`), "--agent=claude-code")
	w.env = nil
	w.run(w.claude("PostToolUse", `,"tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":{},"tool_use_id":"t3"`), "--agent=claude-code")
	w.run(w.specEvent("pre-agent-turn", `,"prompt":"x"`))
	list, bad := w.recorded()
	if len(list) != 4 || bad != 0 {
		t.Fatalf("%d entries, %d bad lines", len(list), bad)
	}
	e := list[0]
	if e.Agent != "claude-code" || e.NativeEvent != "PreToolUse" || e.Event != "pre-tool-call" || e.Session != "s-1" || !e.Redacted ||
		e.Answer.Decision != "block" || e.Answer.Reason != "[guard] no: [redacted]" || e.Answer.Exit != 0 || len(e.Answer.Hooks) != 1 {
		t.Errorf("%+v", e)
	}
	has(t, "payload", string(e.Payload), `"command": "rm -rf / --token [redacted]"`, `"tool_use_id": "t2"`, `"prompt_id": "p"`)
	if want := strings.ReplaceAll(r.stdout, "ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "[redacted]"); e.Answer.Stdout != want {
		t.Errorf("answer %s, want %s", e.Answer.Stdout, want)
	}
	if e := list[1]; !e.EnvFile || len(e.Answer.Files) != 1 || strings.Contains(e.Answer.Files[0], "hunter2") || !strings.Contains(e.Answer.Files[0], "COLOUR") {
		t.Errorf("variables: %+v", e.Answer)
	}
	if e := list[3]; e.Agent != "spec" {
		t.Errorf("spec form: %+v", e)
	}
}

// Two windows and more on one session; a canary in each of them. One that others keep
// from writing for seconds, as on a starved machine, says so in the run log.
func TestRecordTwoWindows(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(w.userHooks(), "guard", "trigger: pre-tool-call", "exit 0")
	w.recording()
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			w.run(w.bash(fmt.Sprintf("t%d", i), fmt.Sprintf("echo %d; export SECRET_KEY=canary%d", i, i)), "--agent=claude-code")
		})
	}
	wg.Wait()
	list, bad := w.recorded()
	missing := strings.Count(w.log(), "this event is not in the recording")
	if len(list) == 0 || len(list)+missing != 16 || bad != 0 {
		t.Errorf("%d entries, %d told as missing, %d bad lines", len(list), missing, bad)
	}
	for _, e := range list {
		hasNot(t, "recording", string(e.Payload), "canary")
	}
}

// A dispatcher that is killed at any moment leaves at most a last line without an
// end, and the next one goes on behind it.
func TestRecordKilled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.recording()
	long := strings.Repeat("a long text ", 1000)
	for i := range 24 {
		cmd := w.command([]string{"--agent=claude-code"}, strings.NewReader(w.bash(fmt.Sprintf("t%d", i), long)))
		out, err := cmd.StdoutPipe()
		must.Do(t, err)
		must.Do(t, cmd.Start())
		// Some before they record, some while, some after.
		time.Sleep(time.Duration(i) * 500 * time.Microsecond)
		_ = cmd.Process.Kill()
		out.Close()
		_ = cmd.Wait()
	}
	w.run(w.bash("last", "ls"), "--agent=claude-code")
	list, bad := w.recorded()
	if bad != 0 {
		t.Errorf("%d lines are none", bad)
	}
	if len(list) == 0 || !strings.Contains(string(list[len(list)-1].Payload), `"tool_use_id": "last"`) {
		t.Errorf("%d entries; the last is not there", len(list))
	}
}

// What cannot be kept is told of, and changes no answer.
func TestRecordFails(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(w.userHooks(), "guard", "trigger: pre-tool-call", "echo no >&2; exit 2")
	w.recording()
	dirs, err := filepath.Glob(filepath.Join(w.state(), "record", "*"))
	if err != nil || len(dirs) != 1 {
		t.Fatal(dirs, err)
	}
	// A folder in the way of the file.
	must.Do(t, os.Mkdir(filepath.Join(dirs[0], "claude-code.s-1.jsonl"), 0o700))
	r := w.run(w.bash("t1", "ls"), "--agent=claude-code")
	if r.exit != 0 || r.stderr != "" || !strings.Contains(r.stdout, `"deny"`) {
		t.Errorf("%+v", r)
	}
	has(t, "log", w.log(), "this event is not in the recording", `"kind": "record"`)
}

// Recording is free while it is off: one call of the system, by what the kernel
// was really asked.
func TestRecordOffCost(t *testing.T) {
	t.Parallel()
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("no strace here")
	}
	w := newWorld(t)
	w.hook(w.userHooks(), "guard", "trigger: pre-tool-call", "exit 0")
	trace := filepath.Join(t.TempDir(), "trace")
	cmd := w.command([]string{"--agent=claude-code"}, strings.NewReader(w.bash("t1", "ls")))
	cmd.Args = append([]string{strace, "-f", "-o", trace, "-e", "trace=%file", cmd.Path}, cmd.Args[1:]...)
	cmd.Path = strace
	if r := w.finish(cmd); r.exit != 0 {
		t.Skipf("strace may not trace here: %s", r.stderr)
	}
	b := must.Read(t, trace)
	calls := 0
	for line := range strings.Lines(b) {
		if strings.Contains(line, "agents-hooks/record") {
			calls++
			t.Log(strings.TrimSpace(line))
		}
	}
	if calls != 1 {
		t.Errorf("%d calls for a recording that is off, want 1", calls)
	}
	if _, err := os.Stat(filepath.Join(w.state(), "record")); err == nil {
		t.Error("a folder was made")
	}
}
