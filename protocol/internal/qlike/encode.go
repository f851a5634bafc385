package qlike

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

// Deny is exit 2 with a reason, which is never empty.
func Deny(a *claudelike.Answer, reason string) protocol.Reply {
	reason = a.Cut("reason", claudelike.Reason(reason))
	return protocol.Reply{Stderr: []byte(strings.TrimRight(reason, "\n") + "\n"), Exit: 2, Cuts: a.Cuts}
}

// Context is plain text for the model, nothing if there is none.
func Context(a *claudelike.Answer, text string) protocol.Reply {
	if strings.TrimSpace(text) == "" {
		return protocol.Reply{}
	}
	text = a.Cut("additional_context", text)
	return protocol.Reply{Stdout: []byte(strings.TrimRight(text, "\n") + "\n"), Cuts: a.Cuts}
}
