package spec

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// Dialect is the format's own form.
var Dialect = &protocol.Dialect{
	ID:        "spec",
	Name:      "the format's own form",
	Doc:       "spec/SPEC.md",
	Detect:    detect,
	Decode:    decode,
	Encode:    encode,
	Whole:     true,
	NoOpinion: protocol.Silence,
}

func detect(p protocol.Object) bool {
	return p.Has("event_type") && !p.Has("hook_event_name")
}

func decode(in protocol.Input) ([]*protocol.Event, error) {
	p := in.Payload
	raw := p.Get("event_type")
	switch {
	case raw == nil:
		return nil, errors.New("the event has no event_type")
	case raw[0] != '"':
		return nil, fmt.Errorf("event_type: want a string, have %s", raw)
	}
	ev := &protocol.Event{
		Type:      protocol.EventType(protocol.TextOf(raw)),
		Timestamp: p.Text("timestamp"),
		SessionID: p.Text("session_id"),
		WorkDir:   cmp.Or(p.Text("work_dir"), in.WorkDir),
		Context:   p.Sub("context"),
		Unread:    in.Unread,
	}
	if !ev.Type.Known() {
		return nil, nil
	}
	if ev.Timestamp == "" {
		ev.Timestamp = protocol.Timestamp(in.Now)
	}
	if pwd := in.Getenv("PWD"); ev.WorkDir == "" && filepath.IsAbs(pwd) {
		ev.WorkDir = pwd
	}
	ev.Agent = ev.Context.Text("agent")
	ev.Can = can(ev.Context.Get("can"))
	for _, m := range p {
		switch m.Name {
		case "event_type", "timestamp", "session_id", "work_dir", "context":
		default:
			ev.Fields = append(ev.Fields, m)
		}
	}
	if ev.Type.IsTool() {
		ev.Call = call(p, ev.Context)
	}
	return []*protocol.Event{ev}, nil
}

// can reads the words of context.can.
func can(raw protocol.Raw) protocol.Can {
	if len(raw) == 0 || raw[0] != '[' {
		return protocol.CanAll
	}
	var c protocol.Can
	for _, word := range protocol.ElementsOf(raw) {
		c |= protocol.CanOf(protocol.TextOf(word))
	}
	return c
}

// call is the tool call as the event describes it. A matcher may also use the agent's
// own name of the tool, if a dispatcher kept the agent's payload.
func call(p, context protocol.Object) *protocol.Call {
	c := protocol.Tools(nil).NewCall(p.Text("tool_name"), p.Get("tool_input"))
	c.ID = p.Text("tool_use_id")
	if native := context.Sub("native").Text("tool_name"); native != "" {
		c.NativeName = native
	}
	return c
}

// encode is a hook's answer: exit 2 with the reason on stderr, or exit 0 with one
// object or nothing.
func encode(_ *protocol.Event, o protocol.Outcome) protocol.Reply {
	if o.Decision == protocol.Block {
		reason := strings.TrimRight(o.Reason, "\n")
		if strings.TrimSpace(reason) == "" {
			reason = "blocked by a hook, which gave no reason"
		}
		return protocol.Reply{Stderr: []byte(reason + "\n"), Exit: 2}
	}
	return protocol.Reply{Stdout: o.JSON()}
}
