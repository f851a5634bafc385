package claude

import (
	"slices"
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
		return u.ContextTokens > 0 // an error of the service is written as an answer of no tokens
	})
	return u
}

// finalText is the model's last text of the turn that a transcript ends in: that of a turn which the
// user interrupted stands nowhere else.
func finalText(tail []byte) (text string) {
	protocol.FromEnd(tail, `"role"`, func(o protocol.Object) bool {
		message := o.Sub("message")
		switch {
		case o.Bool("isSidechain"), o.Bool("isMeta"):
			return false
		case o.Text("type") == "assistant":
			text = saidIn(message)
			return text != ""
		}
		return o.Text("type") == "user" && saidIn(message) != "" && !strings.HasPrefix(saidIn(message), "[Request interrupted")
	})
	return text
}

// saidIn is the text of a message, without calls and results of tools.
func saidIn(message protocol.Object) string {
	content := message.Get("content")
	if text := protocol.TextOf(content); text != "" {
		return text
	}
	var texts []string
	for _, raw := range protocol.ElementsOf(content) {
		if o := protocol.ObjectOf(raw); o.Text("type") == "text" {
			texts = append(texts, o.Text("text"))
		}
	}
	return strings.Join(texts, "\n")
}

// headless is what the program says of itself or, if it says nothing, what the last
// line of its transcript shows: a session that was begun in the terminal may go on
// without a user. The transcript lags behind. There are two dozen ways to start it, and
// new ones come (an action of GitHub, "mcp", "remote_trigger", SDKs): only those that
// are known to have a user before them count as attended.
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
	return from != "" && !slices.Contains(withUser[:], from), from != ""
}

// withUser are the ways to start it in which a user reads what it answers, as its program
// names them; one that is started as "cli" without a terminal calls itself "sdk-cli".
var withUser = [...]string{"cli", "claude-vscode", "claude-desktop", "claude-desktop-3p"}

// The variables in which it says where it was started from, and whether a user is
// there.
const (
	entrypoint = "CLAUDE_CODE_ENTRYPOINT"
	attended   = "CLAUDE_CODE_SESSION_ATTENDED"
)
