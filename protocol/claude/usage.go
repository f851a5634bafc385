package claude

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// usage reads the end of a transcript: the model's last answer in it that is not a
// subagent's says how many tokens it took.
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

// headless is what the program says of itself or, if it says nothing, what the last
// line of its transcript shows: a session that was begun in the terminal may go on
// without a user. The transcript lags behind.
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

// The variables in which it says where it was started from, and whether a user is
// there.
const (
	entrypoint = "CLAUDE_CODE_ENTRYPOINT"
	attended   = "CLAUDE_CODE_SESSION_ATTENDED"
)
