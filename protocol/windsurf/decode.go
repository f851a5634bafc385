package windsurf

import (
	"cmp"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
	"github.com/agents-hooks/agents-hooks/protocol/internal/mcpname"
)

func decode(in protocol.Input) ([]*protocol.Event, error) {
	p := in.Payload
	name := cmp.Or(p.Text("agent_action_name"), in.NativeName())
	n, ok := protocol.FindNative(natives, name)
	if !ok {
		return nil, nil
	}
	info := p.Sub("tool_info")
	events := make([]*protocol.Event, len(n.MapsTo))
	for i := range events {
		ev := in.NewEvent(id, n, i)
		claudelike.Clock(ev, p.Get("timestamp"))
		ev.SessionID = cmp.Or(p.Text("trajectory_id"), ev.SessionID, p.Text("execution_id")) // windsurf/4
		ev.WorkDir = cmp.Or(info.Text("cwd"), ev.WorkDir)                                    // windsurf/5
		fill(ev, info)
		ev.TakeAs("model", p, "model_name")
		events[i] = ev
	}
	return events, nil
}

// fill adds the fields of the event's kind.
func fill(ev *protocol.Event, info protocol.Object) {
	switch ev.Type {
	case protocol.PreAgentTurn:
		ev.TakeAs("prompt", info, "user_prompt")
		ev.Put("source", "user")
	case protocol.PostAgentTurnStop, protocol.PostAgentTurn:
		ev.Put("status", "completed")
		ev.Put("stop_reason", "no_tool_calls")
		ev.PutFinal(info.Text("response"))
	case protocol.PreToolCall, protocol.PostToolCall:
		call := newCall(ev.NativeEvent, info)
		ev.PutCall(call, claudelike.CallID(ev, call))
		if v := info.Get("mcp_result"); v != nil && ev.Type == protocol.PostToolCall {
			ev.Fields = append(ev.Fields, protocol.Member{Name: "tool_response", Value: claudelike.Parsed(v)})
		}
	}
}

// newCall makes the call that an event is about (windsurf/2).
func newCall(native string, info protocol.Object) *protocol.Call {
	_, name, _ := strings.Cut(native, "_")
	if name == "mcp_tool_use" {
		server, tool := info.Text("mcp_server_name"), info.Text("mcp_tool_name")
		call := tools.ParseCall(tool, info.Get("mcp_tool_arguments"))
		call.Name = mcpname.Of(server, tool)
		return call
	}
	call := tools.NewCall(name, info.Raw())
	if edits := protocol.ElementsOf(info.Get("edits")); len(edits) > 0 { // windsurf/3
		edit := protocol.ObjectOf(edits[0])
		for _, key := range []string{"old_string", "new_string"} {
			if v := edit.Get(key); v != nil {
				call.Derive(key, v)
			}
		}
	}
	return call
}

// detect recognises Cascade by the member that names its event.
func detect(p protocol.Object) bool { return p.Text("agent_action_name") != "" }
