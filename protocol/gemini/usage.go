package gemini

import "github.com/agents-hooks/agents-hooks/protocol"

// usage reads the end of a transcript: each answer of the model is stored with the
// tokens that it took; its input includes cached ones.
func usage(tail []byte) (u protocol.Usage) {
	protocol.FromEnd(tail, `"tokens"`, func(o protocol.Object) bool {
		took := o.Sub("tokens")
		if took == nil || o.Text("type") != "gemini" {
			return false
		}
		u = protocol.Usage{ContextTokens: took.Int("total"), InputTokens: took.Int("input"), OutputTokens: took.Int("output") + took.Int("thoughts")}
		return true
	})
	return u
}
