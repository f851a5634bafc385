package protocol

import (
	"encoding/hex"
	"hash/fnv"
	"slices"
	"strings"
	"time"
)

// A Dialect is one coding agent, as a value: data, and pure functions over
// bytes. All that is peculiar to an agent lives in the package that makes its
// Dialect; its name appears nowhere else but in the list of package
// protocol/agents.
type Dialect struct {
	ID       string   // "claude-code"; what --agent takes
	Aliases  []string // what --agent takes as well: "claude"
	Name     string   // "Claude Code"
	Observed string   // the version it was proven on, "" if it was not
	Doc      string   // where the facts are from

	Natives []Native // the agent's events that concern us
	Others  []string // its events that are known and concern us not; one that is neither is strange
	Tools   Tools
	// ToolSource is how the rows of Tools are known that do not say it themselves.
	ToolSource string
	Quirks     []Quirk

	// FieldMax is the most characters that one text field of an answer holds,
	// 0 if no limit is known.
	FieldMax int

	// StopMax is how often in a row the agent itself lets a stop be turned into
	// going on, 0 if it has no limit of its own. Ours is never above it.
	StopMax int

	// Echoes is set if the agent sends the text that it was told to go on with
	// back to us, as a prompt like any other. That event is not one of the
	// format: the turn is the same.
	Echoes bool

	// Speaks reports whether an answer that says this has room for a message for
	// the person beside it; nil: wherever its event can have one.
	Speaks func(o Outcome) bool

	// Overheard is set if the person reads what is added to a prompt: what no
	// event before had a place for is told there. The model reads it too, so a
	// hook's own message for the person is not.
	Overheard bool

	// Detect reports whether a payload has the shape of this agent. It is asked
	// only when nobody said --agent.
	Detect func(p Object) bool

	// EventName is what a payload calls its event, "" if it does not say; nil: its
	// hook_event_name.
	EventName func(p Object) string

	// Untold are the fields of the format, as FIELD or EVENT.FIELD, that its payloads
	// do not have, or not always: they are missed by nobody ([Dialect.Strange]).
	Untold []string

	// Decode turns a payload into events, the one that decides first. No events
	// and no error means: nothing that the format has an event for.
	Decode func(in Input) ([]*Event, error)

	// Applies reports whether the agent can apply a changed input of this call,
	// in its own keys; nil if it applies any.
	Applies func(c *Call, native Object) bool

	// Input maps what hooks made of a call's input back to the agent's own keys,
	// and says what of it cannot be; nil: [Call.NativeInputOf].
	Input func(c *Call, modified Object) (Object, []string)

	// Refuse is an input, in the agent's own keys, with which a call does nothing
	// but say a reason and fail: what runs in place of a blocked call where the
	// agent can deny no single one. nil of a call: it has none; nil: no call needs one.
	Refuse func(ev *Event, reason string) Object

	// TakesEnv reports whether the answer to an event carries variables for the
	// session; nil: none does.
	TakesEnv func(ev *Event) bool

	// Usage reads what the model took from the end of a transcript; nil if its
	// transcripts do not tell.
	Usage func(tail []byte) Usage

	// Final reads what the model said last from the end of a transcript, "" if the turn
	// has no such text; nil if its transcripts do not tell, or its events do.
	Final func(tail []byte) string

	// Refused reads, from a part of a transcript, which answers of ours the agent could
	// not use; nil if its transcripts do not tell.
	Refused func(transcript []byte) []Refusal

	// Headless reads from what the agent Tells, and from the beginning and the end of a
	// transcript, whether its session now runs without a person, so that its last
	// message is what a program takes for the result; nil if it does not tell.
	Headless func(env func(string) string, head, tail []byte) (headless, known bool)

	// Tongue is how hooks that were written for the agent are spoken to, whichever
	// agent calls; nil: nobody knows it here.
	Tongue *Tongue

	// Whole is set for the format's own form: the answer is the outcome as it is,
	// and nothing of it is lost but what Can does not have.
	Whole bool

	// Encode says an outcome in the agent's own form. The outcome was fitted to
	// the event by [Dialect.Fit], which told what Encode leaves out.
	Encode func(ev *Event, o Outcome) Reply

	// NoOpinion is the answer when there is no event, or nothing to say: to a
	// native event by name, "" if even that could not be read.
	NoOpinion func(native string) Reply

	// Config says how our entry is kept in the agent's configuration; nil for a
	// dialect that is no agent. It is data: package protocol/install does the
	// editing, so that dispatching an event does not link an editor of JSON.
	Config *Config

	// MCP says how our MCP server is kept in the agent's configuration; nil where
	// that is not known for certain.
	MCP *MCP

	// Custom says how people's own hooks stand in the agent's configuration; nil where
	// that is not known.
	Custom *Custom

	// The agent seems to be used here if one of its Programs is on the PATH, or
	// its Folder exists.
	Programs []string
	Folder   func(Site) string

	// Managed is how an administrator rules its hooks; nil where that is not known.
	Managed *Managed

	Skills Skills

	// Markers are variables of the environment that the agent sets for what it
	// starts, a final * standing for any rest of the name. Where one of them is
	// set, it may be the agent that types, and not its user.
	Markers []string

	// AlsoReads are the ids of agents whose configuration this one reads as
	// well, so that an entry there fires here too; "ID/project"
	// or "ID/user" where it is only the one of that scope.
	AlsoReads []string

	// PlanMode says that its events tell when it only plans: permission_mode is
	// "plan" then.
	PlanMode bool

	// AlsoReadsIf is what has to hold for that, where its user can switch it
	// off: a sentence without its beginning, "the setting … is on". An agent that
	// has no entry of its own because of AlsoReads runs no hook otherwise.
	AlsoReadsIf string

	// Tells are variables by which the agent itself says what its payload leaves
	// out: a version, a session, the person's prompt, the file for variables of its
	// session. In agent form no other variable is read, since a repository can set
	// an agent's environment; none says who calls, or where.
	Tells []string

	// Borrows reports whether it is this agent that runs an entry which names one
	// of AlsoReads. Decode is then given what the agent sends to such an entry,
	// and Encode answers it. nil: a payload that Detect claims, and Detect of the
	// named agent does not.
	Borrows func(p Object) bool

	// BorrowSigns are members of a payload of which one is there wherever the agent runs an entry which
	// names one of AlsoReads. Without any, nothing more is asked.
	BorrowSigns []string

	// Notes are told after an install: what takes a restart, what the user must
	// press, what was seeded.
	Notes []string
}

