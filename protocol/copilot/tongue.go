package copilot

import (
	"cmp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/mirror"
)

// tongue is how to talk to hooks that were written for Copilot's first form, whose
// events are spelled like preToolUse (copilot-cli/2). docs/dialects.md lists what
// another agent cannot know of such a payload.
var tongue = &protocol.Tongue{
	ID:   id,
	Name: "GitHub Copilot CLI",
	Events: []protocol.EventType{
		protocol.PreSession, protocol.PostSession,
		protocol.PreAgentTurn, protocol.PostAgentTurn, protocol.PreAgentTurnStop, protocol.PostAgentTurnStop,
		protocol.PreToolCall, protocol.PermissionRequest, protocol.PostToolCall, protocol.PostToolCallFailure,
		protocol.PreSubagent, protocol.PostSubagent, protocol.PreContextCompact, protocol.Notification,
	},
	Asides: []string{"errorOccurred"},
	Say:    speak,
	List: func(_ protocol.EventType, matcher string) ([]string, bool) {
		return nil, matcher == "" || matcher == "*"
	},
	Whole:  true,
	Shuts:  []protocol.EventType{protocol.PreToolCall},
	Env:    variables,
	Leaves: func([]byte) bool { return false },
	Hear:   hear,
}

// variables are those that the program sets for a hook. COPILOT_HOOK_DIR is not
// known.
func variables(s protocol.Seat) []string {
	env := []string{"COPILOT_CLI=1", "COPILOT_HOOK_DIR"}
	for _, name := range []string{"COPILOT_PROJECT_DIR", "CLAUDE_PROJECT_DIR"} {
		if s.Project != "" {
			name += "=" + s.Project
		}
		env = append(env, name)
	}
	return env
}

// speak is an event as Copilot would send it in its first form: its own in that form,
// with the changes of hooks; another agent's assembled from the event.
func speak(ev *protocol.Event) []protocol.Said {
	native := nameOf(ev)
	if native == "" {
		return nil
	}
	if own := ev.Context.Sub("native"); ev.Agent == id && own != nil {
		return []protocol.Said{said(native, renewed(ev, native, own), mirror.Call{}, 1)}
	}
	if !ev.Type.IsTool() && ev.Type != protocol.PermissionRequest {
		return []protocol.Said{said(native, payloadOf(ev, native), mirror.Call{}, 1)}
	}
	calls := mirror.Calls(ev)
	list := make([]protocol.Said, len(calls))
	for i, c := range calls {
		list[i] = said(native, toolPayload(ev, native, c), c, len(calls))
	}
	return list
}

// said is a payload with what the program tries a matcher on.
func said(native string, p protocol.Object, c mirror.Call, parts int) protocol.Said {
	s := protocol.Said{Event: native, Payload: p, Parts: parts, Path: c.File()}
	s.Aside = native == "errorOccurred"
	member := map[string]string{"preToolUse": "toolName", "postToolUse": "toolName", "permissionRequest": "toolName",
		"notification": "notification_type", "preCompact": "trigger", "subagentStart": "agentName"}[native]
	if name := p.Text(member); name != "" {
		s.Names = []string{name}
	}
	return s
}

// firstForm is an event's name in the first form, by that of the second.
func firstForm(name string) string {
	switch name {
	case "UserPromptSubmit":
		return "userPromptSubmitted"
	case "Stop":
		return "agentStop"
	}
	_, n := utf8.DecodeRuneInString(name)
	return strings.ToLower(name[:n]) + name[n:]
}

// nameOf is the program's name for an event, "" if it has none: it sends nothing for a
// turn that its user ended, and what is a failure here while the program sends postToolUse for
// it, as for a command that left with another exit code than 0 (copilot-cli/12), is for no hook
// of a failed call. Its own events have theirs with them, except some of records.
func nameOf(ev *protocol.Event) string {
	if ev.Agent == id && ev.NativeEvent != "" {
		if ev.Type == protocol.PostToolCallFailure && ev.NativeEvent == "PostToolUse" {
			return ""
		}
		return firstForm(ev.NativeEvent)
	}
	switch ev.Type {
	case protocol.PostAgentTurn, protocol.PostAgentTurnStop:
		switch ev.Fields.Text("status") {
		case "aborted":
			return ""
		case "error":
			if ev.Type == protocol.PostAgentTurn {
				return "errorOccurred"
			}
			return ""
		}
		return "agentStop"
	case protocol.PostToolCallFailure:
		if r := ev.Deed.Result; ev.Call != nil && ev.Call.Name == protocol.Shell && r != nil && r.Exit != nil {
			return ""
		}
		return "postToolUseFailure"
	}
	for _, n := range natives {
		if n.MapsTo[0] == ev.Type {
			return firstForm(n.Name)
		}
	}
	return ""
}

// opened begins a payload with the members that all payloads have.
func opened(ev *protocol.Event) (p protocol.Object) {
	p.PutText("sessionId", ev.SessionID)
	if at := clock(ev.Timestamp); at != nil {
		p.Set("timestamp", at)
	}
	p.PutText("cwd", ev.WorkDir)
	return p
}

// clock is a time as the first form has it, nil if it is none.
func clock(timestamp string) protocol.Raw {
	at, err := time.Parse(time.RFC3339Nano, timestamp)
	if err != nil {
		return nil
	}
	return protocol.Raw(strconv.FormatInt(at.UnixMilli(), 10))
}

