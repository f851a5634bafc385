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

// headless is what the program says of itself or, where it says nothing, what the last
// line of its transcript tells: a session that was begun in the terminal may go on
// without a person. The transcript is written behind.
func headless(env func(string) string, _, tail []byte) (is, known bool) {
	if told := env(attended); told != "" {
		return told == "0", true
	}
	from := env(entrypoint)
	if from == "" {
		protocol.FromEnd(tail, `"entrypoint"`, func(o protocol.Object) bool {
			from = o.Text("entrypoint")
			return from != ""
		})
	}
	return strings.HasPrefix(from, "sdk"), from != ""
}

// The variables by which it says from where it was started, and whether somebody is
// there.
const (
	entrypoint = "CLAUDE_CODE_ENTRYPOINT"
	attended   = "CLAUDE_CODE_SESSION_ATTENDED"
)