// A Native is one of the agent's own events.
type Native struct {
	Name    string
	Feeds   []EventType   // what it becomes; the first one decides
	Instead []EventType   // what it becomes in place of the first one, if the payload says so
	Can     Can           // what its answer can carry
	Lacks   Can           // what of Can the events of Instead cannot carry
	Limit   time.Duration // the time limit that install writes: the agent's highest, at most 600 s
	Matcher string        // what install writes to keep events away that are none of ours, "" for nothing
	Halts   bool          // its answer can end the turn: "continue": false, where that was seen to
	Source  string        // how Can is known: "observed", "source", "documentation"
	Manual  bool          // understood, but not registered by install
	Outcome Ending        // how it tells of a tool call's end

	// How install registers it.
	As      string // the name in the agent's configuration, where it is another than Name
	Unnamed bool   // the payload does not say the event: the entry's command has --event=Name
	Flat    bool   // in NestedJSON: its entries stand in no group
	Fields  string // further members of its entry, as a JSON object: {"loop_limit": null}
}

// An Ending is how an agent tells of a tool call's end.
type Ending struct {
	// Sure says that a call that failed is told by another event, or in a form
	// that makes it one: whatever else comes went well.
	Sure bool

	// Exit is the text in front of an exit code in what a command's output is
	// wrapped in; with ^ it begins there, else the last one counts.
	Exit string

	// JSON says that a response may be an object in a text.
	JSON bool
}

// Loses reports whether the agent tells of an event, and has no way at all to be
// kept from what that begins.
func (d *Dialect) Loses(t EventType) (lost bool) {
	for _, n := range d.Natives {
		if slices.Contains(n.Feeds, t) || slices.Contains(n.Instead, t) {
			if n.CanOf(t).Has(CanBlock) {
				return false
			}
			lost = true
		}
	}
	return lost
}

// Reads reports whether the agent runs entries that stand in the configuration of
// an agent in a scope, "" for any: its own, or one of AlsoReads.
func (d *Dialect) Reads(id string, s Scope) bool {
	if id == d.ID {
		return true
	}
	for _, r := range d.AlsoReads {
		name, scope, one := strings.Cut(r, "/")
		if name == id && (!one || s == "" || scope == string(s)) {
			return true
		}
	}
	return false
}

// Key is the event's name in the agent's configuration.
func (n Native) Key() string {
	if n.As != "" {
		return n.As
	}
	return n.Name
}

// CanOf is what the answer can carry where the native event became t: one that
// is not the first of Feeds decides nothing.
func (n Native) CanOf(t EventType) Can {
	switch {
	case len(n.Feeds) > 0 && n.Feeds[0] == t:
		return n.Can
	case slices.Contains(n.Instead, t):
		return n.Can &^ n.Lacks
	}
	return 0
}

// Events are all that a native event can become.
func (n Native) Events() []EventType {
	return append(append([]EventType(nil), n.Feeds...), n.Instead...)
}

// Can says what the answer to an event can carry.
type Can uint8

const (
	CanBlock    Can = 1 << iota // keep it from happening, or on a stop go on
	CanAsk                      // ask the person
	CanModify                   // replace the tool input
	CanContext                  // text for the model
	CanContinue                 // go on after a stop with a text
	CanMessage                  // text for the person
	CanAllow                    // give a permission in the person's place
	CanOutput                   // replace what the model reads of a tool call's result

	CanAll = CanBlock | CanAsk | CanModify | CanContext | CanContinue | CanMessage | CanAllow | CanOutput
)

