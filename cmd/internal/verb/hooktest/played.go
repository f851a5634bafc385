package hooktest

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shapes"
	"github.com/agents-hooks/agents-hooks/cmd/internal/translate"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/deed"
)

// A playedAgent is what the hook does about its tests' deeds if the tools of one agent do them.
type playedAgent struct {
	Agent  string        `json:"agent"`
	Events []string      `json:"events"` // the agent's own that map to the hook's trigger; none: never
	Calls  int           `json:"calls"`  // the number of calls played
	Tools  []string      `json:"tools"`  // the agent's own names of the tools called
	Missed []missedShape `json:"missed"`
}

// A missedShape is a call that the hook does not see, or mistakes for something else.
type missedShape struct {
	Tool    string       `json:"tool"`
	Test    string       `json:"test"`
	Detail  string       `json:"detail"`
	Cause   string       `json:"cause"`   // why it gets past the hook
	Payload protocol.Raw `json:"payload"` // as the agent would send it
}

// A shaped event is a deed as an agent's tool would do it.
type shaped struct {
	tool    string
	ev      *protocol.Event
	payload protocol.Raw
}

// maxPlayed bounds how many events of the tests are played for each agent.
const maxPlayed = 2

// play plays what reaches the hook as each of some agents would do it, with the real forms of
// its tools' input.
func (b *bench) play(ctx context.Context, scenes []scene, dialects []*protocol.Dialect) (list []playedAgent) {
	var chosen []scene
	for _, s := range scenes {
		if len(chosen) < maxPlayed && s.reached && ended(s.base) && s.rank() == scenes[0].rank() {
			chosen = append(chosen, s)
		}
	}
	all := shapes.All()
	for _, d := range dialects {
		p := playedAgent{Agent: d.ID, Events: []string{}, Tools: []string{}, Missed: []missedShape{}}
		for _, n := range d.NativeEvents {
			if slices.Contains(n.Events(), b.hook.Trigger) {
				p.Events = append(p.Events, n.Name)
			}
		}
		for _, s := range chosen {
			if ctx.Err() != nil {
				return list
			}
			for _, call := range b.calls(s, d, all) {
				p.Calls++
				if !slices.Contains(p.Tools, call.tool) {
					p.Tools = append(p.Tools, call.tool)
				}
				if m := b.missed(ctx, s, call.ev); m.cause != "" {
					p.Missed = append(p.Missed, missedShape{call.tool, s.name, m.detail, m.cause, b.here(s, call.payload)})
				}
			}
		}
		list = append(list, p)
	}
	return list
}

// calls are a scene's deed, done by each tool of an agent that can do it. A call that is no
// such deed keeps its words, with the agent's own names for them.
func (b *bench) calls(s scene, d *protocol.Dialect, all []shapes.Shape) (list []shaped) {
	if _, _, ok := translate.Native(d, b.hook.Trigger); !ok {
		return nil
	}
	does := &protocol.Deed{}
	if s.ev.Call != nil {
		does = deed.Of(s.ev)
	}
	for _, shape := range all {
		if shape.Agent != d {
			continue
		}
		var call shapes.Call
		ok := false
		switch {
		case len(does.Lines) > 0 && s.ev.Call.Does.Has(protocol.Runs):
			call, ok = shape.Run(does.Lines[0], s.ev.WorkDir)
		case len(does.Changes) > 0:
			call, ok = shape.Change(does.Changes[0], s.ev.WorkDir)
		case s.ev.Call != nil:
			call, ok = shape.Ask(s.ev.Call, s.ev.WorkDir)
		}
		if ok {
			list = append(list, shaped{shape.Tool, as(call.Event, s.ev), call.Payload})
		}
	}
	if len(list) == 0 {
		if ev, ok := translate.Event(d, s.ev); ok && len(does.Lines)+len(does.Changes) == 0 {
			tool := ""
			if ev.Call != nil {
				tool = ev.Call.NativeName
			}
			list = append(list, shaped{tool, ev, protocol.Raw(bytes.TrimSpace(ev.JSON()))})
		}
	}
	return list
}

// as is a call at the event of a scene: before it, or after it with its result.
func as(call, s *protocol.Event) *protocol.Event {
	if call.Type == s.Type {
		return call
	}
	out := call.Clone()
	out.Type, out.Deed = s.Type, nil
	for _, m := range s.Fields {
		if !out.Fields.Has(m.Name) {
			out.Fields = append(out.Fields, m)
		}
	}
	return out
}

// missed says what is not as in the scene.
func (b *bench) missed(ctx context.Context, s scene, ev *protocol.Event) miss {
	m, got := b.by(ctx, ev)
	switch {
	case stops(s.base) || !b.reaches(ev).OK:
		return m
	case !stops(got) && !ended(got):
		return miss{m.cause, "it ends without a verdict" + because(got)}
	}
	return miss{}
}

// missedTools names the tools that were missed, each once.
func (p playedAgent) missedTools() string {
	var tools []string
	for _, m := range p.Missed {
		if !slices.Contains(tools, m.Tool) {
			tools = append(tools, m.Tool)
		}
	}
	return strings.Join(tools, ", ")
}
