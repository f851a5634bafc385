package hooktest

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/disguise"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/deed"
)

// maxDisguised bounds how many of the stopped events are disguised.
const maxDisguised = 3

// disguised sends disguises of what the hook stops through its matcher, and reports what got
// through.
func (b *bench) disguised(ctx context.Context, scenes []scene, seed uint64) (results []trialResult) {
	for i, s := range scenes {
		if i == maxDisguised || s.rank() != 0 {
			break
		}
		for _, d := range b.disguises(ctx, s.ev, seed) {
			if ctx.Err() != nil {
				return results
			}
			results = append(results, b.unmasked(ctx, s, d))
		}
	}
	return results
}

// A masked event does what another one does.
type masked struct {
	what    string
	ev      *protocol.Event
	another bool // it only has the same result
}

// unmasked says whether the hook stops a disguise of what it stops.
func (b *bench) unmasked(ctx context.Context, s scene, m masked) trialResult {
	r := trialResult{Trial: "disguise", Test: s.name, What: m.what, Class: passed}
	through := hole
	if m.another {
		through = around
	}
	missed, got := b.by(ctx, m.ev)
	r.Verdict, r.Exit, r.Duration = got.Verdict, got.Exit, milliseconds(got.Duration)
	if missed.cause != "" {
		r.Class, r.Cause, r.Detail, r.Payload = through, missed.cause, missed.detail, b.here(s, short(m.ev))
	}
	return r
}

// disguises are events that do what an event does: with its command, else with its change.
func (b *bench) disguises(ctx context.Context, ev *protocol.Event, seed uint64) (list []masked) {
	if ev.Call == nil {
		return nil
	}
	d := deed.Of(ev)
	if ev.Call.Does.Has(protocol.Runs) && len(d.Lines) > 0 {
		line := d.Lines[0]
		for _, l := range disguise.Lines(line, b.culprit(ctx, ev, d), seed) {
			list = append(list, masked{l.Name, withLine(ev, line, l.Text), l.Another})
		}
		return list
	}
	if len(d.Changes) == 0 {
		return nil
	}
	c := d.Changes[0]
	for _, one := range d.Changes[1:] {
		if alone := withCall(ev, protocol.WriteFile, written(one)); !b.holds(ctx, withCall(ev, protocol.WriteFile, written(c))) && b.holds(ctx, alone) {
			c = one
		}
	}
	harmless := c
	harmless.New = "nothing to see here\n"
	any := b.holds(ctx, withCall(ev, protocol.WriteFile, written(harmless)))
	for _, call := range disguise.Calls(c, ev.WorkDir, any) {
		list = append(list, masked{call.Name, withCall(ev, call.Tool, call.Input), call.Another})
	}
	return list
}

// holds reports whether the hook stops an event.
func (b *bench) holds(ctx context.Context, ev *protocol.Event) bool {
	return b.reaches(ev).OK && stops(b.plain(ctx, ev))
}

// culprit are the words of the simple command in a line that is stopped on its own; nil if
// there is none, or its words are unknown.
func (b *bench) culprit(ctx context.Context, ev *protocol.Event, d *protocol.Deed) []string {
	var known []protocol.Command
	for _, c := range d.Commands {
		if len(c.Argv) > 0 {
			known = append(known, c)
		}
	}
	if len(d.Commands) == 1 && len(known) == 1 {
		// Without its input and output it may not do the same: psql <<E, echo >F.
		if b.holds(ctx, withLine(ev, d.Lines[0], disguise.Plain(known[0].Argv))) {
			return known[0].Argv
		}
		return nil
	}
	slices.Reverse(known) // nested commands come last
	for _, c := range known {
		if b.holds(ctx, withLine(ev, d.Lines[0], c.Text)) && slices.Equal(strings.Fields(c.Text), c.Argv) {
			return c.Argv
		}
	}
	return nil
}

// withLine is an event whose call runs another command line.
func withLine(ev *protocol.Event, line, other string) *protocol.Event {
	for _, m := range ev.Call.Input {
		if protocol.IsCommand(m.Name) && protocol.TextOf(m.Value) == line {
			out := ev.Clone()
			input := ev.Call.Input.Clone()
			input.SetText(m.Name, other)
			out.SetInput(input)
			return out
		}
	}
	var input protocol.Object
	input.SetText("command", other)
	return withCall(ev, protocol.Shell, input)
}

// withCall is an event with another call.
func withCall(ev *protocol.Event, tool string, input protocol.Object) *protocol.Event {
	out := ev.Clone()
	out.Call, out.Deed = protocol.Tools(nil).NewCall(tool, input.Raw()), nil
	out.Fields.Delete("commands")
	out.Fields.Delete("changes")
	out.Fields.SetText("tool_name", out.Call.Name)
	out.Fields.Set("tool_input", out.Call.Input.Raw())
	return out
}

// written is the input of a call that writes what a change writes.
func written(c protocol.Change) (o protocol.Object) {
	o.SetText("file_path", c.Path)
	o.SetText("content", c.New)
	return o
}

// here is a payload in the folder that the tests are started from, so that users can replay it:
// the scene's own folder is temporary.
func (b *bench) here(s scene, payload protocol.Raw) protocol.Raw {
	if s.ev.WorkDir == "" || b.from == "" {
		return payload
	}
	quoted := func(path string) []byte { return bytes.Trim(protocol.Quote(path), `"`) }
	return bytes.ReplaceAll(payload, quoted(s.ev.WorkDir), quoted(b.from))
}

// short is the part of an event that shows what it is about.
func short(ev *protocol.Event) protocol.Raw {
	var o protocol.Object
	o.SetText("event_type", string(ev.Type))
	for _, m := range ev.Fields {
		if m.Name != "tool_use_id" {
			o = append(o, m)
		}
	}
	return o.Raw()
}
