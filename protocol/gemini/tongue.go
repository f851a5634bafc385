package gemini

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/mirror"
)

// tongue is how to talk to hooks that were written for Gemini CLI. docs/dialects.md
// lists what another agent cannot know of such a payload.
var tongue = &protocol.Tongue{
	ID:   id,
	Name: "Gemini CLI",
	Events: []protocol.EventType{
		protocol.PreSession, protocol.PostSession,
		protocol.PreAgentTurn, protocol.PostAgentTurn, protocol.PreAgentTurnStop, protocol.PostAgentTurnStop,
		protocol.PreToolCall, protocol.PostToolCall, protocol.PostToolCallFailure,
		protocol.PreContextCompact, protocol.Notification,
	},
	Say:    speak,
	List:   listed,
	Env:    variables,
	Leaves: func([]byte) bool { return false },
	Hear:   hear,
}

// listed reads a tool's matcher as the program does: an empty one and a star match
// anything, the rest are regular expressions.
func listed(_ protocol.EventType, matcher string) (names []string, ok bool) {
	return nil, matcher == "" || matcher == "*"
}

// variables are those that the program sets for a hook. GEMINI_CWD and
// GEMINI_PLANS_DIR are not known.
func variables(s protocol.Seat) []string {
	env := []string{"GEMINI_CWD", "GEMINI_PLANS_DIR"}
	for _, v := range [...][2]string{{"GEMINI_PROJECT_DIR", s.Project}, {"CLAUDE_PROJECT_DIR", s.Project}, {"GEMINI_SESSION_ID", s.Session}} {
		if v[1] == "" {
			env = append(env, v[0])
		} else {
			env = append(env, v[0]+"="+v[1])
		}
	}
	return env
}

// speak is an event as Gemini CLI would send it: its own as it came, with the changes
// of hooks; another agent's assembled from the event.
func speak(ev *protocol.Event) []protocol.Said {
	if own := ev.Context.Sub("native"); ev.Agent == id && own.Text("hook_event_name") == ev.NativeEvent && own != nil {
		return []protocol.Said{said(ev.NativeEvent, renewed(ev, own), 1)}
	}
	native := nameOf(ev)
	if native == "" {
		return nil
	}
	if !ev.Type.IsTool() {
		return []protocol.Said{said(native, told(ev, native), 1)}
	}
	calls := mirror.Calls(ev)
	list := make([]protocol.Said, len(calls))
	for i, c := range calls {
		list[i] = said(native, toolPayload(ev, native, c), len(calls))
		list[i].Path = c.File()
	}
	return list
}

// said is a payload with what the program tries a matcher on: a tool's name or, on
// other events, one word, which must match as a whole.
func said(native string, p protocol.Object, parts int) protocol.Said {
	s := protocol.Said{Event: native, Payload: p, Parts: parts, Exact: true}
	member := map[string]string{"SessionStart": "source", "SessionEnd": "reason", "PreCompress": "trigger", "Notification": "notification_type"}[native]
	if native == "BeforeTool" || native == "AfterTool" {
		member, s.Exact = "tool_name", false
	}
	if name := p.Text(member); name != "" {
		s.Names = []string{name}
	}
	return s
}

// nameOf is the program's name for an event, "" if it has none: it sends nothing for
// a turn that its user or an error ended.
func nameOf(ev *protocol.Event) string {
	switch ev.Type {
	case protocol.PostAgentTurn, protocol.PostAgentTurnStop:
		if status := ev.Fields.Text("status"); status == "error" || status == "aborted" {
			return ""
		}
		return "AfterAgent"
	}
	for _, n := range natives {
		if slices.Contains(n.Events(), ev.Type) {
			return n.Name
		}
	}
	return ""
}

// renewed is the program's own payload with what hooks have changed since.
func renewed(ev *protocol.Event, own protocol.Object) protocol.Object {
	p := own.Clone()
	if ev.Call != nil && ev.Call.NativeInput != nil {
		if input, _ := ev.Call.NativeInputOf(ev.Call.Input); input != nil && !mirror.Same(p.Get("tool_input"), input.Raw()) {
			p.Set("tool_input", input.Raw())
		}
	}
	if v := ev.Fields.Get("tool_response"); v != nil && !mirror.Same(p.Get("tool_response"), v) {
		p.Set("tool_response", response(protocol.TextOf(v), "").Raw())
	}
	if ev.Fields.Bool("stop_active") && p.Has("stop_hook_active") {
		p.Set("stop_hook_active", protocol.Raw("true"))
	}
	return p
}

