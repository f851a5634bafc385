package claudelike

import (
	"fmt"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// An Answer is put together member by member, in the order in which it is
// printed.
type Answer struct {
	Max      int // characters that one text holds, 0 for no limit
	Top      protocol.Object
	Specific protocol.Object // members of hookSpecificOutput
	Warnings []string
	Continue string
}

// SetText adds a member with a text to one of the answer's objects, cut to what
// the agent takes; nothing if there is no text.
func (a *Answer) SetText(o *protocol.Object, name, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	o.SetText(name, a.Cut(name, text))
}

// Cut shortens a text to what the agent takes, with a warning.
func (a *Answer) Cut(name, text string) string {
	short, cut := protocol.Cut(text, a.Max, "")
	if cut {
		a.Warnings = append(a.Warnings, fmt.Sprintf("%s: cut to %d characters, which is what the agent takes", name, a.Max))
	}
	return short
}

// Message adds the text for the person.
func (a *Answer) Message(text string) { a.SetText(&a.Top, "systemMessage", text) }

// Block adds decision and reason, in the agent's word for no.
func (a *Answer) Block(word, reason string) {
	a.Top.SetText("decision", word)
	a.SetText(&a.Top, "reason", Reason(reason))
}

// GoOn adds decision and reason where they make the agent go on with a text.
func (a *Answer) GoOn(word, text string) {
	a.Block(word, text)
	a.Continue = a.Top.Text("reason")
}

// Permission adds a verdict on a tool call.
func (a *Answer) Permission(word, reason string) {
	a.Specific.SetText("permissionDecision", word)
	a.SetText(&a.Specific, "permissionDecisionReason", reason)
}

// Input adds a changed tool input under the agent's name for it, and reports
// whether there was one that could be mapped back.
func (a *Answer) Input(ev *protocol.Event, name string, modified protocol.Object) bool {
	if modified == nil || ev.Call == nil {
		return false
	}
	native, warnings := ev.Call.NativeInputOf(modified)
	a.Warnings = append(a.Warnings, warnings...)
	if native == nil {
		return false
	}
	a.Specific.Set(name, native.Raw())
	return true
}

// Context adds text for the model.
func (a *Answer) Context(text string) { a.SetText(&a.Specific, "additionalContext", text) }

// Reply is the answer to an event: one JSON object on one line, or empty if the
// answer says nothing (R1).
func (a *Answer) Reply(native, empty string) protocol.Reply {
	if len(a.Specific) > 0 {
		// The name has to be that of the event, or agents ignore the answer whole.
		hso := append(protocol.Object{{Name: "hookEventName", Value: protocol.Quote(native)}}, a.Specific...)
		a.Top.Set("hookSpecificOutput", hso.Raw())
	}
	r := protocol.Reply{Continue: a.Continue}
	if len(a.Top) > 0 {
		r.Stdout = append(a.Top.Append(nil), '\n')
	} else if empty != "" {
		r.Stdout = []byte(empty + "\n")
	}
	return r
}

// Reason is never empty: agents take a block without a reason for a broken hook.
func Reason(text string) string {
	if strings.TrimSpace(text) == "" {
		return "blocked by a hook, which gave no reason"
	}
	return text
}

// Question is what a person is asked, and never empty.
func Question(text string) string {
	if strings.TrimSpace(text) == "" {
		return "a hook wants a person to approve this"
	}
	return text
}

// DropEnv warns that session variables cannot be set.
func (a *Answer) DropEnv(o protocol.Outcome) {
	if len(o.Env) > 0 {
		a.Warnings = append(a.Warnings, "env: the agent takes no variables from a hook here; dropped")
	}
}

// Variable is the text of a session variable; false, with a warning, if it has
// no name that a shell takes, or no text.
func (a *Answer) Variable(m protocol.Member) (string, bool) {
	value, ok := PlainValue(m.Value)
	if !ok || !Variable(m.Name) {
		a.Warnings = append(a.Warnings, "env: "+protocol.Plain(m.Name)+" is no name and text of a variable; dropped")
		return "", false
	}
	return value, true
}
