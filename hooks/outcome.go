package hooks

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Decision is what hooks decided about the operation.
type Decision string

const (
	None  Decision = ""      // no opinion: go ahead
	Allow Decision = "allow" // no objection; at permission-request and pre-tool-call the user's permission
	Ask   Decision = "ask"   // ask the user
	Block Decision = "block" // do not do it; at pre-agent-turn-stop and post-subagent: go on
)

// An Outcome is the merged answer of all hooks of an event. Its zero value is no
// opinion.
type Outcome struct {
	// Decision says whether the operation may go ahead.
	Decision Decision `json:"decision,omitempty"`
	// Reason is for the model at a block, and for the user at a question. It begins
	// with the name of the hook, in brackets.
	Reason string `json:"reason,omitempty"`
	// ModifiedInput replaces the tool's whole input; nil: no change.
	ModifiedInput json.RawMessage `json:"modified_input,omitempty"`
	// ModifiedOutput replaces the result for the model; "": no change.
	ModifiedOutput string `json:"modified_output,omitempty"`
	// AdditionalContext is additional text for the model.
	AdditionalContext string `json:"additional_context,omitempty"`
	// UserMessage is for the user.
	UserMessage string `json:"user_message,omitempty"`
	// FollowupMessage makes the agent go on with this text.
	FollowupMessage string `json:"followup_message,omitempty"`
	// Env has variables for the commands of the session, at pre-session.
	Env map[string]string `json:"env,omitempty"`

	BlockedBy string    `json:"-"` // the hook that blocked, "" if none did
	Warnings  []Warning `json:"-"` // for the user
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

// Blocked reports whether the operation must not happen.
func (o Outcome) Blocked() bool { return o.Decision == Block }

// GoOn returns the text that the agent must go on with, after pre-agent-turn-stop and
// post-subagent.
func (o Outcome) GoOn() (text string, ok bool) {
	if o.FollowupMessage != "" {
		return o.FollowupMessage, true
	}
	return o.Reason, o.Decision == Block
}

// A Warning is for the user and not for the model: a failed hook, an unapproved one, a
// mistake in a file.
type Warning struct {
	Hook string `json:"hook,omitempty"` // the hook that it is about, if any
	Kind string `json:"kind"`           // a short stable identifier, such as "failed" or "untrusted"
	Text string `json:"text"`           // what is wrong, for the user
}

// String returns the warning as a line for the user.
func (w Warning) String() string {
	if w.Hook == "" {
		return w.Text
	}
	return fmt.Sprintf("hook %s: %s", w.Hook, w.Text)
}

// An Error says why hooks were not run for an event, or not to the end. It is neither a
// permission nor a refusal.
type Error struct {
	// Kind is "unreadable", "event", "cancelled", "request" or "bug", as in
	// spec/run.schema.json, or "gone" if the program of [Options.Program] is not there,
	// has died twice on one event, or speaks another protocol.
	Kind string
	Text string // what is wrong
	Err  error  // the cause, if any
}

func (e *Error) Error() string { return "asking hooks: " + e.Text }

func (e *Error) Unwrap() error { return e.Err }

// Cancelled reports whether an error of Dispatch means that its context has ended.
func Cancelled(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Kind == "cancelled"
}
