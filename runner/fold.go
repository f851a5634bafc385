package runner

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// Fold makes one outcome of the results of an event's hooks, in their order. It
// is pure.
//
//   - The strongest decision stands: block, then ask, then allow. Its reasons
//     are kept, those of weaker decisions are not.
//   - The last modified input stands. The environments are laid over each other.
//   - Several contexts, follow-ups, user messages or reasons are joined by a
//     blank line, each headed [hook-name]; a single one stays as it is.
//   - A block drops contexts, modified input and environment, unless the event
//     cannot carry a block at all, which is told by [protocol.Fit] later. Where a
//     block means that the agent goes on, follow-ups of earlier hooks join its
//     reason: nobody's text is lost.
func Fold(ev *protocol.Event, results []Result) protocol.Outcome {
	var o protocol.Outcome
	for _, r := range results {
		o.Decision = max(o.Decision, r.Outcome.Decision)
	}
	block := o.Decision == protocol.Block && ev.Can.Has(protocol.CanBlock)
	var reasons, contexts, messages, followups []part
	var logs []protocol.Raw
	for _, r := range results {
		name, out := r.Hook.Name, r.Outcome
		if block && canGoOn(ev.Type) {
			reasons = add(reasons, name, out.FollowupMessage)
		}
		if out.Decision == o.Decision {
			reasons = add(reasons, name, out.Reason)
		}
		contexts = add(contexts, name, out.AdditionalContext)
		messages = add(messages, name, out.UserMessage)
		followups = add(followups, name, out.FollowupMessage)
		if out.ModifiedInput != nil {
			o.ModifiedInput = out.ModifiedInput
		}
		for _, m := range out.Env {
			o.Env.Set(m.Name, m.Value)
		}
		if len(out.Log) > 0 {
			logs = append(logs, out.Log)
		}
		for _, m := range out.Extra {
			o.Extra.Set(m.Name, m.Value)
		}
	}
	o.Reason = join(reasons)
	o.AdditionalContext = join(contexts)
	o.UserMessage = join(messages)
	o.FollowupMessage = join(followups)
	o.Log = list(logs)
	if block {
		o.AdditionalContext, o.FollowupMessage, o.ModifiedInput, o.Env = "", "", nil, nil
	}
	return o
}

// A part is what one hook adds to a joined text.
type part struct{ hook, text string }

func add(parts []part, hook, text string) []part {
	if strings.TrimSpace(text) == "" {
		return parts
	}
	return append(parts, part{hook, text})
}

func join(parts []part) string {
	switch len(parts) {
	case 0:
		return ""
	case 1:
		return parts[0].text
	}
	var b strings.Builder
	for i, p := range parts {
		if i > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString("[" + p.hook + "]\n" + strings.Trim(p.text, "\n"))
	}
	return b.String()
}

// list is one log value as it is, several as an array.
func list(logs []protocol.Raw) protocol.Raw {
	if len(logs) == 0 {
		return nil
	}
	if len(logs) == 1 {
		return logs[0]
	}
	out := protocol.Raw{'['}
	for i, l := range logs {
		if i > 0 {
			out = append(out, ", "...)
		}
		out = protocol.AppendValue(out, l)
	}
	return append(out, ']')
}
