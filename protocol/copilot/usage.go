package copilot

import "github.com/agents-hooks/agents-hooks/protocol"

// usage reads the end of a transcript: the record of the last request of the
// conversation, cached tokens among those of its input.
func usage(tail []byte) (u protocol.Usage) {
	protocol.FromEnd(tail, `"session.usage_record"`, func(o protocol.Object) bool {
		took := o.Sub("data").Sub("usage")
		if took == nil || o.Text("type") != "session.usage_record" || took.Text("interactionType") != "conversation-agent" {
			return false
		}
		u = protocol.Usage{ContextWindow: took.Int("maxPromptTokens"), InputTokens: took.Int("inputTokens"), OutputTokens: took.Int("outputTokens")}
		u.ContextTokens = u.InputTokens + u.OutputTokens
		return true
	})
	return u
}
