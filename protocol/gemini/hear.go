package gemini

import (
	"cmp"
	"fmt"
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

// hear reads how a hook ended as the program does: an object on stdout, or on stderr
// where stdout is empty, is an answer whatever the exit code. Other text is a message
// with exit 0, a warning with 1, and the reason of a denial with any other code.
func hear(ev *protocol.Event, s protocol.Said, e protocol.End) protocol.Heard {
	h := &ear{ev: ev, said: s}
	text := e.Text()
	if text == "" {
		text = strings.TrimSpace(e.Stderr)
	}
	o, err := protocol.ParseObject([]byte(text))
	switch {
	case err == nil:
		h.answer(o)
	case text == "" || e.Exit == 1 || e.Exit < 0:
		h.Failed = e.Exit != 0
	case e.Exit == 0:
		h.Outcome.UserMessage = text
	default:
		h.deny(text)
	}
	return h.Heard
}

func (h *ear) note(format string, args ...any) {
	h.Warnings = append(h.Warnings, fmt.Sprintf(format, args...))
}

// deny is a denial; if the result is denied, the reason is what the model reads
// instead.
func (h *ear) deny(reason string) {
	switch {
	case h.said.Event == "AfterTool" && h.ev.Type == protocol.PostToolCall && reason != "":
		h.Outcome.ModifiedOutput = reason
	case h.said.Event == "BeforeTool", h.said.Event == "BeforeAgent", h.said.Event == "AfterAgent", h.said.Event == "AfterTool":
		h.Outcome.Decision, h.Outcome.Reason = protocol.Block, reason
	default:
		h.note("a denial has no meaning on %s; left out", h.said.Event)
	}
}

// answer reads an object.
func (h *ear) answer(o protocol.Object) {
	for name, begin := range map[string]byte{"decision": '"', "reason": '"', "systemMessage": '"', "hookSpecificOutput": '{'} {
		if v := o.Get(name); v != nil && v[0] != begin && string(v) != "null" {
			h.Bad = name + " is of the wrong type"
			return
		}
	}
	h.Outcome.UserMessage = o.Text("systemMessage")
	specific := o.Sub("hookSpecificOutput")
	switch o.Text("decision") {
	case "deny", "block":
		h.deny(o.Text("reason"))
	case "ask":
		if h.said.Event == "BeforeTool" {
			h.Outcome.Decision, h.Outcome.Reason = protocol.Ask, o.Text("reason")
			h.Outcome.Reason = cmp.Or(h.Outcome.Reason, h.Outcome.UserMessage)
		}
	}
	if text := specific.Text("additionalContext"); text != "" {
		switch h.said.Event {
		case "SessionStart", "BeforeAgent", "AfterTool":
			h.Outcome.AdditionalContext = text
		default:
			h.note("additionalContext has no meaning on %s; left out", h.said.Event)
		}
	}
	if in := specific.Sub("tool_input"); in != nil && h.said.Event == "BeforeTool" && h.Outcome.Decision != protocol.Block {
		h.input(in)
	}
	for _, name := range []string{"tailToolCallRequest", "clearContext"} {
		if v := specific.Get(name); v != nil && string(v) != "false" {
			h.note("%s cannot be carried; left out", name)
		}
	}
	if string(o.Get("continue")) == "false" {
		h.halt(o.Text("stopReason"))
	}
}

// input takes a changed input: only the members that it has replace others.
func (h *ear) input(updated protocol.Object) {
	if h.ev.Agent == id {
		whole := h.said.Payload.Sub("tool_input").Clone()
		for _, m := range updated {
			whole.Set(m.Name, m.Value)
		}
		h.Outcome.ModifiedInput = whole
		return
	}
	calls := mirror.Calls(h.ev)
	if len(calls) == 0 {
		return
	}
	h.Outcome.ModifiedInput, h.Unplaced = mirror.Place(h.ev, h.said, h.said.Payload.Sub("tool_input"), updated, keysOf(calls[0].Name))
}

// halt reads "continue": false: what was about to happen does not, a stop stays a
// stop, and the turn ends if the calling agent can end it.
func (h *ear) halt(reason string) {
	switch h.said.Event {
	case "BeforeAgent", "BeforeTool":
		h.Outcome.Decision, h.Outcome.Reason, h.Outcome.ModifiedInput = protocol.Block, reason, nil
		if h.ev.Halts {
			h.Halt(h.ev, reason)
		}
	case "AfterAgent":
		h.Outcome.Decision, h.Outcome.Reason = protocol.NoOpinion, ""
	default:
		if !h.Halt(h.ev, reason) {
			h.note(`"continue": false cannot be carried on %s; the user is told`, h.said.Event)
		}
	}
}
