package claude

import (
	"bytes"
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

// hear reads how a hook ended as the program does: exit 2 is a verdict with the
// reason on stderr, whatever stdout says; an object on stdout is an answer whatever
// the exit code; other text is context on the events where the program takes it as
// such.
func hear(ev *protocol.Event, s protocol.Said, e protocol.End) protocol.Heard {
	h := &ear{ev: ev, said: s}
	text := e.Text()
	if s.Event == "SessionStart" {
		h.Outcome.Env = h.exports(e)
	}
	if e.Exit == 2 {
		h.refused(strings.TrimSpace(e.Stderr))
		return h.Heard
	}
	if strings.HasPrefix(text, "{") {
		o, err := protocol.ParseObject([]byte(text))
		if err == nil {
			h.answer(o)
			return h.Heard
		}
		if !h.takesText() {
			h.Bad = fmt.Sprintf("stdout begins like JSON and is none: %v", err)
		}
	}
	switch {
	case e.Exit != 0:
		h.Bad, h.Failed = "", true
	case !h.takesText() || text == "":
	case s.Event == "PostCompact":
		h.Outcome.UserMessage = text
	default:
		h.Outcome.AdditionalContext = text
	}
	return h.Heard
}

// takesText reports whether plain text on stdout means something.
func (h *ear) takesText() bool {
	switch h.said.Event {
	case "SessionStart", "UserPromptSubmit", "PreCompact", "PostCompact":
		return true
	}
	return false
}

// refused reads exit 2. Where there is nothing to block, the user is shown the
// reason.
func (h *ear) refused(reason string) {
	switch h.said.Event {
	case "PreToolUse", "UserPromptSubmit", "Stop", "SubagentStop", "PreCompact", "PostToolUse", "PostToolUseFailure":
		h.block(reason)
	case "Notification":
	default:
		h.Outcome.UserMessage = reason
	}
}

func (h *ear) block(reason string) {
	h.Outcome.Decision, h.Outcome.Reason = protocol.Block, reason
}

func (h *ear) note(format string, args ...any) {
	h.Warnings = append(h.Warnings, fmt.Sprintf(format, args...))
}

// answer reads an object on stdout. An object that the program's own reader rejects
// says nothing at all, here as there.
func (h *ear) answer(o protocol.Object) {
	if o.Bool("async") {
		h.note(`"async": true was waited for; write async: true into the HOOK.md`)
		return
	}
	specific := o.Sub("hookSpecificOutput")
	if h.Bad = refusedBy(h.said.Event, o, specific); h.Bad != "" {
		return
	}
	h.Outcome.UserMessage = o.Text("systemMessage")
	switch o.Text("decision") {
	case "block":
		h.decided(o.Text("reason"))
	case "approve":
		if h.said.Event == "PreToolUse" {
			h.Outcome.Decision, h.Outcome.Reason = protocol.Allow, o.Text("reason")
		}
	}
	h.context(specific.Text("additionalContext"))
	switch h.said.Event {
	case "PreToolUse":
		h.permission(specific)
		if in := specific.Sub("updatedInput"); in != nil && h.Outcome.Decision != protocol.Block {
			h.input(in)
		}
	case "PermissionRequest":
		h.behavior(specific.Sub("decision"))
	case "PostToolUse":
		h.result(specific)
	}
	h.leftOut(o, specific)
	if string(o.Get("continue")) == "false" {
		h.halt(o.Text("stopReason"))
	}
	if h.Outcome.Decision == protocol.Block && h.ev.Type.Prevents() && h.Outcome.AdditionalContext != "" {
		// A block drops everything else that is meant for the model; the program does
		// not.
		h.Outcome.Reason = strings.TrimSpace(h.Outcome.Reason + "\n\n" + h.Outcome.AdditionalContext)
	}
}

// refusedBy says why the program would reject an answer, "" if it would not.
func refusedBy(event string, o, specific protocol.Object) string {
	for _, m := range o {
		want := map[string]string{"continue": "tf", "suppressOutput": "tf", "stopReason": `"`, "decision": `"`, "reason": `"`, "systemMessage": `"`, "hookSpecificOutput": "{"}[m.Name]
		if want != "" && strings.IndexByte(want, m.Value[0]) < 0 {
			return fmt.Sprintf("%s is of the wrong type", m.Name)
		}
	}
	if d := o.Text("decision"); o.Has("decision") && d != "block" && d != "approve" {
		return fmt.Sprintf(`"decision": %q is neither "block" nor "approve"`, d)
	}
	if specific == nil {
		return ""
	}
	if name := specific.Text("hookEventName"); name != event {
		return fmt.Sprintf("hookEventName is %q, and this is %s", name, event)
	}
	switch word := specific.Text("permissionDecision"); {
	case event != "PreToolUse" || !specific.Has("permissionDecision"):
	case word != "allow" && word != "deny" && word != "ask" && word != "defer":
		return fmt.Sprintf(`"permissionDecision": %q is none of "allow", "deny", "ask", "defer"`, word)
	}
	for name, begin := range map[string]byte{"updatedInput": '{', "additionalContext": '"', "permissionDecisionReason": '"'} {
		if v := specific.Get(name); v != nil && v[0] != begin {
			return name + " is of the wrong type"
		}
	}
	return ""
}

// decided reads "decision": "block", which has no meaning on some events.
func (h *ear) decided(reason string) {
	switch h.said.Event {
	case "PreToolUse", "UserPromptSubmit", "Stop", "SubagentStop", "PreCompact", "PostToolUse", "PostToolUseFailure":
		h.block(reason)
	default:
		h.note(`"decision": "block" has no meaning on %s; left out`, h.said.Event)
	}
}

// context is text for the model. At a stop it makes the agent go on.
func (h *ear) context(text string) {
	switch h.said.Event {
	case "Stop", "SubagentStop":
		if h.ev.Type == protocol.PreAgentTurnStop || h.ev.Type == protocol.PostSubagent {
			h.Outcome.FollowupMessage = text
			return
		}
	}
	h.Outcome.AdditionalContext = text
}

func (h *ear) permission(specific protocol.Object) {
	reason := specific.Text("permissionDecisionReason")
	switch specific.Text("permissionDecision") {
	case "deny":
		h.block(reason)
	case "ask":
		h.Outcome.Decision, h.Outcome.Reason = protocol.Ask, reason
	case "defer":
		h.Outcome.Decision, h.Outcome.Reason = protocol.Ask, reason
		h.note(`"permissionDecision": "defer" cannot be carried; a person is asked`)
	case "allow":
		h.Outcome.Decision, h.Outcome.Reason = protocol.Allow, reason
	}
}

// behavior reads the answer to a permission request.
func (h *ear) behavior(d protocol.Object) {
	switch d.Text("behavior") {
	case "deny":
		h.block(d.Text("message"))
	case "allow":
		if d.Has("updatedInput") {
			h.note("updatedInput: no agent runs another input than the one that its user would be asked about; no permission is given")
			return
		}
		h.Outcome.Decision = protocol.Allow
	}
	for _, name := range []string{"updatedPermissions", "interrupt"} {
		if v := d.Get(name); v != nil && string(v) != "false" {
			h.note("%s cannot be carried; left out", name)
		}
	}
}

// result is what the model reads instead of the result of a call.
func (h *ear) result(specific protocol.Object) {
	mcp := strings.HasPrefix(h.said.Payload.Text("tool_name"), "mcp__")
	v := specific.Get("updatedToolOutput")
	if own := specific.Get("updatedMCPToolOutput"); own != nil && mcp {
		v = own
	}
	if len(v) == 0 || string(v) == "null" {
		return
	}
	if v[0] == '"' && h.said.Payload.Text("tool_name") == "Bash" {
		h.note("updatedToolOutput: has to be in the shape of the tool's own result; left out")
		return
	}
	text := cmp.Or(mirror.ResultText(v), "[removed by a hook]")
	h.Outcome.ModifiedOutput = text
}

// halt reads "continue": false: a prompt is not answered, a stop stays a stop, and a
// turn ends if the calling agent can end it.
func (h *ear) halt(reason string) {
	switch h.said.Event {
	case "UserPromptSubmit":
		h.block(reason)
	case "Stop", "SubagentStop":
		h.Outcome.FollowupMessage = ""
		if h.Outcome.Decision == protocol.Block {
			h.Outcome.Decision, h.Outcome.Reason = protocol.NoOpinion, ""
		}
	default:
		if !h.Halt(h.ev, reason) {
			h.note(`"continue": false cannot be carried on %s; the user is told`, h.said.Event)
		}
	}
}

// leftOut reports members that the program knows but no outcome has a place for, and
// members in the wrong place.
func (h *ear) leftOut(o, specific protocol.Object) {
	for _, m := range specific {
		switch m.Name {
		case "initialUserMessage", "watchPaths", "reloadSkills", "sessionTitle", "suppressOriginalPrompt", "updatedPermissions":
			h.note("%s cannot be carried; left out", m.Name)
		}
	}
	for _, m := range o {
		switch m.Name {
		case "additionalContext", "permissionDecision", "permissionDecisionReason", "updatedInput", "updatedToolOutput", "updatedMCPToolOutput":
			h.note("%s means something below hookSpecificOutput only; left out", m.Name)
		}
	}
}

// input takes an updatedInput, which replaces the call's input, in the keys of the
// agent that makes the call.
func (h *ear) input(updated protocol.Object) {
	if h.ev.Agent == id {
		h.Outcome.ModifiedInput = updated
		return
	}
	h.Outcome.ModifiedInput, h.Unplaced = mirror.Place(h.ev, h.said, h.said.Payload.Sub("tool_input"), updated, nil)
}

// leaves reports whether the first line of a hook's output says that nobody is to
// wait for it.
func leaves(stdout []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimSpace(stdout), []byte("\n"))
	o, err := protocol.ParseObject(bytes.TrimSpace(line))
	return err == nil && o.Bool("async")
}
