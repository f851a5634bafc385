//go:build unix

package main

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/e2e/existing"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// What agents make of an answer, as it was seen in their programs, or in what their
// makers write where there was no program to see it in. It is written down here once
// more, apart from the dialects, which it is to judge: it knows what an agent reads,
// and nothing of how we answer.

// An answered is what a process left behind that an agent had called for an event.
type answered struct {
	native         string
	exit           int
	stdout, stderr string
	h              existing.Hook
	envFile        string // what stands in the file for variables, where the agent has one
}

// says reports whether a text is the one that the hook is known by.
func (a answered) says(text string) bool {
	return a.h.Words != "" && strings.Contains(text, a.h.Words)
}

// object is the answer as JSON, nil if it is none.
func (a answered) object() protocol.Object {
	o, err := protocol.ParseObject([]byte(strings.TrimSpace(a.stdout)))
	if err != nil {
		return nil
	}
	return o
}

// changed reports whether an input is the one that the hook makes.
func (a answered) changed(input protocol.Object) bool {
	return a.h.Changed != "" && strings.HasPrefix(input.Text("command"), a.h.Changed)
}

// clean reports whether a text can stand for what the model is not to read.
func (a answered) clean(text string) bool {
	return a.h.Replaced != "" && text != "" && !strings.Contains(text, a.h.Replaced)
}

// A seen is what an agent makes of an answer.
type seen map[string]bool

func (s seen) when(ok bool, words ...string) {
	for _, w := range words {
		s[w] = s[w] || ok
	}
}

// judges are what each agent of the table makes of an answer.
var judges = map[string]func(a answered, s seen){
	"claude-code": judgeClaude,
	"codex":       judgeCodex,
	"gemini-cli":  judgeGemini,
	"cursor":      judgeCursor,
	"copilot-cli": judgeCopilot,
	"opencode":    judgeOpenCode,
	"qwen-code":   judgeQwen,
	"kimi-code":   judgeKimi,
}

func judgeClaude(a answered, s seen) {
	s.when(a.h.Env != "" && strings.Contains(a.envFile, a.h.Env), "env")
	if a.exit == 2 {
		switch a.native {
		case "PreToolUse":
			s.when(true, "blocked")
			s.when(a.says(a.stderr), "told")
		case "UserPromptSubmit", "PreCompact":
			s.when(true, "blocked")
			s.when(a.says(a.stderr), "shown")
		case "Stop", "SubagentStop":
			s.when(true, "goes-on")
			s.when(a.says(a.stderr), "told")
		case "PostToolUse", "PostToolUseFailure":
			s.when(a.says(a.stderr), "told")
		}
		return
	}
	o := a.object()
	if o == nil {
		plain := a.native == "UserPromptSubmit" || a.native == "SessionStart" || a.native == "PreCompact"
		s.when(a.exit == 0 && plain && a.says(a.stdout), "told")
		return
	}
	hso := o.Sub("hookSpecificOutput")
	if len(hso) > 0 && hso.Text("hookEventName") != a.native {
		return
	}
	s.when(a.says(o.Text("systemMessage")), "shown")
	s.when(a.native != "Stop" && string(o.Get("continue")) == "false", "ended")
	s.when(a.says(hso.Text("additionalContext")), "told")
	if o.Text("decision") == "block" {
		a.exit, a.stderr, a.stdout = 2, o.Text("reason"), ""
		judgeClaude(a, s)
	}
	switch a.native {
	case "PreToolUse":
		a.permission(hso, "permissionDecision", "permissionDecisionReason", s)
		s.when(o.Text("decision") == "approve", "allowed")
		s.when(a.changed(hso.Sub("updatedInput")), "changed")
	case "PermissionRequest":
		a.permission(hso.Sub("decision"), "behavior", "message", s)
	case "PostToolUse":
		out := hso.Sub("updatedToolOutput").Text("stdout")
		s.when(a.clean(out), "replaced")
		s.when(a.clean(out) && a.says(out), "told")
	}
}

