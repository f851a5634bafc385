package protocol

import (
	"fmt"
	"strings"
)

// A Decision is the hooks' opinion on what is about to happen. The zero value is no
// opinion, which is not the same as allow.
type Decision uint8

const (
	NoOpinion Decision = iota
	Allow              // no objection; where the event Permits, permission on behalf of the user (see runner)
	Ask                // ask the person
	Block              // exit 2: it does not happen; on a stop, the agent continues
)

func (d Decision) String() string {
	return [...]string{"none", "allow", "ask", "block"}[d]
}

// An Outcome is what one hook, or all hooks of an event together, answered.
type Outcome struct {
	Decision          Decision
	Reason            string
	ModifiedInput     Object // replaces tool_input; nil if there is none
	Insists           bool   // a hook wants a block where that cannot be applied
	Wanted            string // what such a block says of it
	AdditionalContext string // for the model
	UserMessage       string // for the person
	Later             string // of a fitted outcome: the message for the user that waits for an event with a place for it
	FollowupMessage   string // on pre-agent-turn-stop and post-subagent: go on with this
	ModifiedOutput    string // on post-tool-call and -failure: what the model reads in place of the result; "" if there is none
	Replacers         string // the names of the hooks that gave it
	Env               Object // on pre-session: variables for the session
	EnvFrom           string // the names of the hooks that gave them
	Refusal           Object // of a fitted block: what runs in place of the call, in the agent's own keys (Dialect.Refuse)
	Halt              string // the turn is to end, and why: an answer of a hook in a protocol that has it, where the agent can (Event.Halts)
	Log               Raw
	Extra             Object // keys that are not ours, kept and ignored
}

// Empty reports whether o says nothing at all.
func (o *Outcome) Empty() bool {
	return o.Decision == NoOpinion && o.Reason == "" && o.ModifiedInput == nil && o.AdditionalContext == "" &&
		o.UserMessage == "" && o.FollowupMessage == "" && o.ModifiedOutput == "" && o.Halt == "" && len(o.Env) == 0 && len(o.Log) == 0 && len(o.Extra) == 0
}

// JSON is o in spec form, as one line with a final newline; nothing at all if o
// says nothing. A block has no JSON form: it is exit 2 with the reason on stderr.
func (o *Outcome) JSON() []byte {
	out := o.Object()
	if len(out) == 0 {
		return nil
	}
	return append(out.Append(nil), '\n')
}

// Object are the members of o in spec form, which has no word for a block.
func (o *Outcome) Object() Object {
	var out Object
	text := out.PutText
	if o.Decision == Allow || o.Decision == Ask {
		text("decision", o.Decision.String())
	}
	text("reason", o.Reason)
	if o.ModifiedInput != nil {
		out.Set("modified_input", o.ModifiedInput.Raw())
	}
	text("modified_output", o.ModifiedOutput)
	text("additional_context", o.AdditionalContext)
	text("user_message", o.UserMessage)
	text("followup_message", o.FollowupMessage)
	if len(o.Env) > 0 {
		out.Set("env", o.Env.Raw())
	}
	if len(o.Log) > 0 {
		out.Set("log", o.Log)
	}
	for _, m := range o.Extra {
		if !out.Has(m.Name) {
			out = append(out, m)
		}
	}
	return out
}

// An Unsupported is the policy for a decision that an agent cannot carry.
type Unsupported string

const (
	UnsupportedDefault Unsupported = ""      // ask becomes a block, a modified input is dropped
	UnsupportedDrop    Unsupported = "drop"  // both are dropped
	UnsupportedBlock   Unsupported = "block" // both become a block
)

// A Policy is what the person has settled of what an agent cannot carry.
type Policy struct {
	Unsupported Unsupported
	Plain       bool // a block is never a refusal, but ends the run where nothing less can be said
}

// maxRefusal is how many characters of a reason go into a command. A Windows command
// can hold 32,767, and a character may take twelve.
const maxRefusal = 2000

// A Loss is a part of an outcome that the agent cannot carry.
type Loss struct {
	What Can    // one bit; 0 for a part of something that it does carry
	Text string // what became of it
}

// Told is the loss as a sentence about an agent of that name.
func (l Loss) Told(agent string) string {
	if l.What == 0 {
		return l.Text
	}
	return agent + " " + l.Text
}

