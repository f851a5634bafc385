package cursor

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/mirror"
)

// tongue is how to talk to hooks that were written for Cursor. docs/dialects.md lists
// what another agent cannot know of such a payload.
var tongue = &protocol.Tongue{
	ID:   id,
	Name: "Cursor",
	Events: []protocol.EventType{
		protocol.PreSession, protocol.PostSession,
		protocol.PreAgentTurn, protocol.PostAgentTurn, protocol.PreAgentTurnStop, protocol.PostAgentTurnStop,
		protocol.PreToolCall, protocol.PostToolCall, protocol.PostToolCallFailure,
		protocol.PreSubagent, protocol.PostSubagent, protocol.PreContextCompact,
	},
	Asides: []string{"beforeShellExecution", "afterShellExecution", "beforeMCPExecution", "afterMCPExecution", "beforeReadFile", "afterFileEdit"},
	Say:    speak,
	List: func(_ protocol.EventType, matcher string) ([]string, bool) {
		return nil, matcher == "" || matcher == "*"
	},
	Env:    variables,
	Leaves: func([]byte) bool { return false },
	Hear:   hear,
}

// variables are those that the program sets for a hook. Its version, its user and the
// transcript are not known.
func variables(s protocol.Seat) []string {
	env := []string{"CURSOR_VERSION", "CURSOR_USER_EMAIL", "CURSOR_TRANSCRIPT_PATH", "CURSOR_CODE_REMOTE"}
	for _, name := range []string{"CURSOR_PROJECT_DIR", "CLAUDE_PROJECT_DIR"} {
		if s.Project != "" {
			name += "=" + s.Project
		}
		env = append(env, name)
	}
	return env
}

// speak is an event as Cursor would send it: its own as it came, with the changes of
// hooks; another agent's assembled from the event. A single call is sent twice, by
// the events for all tools and by those for its kind.
func speak(ev *protocol.Event) []protocol.Said {
	if own := ev.Context.Sub("native"); ev.Agent == id && ownName(own.Text("hook_event_name")) == ev.NativeEvent && own != nil {
		p := renewed(ev, own)
		list := []protocol.Said{said(ev.NativeEvent, p, 1)}
		if ev.Type.IsTool() {
			for _, c := range mirror.Calls(ev) {
				list = append(list, aside(ev, c, 1)...)
			}
		}
		return list
	}
	native := nameOf(ev)
	if native == "" {
		return nil
	}
	if !ev.Type.IsTool() {
		return []protocol.Said{said(native, told(ev, native), 1)}
	}
	var list []protocol.Said
	calls := mirror.Calls(ev)
	for _, c := range calls {
		told := append([]protocol.Said{said(native, toolPayload(ev, native, c), len(calls))}, aside(ev, c, len(calls))...)
		for i := range told {
			told[i].Path = c.File()
		}
		list = append(list, told...)
	}
	return list
}

// said is a payload with what the program tries a matcher on: the type of a tool or
// subagent, or the line of an event about a command.
func said(native string, p protocol.Object, parts int) protocol.Said {
	s := protocol.Said{Event: native, Payload: p, Parts: parts}
	member := "tool_name"
	switch native {
	case "subagentStart", "subagentStop":
		member = "subagent_type"
	case "beforeShellExecution", "afterShellExecution":
		member, s.Aside = "command", true
	case "beforeMCPExecution", "afterMCPExecution", "beforeReadFile", "afterFileEdit":
		s.Aside = true
	}
	if name := p.Text(member); name != "" {
		s.Names = []string{name}
	}
	return s
}

// nameOf is the program's name for an event, "" if it has none.
func nameOf(ev *protocol.Event) string {
	for _, n := range natives {
		if slices.Contains(n.MapsTo, ev.Type) {
			return n.Name
		}
	}
	return ""
}

// renewed is the program's own payload with what hooks have changed since.
func renewed(ev *protocol.Event, own protocol.Object) protocol.Object {
	p := own.Clone()
	if in := p.Get("tool_input"); ev.Call != nil && ev.Call.NativeInput != nil && len(in) > 0 && in[0] == '{' {
		if input, _ := ev.Call.NativeInputOf(ev.Call.Input); input != nil && !mirror.Same(in, input.Raw()) {
			p.Set("tool_input", input.Raw())
		}
	}
	return p
}

