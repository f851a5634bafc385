// Package translate converts between agents: an event into the form of another agent,
// and an outcome into that agent's answer. What the other agent cannot express is
// named, and not made up.
package translate

import "github.com/agents-hooks/agents-hooks/protocol"

// A Told is what one agent would be told of an outcome. Its JSON form is stable.
type Told struct {
	Event  string   `json:"event"` // native
	Can    []string `json:"can"`
	Exit   int      `json:"exit"`
	Stdout string   `json:"stdout"`
	Stderr string   `json:"stderr"`
	Lost   []string `json:"lost"` // what it cannot carry, and what happens to that
}

// Outcome is what an agent would be told of an outcome; ok is false if the event
// never happens there.
func Outcome(d *protocol.Dialect, ev *protocol.Event, o protocol.Outcome) (Told, bool) {
	ev, ok := Event(d, ev)
	if !ok {
		return Told{}, false
	}
	o, losses := d.Fit(ev, o, protocol.Policy{})
	reply := d.Encode(ev, o)
	answer := Told{Event: ev.NativeEvent, Can: ev.Can.Words(), Exit: reply.Exit, Stdout: string(reply.Stdout), Stderr: string(reply.Stderr), Lost: []string{}}
	for _, l := range losses {
		answer.Lost = append(answer.Lost, l.Text)
	}
	return answer, true
}

// Event is an event as it would have come from an agent: the native event that
// feeds it, and the agent's own name and keys of the tool. ok is false if it never
// happens there.
func Event(d *protocol.Dialect, ev *protocol.Event) (*protocol.Event, bool) {
	if ev.Agent == d.ID && ev.NativeEvent != "" {
		return ev, true
	}
	n, first, ok := Native(d, ev.Type)
	if !ok {
		return nil, false
	}
	out := ev.Clone()
	out.Agent, out.NativeEvent, out.Can = d.ID, n.Name, 0
	if first {
		out.Can = n.Can
	}
	if ev.Call != nil {
		out.Call = callFor(d, ev.Call)
		out.Fields.SetText("tool_name", out.Call.Name)
		out.Fields.Set("tool_input", out.Call.Input.Raw())
	}
	out.Context = nil
	out.Context.SetText("agent", d.ID)
	out.Context.SetText("native_event", n.Name)
	out.Context.Set("can", out.Can.Raw())
	return out, true
}

// Native is the agent's own event that becomes an event of the format, one that
// decides if possible; first says that it does.
func Native(d *protocol.Dialect, e protocol.EventType) (n protocol.Native, first, ok bool) {
	for _, have := range d.NativeEvents {
		for i, fed := range have.Events() {
			decides := i == 0 || i >= len(have.MapsTo)
			if fed == e && (!ok || decides && !first) {
				n, first, ok = have, decides, true
			}
		}
	}
	return n, first, ok
}

// callFor is a tool call in the agent's own names. A tool that the agent does not
// have keeps its name.
func callFor(d *protocol.Dialect, c *protocol.Call) *protocol.Call {
	tool, ok := d.Tools.Find(c.NativeName)
	for i := 0; i < len(d.Tools) && !ok; i++ {
		if d.Tools[i].Name == c.Name {
			tool, ok = d.Tools[i], true
		}
	}
	if !ok {
		return c
	}
	var input protocol.Object
	for _, m := range c.Input {
		name := m.Name
		for _, k := range tool.Keys {
			if k.Portable == name && !c.Input.Has(k.Native) {
				name = k.Native
			}
		}
		if !input.Has(name) {
			input = append(input, protocol.Member{Name: name, Value: m.Value})
		}
	}
	return d.Tools.NewCall(tool.Native, input.Raw())
}
