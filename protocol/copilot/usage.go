package copilot

import "github.com/agents-hooks/agents-hooks/protocol"

// usage reads the end of a transcript: the record of the conversation's last request,
// whose input includes cached tokens.
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

// final is the conversation's last text, which the stop event itself does not have:
// the newest message, if it is the model's and not a subagent's.
func final(tail []byte) (text string) {
	protocol.FromEnd(tail, `.message"`, func(o protocol.Object) bool {
		data := o.Sub("data")
		if data.Has("parentToolCallId") || data.Has("agentId") {
			return false
		}
		if o.Text("type") == "assistant.message" {
			text = data.Text("content")
		}
		return o.Text("type") == "assistant.message" || o.Text("type") == "user.message"
	})
	return text
}