// permission reads deny, ask and allow, and the reason beside it.
func (a answered) permission(o protocol.Object, decision, reason string, s seen) {
	switch o.Text(decision) {
	case "deny":
		s.when(true, "blocked")
		s.when(a.says(o.Text(reason)), "told")
	case "ask":
		s.when(true, "asked")
	case "allow":
		s.when(true, "allowed")
	}
}

// strict are the members that an answer may have; one more and nothing of it counts.
func strict(o protocol.Object, names ...string) bool {
	for _, m := range o {
		if !strings.Contains(" "+strings.Join(names, " ")+" ", " "+m.Name+" ") {
			return false
		}
	}
	return true
}

func judgeCodex(a answered, s seen) {
	o := a.object()
	stop := a.native == "Stop" || a.native == "SubagentStop"
	switch {
	case a.exit == 2 && strings.TrimSpace(a.stderr) != "":
		switch {
		case a.native == "PreToolUse", a.native == "PermissionRequest":
			s.when(true, "blocked")
			s.when(a.says(a.stderr), "told")
		case a.native == "UserPromptSubmit":
			s.when(true, "blocked")
			s.when(a.says(a.stderr), "shown")
		case stop:
			s.when(true, "goes-on")
			s.when(a.says(a.stderr), "told")
		case a.native == "PostToolUse":
			s.when(a.says(a.stderr), "told")
			s.when(a.clean(a.stderr), "replaced")
		}
		return
	case a.exit != 0:
		return
	case o == nil:
		s.when((a.native == "UserPromptSubmit" || a.native == "SessionStart" || a.native == "SubagentStart") && a.says(a.stdout), "told")
		return
	}
	hso := o.Sub("hookSpecificOutput")
	known := strict(o, "continue", "decision", "reason", "stopReason", "suppressOutput", "systemMessage", "hookSpecificOutput") &&
		strict(hso, "hookEventName", "permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext", "decision")
	if !known || len(hso) > 0 && hso.Text("hookEventName") != a.native {
		return
	}
	pre := a.native == "PreToolUse"
	denies := hso.Text("permissionDecision") == "deny" && hso.Text("permissionDecisionReason") != ""
	changes := hso.Has("updatedInput")
	if pre && (string(o.Get("continue")) == "false" || o.Has("stopReason") || o.Has("suppressOutput") || o.Text("decision") == "approve" ||
		changes != (hso.Text("permissionDecision") == "allow") || hso.Text("permissionDecision") == "ask") || stop && len(hso) > 0 || a.native == "PostToolUse" && changes {
		return // the hook failed, and what was about to happen happens
	}
	s.when(a.says(o.Text("systemMessage")), "shown")
	s.when(a.says(hso.Text("additionalContext")), "told")
	s.when(a.native == "PostToolUse" && string(o.Get("continue")) == "false" && a.says(o.Text("stopReason")), "told")
	s.when(pre && denies, "blocked")
	s.when(pre && denies && a.says(hso.Text("permissionDecisionReason")), "told")
	s.when(pre && a.changed(hso.Sub("updatedInput")), "changed")
	if a.native == "PermissionRequest" {
		a.permission(hso.Sub("decision"), "behavior", "message", s)
	}
	if o.Text("decision") == "block" && o.Text("reason") != "" {
		a.exit, a.stderr = 2, o.Text("reason")
		judgeCodex(a, s)
	}
}

func judgeGemini(a answered, s seen) {
	text := strings.TrimSpace(a.stdout)
	if text == "" {
		text = strings.TrimSpace(a.stderr)
	}
	a.stdout = text
	o := a.object()
	denied, reason := o.Text("decision") == "deny" || o.Text("decision") == "block", o.Text("reason")
	if o == nil {
		denied, reason = text != "" && a.exit > 1, text
		s.when(a.exit <= 1 && a.says(text), "shown")
	}
	hso := o.Sub("hookSpecificOutput")
	s.when(a.says(o.Text("systemMessage")), "shown")
	s.when(a.native != "BeforeTool" && a.native != "AfterAgent" && a.says(hso.Text("additionalContext")), "told")
	over := string(o.Get("continue")) == "false"
	switch a.native {
	case "BeforeTool":
		s.when(denied || over, "blocked")
		s.when(denied && a.says(reason), "told")
		s.when(over, "ended")
		s.when(o.Text("decision") == "ask", "asked")
		s.when(a.changed(hso.Sub("tool_input")), "changed")
	case "AfterTool":
		s.when(denied && a.says(reason), "told")
		s.when(denied && a.clean(reason), "replaced")
		s.when(over, "ended")
	case "BeforeAgent":
		s.when(denied || over, "blocked")
		s.when(denied && a.says(reason), "shown")
	case "AfterAgent":
		s.when(denied, "goes-on")
		s.when(denied && a.says(reason), "told")
	}
}

