package codex

import (
	"bytes"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// usage reads the end of a rollout file: what the last answer took is in a record
// right after it, and later in a token_count, which also has the size of the window.
func usage(tail []byte) (u protocol.Usage) {
	protocol.FromEnd(tail, `"token_`, func(o protocol.Object) bool {
		info := o.Sub("payload").Sub("info")
		last := info.Sub("last_token_usage")
		if o.Text("type") == "token_usage_record" {
			last = o.Sub("payload").Sub("usage")
		}
		if last == nil {
			return false
		}
		if u.ContextTokens == 0 {
			u.ContextTokens, u.InputTokens, u.OutputTokens = last.Int("total_tokens"), last.Int("input_tokens"), last.Int("output_tokens")
		}
		u.ContextWindow = info.Int("model_context_window")
		return u.ContextWindow > 0
	})
	return u
}

// final is the model's last message of the turn that a rollout ends in: that of a turn which the
// user interrupted stands nowhere else.
func final(tail []byte) (text string) {
	protocol.FromEnd(tail, `_message"`, func(o protocol.Object) bool {
		said := o.Sub("payload")
		if said.Text("type") == "agent_message" {
			text = said.Text("message")
		}
		return text != "" || said.Text("type") == "user_message"
	})
	return text
}

// headless looks at how the last turn was started or, if that is too far back, at
// which program began the session: a session that began without a user is never
// continued with one in the same file. Its terminal writes "user".
func headless(_ func(string) string, head, tail []byte) (is, known bool) {
	protocol.FromEnd(tail, `"turn_trigger"`, func(o protocol.Object) bool {
		by := o.Sub("payload").Sub("turn_attribution").Text("turn_trigger")
		is, known = by == "exec", by == "exec" || by == "user" // of another it is not known
		return by != ""
	})
	if !known {
		// The first line holds all instructions and may be longer than the part that
		// was read.
		first, _, _ := bytes.Cut(head, []byte("\n"))
		is = bytes.Contains(first, []byte(`"source":"exec"`))
		known = is
	}
	return is, known
}
