package protocol

import (
	"errors"
	"fmt"
	"time"
)

// A Dialect is one coding agent, as a value: data, and pure functions over
// bytes. All that is peculiar to an agent lives in the package that makes its
// Dialect; its name appears nowhere else but in the list of package
// protocol/agents.
type Dialect struct {
	ID       string // "claude-code"; what --agent takes
	Name     string // "Claude Code"
	Observed string // the version it was proven on, "" if it was not
	Doc      string // where the facts are from

	Natives []Native // the agent's events that concern us
	Tools   Tools
	Quirks  []Quirk

	// FieldMax is the most characters that one text field of an answer holds,
	// 0 if no limit is known (R12).
	FieldMax int

	// StopMax is how often in a row the agent itself lets a stop be turned into
	// going on, 0 if it has no limit of its own. Ours is never above it.
	StopMax int

	// Detect reports whether a payload has the shape of this agent. It is asked
	// only when nobody said --agent.
	Detect func(p Object, env func(string) string) bool

	// Decode turns a payload into events, the one that decides first. No events
	// and no error means: nothing that the format has an event for.
	Decode func(in Input) ([]*Event, error)

	// Encode says an outcome in the agent's own form. The outcome was fitted to
	// the event's Can already; warnings name what was lost all the same.
	Encode func(ev *Event, o Outcome) (r Reply, warnings []string)

	// NoOpinion is the answer when there is no event, or nothing to say: to a
	// native event by name, "" if even that could not be read.
	NoOpinion func(native string) Reply

	// Install, Uninstall and Inspect read and write the agent's configuration;
	// nil for a dialect that is no agent.
	Install   func(Site, Entry) ([]Edit, error)
	Uninstall func(Site) ([]Edit, error)
	Inspect   func(Site) (Installation, error)

	// Present reports whether the agent seems to be used here: its program is
	// on the PATH (Programs) or its folder in the home directory exists.
	Programs []string
	Folder   func(Site) string

	// Notes are told after an install: what takes a restart, what the user must
	// press, what was seeded.
	Notes []string
}

// A Native is one of the agent's own events.
type Native struct {
	Name   string
	Feeds  []EventType   // what it becomes; the first one decides
	Can    Can           // what its answer can carry
	Limit  time.Duration // the time limit that install writes: the agent's highest, at most 600 s
	Source string        // how Can is known: "observed", "source", "documentation"
	Manual bool          // understood, but not registered by install
}

// A Quirk is a bug or a peculiarity of an agent that the dialect works around.
// It has a number, the version it was seen in, and a test that names it.
type Quirk struct {
	ID   string // "claude-code/3"
	Seen string // version
	Text string
}

// Native finds an event by the agent's own name.
func (d *Dialect) Native(name string) (Native, bool) {
	for _, n := range d.Natives {
		if n.Name == name {
			return n, true
		}
	}
	return Native{}, false
}

// An Input is what the dispatcher was given.
type Input struct {
	Payload Object
	Event   string // --event; a name in the payload beats it
	Env     func(string) string
	Now     time.Time
}

// Text is a string member of the payload.
func (in Input) Text(name string) string { return in.Payload.Text(name) }

// NewEvent starts an event of a native one: base fields, context, capabilities.
// An event that is not the first of n.Feeds cannot decide anything.
func (in Input) NewEvent(d *Dialect, n Native, i int) *Event {
	ev := &Event{
		Type:        n.Feeds[i],
		Timestamp:   Timestamp(in.Now),
		SessionID:   in.Text("session_id"),
		WorkDir:     in.Text("cwd"),
		Agent:       d.ID,
		NativeEvent: n.Name,
	}
	if i == 0 {
		ev.Can = n.Can
	}
	ev.Context.SetText("agent", d.ID)
	ev.Context.SetText("native_event", n.Name)
	ev.Context.Set("can", ev.Can.Raw())
	ev.Context = append(ev.Context, Member{"native", in.Payload.Raw()})
	return ev
}

// Timestamp is a time as events carry it: UTC, milliseconds.
func Timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// A Reply is what the dispatcher leaves behind for the agent.
type Reply struct {
	Stdout []byte
	Stderr []byte
	Exit   int
}

// Validate checks that a dialect is complete and consistent. A test calls it
// for the whole list.
func (d *Dialect) Validate() error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("dialect %q: "+format, append([]any{d.ID}, args...)...))
	}
	if !ValidName(d.ID) {
		bad("bad id")
	}
	if d.Name == "" || d.Doc == "" {
		bad("no name or no source of its facts")
	}
	if d.Detect == nil || d.Decode == nil || d.Encode == nil || d.NoOpinion == nil {
		bad("a function is missing")
	}
	if (d.Install == nil) != (d.Uninstall == nil) || (d.Install == nil) != (d.Inspect == nil) {
		bad("install, uninstall and inspect go together")
	}
	names := map[string]bool{}
	for _, n := range d.Natives {
		if names[n.Name] {
			bad("event %q stands twice", n.Name)
		}
		names[n.Name] = true
		if len(n.Feeds) == 0 {
			bad("event %q feeds nothing", n.Name)
		}
		for _, t := range n.Feeds {
			if !t.Known() {
				bad("event %q feeds unknown event %q", n.Name, t)
			}
		}
		if n.Limit <= 0 && d.Install != nil && !n.Manual {
			bad("event %q has no time limit", n.Name)
		}
		switch n.Source {
		case "observed", "source", "documentation":
		default:
			bad("event %q: source %q", n.Name, n.Source)
		}
	}
	for i, q := range d.Quirks {
		if q.ID != fmt.Sprintf("%s/%d", d.ID, i+1) || q.Text == "" || q.Seen == "" {
			bad("quirk %d: want id %s/%d, a text and the version it was seen in", i, d.ID, i+1)
		}
	}
	return errors.Join(errs...)
}

// ValidName reports whether s may name a hook (or an agent): 1 to 64 lower case
// letters and digits, in groups joined by single hyphens.
func ValidName(s string) bool {
	if len(s) == 0 || len(s) > 64 {
		return false
	}
	hyphen := true // none at the start, none after another
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			hyphen = false
		case c == '-' && !hyphen:
			hyphen = true
		default:
			return false
		}
	}
	return !hyphen
}
