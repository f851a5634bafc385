package qwen

import "github.com/agents-hooks/agents-hooks/protocol"

// usage reads the end of a transcript: the model's last answer in it says how many
// tokens it took; those of the prompt include cached ones.
func usage(tail []byte) (u protocol.Usage) {
	protocol.FromEnd(tail, `"usageMetadata"`, func(o protocol.Object) bool {
		took := o.Sub("usageMetadata")
		if took == nil || o.Text("type") != "assistant" || o.Bool("isSidechain") {
			return false
		}
		u = protocol.Usage{ContextTokens: took.Int("totalTokenCount"), InputTokens: took.Int("promptTokenCount"), OutputTokens: took.Int("candidatesTokenCount") + took.Int("thoughtsTokenCount")}
		return true
	})
	return u
}
