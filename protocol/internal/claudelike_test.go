package internal_test

import (
	"strings"
	"testing"

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
