package claude

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

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

// headless reads of which program the last line of a transcript is: a session that
// was begun in the terminal may go on without a person.
func headless(_, tail []byte) (is, known bool) {
	protocol.FromEnd(tail, `"entrypoint"`, func(o protocol.Object) bool {
		from := o.Text("entrypoint")
		is, known = strings.HasPrefix(from, "sdk"), from != ""
		return known
	})
	return is, known
}
