package crush

import (
	"cmp"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
	"github.com/agents-hooks/agents-hooks/protocol/internal/mcpname"
)

func decode(in protocol.Input) ([]*protocol.Event, error) {
	name := cmp.Or(in.Text("event"), in.Event)
	n, ok := protocol.FindNative(natives, name)
	if !ok {
		return nil, nil
	}
	ev := in.NewEvent(id, n, 0)
	native := in.Text("tool_name")
	call := tools.NewCall(native, in.Payload.Get("tool_input"))
	if joined, ok := strings.CutPrefix(native, "mcp_"); ok { // crush/6
		if names := mcpname.ServerFirst(joined); len(names) > 0 {
			call.Name, call.Also = names[0], append(names[1:], call.Also...)
		}
	}
	ev.PutCall(call, claudelike.CallID(ev, call))
	return []*protocol.Event{ev}, nil
}

// detect recognises Crush by the member event with the working directory beside it;
// Goose sends event without the directory.
func detect(p protocol.Object) bool {
	return p.Text("event") != "" && p.Has("cwd") && !p.Has("hook_event_name")
}
