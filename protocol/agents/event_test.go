package agents

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// For a word that is no event, the user is told what it probably was: an agent's own
// name, in any spelling, or a misspelling, followed by the list.
func TestEventHintsSayWhatWasMeant(t *testing.T) {
	for word, want := range map[string]string{
		"PreToolUse": "write pre-tool-call", "pre_tool_use": "write pre-tool-call", "beforeShellExecution": "Cursor: write pre-tool-call",
		"UserPromptSubmit": "write pre-agent-turn", "AfterAgent": "Gemini CLI: write pre-agent-turn-stop",
		"pre-tool-cal": "did you mean pre-tool-call?", "preToolCall": "did you mean pre-tool-call?", "pre_sesion": "did you mean pre-session?",
		"xyz": "the events are pre-session, ", "": "the events are pre-session, ",
	} {
		t.Run(fmt.Sprintf("%q", word), func(t *testing.T) {
			hints := EventHints(word)
			if !strings.Contains(hints[0], want) || !strings.Contains(want, "write") && !strings.HasSuffix(hints[len(hints)-1], string(protocol.Notification)) {
				t.Errorf("%q: %q, want %q, and the list if it is no name of an agent", word, hints, want)
			}
		})
	}
}