// opened begins a payload with the members that all payloads have.
func opened(ev *protocol.Event, native string) (p protocol.Object) {
	p.PutText("conversation_id", ev.SessionID)
	p.PutText("model", ev.Fields.Text("model"))
	p.PutText("hook_event_name", native)
	if ev.WorkDir != "" {
		p.Set("workspace_roots", protocol.TextList([]string{ev.WorkDir}))
	}
	p.PutText("transcript_path", ev.Fields.Text("transcript_path"))
	return p
}

// told is the payload of an event that is not about a tool.
func told(ev *protocol.Event, native string) protocol.Object {
	p := opened(ev, native)
	take := mirror.Taker(ev, &p)
	switch native {
	case "sessionStart":
		p.SetText("session_id", ev.SessionID)
	case "sessionEnd":
		p.SetText("session_id", ev.SessionID)
		switch ev.Fields.Text("exit_reason") {
		case "completed", "aborted", "error", "window_close", "user_close":
			take("reason", "exit_reason")
		}
		take("duration_ms", "duration_ms")
		take("error_message", "error")
	case "beforeSubmitPrompt":
		take("prompt", "prompt")
	case "stop":
		take("status", "status")
		wentOn(&p, ev)
	case "subagentStart":
		take("subagent_id", "agent_id")
		take("subagent_type", "subagent_type")
		take("task", "task_description")
		p.SetText("parent_conversation_id", ev.SessionID)
	case "subagentStop":
		take("subagent_type", "subagent_type")
		take("status", "status")
		take("task", "task_description")
		take("description", "subagent_name")
		p.PutText("summary", ev.Fields.Sub("final_message").Text("content"))
		take("duration_ms", "duration_ms")
		wentOn(&p, ev)
	case "preCompact":
		take("trigger", "trigger")
		take("context_usage_percent", "usage_percent")
		take("context_tokens", "context_tokens")
		take("message_count", "message_count")
		take("is_first_compaction", "is_first_compaction")
	}
	return p
}

// wentOn is the inverse of loops: how often the agent continued because of a hook, or
// only that it did if nobody counted.
func wentOn(p *protocol.Object, ev *protocol.Event) {
	switch {
	case ev.Fields.Has("loop_count"):
		p.Set("loop_count", ev.Fields.Get("loop_count"))
	case ev.Fields.Bool("stop_active"):
		p.Set("loop_count", protocol.Raw("1"))
	case ev.Fields.Has("stop_active"):
		p.Set("loop_count", protocol.Raw("0"))
	}
}

// toolPayload is the payload of one call, by the events for all tools.
func toolPayload(ev *protocol.Event, native string, c mirror.Call) protocol.Object {
	p := opened(ev, native)
	p.SetText("tool_name", toolName(c))
	p.Set("tool_input", toolInput(c))
	if native == "postToolUse" {
		p.SetText("tool_output", string(outputOf(ev, c)))
	}
	p.PutText("tool_use_id", mirror.CallID(ev))
	p.PutText("cwd", ev.WorkDir)
	if native == "postToolUseFailure" {
		if text := ev.Fields.Text("error"); text != "" {
			p.SetText("error_message", text)
		} else if text := resultText(ev); text != "" {
			p.SetText("error_message", text)
		}
	}
	if v := ev.Fields.Get("duration_ms"); v != nil && ev.Type.HasResult() {
		p.Set("duration", v)
	}
	return p
}

