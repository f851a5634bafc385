package opencodelike

import (
	"cmp"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
	"github.com/agents-hooks/agents-hooks/protocol/internal/patch"
)

// A frame is what the plugin sends, parsed.
type frame struct {
	protocol.Object
	input, output, state protocol.Object
	properties           protocol.Object // of an event of the bus
	info                 protocol.Object // the session that the event belongs to
}

func newFrame(p protocol.Object) frame {
	f := frame{Object: p, input: p.Sub("input"), output: p.Sub("output"), state: p.Sub("state")}
	f.properties = f.input.Sub("properties")
	f.info = f.properties.Sub("info")
	return f
}

// own is the id of the session in which it happened.
func (f *frame) own() string {
	for _, id := range [...]string{
		f.input.Text("sessionID"), f.properties.Text("sessionID"), f.info.Text("id"),
		f.properties.Sub("part").Text("sessionID"), f.output.Sub("message").Text("sessionID"),
	} {
		if id != "" {
			return id
		}
	}
	return ""
}

// parent is the session that started this one, "" if a user did.
func (f *frame) parent() string {
	if id := f.state.Text("parent"); id != "" {
		return id
	}
	return f.info.Text("parentID")
}

// Decode turns a frame into the events that it feeds. What happens in a subagent
// counts as part of the session that started it, with agent_id.
func Decode(in protocol.Input, agent string) []*protocol.Event {
	f := newFrame(in.Payload)
	name := cmp.Or(strings.TrimPrefix(in.Text("hook"), "event."), in.Event)
	n, ok := protocol.FindNative(NativeEvents, name)
	if !ok || !f.concerns(name) {
		return nil
	}
	if in.Version = f.Text("agent_version"); in.Version == "" {
		in.Version = f.info.Text("version")
	}
	if f.parent() != "" && len(n.Instead) == 1 && n.Instead[0] != protocol.PostToolCallFailure {
		n.MapsTo, n.Can = n.Instead, n.CanOf(n.Instead[0])
	}
	events := make([]*protocol.Event, len(n.MapsTo))
	for i := range events {
		ev := in.NewEvent(agent, n, i)
		f.place(ev)
		f.fill(ev)
		if !ev.Type.IsTool() {
			f.usage(ev)
		}
		if f.parent() != "" && ev.Type != protocol.PreSubagent && ev.Type != protocol.PostSubagent {
			ev.Put("subagent_type", f.state.Text("agent"))
			ev.Put("agent_id", f.own())
		}
		events[i] = ev
	}
	return events
}

// usage is what the plugin reported about the model's last answer.
func (f *frame) usage(ev *protocol.Event) {
	u := f.state.Sub("usage")
	protocol.Usage{ContextTokens: u.Int("context_tokens"), ContextWindow: u.Int("context_window"),
		InputTokens: u.Int("input_tokens"), OutputTokens: u.Int("output_tokens")}.Put(ev)
}

// concerns reports whether an event of the bus is one of ours: of a message's parts,
// only a tool call that failed.
func (f *frame) concerns(name string) bool {
	part := f.properties.Sub("part")
	if name != "message.part.updated" || !part.Has("type") {
		return true
	}
	return part.Text("type") == "tool" && part.Sub("state").Text("status") == "error"
}

// place says in which session and which folder it happened.
func (f *frame) place(ev *protocol.Event) {
	ev.SessionID = f.own()
	if parent := f.parent(); parent != "" {
		ev.SessionID = parent
	}
	ev.WorkDir = cmp.Or(f.Text("directory"), f.info.Text("directory"), ev.WorkDir)
}

// fill adds the fields of the event's kind, in the order in which a hook sees
// them.
func (f *frame) fill(ev *protocol.Event) {
	switch ev.Type {
	case protocol.PreSession:
		source := cmp.Or(f.state.Text("source"), "startup")
		ev.Put("source", source)
		ev.Put("model", f.info.Sub("model").Text("id"))
	case protocol.PostSession:
		ev.Put("exit_reason", "disposed")
	case protocol.PreAgentTurn:
		f.prompt(ev)
	case protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn:
		f.stop(ev)
	case protocol.PermissionRequest:
		f.permission(ev)
	case protocol.PreToolCall, protocol.PostToolCall, protocol.PostToolCallFailure:
		f.call(ev)
	case protocol.PreSubagent, protocol.PostSubagent:
		f.subagent(ev)
	case protocol.PreContextCompact, protocol.PostContextCompact:
		ev.Put("trigger", f.state.Text("trigger"))
	}
}

// prompt is the text of a message's parts, without those that the agent wrote.
func (f *frame) prompt(ev *protocol.Event) {
	var own, others []string
	for _, raw := range protocol.ElementsOf(f.output.Get("parts")) {
		part := protocol.ObjectOf(raw)
		switch {
		case part.Text("type") != "text" || part.Text("text") == "":
		case part.Bool("synthetic"):
			others = append(others, part.Text("text"))
		default:
			own = append(own, part.Text("text"))
		}
	}
	source := "user"
	switch {
	case f.parent() != "":
		source = "subagent"
	case len(own) == 0 && len(others) > 0:
		own, source = others, "notification"
	}
	ev.Put("prompt", strings.Join(own, "\n"))
	ev.Put("source", source)
	ev.Put("model", f.output.Sub("message").Sub("model").Text("modelID"))
}

