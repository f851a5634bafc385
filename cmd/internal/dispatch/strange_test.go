package dispatch

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/strange"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// What a dialect does not know is counted, by agent, event and field; what is as it
// should be leaves nothing. Nothing of what was in the event is kept.
func TestStrangeEventsAreCountedAndOthersLeaveNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.env = append(w.env, "AI_AGENT=claude-code_2-1-330_agent")
	w.run(w.bash("t1", "cat /home/dev/secret-plan"), "--agent", "claude-code")
	w.run(w.claude("ConfigChange", ""), "--agent", "claude-code") // known, and no concern of ours
	if _, err := os.Stat(filepath.Join(w.state(), "strange")); !os.IsNotExist(err) {
		t.Fatalf("events that are known left something: %v", err)
	}
	for range 3 {
		w.run(w.claude("PreThought", `,"thought":"buy /home/dev/secret-plan"`), "--agent", "claude-code")
	}
	w.run(w.claude("PreToolUse", `,"tool":"Bash","tool_input":{"command":"cat /home/dev/secret-plan"},"tool_use_id":"t2"`), "--agent", "claude-code")
	rows := strange.Rows(w.state(), "claude-code")
	if len(rows) != 2 {
		t.Fatalf("%+v", rows)
	}
	unknown, moved := rows[0], rows[1]
	if unknown.Kind != "event" || unknown.Event != "PreThought" || unknown.Count(time.Now()) != 3 {
		t.Errorf("%+v", unknown)
	}
	if moved.Kind != "field" || moved.Event != "PreToolUse" || moved.Field != "tool_name" || moved.Version != "2.1.330" || moved.Count(time.Now()) != 1 {
		t.Errorf("%+v", moved)
	}
	for _, r := range rows {
		if shape := string(r.Shape); strings.Contains(shape, "secret-plan") || !strings.Contains(shape, `"hook_event_name": "`+r.Event+`"`) {
			t.Errorf("kept: %s", shape)
		}
	}
	if shape := string(moved.Shape); !strings.Contains(shape, `"tool_input": {"command": "<text of `) {
		t.Errorf("the structure is gone: %s", shape)
	}
}

// A state directory that cannot be written keeps no agent from its answer.
func TestStrangeEventsAreAnsweredWithoutAStateDirectory(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	must.Write(t, filepath.Join(w.state(), "strange"), "")
	if r := w.run(w.claude("PreThought", ""), "--agent", "claude-code"); r.exit != 0 || r.stdout != "" || r.stderr != "" {
		t.Errorf("%+v", r)
	}
}

// An answer that the agent says it could not use is counted as a turn or a session is
// over, each once however often its transcript is looked at, with its structure alone.
func TestRefusedAnswersAreCountedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.env = append(w.env, "AI_AGENT=claude-code_2-1-332_agent")
	path := filepath.Join(t.TempDir(), "transcript.jsonl")
	event := func(name, fields string) string {
		return strings.Replace(w.claude(name, fields), `"/t.jsonl"`, strconv.Quote(path), 1)
	}
	write := func(lines ...string) {
		t.Helper()
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err == nil {
			_, err = f.WriteString(strings.Join(lines, "\n") + "\n")
		}
		must.Do(t, errors.Join(err, f.Close()))
	}
	refused := `{"type":"attachment","attachment":{"type":"hook_non_blocking_error","hookEvent":"PreToolUse","stderr":"Hook JSON output validation failed — decision: Invalid option\n\nThe hook's output was: {\n  \"decision\": \"buy the secret-plan\"\n}\n\nExpected schema:\n{}","command":"agents-hooks"}}`
	fine := `{"type":"assistant","message":{"usage":{"input_tokens":3,"output_tokens":2}}}`
	count := func() (n int) {
		for _, r := range strange.Rows(w.state(), "claude-code") {
			if r.Kind != "answer" || r.Event != "PreToolUse" || r.Field != "decision" || r.Version != "2.1.332" || string(r.Shape) != `{"decision": "<text of 19>"}` {
				t.Errorf("%+v", r)
			}
			n += r.Count(time.Now())
		}
		return n
	}

	write(fine)
	w.run(event("Stop", ""), "--agent", "claude-code")
	if count() != 0 {
		t.Error("a turn without such an answer counts")
	}
	write(refused, fine, refused)
	w.run(w.bash("t1", "ls"), "--agent", "claude-code")
	if count() != 0 {
		t.Error("it is looked for in the middle of a turn")
	}
	w.run(event("Stop", ""), "--agent", "claude-code")
	w.run(event("Stop", ""), "--agent", "claude-code")
	if n := count(); n != 2 {
		t.Errorf("after a turn: %d", n)
	}
	write(fine, refused)
	w.run(event("SessionEnd", `,"reason":"other"`), "--agent", "claude-code")
	if n := count(); n != 3 {
		t.Errorf("after the session: %d", n)
	}
}
