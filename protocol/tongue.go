package protocol

import (
	"slices"
	"strings"
	"unicode"
)

// A Tongue is the protocol of an agent from its other end: how hooks are spoken to
// that were written for that agent, whichever agent calls. A hook says which one is
// its own in metadata.dialect.
//
//	event ─ Say ─▶ payloads ─ the hook, with Env ─▶ its end ─ Hear ─▶ outcome
//
// It is to an agent's hooks what [Dialect] is to the agent: Say is the mirror image
// of Decode, Hear that of Encode. What an event does not tell is absent from a
// payload, never made up; what an answer says that no outcome can carry is told.
type Tongue struct {
	ID     string // of the agent
	Name   string
	Events []EventType // what a hook that speaks it can wait for

	// Asides are names of further events of the program, that tell of what its other
	// ones tell of too. A hook is told of one that names it in metadata.event.
	Asides []string

	// Say is an event as that agent would tell it: mostly one payload, none for what
	// that agent has no event for, several where it would make several calls. What a
	// call does was read (Event.Deed).
	Say func(ev *Event) []Said

	// List are the names that a matcher.tool lists of a hook that waits for an event,
	// nil for any; false where it is a regular expression, which is searched for in each
	// of Said.Names.
	List func(on EventType, matcher string) (names []string, ok bool)

	// Env are the variables of its hooks, "NAME=value"; "NAME" alone for one that they
	// do not have.
	Env func(s Seat) []string

	// Leaves reports whether a hook that runs into its time limit had said before that
	// nobody is to wait for it.
	Leaves func(stdout []byte) bool

	// Hear reads how a hook ended that exited by itself.
	Hear func(ev *Event, s Said, e End) Heard

	// Plugin says how plugins of the agent bring hooks along; nil where that is not
	// read.
	Plugin *PluginForm
}

// Hears reports whether the agent has an event that t is.
func (t *Tongue) Hears(e EventType) bool { return slices.Contains(t.Events, e) }

// A Said is one payload.
type Said struct {
	Event   string   // the agent's name of it
	Names   []string // what a matcher is tried on; none: it is not asked
	Aside   bool     // told to hooks alone that name the event in metadata.event
	Exact   bool     // the matcher is one of Names itself, and no list or expression
	Payload Object
	Parts   int // how many payloads the event became
}

// Bytes are what the hook reads on stdin.
func (s Said) Bytes() []byte { return append(s.Payload.Append(nil), '\n') }

// A Seat is where a hook of a [Tongue] runs.
type Seat struct {
	Session string
	Project string // the root of its project
	Root    string // the folder that it came in
	Data    string // a folder of its own, "" if there is none
	EnvFile string // where variables for the session are to be written, "" on most events
}

// An End is how a hook ended.
type End struct {
	Exit    int
	Stdout  []byte
	Stderr  string
	EnvFile []byte              // what it wrote there
	Getenv  func(string) string // of the agent, for a variable that is made of another
}

// Text is what a program in JavaScript makes of such output: its trim takes the mark away
// with which some tools, PowerShell among them, begin a text.
func (e End) Text() string {
	return strings.TrimFunc(strings.ToValidUTF8(string(e.Stdout), "\uFFFD"), func(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' })
}

// A Heard is what a hook's end means.
type Heard struct {
	Outcome  Outcome
	Bad      string   // why nothing of its answer is used, "" if it is
	Failed   bool     // it ended with a code that is no verdict
	Unplaced string   // a change of the input that the call of this agent has no place for
	Warnings []string // what was left out of the answer
}

// Halt takes a hook's word that the turn is to end: the agent that calls ends it, or
// (false) cannot, and its person is told that the hook wants it.
func (h *Heard) Halt(ev *Event, reason string) bool {
	reason = strings.TrimSpace(reason)
	if ev.Halts {
		if h.Outcome.Halt = reason; reason == "" {
			h.Outcome.Halt = "ends this turn"
		}
		return true
	}
	said := "wanted the agent to end its turn"
	if reason != "" {
		said += ": " + reason
	}
	h.Outcome.UserMessage = strings.TrimSpace(h.Outcome.UserMessage + "\n" + said)
	return false
}
