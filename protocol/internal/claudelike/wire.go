package claudelike

import (
	"cmp"
	"path"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// Decode turns a payload into the events that natives says it feeds, none if its
// event is not in natives.
func Decode(in protocol.Input, agent string, natives []protocol.Native, tools protocol.Tools) []*protocol.Event {
	n, ok := protocol.FindNative(natives, in.NativeName())
	if !ok {
		return nil
	}
	events := make([]*protocol.Event, len(n.MapsTo))
	for i := range events {
		events[i] = in.NewEvent(agent, n, i)
		fill(events[i], in.Payload, tools)
		common(events[i], in.Payload)
	}
	return events
}

// fill adds the fields of the event's kind, in the order in which a hook sees
// them.
func fill(ev *protocol.Event, p protocol.Object, tools protocol.Tools) {
	switch ev.Type {
	case protocol.PreSession:
		ev.Take(p, "source")
	case protocol.PostSession:
		ev.Put("exit_reason", ExitReason(p.Text("reason")))
	case protocol.PreAgentTurn:
		ev.Take(p, "prompt")
		ev.Put("source", promptSource(p))
	case protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn:
		stop(ev, p)
	case protocol.PreToolCall, protocol.PermissionRequest, protocol.PostToolCall, protocol.PostToolCallFailure:
		call := tools.NewCall(p.Text("tool_name"), p.Get("tool_input"))
		call.ID = p.Text("tool_use_id")
		AddFiles(call)
		ev.PutCall(call, CallID(ev, call))
		ev.Take(p, "tool_response")
		ev.Take(p, "error")
		ev.Take(p, "duration_ms")
	case protocol.PostSubagent:
		ev.Put("status", "completed")
		ev.PutFinal(p.Text("last_assistant_message"))
		ev.TakeAs("stop_active", p, "stop_hook_active")
	case protocol.PreContextCompact, protocol.PostContextCompact:
		ev.Take(p, "trigger")
	case protocol.Notification:
		Notice(ev, p)
	}
}

// AddFiles adds the files of a call that reads several: file_path is the first,
// file_paths are all.
func AddFiles(c *protocol.Call) {
	if c.Name != protocol.ReadFile || c.Input.Has("file_path") {
		return
	}
	for _, key := range [...]string{"paths", "include"} {
		var paths []string
		for _, e := range protocol.ElementsOf(c.NativeInput.Get(key)) {
			if path := protocol.TextOf(e); path != "" {
				paths = append(paths, path)
			}
		}
		if len(paths) > 0 {
			c.Derive("file_path", protocol.Quote(paths[0]))
			c.Derive("file_paths", protocol.TextList(paths))
			return
		}
	}
}

// Notice adds what the agent wants from its user: the kind, and the text that the
// user is shown.
func Notice(ev *protocol.Event, p protocol.Object) {
	ev.Put("kind", p.Text("notification_type"))
	ev.Put("title", p.Text("title"))
	message := cmp.Or(p.Text("message"), p.Text("body"))
	ev.Put("message", message)
}

// stop adds what is known about the end of a turn. The name of the agent's event says
// which end it was.
func stop(ev *protocol.Event, p protocol.Object) {
	switch ev.NativeEvent {
	case "StopFailure":
		ev.Put("status", "error")
		ev.Put("error", joined(p.Text("error"), p.Text("error_details")))
	case "Interrupt":
		ev.Put("status", "aborted")
	default:
		ev.Put("status", "completed")
		ev.Put("stop_reason", "no_tool_calls")
	}
	ev.PutFinal(p.Text("last_assistant_message"))
	if ev.Type == protocol.PreAgentTurnStop {
		ev.TakeAs("stop_active", p, "stop_hook_active")
	}
}

// common adds what any event may have: the transcript, the mode, the model, and the
// subagent in which it happened.
func common(ev *protocol.Event, p protocol.Object) {
	ev.Take(p, "transcript_path")
	ev.Take(p, "permission_mode")
	ev.Take(p, "model")
	ev.Put("subagent_type", p.Text("agent_type"))
	ev.Put("agent_id", p.Text("agent_id"))
}

// CallID is the tool_use_id of a call: the agent's own or, without one, an id derived
// from the call, so that the events before and after it agree.
func CallID(ev *protocol.Event, c *protocol.Call) string {
	if c.ID != "" {
		return c.ID
	}
	input := protocol.AppendValue(nil, c.NativeInput.Raw())
	return "call-" + protocol.StableID(ev.SessionID, c.NativeName, string(input))[:16]
}

// promptSource says who a prompt is from. Agents report some of their own messages as
// prompts: the notice that a background task is done, and a subagent's task.
func promptSource(p protocol.Object) string {
	switch {
	case strings.HasPrefix(strings.TrimLeft(p.Text("prompt"), " \t\r\n"), "<task-notification>"):
		return "notification"
	case p.Text("agent_id") != "":
		return "subagent"
	}
	return "user"
}

// ExitReason is why a session ended, in the format's words where they have one for
// it.
func ExitReason(reason string) string {
	if reason == "prompt_input_exit" {
		return "user_close"
	}
	return reason
}

// TranscriptBase is the file name of a payload's transcript, whose path may have
// either kind of slash.
func TranscriptBase(p protocol.Object) string {
	name := strings.ReplaceAll(p.Text("transcript_path"), `\`, "/")
	if name == "" {
		return ""
	}
	return path.Base(name)
}

// TranscriptIn reports whether a payload's transcript is below a folder of that name.
func TranscriptIn(p protocol.Object, folder string) bool {
	name := strings.ReplaceAll(p.Text("transcript_path"), `\`, "/")
	return strings.Contains(name, "/"+folder+"/")
}

// Said is what a member says: the text of a string, the JSON of anything else, "" if
// it is missing or null.
func Said(raw protocol.Raw) string {
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return ""
	case raw[0] == '"':
		return protocol.TextOf(raw)
	}
	return string(protocol.AppendValue(nil, raw))
}

func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ": " + b
}

// Nothing is what an answer that says nothing is to agents that want an object.
const Nothing = "{}"

// An Answer is assembled member by member, in the order in which it is printed.
type Answer struct {
	Max      int // characters that one text holds, 0 for no limit
	Top      protocol.Object
	Specific protocol.Object // members of hookSpecificOutput
	Cuts     []string        // names of the texts that were too long
	Continue string
}

// SetText adds a member with a text to one of the answer's objects, cut to what the
// agent accepts; an empty text adds nothing.
func (a *Answer) SetText(o *protocol.Object, name, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	o.SetText(name, a.Cut(name, text))
}

// Cut shortens a text to what the agent accepts.
func (a *Answer) Cut(name, text string) string {
	short, cut := protocol.Cut(text, a.Max, "")
	if cut {
		a.Cuts = append(a.Cuts, name)
	}
	return short
}

// Message adds the text for the user.
func (a *Answer) Message(text string) { a.SetText(&a.Top, "systemMessage", text) }

// Halt ends the turn, for a reason; "" does not.
func (a *Answer) Halt(reason string) {
	if reason != "" {
		a.Top.Set("continue", protocol.Raw("false"))
		a.SetText(&a.Top, "stopReason", reason)
	}
}

// Block adds decision and reason, in the agent's word for a refusal.
func (a *Answer) Block(word, reason string) {
	a.Top.SetText("decision", word)
	a.SetText(&a.Top, "reason", Reason(reason))
}

// GoOn adds decision and reason on events where they make the agent continue with a
// text.
func (a *Answer) GoOn(word, text string) {
	a.Block(word, text)
	a.Continue = a.Top.Text("reason")
}

// Prompt answers a prompt: it is refused, or the model gets more to read.
func (a *Answer) Prompt(o protocol.Outcome) {
	if o.Decision == protocol.Block {
		a.Block("block", o.Reason)
	}
	a.Context(o.AdditionalContext)
}

// Stop makes the agent go on at the end of a turn, with the reason of a block or with
// what a hook wants done next.
func (a *Answer) Stop(word string, o protocol.Outcome) {
	switch {
	case o.Decision == protocol.Block:
		a.GoOn(word, o.Reason)
	case o.FollowupMessage != "":
		a.GoOn(word, o.FollowupMessage)
	}
}

// Verdict answers a tool call. A changed input needs no word beside it, and allow is
// printed only to give a permission.
func (a *Answer) Verdict(ev *protocol.Event, o protocol.Outcome) {
	switch o.Decision {
	case protocol.Block:
		a.Permission("deny", Reason(o.Reason))
		return
	case protocol.Ask:
		a.Permission("ask", Question(o.Reason))
	case protocol.Allow:
		a.Permission("allow", o.Reason)
	}
	a.Input(ev, "updatedInput", o.ModifiedInput)
}

// Permission adds a verdict on a tool call.
func (a *Answer) Permission(word, reason string) {
	a.Specific.SetText("permissionDecision", word)
	a.SetText(&a.Specific, "permissionDecisionReason", reason)
}

// Behavior answers a permission request in the form that several agents share: an
// object with the verdict and, if it is a refusal, the reason.
func (a *Answer) Behavior(o protocol.Outcome) {
	var d protocol.Object
	switch o.Decision {
	case protocol.Block:
		d.SetText("behavior", "deny")
		a.SetText(&d, "message", Reason(o.Reason))
	case protocol.Allow:
		d.SetText("behavior", "allow")
	default:
		return
	}
	a.Specific.Set("decision", d.Raw())
}

// Input adds a changed tool input under the agent's name for it, and reports whether
// it had one that could be mapped back.
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
// answer says nothing.
func (a *Answer) Reply(native, empty string) protocol.Reply {
	if len(a.Specific) > 0 {
		// The name has to be the event's, or agents ignore the whole answer.
		hso := append(protocol.Object{{Name: "hookEventName", Value: protocol.Quote(native)}}, a.Specific...)
		a.Top.Set("hookSpecificOutput", hso.Raw())
	}
	r := protocol.Reply{Continue: a.Continue, Cuts: a.Cuts}
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

// Told is a reason with another text for the user behind it, unless the reason begins with that.
func Told(reason, message string) string {
	if message = strings.TrimSpace(message); message == "" || strings.HasPrefix(reason+"\n", message+"\n") {
		return reason
	}
	return reason + "\n\n" + message
}

// Question is what a user is asked, and never empty.
func Question(text string) string {
	if strings.TrimSpace(text) == "" {
		return "a hook wants a person to approve this"
	}
	return text
}