// Fit is [Fit] for an agent, with all that its answer will leave out: of a changed
// input what cannot be applied, texts that are too long, variables.
func (d *Dialect) Fit(ev *Event, o Outcome, policy Policy) (Outcome, []Loss) {
	can := ev.Can
	if o.ModifiedInput != nil && !d.applies(ev, o.ModifiedInput) {
		less := *ev
		less.Can &^= CanModify
		ev, o.Insists = &less, o.Insists || ev.Unread != ""
	}
	said := o.UserMessage
	later := !can.Has(CanMessage) && ev.Type != PostSession && d.TellsLater()
	if later {
		o.UserMessage = ""
	}
	o, losses := Fit(ev, o, policy.Unsupported)
	if later = later || d.Speaks != nil && !d.Speaks(o); later {
		o.Later, o.UserMessage = said, ""
	}
	if o.Decision == Block && ev.Type == PreToolCall && can.Has(CanModify) && d.Refuse != nil && !policy.Plain {
		said, cut := Cut(Plain(o.Reason), maxRefusal, "")
		if o.Refusal = d.Refuse(ev, said); cut && o.Refusal != nil {
			losses = append(losses, Loss{Text: fmt.Sprintf("reason: cut to %d characters, which is what a command holds", maxRefusal)})
		}
	}
	if o.Decision == Allow && o.ModifiedInput != nil && !d.Whole && ev.Type.Permits() && !d.whole(ev.Call, o.ModifiedInput) {
		losses = append(losses, Loss{CanAllow, "runs another input than the one that was allowed; the user is asked"})
		o.Decision, o.Reason = NoOpinion, ""
	}
	if d.Whole {
		return o, losses
	}
	for _, text := range d.leftOut(ev, o) {
		losses = append(losses, Loss{Text: text})
	}
	return o, losses
}

// applies reports whether a call can be made with a changed input. One of which hooks did
// not get everything cannot: the rest would be lost. Nor is it made unchanged, since
// whoever nests it decides that.
func (d *Dialect) applies(ev *Event, modified Object) bool {
	if ev.Unread != "" {
		return false
	}
	if ev.Call == nil || d.Applies == nil {
		return true
	}
	native, _ := d.input(ev.Call, modified)
	return native != nil && d.Applies(ev.Call, native)
}

// Reaches reports whether the person reads what this answer says beside its verdict.
func (d *Dialect) Reaches(ev *Event, o Outcome) bool {
	if d.Overheard && ev.Type == PreAgentTurn {
		return o.Decision != Block
	}
	return ev.Can.Has(CanMessage) && (d.Speaks == nil || d.Speaks(o))
}

// Keeps reports whether what an event has no place for is told later in the session.
func (d *Dialect) Keeps() bool { return d.Overheard || d.TellsLater() }

// TellsLater reports whether a prompt or a stop, which come again and again as long
// as a session lasts, was seen to have a place for messages.
func (d *Dialect) TellsLater() bool {
	for _, n := range d.NativeEvents {
		if n.Can.Has(CanMessage) && n.Source == "observed" && len(n.MapsTo) > 0 && (n.MapsTo[0] == PreAgentTurn || n.MapsTo[0] == PreAgentTurnStop) {
			return true
		}
	}
	return false
}

// whole reports whether a call runs exactly as its hooks changed it, with nothing
// left out and nothing kept.
func (d *Dialect) whole(c *Call, modified Object) bool {
	if c == nil {
		return false
	}
	native, left := d.input(c, modified)
	if native == nil || len(left) > 0 {
		return false
	}
	for _, m := range native {
		said := modified.Has(m.Name)
		for _, k := range c.Keys {
			said = said || k.Native == m.Name && modified.Has(k.Portable)
		}
		if !said {
			return false // what a hook leaves out stays
		}
	}
	return true
}

// leftOut names the parts of a fitted outcome that Encode leaves out.
func (d *Dialect) leftOut(ev *Event, o Outcome) []string {
	var lost []string
	if d.long(&o) {
		for _, name := range d.Encode(ev, o).Cuts {
			lost = append(lost, fmt.Sprintf("%s: cut to %d characters, which is what the agent takes", name, d.FieldMax))
		}
	}
	if o.ModifiedInput != nil && ev.Call != nil {
		_, left := d.input(ev.Call, o.ModifiedInput)
		lost = append(lost, left...)
	}
	switch {
	case len(o.Env) == 0:
	case d.TakesEnv == nil || !d.TakesEnv(ev):
		from := ""
		if o.EnvFrom != "" {
			from = " of " + o.EnvFrom
		}
		lost = append(lost, "env"+from+": the agent takes no variables from a hook here; dropped")
	default:
		for _, m := range o.Env {
			if _, ok := Variable(m); !ok {
				lost = append(lost, "env: "+Plain(m.Name)+" is not a variable's name and text; dropped")
			}
		}
	}
	return lost
}

// long reports whether a text of the answer may be longer than FieldMax: some agents
// merge two texts.
func (d *Dialect) long(o *Outcome) bool {
	const ours = 100 // at most so many characters of our own besides the hooks' texts
	return d.FieldMax > 0 && len(o.Reason)+len(o.AdditionalContext)+len(o.UserMessage)+len(o.FollowupMessage)+ours > d.FieldMax
}

func (d *Dialect) input(c *Call, modified Object) (Object, []string) {
	if d.Input != nil {
		return d.Input(c, modified)
	}
	return c.NativeInputOf(modified)
}

