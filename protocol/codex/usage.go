package codex

import "github.com/agents-hooks/agents-hooks/protocol"

// usage reads the end of a rollout file: the last token_count in it.
func usage(tail []byte) (u protocol.Usage) {
	protocol.FromEnd(tail, `"token_count"`, func(o protocol.Object) bool {
		info := o.Sub("payload").Sub("info")
		last := info.Sub("last_token_usage")
		if last == nil {
			return false
		}
		u = protocol.Usage{
			ContextTokens: last.Int("total_tokens"), ContextWindow: info.Int("model_context_window"),
			InputTokens: last.Int("input_tokens"), OutputTokens: last.Int("output_tokens"),
		}
		return true
	})
	return u
}
