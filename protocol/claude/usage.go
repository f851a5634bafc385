package claude

import "github.com/agents-hooks/agents-hooks/protocol"

// usage reads the end of a transcript: the last answer of the model in it, which
// is no subagent's, tells what it took.
func usage(tail []byte) (u protocol.Usage) {
	protocol.FromEnd(tail, `"usage"`, func(o protocol.Object) bool {
		used := o.Sub("message").Sub("usage")
		if used == nil || o.Bool("isSidechain") {
			return false
		}
		u.InputTokens = used.Int("input_tokens") + used.Int("cache_creation_input_tokens") + used.Int("cache_read_input_tokens")
		u.OutputTokens = used.Int("output_tokens")
		u.ContextTokens = u.InputTokens + u.OutputTokens
		return true
	})
	return u
}
