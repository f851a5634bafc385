package ops

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Advice names operations as tools, by which most callers know them. A caller that used
// a command is told commands: in advice only, never in what somebody wrote.

// advice are the members of an answer that are.
var advice = []string{"hint", "fix", "with", "toProve", "warning", "reminderText", "nextAction"}

// commands is an answer whose advice names commands.
func commands(answer protocol.Object) protocol.Object {
	out := slices.Clone(answer)
	for i, m := range out {
		switch {
		case slices.Contains(advice, m.Name) && m.Value[0] == '"':
			out[i].Value = protocol.Quote(spoken(protocol.TextOf(m.Value)))
		case m.Name == "next" || m.Name == "begun":
			out[i].Value = commands(protocol.ObjectOf(m.Value)).Raw()
		case m.Name == "actionRequired":
			o := commands(protocol.ObjectOf(m.Value))
			o.SetText("message", spoken(o.Text("message")))
			out[i].Value = o.Raw()
		}
	}
	return out
}

// spoken is a text with commands in place of tools.
func spoken(said string) string {
	var b strings.Builder
	for i := 0; i < len(said); {
		word := said[i : i+wordLen(said[i:])]
		if word == "" {
			b.WriteByte(said[i])
			i++
			continue
		}
		i += len(word)
		o, ok := tool(word)
		switch {
		case ok:
			b.WriteString("agents-hooks ws " + o.Command)
			if list, n := given(&o, said[i:]); n > 0 {
				b.WriteString(list)
				i += n
			}
		case isArg(word):
			b.WriteString("--" + op.Kebab(word))
		default:
			b.WriteString(word)
		}
	}
	return b.String()
}

// wordLen is how long the name is that a text begins with.
func wordLen(s string) (n int) {
	for n < len(s) && (s[n] == '_' || s[n] >= 'a' && s[n] <= 'z' || s[n] >= 'A' && s[n] <= 'Z' || s[n] >= '0' && s[n] <= '9' && n > 0) {
		n++
	}
	return n
}

func tool(word string) (op.Op, bool) {
	if !strings.Contains(word, "_") {
		return op.Op{}, false
	}
	for _, o := range operations() {
		if o.Name == word {
			return o.Op, true
		}
	}
	return op.Op{}, false
}

// isArg reports whether a word is the name of an argument, and no other word.
func isArg(word string) bool {
	if strings.ToLower(word) == word {
		return false
	}
	for _, o := range operations() {
		if _, ok := o.Arg(word); ok {
			return true
		}
	}
	return false
}

// given is what directly follows the name of a tool in parentheses, NAME=VALUE each, as
// flags; n is its length, 0 if there is nothing of the kind.
func given(o *op.Op, said string) (flags string, n int) {
	inside, _, ok := strings.Cut(said, ")")
	if !ok || !strings.HasPrefix(inside, "(") {
		return "", 0
	}
	for part := range strings.SplitSeq(inside[1:], ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		a, known := o.Arg(name)
		if !ok || !known {
			return "", 0
		}
		flags += " --" + a.Flag() + " " + text.ShellWord(strings.Trim(value, `"'`))
	}
	return flags, len(inside) + 1
}
