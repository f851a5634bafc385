package dispatch

import (
	"errors"
	"strconv"

	"github.com/agents-hooks/agents-hooks/internal/notice"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// A refusal says why hooks were not asked about an event, or not completely.
type refusal struct {
	kind string // a short stable word: "unreadable", "event", "request", "cancelled", "bug"
	text string
	hint string // what to do, "" if nothing
	at   int    // byte of the event, from 0; -1 if it is not about a single one
}

// refusalOf is the refusal of an event that cannot be read.
func refusalOf(err error) *refusal {
	f := &refusal{kind: "unreadable", text: protocol.Plain(err.Error()), hint: `run is what agents start, with one JSON object on stdin that has an "event_type"; to try hooks: agents-hooks test, agents-hooks explain`, at: -1}
	if at, ok := errors.AsType[*protocol.SyntaxError](err); ok {
		f.at = at.Offset
	}
	return f
}

// blockedBy is the hook that decided to block, "" if there is none: the block may have replaced
// a question, or a changed input, that the agent cannot carry.
func (f fitted) blockedBy() string { return notice.BlockedBy(f.report, f.outcome.Decision) }

// inJSON is an answer in spec form as one object: the hooks' outcome and the notices for the
// user, or why hooks were not asked. The exit code is the one of spec form.
func (a answer) inJSON(tie protocol.Object) protocol.Reply {
	o := append(protocol.Object{{Name: "schema", Value: protocol.Raw("1")}}, tie...)
	exit := a.reply.Exit
	if a.refused != nil {
		o.Set("error", a.refused.raw())
		if a.refused.kind != "event" {
			exit = 1
		}
	} else {
		outcome := a.outcome.Object()
		if a.outcome.Decision == protocol.Block {
			outcome = append(protocol.Object{{Name: "decision", Value: protocol.Quote("block")}}, outcome...)
		}
		by := protocol.Raw("null")
		if a.by != "" {
			by = protocol.Quote(a.by)
		}
		o.Set("outcome", outcome.Raw())
		o.Set("blocked_by", by)
	}
	o.Set("warnings", warningList(a.notices))
	return protocol.Reply{Exit: exit, Stdout: append(o.Append(nil), '\n')}
}

// inLine is an answer in the form of an agent's plugin, on a line that says what it answers. It
// is empty if the plugin of a single event would get nothing.
func (a answer) inLine(tie protocol.Object) protocol.Reply {
	o := append(protocol.Object{{Name: "schema", Value: protocol.Raw("1")}}, tie...)
	said := protocol.Object{}
	if a.reply.Exit == 0 && len(a.reply.Stdout) > 0 {
		said, _ = protocol.ParseObject(a.reply.Stdout)
	}
	o.Set("answer", said.Raw())
	return protocol.Reply{Files: a.reply.Files, Stdout: append(o.Append(nil), '\n')}
}

func (f *refusal) raw() protocol.Raw {
	var o protocol.Object
	o.SetText("kind", f.kind)
	o.SetText("text", f.text)
	if f.at >= 0 {
		o.Set("byte", protocol.Raw(strconv.Itoa(f.at)))
	}
	o.PutText("hint", f.hint)
	return o.Raw()
}

func warningList(list []runner.Warning) protocol.Raw {
	return protocol.ListOf(list, func(w runner.Warning) protocol.Raw {
		var o protocol.Object
		if w.Hook != "" {
			o.SetText("hook", protocol.Plain(w.Hook))
		}
		o.SetText("kind", w.Kind)
		o.SetText("text", protocol.Plain(w.Text))
		return o.Raw()
	})
}