func judgeCursor(a answered, s seen) {
	o := a.object()
	if a.exit != 0 && a.exit != 2 {
		return
	}
	denied := a.exit == 2 || o.Text("permission") == "deny"
	switch a.native {
	case "preToolUse":
		s.when(denied, "blocked")
		s.when(denied && (a.says(o.Text("agent_message")) || a.says(a.stderr)), "told")
		s.when(a.changed(o.Sub("updated_input")), "changed")
		s.when(o.Text("permission") == "allow" && !a.h.Asks, "allowed")
		s.when(a.says(o.Text("user_message")) && !denied, "shown")
	case "beforeSubmitPrompt":
		denied = a.exit == 2 || string(o.Get("continue")) == "false"
		s.when(denied, "blocked")
		s.when(denied && (a.says(o.Text("user_message")) || a.says(a.stderr)), "shown")
	case "stop", "subagentStop":
		s.when(o.Text("followup_message") != "", "goes-on")
		s.when(a.says(o.Text("followup_message")), "told")
	}
	s.when(a.says(o.Text("additional_context")), "told")
	if name, value, ok := strings.Cut(a.h.Env, "="); ok {
		s.when(o.Sub("env").Text(name) == value, "env")
	}
}

func judgeCopilot(a answered, s seen) {
	if first, rest, _ := strings.Cut(a.stdout, "\n"); strings.Contains(first, `"progress"`) { // lines of progress are shown, and no part of the answer
		said, err := protocol.ParseObject([]byte(first))
		s.when(err == nil && said.Text("type") == "progress" && a.says(said.Text("message")), "shown")
		a.stdout = rest
	}
	o := a.object()
	hso := o.Sub("hookSpecificOutput")
	switch a.native {
	case "PreToolUse":
		if a.exit != 0 { // closed: whatever it is, the call does not happen
			s.when(true, "blocked")
			return
		}
		a.permission(o, "permissionDecision", "permissionDecisionReason", s)
		a.permission(hso, "permissionDecision", "permissionDecisionReason", s)
		s.when(a.changed(o.Sub("modifiedArgs")) || a.changed(o.Sub("updatedInput")) || a.changed(hso.Sub("updatedInput")), "changed")
		s.when(a.says(o.Text("additionalContext")) || a.says(hso.Text("additionalContext")), "told")
	case "PermissionRequest":
		a.permission(o, "behavior", "message", s)
		s.when(a.exit == 2, "blocked")
	case "PostToolUse":
		out := o.Sub("modifiedResult").Text("textResultForLlm")
		s.when(a.says(o.Text("additionalContext")), "told")
		s.when(o.Text("decision") == "block" && a.says(o.Text("reason")), "told")
		s.when(a.clean(out), "replaced")
		s.when(a.clean(out) && a.says(out), "told")
	case "PostToolUseFailure":
		s.when(a.says(o.Text("additionalContext")) || a.exit == 2 && a.says(a.stderr), "told")
	case "Stop", "SubagentStop":
		goes := o.Text("decision") == "block" && o.Text("reason") != ""
		s.when(goes, "goes-on")
		s.when(goes && a.says(o.Text("reason")), "told")
	case "UserPromptSubmit":
		blocks := o.Text("decision") == "block"
		s.when(blocks, "blocked")
		s.when(blocks && a.says(o.Text("reason")), "shown")
		s.when(a.says(o.Text("additionalContext")), "told")
	case "SessionStart", "SubagentStart":
		s.when(a.says(o.Text("additionalContext")), "told")
	}
}

