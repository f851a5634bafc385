package dispatch

import (
	"context"
	"errors"
	"fmt"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// errNoName says that neither an agent's event nor the entry names the event.
var errNoName = errors.New("it names no event")

// unnamed reports whether an agent's payload is not an event only because its name is missing:
// it would be a tool call if the entry said so.
func (c call) unnamed(from speaker, payload protocol.Object) bool {
	if from.specForm() || c.opt.event != "" {
		return false
	}
	for _, n := range from.dialect.NativeEvents {
		if len(n.MapsTo) > 0 && n.MapsTo[0] == protocol.PreToolCall && n.Can.Has(protocol.CanBlock) && !n.Manual {
			c.opt.event = n.Name
			in, err := c.decode(from, payload, "")
			return err == nil && len(in.events) > 0
		}
	}
	return false
}

// unreadable answers an event that could not be read: with exit 1 in spec form. An agent gets
// no opinion, and the user is told; but if a locked hook, or one whose failure blocks, could
// have judged this event, it is blocked: a guard that could not see it has not allowed it.
// begin is what was read of the event.
func (c call) unreadable(parent context.Context, from speaker, notes []runner.Warning, begin []byte, err error) answer {
	notes = append(notes, note("unreadable", "%v", err))
	from, events := c.guess(from, begin)
	if c.opt.agent == "" && !from.specForm() {
		c.settle(c.host, false)
	}
	ctx, cancel := c.deadline(parent, from)
	defer cancel()
	found := false
	for _, g := range events {
		l := c.load(ctx, from, g.event, nil)
		if a, ok := c.heldBack(from.at(g.event.NativeEvent), l, notes, err); ok {
			return a
		}
		l.set.Open()
		found = found || l.set.Found > 0
	}
	if from.dialect == &nobody {
		return c.unknown(from, append(notes, misnamed(c.opt.agent, nil)))
	}
	c.log(from, runner.LogLine{}, notes)
	if from.specForm() {
		f := refusalOf(err)
		return answer{from: from, refused: f, reply: protocol.Reply{Exit: 1, Stderr: []byte("agents-hooks: run: the event cannot be read: " + f.text + "\nhint: " + f.hint + "\n")}}
	}
	if !found {
		return answer{from: from, reply: from.noOpinion()} // nobody waits for it
	}
	return c.passed(from, events[0], err)
}

// unknown answers an event of which nobody can tell the agent: no hook is asked. If that is because
// of a mistyped name, it is exit 1, which most agents show their user and then go on; so does a
// person's shell. Else it is no opinion.
func (c call) unknown(from speaker, notes []runner.Warning) answer {
	c.log(from, runner.LogLine{}, notes)
	a := answer{from: from, reply: protocol.Reply{Stderr: warningLines(notes)}}
	if c.opt.agent != "" {
		a.reply.Exit = 1
	}
	return a
}

// passed lets an event pass that could not be read and that no lock holds, and tells the user:
// in this answer if it has a place for that, else at the next event.
func (c call) passed(from speaker, g guess, err error) answer {
	if g.known {
		from = from.at(g.event.NativeEvent)
	}
	a := answer{from: from, reply: from.noOpinion()}
	passed := note("unreadable", "an event of %s could not be read and passed without any hook: %v", from.dialect.Name, err)
	if !g.known || !from.dialect.Reaches(g.event, protocol.Outcome{}) {
		c.mailbox(from).Leave(passed.Text)
		return a
	}
	ses := runner.OpenSession(c.host.State, g.event.Agent, g.event.SessionID)
	if o := told(from.dialect, ses, g.event, protocol.Outcome{}, []runner.Warning{passed}); !o.Empty() {
		a.reply = from.dialect.Encode(g.event, o)
	}
	return a
}

// heldBack blocks an event if one of its hooks must not be bypassed.
func (c call) heldBack(from speaker, l loaded, notes []runner.Warning, err error) (answer, bool) {
	ev := l.event
	if !ev.Type.Prevents() || !ev.Can.Has(protocol.CanBlock) {
		return answer{}, false
	}
	h, why := l.set.HoldsUnseen(ev.Type)
	if h == nil {
		return answer{}, false
	}
	if ev.Type == protocol.PreAgentTurnStop {
		limits := runner.Limits{Row: l.set.Settings.StopRow, Total: l.set.Settings.StopTotal, Agent: from.dialect.StopMax}
		if !runner.OpenSession(c.host.State, ev.Agent, ev.SessionID).AllowContinue(limits) {
			return answer{}, false // going on for ever is no guard
		}
	}
	reason := fmt.Sprintf("[%s] blocked unseen: this event cannot be read (%s), and hook %s %s. `agents-hooks log` has more.", h.Name, protocol.Plain(err.Error()), h.Name, why)
	c.log(from, runner.LogLine{Event: string(ev.Type), Session: ev.SessionID, Decision: protocol.Block.String()}, notes)
	o := protocol.Outcome{Decision: protocol.Block, Reason: reason}
	return answer{from: from, outcome: o, by: h.Name, notices: notes, reply: from.dialect.Encode(ev, o)}, true
}

// A guess is an event that may have been meant.
type guess struct {
	event *protocol.Event
	known bool // the text itself, or the entry, names the event
}

// guess says which event it was, and whose, by what can be recognized in its text, else by the
// entry. If that tells nothing, it may have been a tool call, which is what most guards are
// for.
func (c call) guess(from speaker, begin []byte) (_ speaker, list []guess) {
	for _, last := range []bool{false, true} {
		seen := glimpse(begin, last)
		if who, _, ok := c.identify(from, seen); ok && !last && !who.specForm() {
			from = who
		}
		if from.dialect.Decode == nil {
			return from, nil
		}
		in, err := c.decode(from, seen, "")
		if err == nil && len(in.events) > 0 && (len(list) == 0 || list[0].event.Type != in.events[0].Type) {
			list = append(list, guess{in.events[0], true})
		}
	}
	if len(list) > 0 {
		return from, list
	}
	if from.specForm() {
		in, err := c.decode(from, protocol.Object{{Name: "event_type", Value: protocol.Quote(string(protocol.PreToolCall))}}, "")
		if err != nil {
			return from, nil
		}
		return from, []guess{{in.events[0], false}}
	}
	if n, ok := from.dialect.Native(c.opt.event); ok && len(n.MapsTo) > 0 {
		return from, []guess{{c.blank(from, n), true}}
	}
	for _, n := range from.dialect.NativeEvents {
		if len(n.MapsTo) > 0 && n.MapsTo[0] == protocol.PreToolCall && n.Can.Has(protocol.CanBlock) && !n.Manual {
			return from, []guess{{c.blank(from, n), false}}
		}
	}
	return from, nil
}

// blank is a native event of which only the name is known.
func (c call) blank(from speaker, n protocol.Native) *protocol.Event {
	ev := protocol.Input{Now: c.start, Entry: c.entry(from)}.NewEvent(from.dialect.ID, n, 0)
	ev.WorkDir = c.host.WorkDir
	return ev
}

// glimpse recognizes the top-level texts of a JSON object that is invalid further on: the first
// of each name, or the last. The result is not reliable.
func glimpse(b []byte, last bool) protocol.Object {
	var o protocol.Object
	depth, name := 0, ""
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '{', '[':
			depth, name = depth+1, ""
		case '}', ']':
			depth--
		case ',':
			name = ""
		case '"':
			end := i + 1
			for end < len(b) && b[end] != '"' {
				if b[end] == '\\' {
					end++
				}
				end++
			}
			if end >= len(b) {
				return o
			}
			text := protocol.Raw(b[i : end+1])
			i = end
			if depth != 1 || protocol.ValidValue(text) != nil {
				continue
			}
			if name == "" {
				name = protocol.TextOf(text)
			} else if last || !o.Has(name) {
				o.Set(name, text)
			}
		}
	}
	return o
}
