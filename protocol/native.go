package protocol

import (
	"slices"
	"time"
)

// A Native is one of the agent's own events.
type Native struct {
	Name    string
	MapsTo  []EventType   // what it becomes; the first one decides
	Instead []EventType   // what it becomes instead of the first one, if the payload says so
	Can     Can           // what its answer can carry
	Lacks   Can           // the part of Can that the events of Instead cannot carry
	Limit   time.Duration // the time limit that install writes: the agent's highest, at most 600 s
	Matcher string        // the matcher that install writes to exclude irrelevant events, "" for none
	Halts   bool          // its answer can end the turn ("continue": false), if that was observed
	Source  string        // how Can is known: "observed", "source", "documentation"
	Manual  bool          // supported, but not registered by install
	Outcome Ending        // how it reports the end of a tool call

	// How install registers it.
	As      string // the name in the agent's configuration, if it differs from Name
	Unnamed bool   // the payload does not name the event: the entry's command has --event=Name
	Flat    bool   // in NestedJSON: its entries are not in a group
	Fields  string // further members of its entry, as a JSON object: {"loop_limit": null}
}

// An Ending is how an agent reports the end of a tool call.
type Ending struct {
	// Sure says that a failed call is reported by another event, or in a form that
	// becomes one: any other event means success.
	Sure bool

	// Exit is the text before the exit code in a command's wrapped output; with ^ it
	// must be at the beginning, else the last one counts.
	Exit string

	// JSON says that a response may be an object inside a string.
	JSON bool
}

// Loses reports whether the agent reports an event but can never be made to prevent it.
func (d *Dialect) Loses(t EventType) (lost bool) {
	for _, n := range d.NativeEvents {
		if slices.Contains(n.MapsTo, t) || slices.Contains(n.Instead, t) {
			if n.CanOf(t).Has(CanBlock) {
				return false
			}
			lost = true
		}
	}
	return lost
}

// Key is the event's name in the agent's configuration.
func (n Native) Key() string {
	if n.As != "" {
		return n.As
	}
	return n.Name
}

// CanOf is what the answer can carry when the native event became t: an event that is
// not the first of MapsTo decides nothing.
func (n Native) CanOf(t EventType) Can {
	switch {
	case len(n.MapsTo) > 0 && n.MapsTo[0] == t:
		return n.Can
	case slices.Contains(n.Instead, t):
		return n.Can &^ n.Lacks
	}
	return 0
}

// Events are all that a native event can become.
func (n Native) Events() []EventType {
	return append(append([]EventType(nil), n.MapsTo...), n.Instead...)
}