// judgeOpenCode reads what the plugin reads: there are no commands as hooks.
func judgeOpenCode(a answered, s seen) {
	o := a.object()
	switch a.native {
	case "tool.execute.before", "chat.message":
		blocks := o.Has("block")
		s.when(blocks, "blocked")
		if a.native == "chat.message" {
			s.when(blocks && a.says(o.Text("block")), "shown")
		} else {
			s.when(blocks && a.says(o.Text("block")), "told")
		}
		s.when(a.changed(o.Sub("args")), "changed")
	case "event.permission.asked":
		s.when(o.Has("block"), "blocked")
		s.when(string(o.Get("allow")) == "true", "allowed")
	case "event.session.idle":
		s.when(o.Has("continue"), "goes-on")
		s.when(a.says(o.Text("continue")), "told")
	case "tool.execute.after":
		s.when(a.clean(o.Text("output")), "replaced")
		s.when(a.says(o.Text("output")) || a.says(o.Text("feedback")) || a.says(o.Text("block")), "told")
	}
	s.when(a.says(o.Text("context")), "told")
	s.when(a.says(o.Text("message")), "shown")
	if name, value, ok := strings.Cut(a.h.Env, "="); ok {
		s.when(o.Sub("env").Text(name) == value, "env")
	}
}

func judgeQwen(a answered, s seen) {
	if a.exit == 2 {
		if a.stderr == "" {
			return
		}
		switch a.native {
		case "PreToolUse":
			s.when(true, "blocked")
			s.when(a.says(a.stderr), "told")
		case "UserPromptSubmit":
			s.when(true, "blocked")
		case "Stop", "SubagentStop":
			s.when(true, "goes-on")
			s.when(a.says(a.stderr), "told")
		}
		return
	}
	o := a.object()
	hso := o.Sub("hookSpecificOutput")
	starts := a.native == "UserPromptSubmit" || a.native == "SessionStart"
	s.when(o == nil && a.exit == 0 && starts && a.says(a.stdout), "told")
	s.when(a.says(o.Text("systemMessage")), "shown")
	s.when((starts || a.native == "PostToolUse" || a.native == "PostToolUseFailure" || a.native == "PreCompact") && a.says(hso.Text("additionalContext")), "told")
	over := string(o.Get("continue")) == "false"
	switch a.native {
	case "PreToolUse":
		a.permission(hso, "permissionDecision", "permissionDecisionReason", s)
		s.when(over, "blocked")
		s.when(over && a.says(o.Text("stopReason")), "told")
	case "PostToolUse":
		s.when(over && a.says(o.Text("stopReason")), "told")
		s.when(over && a.clean(o.Text("stopReason")), "replaced")
	case "PermissionRequest":
		a.permission(hso.Sub("decision"), "behavior", "message", s)
	case "UserPromptSubmit":
		s.when(over, "blocked")
	}
	if o.Text("decision") == "block" || o.Text("decision") == "deny" {
		a.exit, a.stderr = 2, o.Text("reason")
		judgeQwen(a, s)
	}
}

func judgeKimi(a answered, s seen) {
	o := a.object()
	hso := o.Sub("hookSpecificOutput")
	blocks, reason := a.exit == 2, a.stderr
	if a.exit == 0 && hso.Text("permissionDecision") == "deny" {
		blocks, reason = true, hso.Text("permissionDecisionReason")
	}
	switch a.native {
	case "PreToolUse":
		s.when(blocks, "blocked")
		s.when(blocks && a.says(reason), "told")
	case "UserPromptSubmit":
		s.when(blocks, "blocked")
		s.when(blocks && a.says(reason), "shown")
		s.when(!blocks && a.exit == 0 && a.says(a.stdout), "told") // JSON too, as it stands
	case "Stop":
		s.when(blocks, "goes-on")
		s.when(blocks && a.says(reason), "told")
	}
}