var canNames = [...]string{"block", "ask", "modify", "context", "continue", "message", "allow", "output"}

// Has reports whether c has all of x.
func (c Can) Has(x Can) bool { return c&x == x }

// CanOf is the capability of a name, 0 if there is none of that name.
func CanOf(word string) Can {
	for i, w := range canNames {
		if w == word {
			return 1 << i
		}
	}
	return 0
}

// Words are the names of what c has, in a fixed order. They stand in
// context.can and in the capability table.
func (c Can) Words() []string {
	words := []string{}
	for i, w := range canNames {
		if c&(1<<i) != 0 {
			words = append(words, w)
		}
	}
	return words
}

func (c Can) String() string { return strings.Join(c.Words(), " ") }

// Raw is c as a JSON array of its words.
func (c Can) Raw() Raw { return TextList(c.Words()) }

// A Quirk is a bug or a peculiarity of an agent that the dialect works around.
// It has a number, the version it was seen in, and a test that names it.
type Quirk struct {
	ID   string // "claude-code/3"
	Seen string // version
	Text string
}

// Native finds an event by the agent's own name.
func (d *Dialect) Native(name string) (Native, bool) { return FindNative(d.Natives, name) }

// FindNative is [Dialect.Native] for the functions of a dialect, which cannot
// name the dialect that they are part of.
func FindNative(natives []Native, name string) (Native, bool) {
	for i := range natives {
		if natives[i].Name == name {
			return natives[i], true
		}
	}
	return Native{}, false
}

// Is reports whether name is the dialect's id or one of its aliases.
func (d *Dialect) Is(name string) bool { return name == d.ID || slices.Contains(d.Aliases, name) }

// An Input is what the dispatcher was given.
type Input struct {
	Payload Object
	Event   string // --event; a name in the payload beats it
	WorkDir string // of this process, for an event that does not say its own
	Env     func(string) string
	Now     time.Time
	Version string // of the agent, set by its dialect if it can tell

	// Entry is the id of the agent that the entry names, where another one runs
	// it (Dialect.AlsoReads); "" otherwise.
	Entry string
}

// Text is a string member of the payload.
func (in Input) Text(name string) string { return in.Payload.Text(name) }

// Getenv is a variable of the environment, "" if there is no environment.
func (in Input) Getenv(name string) string {
	if in.Env == nil {
		return ""
	}
	return in.Env(name)
}

// NativeName is the agent's own name of the event: what the payload calls it,
// else --event.
func (in Input) NativeName() string {
	if name := in.Text("hook_event_name"); name != "" {
		return name
	}
	return in.Event
}

// NewEvent starts an event of a native one: base fields, context, capabilities.
// An event that is not the first of n.Feeds cannot decide anything. The session
// is the agent's; without one it is told by the transcript.
func (in Input) NewEvent(agent string, n Native, i int) *Event {
	ev := &Event{
		Type:        n.Feeds[i],
		Timestamp:   Timestamp(in.Now),
		SessionID:   in.Text("session_id"),
		WorkDir:     in.Text("cwd"),
		Agent:       agent,
		NativeEvent: n.Name,
		Entry:       in.Entry,
		Outcome:     n.Outcome,
		Halts:       n.Halts,
	}
	if ev.SessionID == "" {
		if path := in.Text("transcript_path"); path != "" {
			ev.SessionID = StableID(agent, path)
		}
	}
	if i == 0 {
		ev.Can = n.Can
	}
	ev.Context = make(Object, 0, 5)
	ev.Context = append(ev.Context, Member{"agent", Quote(agent)})
	if in.Version != "" {
		ev.Context = append(ev.Context, Member{"agent_version", Quote(in.Version)})
	}
	ev.Context = append(ev.Context,
		Member{"native_event", Quote(n.Name)},
		Member{"can", ev.Can.Raw()},
		Member{"native", in.Payload.verbatim()})
	return ev
}

// StableID makes an id of what identifies something: the same parts, the same id.
func StableID(parts ...string) string {
	h := fnv.New128a()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Timestamp is a time as events carry it: UTC, milliseconds.
func Timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// A Reply is what the dispatcher leaves behind for the agent.
type Reply struct {
	Stdout []byte
	Stderr []byte
	Exit   int

	// Continue is the text that the agent was told to go on with, exactly as
	// the agent got it; "" if it was not.
	Continue string

	// Files are to be appended to before the answer is written.
	Files []FileText

	// Cuts names the texts that were longer than FieldMax, as the agent calls them.
	Cuts []string
}

// A FileText is text to be appended to a file that the agent named, created
// with mode 0600 if it is not there.
type FileText struct {
	Path string
	Text []byte
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