// stop adds what is known about the end of a turn.
func (f *frame) stop(ev *protocol.Event) {
	if failure := f.properties.Sub("error"); ev.NativeEvent == "session.error" {
		status, text := ending(failure)
		ev.Put("status", status)
		ev.Put("error", text)
	} else {
		ev.Put("status", "completed")
		ev.Put("stop_reason", "no_tool_calls")
	}
	ev.PutFinal(f.state.Text("text"))
	if ev.Type == protocol.PreAgentTurnStop {
		active := protocol.Raw("false")
		if f.state.Bool("stop_active") {
			active = protocol.Raw("true")
		}
		ev.Fields = append(ev.Fields, protocol.Member{Name: "stop_active", Value: active})
	}
}

// ending is how and why a failed turn ended.
func ending(failure protocol.Object) (status, text string) {
	name, message := failure.Text("name"), failure.Sub("data").Text("message")
	if name == "MessageAbortedError" {
		status = "aborted"
	} else {
		status = "error"
	}
	if name != "" && message != "" {
		name += ": "
	}
	return status, name + message
}

// call adds the tool call. The frame has it in a different place before the call,
// after it, and after a failure.
func (f *frame) call(ev *protocol.Event) {
	part := f.properties.Sub("part")
	state := part.Sub("state")
	var c *protocol.Call
	switch ev.NativeEvent {
	case "tool.execute.before":
		c = f.newCall(f.input.Text("tool"), f.output.Get("args"), f.input.Text("callID"))
	case "tool.execute.after":
		c = f.newCall(f.input.Text("tool"), f.input.Get("args"), f.input.Text("callID"))
	default:
		c = f.newCall(part.Text("tool"), state.Get("input"), part.Text("callID"))
	}
	ev.PutCall(c, claudelike.CallID(ev, c))
	switch ev.NativeEvent {
	case "tool.execute.after":
		ev.TakeAs("tool_response", f.Object, "output")
		if exit := f.output.Sub("metadata").Get("exit"); len(exit) > 0 && string(exit) != "0" && (exit[0] == '-' || exit[0] >= '0' && exit[0] <= '9') {
			ev.Type = protocol.PostToolCallFailure
			text := f.output.Text("output")
			if text == "" {
				text = "exit status " + string(exit)
			}
			ev.Put("error", text)
		}
	case "message.part.updated":
		ev.Put("error", state.Text("error"))
	}
}

// permission adds the call for which a permission is asked: only what the agent says
// of it, which is not all of its input.
func (f *frame) permission(ev *protocol.Event) {
	input := f.properties.Get("metadata")
	if len(protocol.ObjectOf(input)) == 0 {
		input = protocol.Object{{Name: "patterns", Value: f.properties.Get("patterns")}}.Raw()
	}
	c := f.newCall(f.properties.Text("permission"), input, f.properties.Sub("tool").Text("callID"))
	if path := c.NativeInput.Text("filepath"); path != "" {
		c.Derive("file_path", protocol.Quote(path))
	}
	ev.PutCall(c, claudelike.CallID(ev, c))
}

// newCall makes the tool call; an MCP server's tool gets the name that such tools
// have elsewhere.
func (f *frame) newCall(native string, input protocol.Raw, id string) *protocol.Call {
	c := Tools.NewCall(native, input)
	c.ID = id
	if _, known := Tools.Find(native); !known {
		if server, tool := f.server(native); server != "" {
			c.Name = "mcp__" + server + "__" + tool
		}
	}
	if c.Name == protocol.EditFile {
		if paths := patch.Files(c.NativeInput.Text("patchText")); len(paths) > 0 {
			c.Derive("file_path", protocol.Quote(paths[0]))
			c.Derive("file_paths", protocol.TextList(paths))
		}
	}
	return c
}

// server splits a tool's name after the longest matching name of a server that the
// agent knows.
func (f *frame) server(native string) (server, tool string) {
	for _, raw := range protocol.ElementsOf(f.Get("mcp")) {
		name := word(protocol.TextOf(raw))
		if rest, ok := strings.CutPrefix(native, name+"_"); ok && rest != "" && len(name) > len(server) {
			server, tool = name, rest
		}
	}
	return server, tool
}

// word is a name as the agents write it inside a tool's name.
func word(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, s)
}

// subagent adds a subagent's identity and how it ended.
func (f *frame) subagent(ev *protocol.Event) {
	kind, title := f.state.Text("agent"), f.state.Text("title")
	kind = cmp.Or(kind, f.info.Text("agent"))
	title = cmp.Or(title, f.info.Text("title"))
	ev.Put("subagent_name", strings.TrimSuffix(title, " (@"+kind+" subagent)"))
	ev.Put("subagent_type", kind)
	ev.Put("agent_id", f.own())
	switch {
	case ev.Type != protocol.PostSubagent:
		return
	case ev.NativeEvent == "session.error":
		status, text := ending(f.properties.Sub("error"))
		ev.Put("status", status)
		ev.Put("error", text)
	default:
		ev.Put("status", "completed")
	}
	ev.PutFinal(f.state.Text("text"))
}

// Detect reports whether a payload is a frame and, if it names an agent, of this one.
func Detect(p protocol.Object, agent string, unnamed bool) bool {
	if p.Text("hook") == "" || !p.Has("input") || p.Has("hook_event_name") {
		return false
	}
	if name := p.Text("agent"); name != "" {
		return name == agent
	}
	return unnamed
}
