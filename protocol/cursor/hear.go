package cursor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/mirror"
)

// An ear reads how one hook ended.
type ear struct {
	ev   *protocol.Event
	said protocol.Said
	protocol.Heard
}

// gates are the events that an answer can deny; exit code 2 denies too.
var gates = []string{"preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile", "beforeSubmitPrompt", "subagentStart"}

// hear reads how a hook ended as the program does: exit 0 with an object on stdout is
// an answer, exit 2 a denial, any other code a failure.
func hear(ev *protocol.Event, s protocol.Said, e protocol.End) protocol.Heard {
	h := &ear{ev: ev, said: s}
	text := e.Text()
	o, err := protocol.ParseObject([]byte(text))
	switch {
	case e.Exit == 2:
		if slices.Contains(gates, s.Event) {
			h.block(spoken(o, strings.TrimSpace(e.Stderr)))
		}
	case e.Exit != 0:
		h.Failed = true
	case text == "":
	case err != nil:
		h.Bad = fmt.Sprintf("stdout is not one JSON object: %v", err)
	default:
		h.answer(o)
	}
	return h.Heard
}

// spoken is the reason of a denial: the text for the model, else the text for the
// user.
func spoken(o protocol.Object, otherwise string) string {
	for _, name := range []string{"agent_message", "user_message"} {
		if text := o.Text(name); text != "" {
			return text
		}
	}
	return otherwise
}

func (h *ear) block(reason string) {
	h.Outcome.Decision, h.Outcome.Reason = protocol.Block, reason
}

func (h *ear) note(format string, args ...any) {
	h.Warnings = append(h.Warnings, fmt.Sprintf(format, args...))
}

// answer reads an object. An allow counts as no opinion: this program's hooks print
// it whenever they have no objection.
func (h *ear) answer(o protocol.Object) {
	for name, begin := range map[string]byte{"permission": '"', "user_message": '"', "agent_message": '"', "additional_context": '"', "followup_message": '"', "updated_input": '{', "env": '{'} {
		if v := o.Get(name); v != nil && v[0] != begin && string(v) != "null" {
			h.Bad = name + " is of the wrong type"
			return
		}
	}
	switch event := h.said.Event; event {
	case "preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile", "subagentStart":
		h.permission(o, event)
	case "beforeSubmitPrompt":
		if string(o.Get("continue")) == "false" {
			h.block(o.Text("user_message"))
		}
		h.Outcome.AdditionalContext = o.Text("additional_context")
	case "stop", "subagentStop":
		if status := h.said.Payload.Text("status"); status == "" || status == "completed" { // cursor/7
			h.Outcome.FollowupMessage = o.Text("followup_message")
		}
	case "sessionStart":
		h.Outcome.Env = o.Sub("env")
		h.Outcome.AdditionalContext = o.Text("additional_context")
	case "postToolUse", "postToolUseFailure":
		h.Outcome.AdditionalContext = o.Text("additional_context")
		h.result(o)
	case "preCompact":
		h.Outcome.UserMessage = o.Text("user_message")
	}
}

// permission reads the verdict on a call. The program asks its user only on the
// events for commands and MCP tools; a subagent that it should ask about does not
// start.
func (h *ear) permission(o protocol.Object, event string) {
	word := o.Text("permission")
	switch {
	case word == "deny", word == "ask" && event == "subagentStart":
		h.block(spoken(o, ""))
		if shown := o.Text("user_message"); shown != h.Outcome.Reason {
			h.Outcome.UserMessage = shown
		}
		return
	case word == "ask" && event != "preToolUse" && event != "beforeReadFile":
		h.Outcome.Decision, h.Outcome.Reason = protocol.Ask, spoken(o, "")
		return
	case word == "ask":
		h.note(`"permission": "ask" is not enforced on %s; left out`, event)
	}
	h.Outcome.UserMessage = o.Text("user_message")
	if event != "preToolUse" {
		return
	}
	h.Outcome.AdditionalContext = o.Text("additional_context")
	if in := o.Sub("updated_input"); in != nil {
		h.input(in)
	}
}

// input takes an updated_input, which replaces the input of the call.
func (h *ear) input(updated protocol.Object) {
	if h.ev.Agent == id {
		h.Outcome.ModifiedInput = updated
		return
	}
	if calls := mirror.Calls(h.ev); len(calls) > 0 {
		h.Outcome.ModifiedInput, h.Unplaced = mirror.Place(h.ev, h.said, h.said.Payload.Sub("tool_input"), updated, keysOf(calls[0]))
	}
}

// result is what the model reads instead of the result of an MCP server's tool.
func (h *ear) result(o protocol.Object) {
	v := o.Get("updated_mcp_tool_output")
	if len(v) == 0 || string(v) == "null" {
		return
	}
	if !strings.HasPrefix(h.said.Payload.Text("tool_name"), "MCP:") {
		h.note("updated_mcp_tool_output is for tools of MCP servers; left out")
		return
	}
	h.Outcome.ModifiedOutput = mirror.ResultText(v)
}
