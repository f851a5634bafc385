package hooks

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Decision is what hooks say about the thing that is about to happen.
type Decision string

const (
	None  Decision = ""      // no opinion: go on
	Allow Decision = "allow" // no objection; at permission-request and pre-tool-call the person's permission
	Ask   Decision = "ask"   // ask the person
	Block Decision = "block" // do not do it; at pre-agent-turn-stop and post-subagent: go on
)

// An Outcome is what all hooks of an event together answer. Its zero value is no
// opinion.
type Outcome struct {
	// Decision is whether it may happen.
	Decision Decision `json:"decision,omitempty"`
	// Reason is for the model at a block, and for the person at a question. It begins
	// with the name of the hook, in brackets.
	Reason string `json:"reason,omitempty"`
	// ModifiedInput replaces the tool's input as a whole; nil: it stays.
	ModifiedInput json.RawMessage `json:"modified_input,omitempty"`
	// ModifiedOutput is what the model reads in place of the result; "": the result.
	ModifiedOutput string `json:"modified_output,omitempty"`
	// AdditionalContext is more for the model to read.
	AdditionalContext string `json:"additional_context,omitempty"`
	// UserMessage is for the person.
	UserMessage string `json:"user_message,omitempty"`
	// FollowupMessage has the agent go on with that text.
	FollowupMessage string `json:"followup_message,omitempty"`
	// Env are variables for the commands of the session, of pre-session.
	Env map[string]string `json:"env,omitempty"`

	BlockedBy string    `json:"-"` // the hook that blocked, "" if none did
	Warnings  []Warning `json:"-"` // what the person should know
}

// outcomeOf reads an outcome in the form of spec/outcome.schema.json.
func outcomeOf(o protocol.Object) Outcome {
	out := Outcome{
		Decision: Decision(o.Text("decision")), Reason: o.Text("reason"),
		ModifiedInput: json.RawMessage(o.Get("modified_input")), ModifiedOutput: o.Text("modified_output"),
		AdditionalContext: o.Text("additional_context"), UserMessage: o.Text("user_message"), FollowupMessage: o.Text("followup_message"),
	}
	for _, m := range o.Sub("env") {
		if out.Env == nil {
			out.Env = map[string]string{}
		}
		if out.Env[m.Name] = string(m.Value); m.Value[0] == '"' {
			out.Env[m.Name] = protocol.TextOf(m.Value)
		}
	}
	return out
}

// Blocked reports whether it must not happen.
func (o Outcome) Blocked() bool { return o.Decision == Block }

// GoOn is the text that the agent has to go on with, after pre-agent-turn-stop and
// post-subagent.
func (o Outcome) GoOn() (text string, ok bool) {
	if o.FollowupMessage != "" {
		return o.FollowupMessage, true
	}
	return o.Reason, o.Decision == Block
}

// A Warning is what the person should know and no model: a hook that failed, one that
// nobody has approved, a mistake in a file.
type Warning struct {
	Hook string `json:"hook,omitempty"` // the hook that it is about, "" if it is about none
	Kind string `json:"kind"`           // a short stable word, such as "failed" or "untrusted"
	Text string `json:"text"`           // what is wrong, for the person
}

// String is the warning as a line for the person.
func (w Warning) String() string {
	if w.Hook == "" {
		return w.Text
	}
	return fmt.Sprintf("hook %s: %s", w.Hook, w.Text)
}

// An Error is why hooks were not asked about an event, or not to the end. It is neither
// a permission nor a refusal.
type Error struct {
	// Kind is "unreadable", "event", "cancelled", "request" or "bug", as in
	// spec/run.schema.json, and "gone" where the program of [Options.Program] is not
	// there, has died twice over one event, or speaks something else.
	Kind string
	Text string // what is wrong
	Err  error  // what is behind it, if anything
}

func (e *Error) Error() string { return "asking hooks: " + e.Text }

func (e *Error) Unwrap() error { return e.Err }

// Cancelled reports whether an error of Dispatch is that its context had ended.
func Cancelled(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Kind == "cancelled"
}
