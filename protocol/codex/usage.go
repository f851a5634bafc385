package codex

import (
	"bytes"
	"slices"

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

// headless looks at who began the last turn: the terminal writes "user", "codex exec" and
// the SDKs "exec", and of anything else no user is known to read the answer. Older versions do
// not write it, and clients of the app server only if they like: then the first line tells which
// program began the session. An older "codex exec resume" leaves no other trace in a session of
// the terminal than that nothing may be approved, so with that nobody knows.
func headless(_ func(string) string, head, tail []byte) (is, known bool) {
	t := lastTurn(tail)
	if t.by != "" {
		return t.by != "user", true
	}
	began := meta(head)
	from := began.Text("originator")
	switch source := began.Get("source"); {
	case source == nil && from == "", from == "" && fromTerminal(source):
		return false, false
	case fromTerminal(source) && slices.Contains(withUser[:], from):
		whole := bytes.HasPrefix(tail, head[:min(len(head), 64)])
		return false, t.attributed || t.approval != "never" && (t.approval != "" || whole)
	}
	return true, true
}

// fromTerminal reports whether a session's source may be a program with a user; newer terminals
// are clients of an app server, whose sessions are all "vscode".
func fromTerminal(source protocol.Raw) bool {
	return source == nil || protocol.TextOf(source) == "cli" || protocol.TextOf(source) == "vscode"
}

// withUser are the programs that begin sessions for a user who reads the answers: the terminal
// under both of its names, and the extension of VS Code. The desktop application is none, since
// it also runs what was scheduled.
var withUser = [...]string{"codex-tui", "codex_cli_rs", "codex_vscode"}

// A turn is what a rollout tells of one: who began it, whether that is written there at all, and
// when a user is asked to approve something.
type turn struct {
	by         string
	attributed bool
	approval   string
}

func lastTurn(tail []byte) (t turn) {
	protocol.FromEnd(tail, `"turn_`, func(o protocol.Object) bool {
		payload := o.Sub("payload")
		if t.approval == "" && o.Text("type") == "turn_context" {
			t.approval = payload.Text("approval_policy")
		}
		t.attributed = payload.Has("turn_attribution")
		t.by = payload.Sub("turn_attribution").Text("turn_trigger")
		return t.attributed || payload.Text("type") == "task_started" // the turn before may be another version's
	})
	return t
}

// meta is what the first line says of the session. It holds all instructions, and may be longer
// than the part that was read.
func meta(head []byte) protocol.Object {
	first, _, _ := bytes.Cut(head, []byte("\n"))
	o, err := protocol.ParseObject(first)
	if err != nil {
		before, _, _ := bytes.Cut(first, []byte(`"base_instructions"`))
		o, _ = protocol.ParseObject(append(bytes.TrimRight(bytes.Clone(before), ", \t"), "}}"...))
	}
	return o.Sub("payload")
}
