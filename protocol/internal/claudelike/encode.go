package claudelike

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// An Answer is put together member by member, in the order in which it is
// printed.
type Answer struct {
	Max      int // characters that one text holds, 0 for no limit
	Top      protocol.Object
	Specific protocol.Object // members of hookSpecificOutput
	Cuts     []string        // names of the texts that were longer
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

// Cut shortens a text to what the agent takes.
func (a *Answer) Cut(name, text string) string {
	short, cut := protocol.Cut(text, a.Max, "")
	if cut {
		a.Cuts = append(a.Cuts, name)
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
	native, _ := ev.Call.NativeInputOf(modified)
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
