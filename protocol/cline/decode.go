package cline

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

// programNames are the program's names of the events (cline/6).
var programNames = [...]struct{ own, file string }{
	{"agent_start", "TaskStart"}, {"agent_resume", "TaskResume"}, {"agent_abort", "TaskCancel"},
	{"agent_end", "TaskComplete"}, {"agent_error", "TaskError"}, {"tool_call", "PreToolUse"},
	{"tool_result", "PostToolUse"}, {"prompt_submit", "UserPromptSubmit"}, {"session_shutdown", "SessionShutdown"},
}

// nativeName is the event's name, which is also its file's, and whether the program
// sent it.
func nativeName(in protocol.Input) (name string, fromProgram bool) {
	name = in.Text("hookName")
	for _, n := range programNames {
		if n.own == name {
			return n.file, true
		}
	}
	if name == "" {
		return in.Event, false
	}
	return name, false
}

func decode(in protocol.Input) ([]*protocol.Event, error) {
	p := in.Payload
	name, fromProgram := nativeName(in)
	n, ok := protocol.FindNative(natives, name)
	if !ok {
		return nil, nil
	}
	in.Version = p.Text("clineVersion")
	if name == "PostToolUse" && isRefusal(p.Sub("tool_result").Sub("input")) {
		return nil, nil // cline/16
	}
	parent := p.Text("parent_agent_id")
	if parent != "" && len(n.Instead) == 1 && n.Instead[0] != protocol.PostToolCallFailure {
		n.MapsTo, n.Can = n.Instead, n.CanOf(n.Instead[0]) // cline/9
	}
	n.Can &= runtimeCan(name, fromProgram)
	events := make([]*protocol.Event, len(n.MapsTo))
	for i := range events {
		ev := in.NewEvent(id, n, i)
		place(ev, in)
		fill(ev, p)
		if model := p.Sub("model").Text("slug"); model != "unknown" {
			ev.Put("model", model)
		}
		if parent != "" {
			ev.Put("agent_id", p.Text("agent_id"))
		}
		events[i] = ev
	}
	return events, nil
}

// runtimeCan is what the calling runtime supports on an event (cline/4).
func runtimeCan(name string, fromProgram bool) protocol.Can {
	switch {
	case !fromProgram:
		return extension
	case name == "PreToolUse" || name == "PostToolUse":
		return program
	}
	return 0
}

// place says when, in which session and in which folder the event happened.
func place(ev *protocol.Event, in protocol.Input) {
	p := in.Payload
	stamp := p.Text("timestamp")
	if ms, err := strconv.ParseInt(stamp, 10, 64); err == nil {
		ev.Timestamp = protocol.Timestamp(time.UnixMilli(ms)) // cline/12
	} else if len(stamp) == len("2006-01-02T15:04:05.000Z") && stamp[len(stamp)-1] == 'Z' {
		ev.Timestamp = stamp
	}
	if ev.SessionID = p.Sub("sessionContext").Text("rootSessionId"); ev.SessionID == "" {
		ev.SessionID = p.Text("taskId")
	}
	if roots := protocol.ElementsOf(p.Get("workspaceRoots")); len(roots) > 0 {
		ev.WorkDir = protocol.TextOf(roots[0])
	}
}

// fill adds the fields of the event's kind, in the order in which a hook sees
// them.
func fill(ev *protocol.Event, p protocol.Object) {
	switch ev.Type {
	case protocol.PreSession:
		source := "startup"
		if ev.NativeEvent == "TaskResume" {
			source = "resume"
		}
		ev.Put("source", source)
	case protocol.PostSession:
		ev.Put("exit_reason", p.Text("reason"))
	case protocol.PreAgentTurn:
		source := "user"
		if p.Text("parent_agent_id") != "" {
			source = "subagent"
		}
		ev.Put("prompt", p.Sub("userPromptSubmit").Text("prompt"))
		ev.Put("source", source)
	case protocol.PostAgentTurnStop, protocol.PostAgentTurn, protocol.PostSubagent:
		ending(ev, p)
	case protocol.PreToolCall, protocol.PostToolCall:
		toolEvent(ev, p)
	}
}

// ending adds how a run ended.
func ending(ev *protocol.Event, p protocol.Object) {
	switch ev.NativeEvent {
	case "TaskError":
		failure := p.Sub("error")
		name, message := failure.Text("name"), failure.Text("message")
		if name != "" && message != "" {
			name += ": "
		}
		ev.Put("status", "error")
		ev.Put("error", name+message)
	case "TaskCancel":
		ev.Put("status", "aborted")
		ev.Put("stop_reason", p.Text("reason"))
	default:
		ev.Put("status", "completed")
		if ev.Type != protocol.PostSubagent {
			ev.Put("stop_reason", "no_tool_calls")
		}
	}
	if n := p.Get("iteration"); len(n) > 0 && n[0] >= '0' && n[0] <= '9' && ev.Type != protocol.PostSubagent {
		ev.TakeAs("step_count", p, "iteration")
	}
	final := cmp.Or(p.Sub("turn").Text("outputText"), p.Sub("taskComplete").Sub("taskMetadata").Text("result"))
	ev.PutFinal(final)
}

// toolEvent adds a call. The program sends it in full, beside the shortened texts
// that the extension sends (cline/11).
func toolEvent(ev *protocol.Event, p protocol.Object) {
	call, texts := p.Sub("tool_call"), p.Sub("preToolUse")
	if ev.Type == protocol.PostToolCall {
		call, texts = p.Sub("tool_result"), p.Sub("postToolUse")
	}
	name, input := call.Text("name"), call.Get("input")
	if name == "" {
		name, input = texts.Text("toolName"), texts.Get("parameters")
	}
	c := newCall(name, input)
	c.ID = call.Text("id")
	ev.PutCall(c, claudelike.CallID(ev, c))
	if ev.Type != protocol.PostToolCall {
		return
	}
	if call.Has("output") {
		ev.TakeAs("tool_response", call, "output")
	} else {
		ev.TakeAs("tool_response", texts, "result")
	}
	if message, failed := failure(call, texts); failed {
		ev.Type = protocol.PostToolCallFailure
		ev.Put("error", message)
	}
	ev.TakeAs("duration_ms", texts, "executionTimeMs")
}

// failure reports whether a call failed, and why (cline/8).
func failure(call, texts protocol.Object) (message string, failed bool) {
	if message = call.Text("error"); message != "" {
		return message, true
	}
	var errors []string
	for _, raw := range protocol.ElementsOf(call.Get("output")) {
		part := protocol.ObjectOf(raw)
		if string(part.Get("success")) != "false" {
			continue
		}
		failed = true
		if text := part.Text("error"); text != "" {
			errors = append(errors, text)
		} else if text := part.Text("result"); text != "" {
			errors = append(errors, text)
		}
	}
	if failed {
		return strings.Join(errors, "\n"), true
	}
	if string(texts.Get("success")) == "false" {
		return texts.Text("result"), true
	}
	return "", false
}

// detect recognises Cline by its version, a member that others do not have; it may be
// empty.
func detect(p protocol.Object) bool {
	return p.Has("clineVersion") && p.Text("hookName") != ""
}