// aside is the payload of one call on the event for its kind of tool, none if there
// is no such event.
func aside(ev *protocol.Event, c mirror.Call, parts int) []protocol.Said {
	in := protocol.ObjectOf(c.Input)
	before := ev.Type == protocol.PreToolCall
	name := ""
	switch {
	case ev.Type == protocol.PostToolCallFailure:
	case c.Name == protocol.Shell:
		name = map[bool]string{true: "beforeShellExecution", false: "afterShellExecution"}[before]
	case strings.HasPrefix(c.Name, "mcp__"):
		name = map[bool]string{true: "beforeMCPExecution", false: "afterMCPExecution"}[before]
	case c.Name == protocol.ReadFile && before:
		name = "beforeReadFile"
	case c.Path != "" && !before:
		name = "afterFileEdit"
	}
	if name == "" || name == ev.NativeEvent && ev.Agent == id {
		return nil
	}
	p := opened(ev, name)
	copied := func(from, to string) {
		if v := in.Get(from); v != nil {
			p.Set(to, v)
		}
	}
	switch name {
	case "beforeShellExecution":
		copied("command", "command")
		p.PutText("cwd", ev.WorkDir)
	case "afterShellExecution":
		copied("command", "command")
		p.SetText("output", resultText(ev))
	case "beforeMCPExecution", "afterMCPExecution":
		p.SetText("tool_name", strings.TrimPrefix(toolName(c), "MCP:"))
		p.SetText("tool_input", string(c.Input))
		if !before {
			p.SetText("result_json", string(outputOf(ev, c)))
		}
	case "beforeReadFile":
		copied("file_path", "file_path")
	case "afterFileEdit":
		copied("file_path", "file_path")
		edit := protocol.Object{{Name: "old_string", Value: protocol.Quote(in.Text("old_string"))}, {Name: "new_string", Value: protocol.Quote(in.Text("new_string") + in.Text("content"))}}
		p.Set("edits", append(append(protocol.Raw{'['}, edit.Raw()...), ']'))
	}
	if v := ev.Fields.Get("duration_ms"); v != nil && strings.HasPrefix(name, "after") && name != "afterFileEdit" {
		p.Set("duration", v)
	}
	return []protocol.Said{said(name, p, parts)}
}

// outputOf is the result of a call, as JSON.
func outputOf(ev *protocol.Event, c mirror.Call) protocol.Raw {
	r := ev.Deed.Result
	if c.Name != protocol.Shell || r == nil {
		if own := ev.Fields.Get("tool_response"); own != nil {
			return own
		}
		return protocol.Raw("{}")
	}
	o := protocol.Object{}
	if r.Exit != nil {
		o.Set("exitCode", protocol.Raw(strconv.Itoa(*r.Exit)))
	}
	o.SetText("stdout", resultText(ev))
	return o.Raw()
}

func resultText(ev *protocol.Event) string {
	if r := ev.Deed.Result; r != nil {
		for _, text := range []*string{r.Stdout, r.Text, r.Stderr} {
			if text != nil && *text != "" {
				return *text
			}
		}
	}
	return ""
}

// toolName is the program's name for the tool of a call.
func toolName(c mirror.Call) string {
	if rest, ok := strings.CutPrefix(c.Name, "mcp__"); ok {
		if _, tool, ok := strings.Cut(rest, "__"); ok {
			rest = tool
		}
		return "MCP:" + rest
	}
	switch {
	case c.Deletes:
		return "Delete"
	case c.Name == protocol.EditFile:
		return "Write" // cursor/9
	case c.Name == protocol.Search && c.Files:
		return "Glob"
	}
	for _, t := range tools {
		if t.Name == c.Name {
			return t.Native
		}
	}
	return c.Name
}

// keysOf are the names of a call's members that differ from the portable ones.
func keysOf(c mirror.Call) []protocol.Key {
	path := protocol.Key{Portable: "file_path", Native: "path"}
	switch {
	case c.Name == protocol.WriteFile:
		return []protocol.Key{path, {Portable: "content", Native: "contents"}}
	case c.Name == protocol.EditFile, c.Name == protocol.ReadFile:
		return []protocol.Key{path}
	case c.Name == protocol.Search && c.Files:
		return []protocol.Key{{Portable: "pattern", Native: "glob_pattern"}, {Portable: "path", Native: "target_directory"}}
	case c.Name == protocol.WebSearch:
		return []protocol.Key{{Portable: "query", Native: "search_term"}}
	}
	return nil
}

func toolInput(c mirror.Call) protocol.Raw {
	out := c.Keyed(keysOf(c))
	if out == nil {
		return c.Input
	}
	if c.Deletes {
		out.Delete("old_string")
		out.Delete("new_string")
	}
	return out.Raw()
}
