package internal_test

import (
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

// What transcripts of Claude Code 2.1.332 and Qoder CLI 1.1.52 say about an answer
// that fails their check is read: the event, what was wrong, and the answer. Hooks of
// others, hooks that failed, and a model that quotes such a line are skipped.
func TestRefusedAnswersAreReadFromTranscripts(t *testing.T) {
	t.Parallel()
	claude := `{"parentUuid":null,"attachment":{"type":"hook_non_blocking_error","hookName":"PreToolUse:Bash","toolUseID":"toolu_0000_0","hookEvent":"PreToolUse","stderr":"Hook JSON output validation failed — decision: Invalid option: expected one of \"approve\"|\"block\"\n\nThe hook's output was: {\n  \"hookSpecificOutput\": 5,\n  \"decision\": 7\n}\n\nExpected schema:\n{\n  \"continue\": \"boolean (optional)\"\n}","stdout":"","exitCode":0,"command":"agents-hooks"},"type":"attachment","timestamp":"2026-11-28T14:08:40.403Z"}`
	qoder := `{"type":"attachment","attachment":{"type":"hook_non_blocking_error","hookName":"Stop","stderr":"Hook JSON output validation failed — hookSpecificOutput.x: Expected object, received number\n  - other: no\nThe hook's output was: {\n  \"hookSpecificOutput\": 5\n}","stdout":"{}\n","exitCode":1,"hookEvent":"Stop","command":"[ -x /h/.local/share/agents-hooks/bin/agents-hooks-run ] && exec /h/x"}}`
	others := strings.ReplaceAll(claude, `"command":"agents-hooks"`, `"command":"lint"`)
	failed := `{"type":"attachment","attachment":{"type":"hook_non_blocking_error","hookEvent":"Stop","stderr":"killed","exitCode":1,"command":"agents-hooks"}}`
	quoted := `{"type":"user","message":{"content":"{\"attachment\":{\"type\":\"hook_non_blocking_error\",\"hookEvent\":\"Stop\",\"stderr\":\"validation failed\",\"command\":\"agents-hooks\"}}"}}`
	half := claude[len(claude)/3:]
	have := claudelike.Refused([]byte(strings.Join([]string{half, claude, others, failed, quoted, qoder, ""}, "\n")))
	if len(have) != 2 {
		t.Fatalf("%+v", have)
	}
	if r := have[0]; r.Event != "Stop" || r.Field != "hookSpecificOutput.x" || string(r.Answer.Raw()) != `{"hookSpecificOutput": 5}` {
		t.Errorf("%+v", r)
	}
	if r := have[1]; r.Event != "PreToolUse" || r.Field != "decision" || string(r.Answer.Raw()) != `{"hookSpecificOutput": 5, "decision": 7}` {
		t.Errorf("%+v", r)
	}
}

// An agent's time of an event is one in RFC 3339, or milliseconds up to the year 9999; of
// anything else ours stays.
func TestTheClockOfAnAgent(t *testing.T) {
	t.Parallel()
	for at, want := range map[string]string{
		`"2026-11-30T10:00:00+02:00"`: protocol.Timestamp(time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)),
		`1764496800000`:               protocol.Timestamp(time.UnixMilli(1764496800000)),
		`1`:                           protocol.Timestamp(time.UnixMilli(1)),
		`253402300799999`:             protocol.Timestamp(time.UnixMilli(253402300799999)),
		`253402300800000`:             "ours", `0`: "ours", `-1`: "ours", `1.5`: "ours", `"noon"`: "ours", `""`: "ours", `null`: "ours", ``: "ours", `99999999999999999999`: "ours",
	} {
		ev := &protocol.Event{Timestamp: "ours"}
		if claudelike.Clock(ev, protocol.Raw(at)); ev.Timestamp != want {
			t.Errorf("%s became %s, want %s", at, ev.Timestamp, want)
		}
	}
}

// A text for the user stands behind a reason, unless the reason begins with it as a line.
func TestAReasonWithATextForTheUser(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ reason, message, want string }{
		{"no", "", "no"}, {"no", " \n", "no"}, {"no", "ask Ann", "no\n\nask Ann"}, {"no", "\n ask Ann \n", "no\n\nask Ann"},
		{"ask Ann", "ask Ann", "ask Ann"}, {"ask Ann\nor Bob", " ask Ann\n", "ask Ann\nor Bob"}, {"ask Anna", "ask Ann", "ask Anna\n\nask Ann"},
	} {
		if got := claudelike.Told(c.reason, c.message); got != c.want {
			t.Errorf("%q with %q: %q, want %q", c.reason, c.message, got, c.want)
		}
	}
}
