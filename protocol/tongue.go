package protocol

import (
	"slices"
	"strings"
	"unicode"
)

// A Tongue is the protocol of an agent from the other end: how to call hooks that were
// written for that agent, whichever agent calls. A hook names its agent in
// metadata.dialect.
//
//	event ─ Say ─▶ payloads ─ the hook, with Env ─▶ its end ─ Hear ─▶ outcome
//
// It is to an agent's hooks what [Dialect] is to the agent: Say mirrors Decode, Hear
// mirrors Encode. What an event lacks is absent from a payload, never made up; parts of
// an answer that no outcome can carry are reported.
type Tongue struct {
	ID     string // of the agent
	Name   string
	Events []EventType // the events that such a hook can run on

	// Asides are further events of the program that report the same as its other ones.
	// Only a hook that names one in metadata.event runs on it.
	Asides []string

	// Say returns an event as that agent would send it: mostly one payload, none for an
	// event that the agent does not have, several if it would make several calls.
	// Event.Deed is already read.
	Say func(ev *Event) []Said

	// List returns the names that a hook's matcher.tool lists for an event, nil for
	// any; false if it is a regular expression, which is searched for in each of
	// Said.Names.
	List func(on EventType, matcher string) (names []string, ok bool)

	// Whole says that such an expression has to match the whole of a name.
	Whole bool

	// Shuts are the events on which the failure of a hook blocks, but not that it reached
	// its time limit.
	Shuts []EventType

	// Env returns the variables of its hooks, "NAME=value"; "NAME" alone for one that
	// they must not have.
	Env func(s Seat) []string

	// Leaves reports whether a hook that reached its time limit had said before that it
	// should run in the background.
	Leaves func(stdout []byte) bool

	// Hear interprets the end of a hook that exited by itself.
	Hear func(ev *Event, s Said, e End) Heard

	// Plugin describes how the agent's plugins contain hooks; nil if that is not
	// supported.
	Plugin *PluginForm
}

// Hears reports whether the agent has an event that corresponds to t.
func (t *Tongue) Hears(e EventType) bool { return slices.Contains(t.Events, e) }

// FailsClosed reports whether the failure of a hook blocks on t, as [Tongue.Shuts] says;
// of a hook of no other program it does not.
func (t *Tongue) FailsClosed(e EventType) bool { return t != nil && slices.Contains(t.Shuts, e) }

// A Said is one payload.
type Said struct {
	Event   string   // the agent's name for it
	Names   []string // what a matcher is matched against; none: matchers do not apply
	Aside   bool     // only for hooks that name the event in metadata.event
	Exact   bool     // the matcher is exactly one of Names, not a list or expression
	Payload Object
	Parts   int    // how many payloads the event became
	Path    string // of the file that this one of several is about
}

// Bytes are what the hook reads on stdin.
func (s Said) Bytes() []byte { return append(s.Payload.Append(nil), '\n') }

// A Seat is where a hook of a [Tongue] runs.
type Seat struct {
	Session string
	Project string // the root of its project
	Root    string // the folder that it is in
	Data    string // its own data folder, "" if there is none
	EnvFile string // the file for session variables, "" on most events
}

// An End is how a hook ended.
type End struct {
	Exit    int
	Stdout  []byte
	Stderr  string
	EnvFile []byte              // what it wrote there
	Getenv  func(string) string // of the agent, for a variable derived from another
}

// Text is the output as a JavaScript program would read it: its trim removes the byte
// order mark with which some tools, such as PowerShell, begin a text.
func (e End) Text() string {
	return strings.TrimFunc(strings.ToValidUTF8(string(e.Stdout), "\uFFFD"), func(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' })
}

// A Heard is the meaning of a hook's end.
type Heard struct {
	Outcome  Outcome
	Bad      string   // why its answer is not used, "" if it is
	Failed   bool     // its exit code is not a verdict
	Unplaced string   // a change of the input that this agent's call cannot carry
	Warnings []string // what was left out of the answer
}

// Halt handles a hook's request to end the turn: the calling agent ends it, or (false)
// cannot, and the user is told that the hook requested it.
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