// opened begins a payload with the members that all payloads have.
func opened(ev *protocol.Event, native string) (p protocol.Object) {
	for _, m := range [...][2]string{
		{"session_id", ev.SessionID}, {"transcript_path", ev.Fields.Text("transcript_path")}, {"cwd", ev.WorkDir},
		{"hook_event_name", native}, {"timestamp", ev.Timestamp},
	} {
		if m[1] != "" {
			p.SetText(m[0], m[1])
		}
	}
	return p
}

// told is the payload of an event that is not about a tool.
func told(ev *protocol.Event, native string) protocol.Object {
	p := opened(ev, native)
	take := mirror.Taker(ev, &p)
	switch native {
	case "SessionStart":
		take("source", "source")
	case "SessionEnd":
		p.SetText("reason", endReason(ev.Fields.Text("exit_reason")))
	case "BeforeAgent":
		take("prompt", "prompt")
	case "AfterAgent":
		p.PutText("prompt_response", ev.Fields.Sub("final_message").Text("content"))
		take("stop_hook_active", "stop_active")
	case "PreCompress":
		take("trigger", "trigger")
	case "Notification":
		take("notification_type", "kind")
		take("message", "message")
	}
	return p
}

// endReason is why a session ended, in the program's words: "other" stands for every
// reason that it does not know.
func endReason(reason string) string {
	switch reason {
	case "exit", "clear", "logout", "prompt_input_exit":
		return reason
	case "user_close":
		return "exit"
	}
	return "other"
}

// toolPayload is the payload of one call.
func toolPayload(ev *protocol.Event, native string, c mirror.Call) protocol.Object {
	p := opened(ev, native)
	name, server, tool := toolName(c)
	p.SetText("tool_name", name)
	p.Set("tool_input", toolInput(c))
	if native == "AfterTool" {
		text, failed := "", ""
		if r := ev.Deed.Result; r != nil {
			for _, t := range []*string{r.Stdout, r.Text, r.Stderr} {
				if t != nil && text == "" {
					text = *t
				}
			}
		}
		if ev.Type == protocol.PostToolCallFailure {
			failed = cmp.Or(ev.Fields.Text("error"), text)
		}
		p.Set("tool_response", response(text, failed).Raw())
	}
	if server != "" {
		var mcp protocol.Object
		mcp.SetText("server_name", server)
		mcp.SetText("tool_name", tool)
		p.Set("mcp_context", mcp.Raw())
	}
	return p
}

// response is the result of a call, in the shape that all of the program's tools
// share.
func response(text, failed string) (o protocol.Object) {
	o.SetText("llmContent", text)
	o.SetText("returnDisplay", text)
	if failed != "" {
		o.Set("error", protocol.Object{{Name: "message", Value: protocol.Quote(failed)}}.Raw())
	}
	return o
}

// toolName is the program's name for the tool of a call; for an MCP server's tool,
// with the server.
func toolName(c mirror.Call) (name, server, tool string) {
	if rest, ok := strings.CutPrefix(c.Name, "mcp__"); ok {
		if server, tool, ok = strings.Cut(rest, "__"); ok {
			return "mcp_" + server + "_" + tool, server, tool
		}
		return "mcp_" + rest, "", ""
	}
	if c.Name == protocol.Search && c.Files {
		return "glob", "", ""
	}
	for _, t := range tools {
		if t.Name == c.Name {
			return t.Native, "", ""
		}
	}
	return c.Name, "", ""
}

// keysOf are the names of a call's members that differ from the portable ones.
func keysOf(name string) []protocol.Key {
	switch name {
	case protocol.Shell:
		return []protocol.Key{{Portable: "run_in_background", Native: "is_background"}}
	case protocol.Search:
		return pathKeys
	case protocol.Task:
		return taskKeys
	}
	return nil
}

// toolInput is the input of a call in the program's keys. An address to fetch is part
// of a prompt there.
func toolInput(c mirror.Call) protocol.Raw {
	out := c.Keyed(keysOf(c.Name))
	if out == nil {
		return c.Input
	}
	if url, prompt := out.Text("url"), out.Text("prompt"); c.Name == protocol.Fetch && url != "" {
		if !strings.Contains(prompt, url) {
			prompt = strings.TrimSpace(prompt + " " + url)
		}
		out = protocol.Object{{Name: "prompt", Value: protocol.Quote(prompt)}}
	}
	return out.Raw()
}
