package copilot

import (
	"bytes"
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

// hear reads how a hook ended as the program does: an object on stdout is an answer
// with exit 0 alone, other text is nothing. Exit 2 denies a call and a permission, and
// is advice behind a failed call; elsewhere, as any other exit code, it is a failure,
// which denies a call too (Tongue.Shuts).
func hear(ev *protocol.Event, s protocol.Said, e protocol.End) protocol.Heard {
	h := &ear{ev: ev, said: s}
	reason := strings.TrimSpace(e.Stderr)
	switch {
	case e.Exit == 0:
		h.read(e.Text())
	case e.Exit == 2 && (s.Event == "preToolUse" || s.Event == "permissionRequest"):
		h.block(reason) // of which the program shows its model nothing (copilot-cli/1)
	case e.Exit == 2 && s.Event == "postToolUseFailure" && reason != "":
		h.Outcome.AdditionalContext = reason
	default:
		h.Failed = true
	}
	return h.Heard
}

func (h *ear) block(reason string) {
	h.Outcome.Decision, h.Outcome.Reason = protocol.Block, reason
}

func (h *ear) note(format string, args ...any) {
	h.Warnings = append(h.Warnings, fmt.Sprintf(format, args...))
}

// read reads stdout: lines of progress, which are for the person, and an answer
// (copilot-cli/21).
func (h *ear) read(text string) {
	var shown []string
	var rest []byte
	for line := range bytes.Lines([]byte(text)) {
		if o, err := protocol.ParseObject(bytes.TrimSpace(line)); err == nil && o.Text("type") == "progress" {
			if message := o.Text("message"); message != "" {
				shown = append(shown, message)
			}
			continue
		}
		rest = append(rest, line...)
	}
	h.Outcome.UserMessage = strings.Join(shown, "\n")
	rest = bytes.TrimSpace(rest)
	if !bytes.HasPrefix(rest, []byte("{")) {
		return
	}
	o, err := protocol.ParseObject(rest)
	if err != nil {
		h.Bad = fmt.Sprintf("stdout begins like JSON and is none: %v", err)
		return
	}
	h.answer(o)
}

// answer reads an object.
func (h *ear) answer(o protocol.Object) {
	for _, name := range []string{"permissionDecision", "permissionDecisionReason", "behavior", "message", "decision", "reason", "additionalContext", "modifiedArgs", "modifiedResult"} {
		begin := byte('"')
		if strings.HasPrefix(name, "modified") {
			begin = '{'
		}
		if v := o.Get(name); v != nil && v[0] != begin && string(v) != "null" {
			h.Bad = name + " is of the wrong type"
			return
		}
	}
	blocks := o.Text("decision") == "block"
	switch h.said.Event {
	case "preToolUse":
		h.permission(o)
	case "permissionRequest":
		h.behavior(o)
	case "postToolUse":
		h.result(o, blocks)
	case "userPromptSubmitted", "agentStop", "subagentStop":
		if blocks {
			h.block(o.Text("reason"))
		}
	}
	h.context(o.Text("additionalContext"))
	for _, name := range []string{"hookSpecificOutput", "modifiedPrompt", "modifiedResponse", "interrupt"} {
		if v := o.Get(name); v != nil && string(v) != "false" && string(v) != "null" {
			h.note("%s cannot be carried; left out", name)
		}
	}
	if h.Outcome.Decision == protocol.Block && h.ev.Type.Prevents() && h.Outcome.AdditionalContext != "" {
		// A block drops everything else that is meant for the model; the program does not.
		h.Outcome.Reason = strings.TrimSpace(h.Outcome.Reason + "\n\n" + h.Outcome.AdditionalContext)
	}
}

// context is a text for the model, where the program gives it one.
func (h *ear) context(text string) {
	switch h.said.Event {
	case "agentStop", "subagentStop", "preCompact", "sessionEnd", "errorOccurred", "permissionRequest":
		if text != "" {
			h.note("additionalContext has no meaning on %s; left out", h.said.Event)
		}
	default:
		h.Outcome.AdditionalContext = text
	}
}

// permission reads the verdict on a call. The words of other programs are not read.
func (h *ear) permission(o protocol.Object) {
	reason := o.Text("permissionDecisionReason")
	switch o.Text("permissionDecision") {
	case "deny":
		h.block(reason)
		return
	case "ask":
		h.Outcome.Decision, h.Outcome.Reason = protocol.Ask, reason
	case "allow":
		h.Outcome.Decision, h.Outcome.Reason = protocol.Allow, reason
	}
	if o.Has("decision") {
		h.note("decision has no meaning on preToolUse, permissionDecision has; left out")
	}
	updated := o.Sub("modifiedArgs")
	if updated == nil {
		updated = o.Sub("updatedInput")
	}
	if updated == nil {
		return
	}
	if h.ev.Agent == id {
		h.Outcome.ModifiedInput = updated
		return
	}
	if calls := mirror.Calls(h.ev); len(calls) > 0 {
		h.Outcome.ModifiedInput, h.Unplaced = mirror.Place(h.ev, h.said, h.said.Payload.Sub("toolArgs"), updated, keysOf(calls[0]))
	}
}

// behavior reads the answer to a question for a permission.
func (h *ear) behavior(o protocol.Object) {
	switch o.Text("behavior") {
	case "deny":
		h.block(o.Text("message"))
	case "allow":
		h.Outcome.Decision, h.Outcome.Reason = protocol.Allow, o.Text("message")
	}
}

// result is what the model reads instead of a tool's result.
func (h *ear) result(o protocol.Object, blocks bool) {
	if r := o.Sub("modifiedResult"); r != nil {
		h.Outcome.ModifiedOutput = r.Text("textResultForLlm")
	}
	if blocks {
		h.Outcome.ModifiedOutput = "Tool result blocked: " + o.Text("reason")
	}
}