// Variable is the text of a session variable; false if no shell accepts its name, or
// its value is not a string, number or boolean.
func Variable(m Member) (value string, ok bool) {
	for i, c := range m.Name {
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return "", false
		}
	}
	switch m.Value[0] {
	case '"':
		value = TextOf(m.Value)
	case '{', '[', 'n':
		return "", false
	default:
		value = string(m.Value)
	}
	return value, m.Name != "" && !strings.ContainsRune(value, 0)
}

// Fit reduces an outcome to what the answer to an event can carry, and reports what
// was lost. It never names an agent.
func Fit(ev *Event, o Outcome, policy Unsupported) (Outcome, []Loss) {
	var losses []Loss
	lose := func(what Can, format string, args ...any) {
		losses = append(losses, Loss{what, fmt.Sprintf(format, args...)})
	}
	can := ev.Can
	if o.Decision == Ask && ev.Type == PermissionRequest {
		o.Decision, o.Reason = NoOpinion, "" // the user is about to be asked
	}
	if o.Decision == Ask && !can.Has(CanAsk) {
		if ev.Type == PreToolCall && policy != UnsupportedDrop && can.Has(CanBlock) {
			lose(CanAsk, "cannot ask on %s; blocked instead", ev.Type)
			o.Decision = Block
			o.Reason = orDefault(o.Reason, "a hook wants a person to approve this, and this agent cannot ask")
		} else {
			lose(CanAsk, "cannot ask on %s; dropped", ev.Type)
			o.Decision = NoOpinion
		}
	}
	if o.ModifiedInput != nil && !can.Has(CanModify) {
		o.ModifiedInput = nil
		if o.Decision == Allow && ev.Type.Permits() {
			lose(CanAllow, "runs another input than the one that was allowed on %s; the user is asked", ev.Type)
			o.Decision, o.Reason = NoOpinion, ""
		}
		if (policy == UnsupportedBlock || o.Insists) && can.Has(CanBlock) {
			lose(CanModify, "cannot change the input on %s; blocked instead", ev.Type)
			if o.Decision < Ask {
				o.Reason = "" // no objection to something else
			}
			o.Decision = Block
			o.Reason = joined(orDefault(o.Wanted, "a hook changed this call, and this agent cannot apply the change"), o.Reason)
		} else {
			lose(CanModify, "cannot change the input on %s; dropped", ev.Type)
		}
	}
	if o.Decision == Allow && ev.Type.Permits() && !can.Has(CanAllow) {
		lose(CanAllow, "takes no permission from a hook on %s; the user is asked", ev.Type)
		o.Decision, o.Reason = NoOpinion, ""
	}
	if o.ModifiedOutput != "" && !ev.Type.HasResult() {
		o.ModifiedOutput = ""
	}
	if o.ModifiedOutput != "" && !can.Has(CanOutput) {
		if can.Has(CanContext) {
			lose(CanOutput, "cannot replace the result of a call on %s; the model read it, and is told not to use it", ev.Type)
			o.AdditionalContext = joined(instead(&o), o.AdditionalContext)
		} else {
			lose(CanOutput, "cannot replace the result of a call on %s; the model read it as it was", ev.Type)
		}
		o.ModifiedOutput = ""
	}
	if o.Decision == Block && !can.Has(CanBlock) && !ev.Type.Prevents() && can.Has(CanContext) {
		// There is nothing left to prevent: the reason is feedback to the model.
		o.AdditionalContext = joined(orDefault(o.Reason, "a hook objected, and gave no reason"), o.AdditionalContext)
		o.Decision, o.Reason = NoOpinion, ""
	}
	if o.Decision == Block && !can.Has(CanBlock) {
		lose(CanBlock, "cannot block on %s; %s", ev.Type, ev.Type.BlocksInstead())
		o.Decision = NoOpinion
		o.Reason = ""
	}
	if o.Decision == Block {
		o.ModifiedInput, o.AdditionalContext, o.FollowupMessage = nil, "", ""
	}
	if o.AdditionalContext != "" && !can.Has(CanContext) {
		lose(CanContext, "has no context for the model on %s; dropped", ev.Type)
		o.AdditionalContext = ""
	}
	if o.FollowupMessage != "" && !can.Has(CanContinue) {
		lose(CanContinue, "cannot be made to go on at %s; dropped", ev.Type)
		o.FollowupMessage = ""
	}
	if o.UserMessage != "" && !can.Has(CanMessage) {
		lose(CanMessage, "cannot show a message to the user on %s; dropped", ev.Type)
		o.UserMessage = ""
	}
	return o, losses
}

// instead tells a model what it should have read, without the text that it should not
// have read.
func instead(o *Outcome) string {
	short, _ := Cut(o.ModifiedOutput, 4000, "")
	return fmt.Sprintf("[%s] The result of this tool call was to be replaced before you read it, and this agent cannot do that. Do not use, repeat or store anything of it that does not stand in what replaces it:\n%s", o.Replacers, short)
}

// joined puts a blank line between two texts, if there are two.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return strings.TrimRight(a, "\n") + "\n\n" + b
}

func orDefault(s, d string) string {
	if strings.TrimSpace(s) == "" {
		return d
	}
	return s
}