// payloadOf is the payload of an event that is not about a tool.
func payloadOf(ev *protocol.Event, native string) protocol.Object {
	p := opened(ev)
	take := mirror.Taker(ev, &p)
	switch native {
	case "sessionStart":
		if source := ev.Fields.Text("source"); source == "startup" || source == "clear" {
			p.SetText("source", "new")
		} else {
			take("source", "source")
		}
	case "sessionEnd":
		p.SetText("reason", endReason(ev.Fields.Text("exit_reason")))
	case "userPromptSubmitted":
		take("prompt", "prompt")
		take("agentId", "agent_id")
		take("agentType", "subagent_type")
	case "agentStop":
		take("transcriptPath", "transcript_path")
		p.SetText("stopReason", "end_turn")
		take("stop_hook_active", "stop_active")
	case "errorOccurred":
		if text := ev.Fields.Text("error"); text != "" {
			p.Set("error", protocol.Object{{Name: "message", Value: protocol.Quote(text)}}.Raw())
		} else {
			take("error", "error")
		}
	case "subagentStart":
		take("transcriptPath", "transcript_path")
		subagent(ev, &p, "agentName", "agentId", "agentType")
	case "subagentStop":
		take("transcriptPath", "transcript_path")
		subagent(ev, &p, "agentId", "agentType", "agentName")
		p.PutText("response", ev.Fields.Sub("final_message").Text("content"))
		p.SetText("stopReason", "end_turn")
		take("stop_hook_active", "stop_active")
	case "preCompact":
		take("transcriptPath", "transcript_path")
		take("trigger", "trigger")
	case "notification":
		take("message", "message")
		take("title", "title")
		p.SetText("hook_event_name", "Notification")
		take("notification_type", "kind")
	}
	return p
}

// subagent adds what a subagent is called, in the order that its event has.
func subagent(ev *protocol.Event, p *protocol.Object, order ...string) {
	for _, name := range order {
		switch name {
		case "agentId":
			p.PutText(name, ev.Fields.Text("agent_id"))
		case "agentType":
			p.PutText(name, ev.Fields.Text("subagent_type"))
		case "agentName":
			name := cmp.Or(ev.Fields.Text("subagent_name"), ev.Fields.Text("subagent_type"))
			p.PutText("agentName", name)
		}
	}
}

// endReason is why a session ended, in the program's words. One that it does not know
// is the usual end.
func endReason(reason string) string {
	switch reason {
	case "error", "timeout":
		return reason
	case "aborted":
		return "abort"
	case "user_close", "exit", "prompt_input_exit":
		return "user_exit"
	}
	return "complete"
}

// toolPayload is the payload of one call.
func toolPayload(ev *protocol.Event, native string, c mirror.Call) (p protocol.Object) {
	if native == "permissionRequest" {
		p.SetText("hookName", native)
	}
	p = append(p, opened(ev)...)
	p.SetText("toolName", toolName(c, native))
	p.Set(argsOf(native), toolInput(c))
	switch native {
	case "postToolUse":
		p.Set("toolResult", result(resultText(ev)).Raw())
	case "postToolUseFailure":
		text := ev.Fields.Text("error")
		if text == "" {
			text = resultText(ev)
		}
		p.PutText("error", text)
	}
	return p
}

// argsOf is the member with the input of a call.
func argsOf(native string) string {
	if native == "permissionRequest" {
		return "toolInput"
	}
	return "toolArgs"
}

// result is what a tool said, in the shape that all of the program's tools share.
func result(text string) protocol.Object {
	return protocol.Object{{Name: "resultType", Value: protocol.Raw(`"success"`)}, {Name: "textResultForLlm", Value: protocol.Quote(text)}}
}

// resultText is the result of a call; behind a command's it says the exit code, as the
// program does.
func resultText(ev *protocol.Event) string {
	r, said := ev.Deed.Result, ""
	if r == nil {
		return ""
	}
	for _, t := range []*string{r.Stdout, r.Text, r.Stderr} {
		if t != nil && said == "" {
			said = *t
		}
	}
	if r.Exit != nil && !strings.Contains(said, "completed with exit code ") {
		said = strings.TrimPrefix(strings.TrimSuffix(said, "\n")+"\n<completed with exit code "+strconv.Itoa(*r.Exit)+">", "\n")
	}
	return said
}

// toolName is the program's name for the tool of a call. A question about an MCP
// server's tool names it in another way than the call does.
func toolName(c mirror.Call, native string) string {
	if rest, ok := strings.CutPrefix(c.Name, "mcp__"); ok {
		between := "-"
		if native == "permissionRequest" {
			between = "/"
		}
		return strings.Replace(rest, "__", between, 1)
	}
	if c.Name == protocol.Search && c.Files {
		return "glob"
	}
	for _, t := range tools {
		if t.Name == c.Name && strings.ToLower(t.Native) == t.Native {
			return t.Native
		}
	}
	return c.Name
}

// keysOf are the names of a call's members that differ from the portable ones.
func keysOf(c mirror.Call) []protocol.Key {
	for _, t := range tools {
		if t.Name == c.Name {
			return t.Keys
		}
	}
	return nil
}

// toolInput is the input of a call in the program's keys.
func toolInput(c mirror.Call) protocol.Raw {
	if out := c.Keyed(keysOf(c)); out != nil {
		return out.Raw()
	}
	return c.Input
}
