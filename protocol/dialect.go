package protocol

import (
	"cmp"
	"encoding/hex"
	"hash/fnv"
	"slices"
	"strings"
	"time"
)

// A Dialect describes one coding agent: data, and pure functions over bytes. Everything
// specific to an agent is in the package that defines its Dialect; its name appears
// nowhere else except in the list of package protocol/agents.
type Dialect struct {
	ID       string   // "claude-code"; what --agent takes
	Aliases  []string // other names that --agent accepts: "claude"
	Name     string   // "Claude Code"
	Observed string   // the version it was tested on, "" if it was not
	Doc      string   // where it is documented

	NativeEvents []Native // the agent's events that we handle
	Others       []string // known events that we ignore; any other event is strange
	Tools        Tools
	// ToolSource says how the rows of Tools are known, unless they say so themselves.
	ToolSource string
	Quirks     []Quirk

	// FieldMax is the maximum length of a text field in an answer, in characters; 0 if
	// no limit is known.
	FieldMax int

	// StopMax is how often in a row the agent lets a hook make it go on at a stop, 0 if
	// it has no limit. Our limit is never above it.
	StopMax int

	// EchoesFollowup is set if the agent sends the text with which it goes on back to us, as an
	// ordinary prompt. We do not report that as an event, since the turn is the same.
	EchoesFollowup bool

	// Speaks reports whether an answer with this outcome can also carry a message for
	// the user; nil: whenever its event can carry one.
	Speaks func(o Outcome) bool

	// Overheard is set if the user sees what is added to a prompt: messages that no
	// event could carry go there. The model reads them too, so a hook's own message for
	// the user does not.
	Overheard bool

	// Detect reports whether a payload has the shape of this agent. It is used only
	// without --agent.
	Detect func(p Object) bool

	// EventName is the name of the event in a payload, "" if there is none; nil: its
	// hook_event_name.
	EventName func(p Object) string

	// Untold are fields of the format, as FIELD or EVENT.FIELD, that its payloads
	// sometimes or always lack: [Dialect.Strange] does not report them.
	Untold []string

	// Decode turns a payload into events, the one that decides first. No events and no
	// error mean that the format has no event for it.
	Decode func(in Input) ([]*Event, error)

	// Applies reports whether the agent can apply a changed input of this call, in its
	// own keys; nil if it applies any.
	Applies func(c *Call, native Object) bool

	// Input maps a changed input back to the agent's own keys, and returns what cannot
	// be mapped; nil: [Call.NativeInputOf].
	Input func(c *Call, modified Object) (Object, []string)

	// Refuse returns an input, in the agent's own keys, that makes a call only print a
	// reason and fail. It replaces a blocked call if the agent cannot deny a single
	// call. It returns nil if the call has none; nil: no call needs one.
	Refuse func(ev *Event, reason string) Object

	// TakesEnv reports whether the answer to an event can carry session variables; nil:
	// never.
	TakesEnv func(ev *Event) bool

	// Cuts returns the agent's names of the texts in an answer that are longer than
	// FieldMax. It is called only if a text of the outcome is that long.
	Cuts func(ev *Event, o Outcome) []string

	// Usage reads the model's token usage from the end of a transcript; nil if its
	// transcripts do not have it.
	Usage func(tail []byte) Usage

	// Final reads the model's last message from the end of a transcript, "" if the turn
	// has none; nil if its transcripts do not have it. An event that has it is asked first.
	Final func(tail []byte) string

	// Refused reads, from a part of a transcript, which of our answers the agent
	// rejected; nil if its transcripts do not say so.
	Refused func(transcript []byte) []Refusal

	// RefusedLate is set if it writes them into its transcript only some time after the
	// events of a turn.
	RefusedLate bool

	// Headless derives from the Tells variables, and from the beginning and the end of
	// a transcript, whether the session now runs unattended, so that a program uses its
	// last message as the result; nil if that cannot be known.
	Headless func(env func(string) string, head, tail []byte) (headless, known bool)

	// Tongue is the protocol of hooks written for this agent, whichever agent calls;
	// nil: not supported.
	Tongue *Tongue

	// Whole is set for the format's own form: the answer is the outcome unchanged, and
	// only what Can lacks is lost.
	Whole bool

	// Encode writes an outcome in the agent's own form. [Dialect.Fit] has fitted it to
	// the event and reported what Encode leaves out.
	Encode func(ev *Event, o Outcome) Reply

	// NoOpinion is the answer if there is no event, or no opinion: to a native event by
	// name, "" if even that could not be read.
	NoOpinion func(native string) Reply

	// Config describes our entry in the agent's configuration; nil for a dialect that
	// is not an agent. It is data: package protocol/install does the editing, so that
	// dispatching an event does not link a JSON editor.
	Config *Config

	// MCP describes our MCP server in the agent's configuration; nil if that is not
	// known for certain.
	MCP *MCP

	// Custom describes users' own hooks in the agent's configuration; nil if that is
	// not known.
	Custom *Custom

	// The agent is considered in use if one of its Programs is on the PATH, or its
	// Folder exists.
	Programs []string
	Folder   func(Site) string

	// Managed describes how an administrator controls its hooks; nil if that is not
	// known.
	Managed *Managed

	Skills Skills

	// Markers are environment variables that the agent sets for its child processes; a
	// final * stands for any rest of the name. If one is set, the agent may be typing,
	// and not its user.
	Markers []string

	// AlsoReads are the ids of agents whose configuration this one reads too, so that
	// an entry there also fires here; "ID/project" or "ID/user" if only that scope is
	// read.
	AlsoReads []string

	// PlanMode says that its events report plan mode: permission_mode is "plan" then.
	PlanMode bool

	// AlsoReadsIf is the condition for that, if its user can switch it off: "the
	// setting … is on". Otherwise an agent without its own entry because of AlsoReads
	// runs no hooks.
	AlsoReadsIf string

	// Tells are variables in which the agent itself supplies what its payload leaves
	// out: a version, a session, the user's prompt, the file for session variables. In
	// agent form no other variable is read, since a repository can set an agent's
	// environment; none says which agent calls, or where.
	Tells []string

	// Borrows reports whether this agent runs an entry that names one of AlsoReads.
	// Decode then gets what the agent sends to such an entry, and Encode answers it.
	// nil: a payload that Detect accepts, and Detect of the named agent does not.
	Borrows func(p Object) bool

	// BorrowSigns are payload members of which at least one is present whenever the
	// agent runs an entry that names one of AlsoReads. Without any, Borrows is not
	// called.
	BorrowSigns []string

	// Notes are shown after an install: what needs a restart, what the user must
	// confirm, what was seeded.
	Notes []string
}

// Reads reports whether the agent runs entries in the configuration of an agent in a
// scope, "" for any: its own, or one of AlsoReads.
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

// Can says what the answer to an event can carry.
type Can uint8

const (
	CanBlock    Can = 1 << iota // prevent it, or at a stop go on
	CanAsk                      // ask the user
	CanModify                   // replace the tool input
	CanContext                  // text for the model
	CanContinue                 // go on after a stop with a text
	CanMessage                  // text for the user
	CanAllow                    // give a permission in place of the user
	CanOutput                   // replace a tool call's result for the model

	CanAll = CanBlock | CanAsk | CanModify | CanContext | CanContinue | CanMessage | CanAllow | CanOutput
)

var canNames = [...]string{"block", "ask", "modify", "context", "continue", "message", "allow", "output"}

// Has reports whether c has all of x.
func (c Can) Has(x Can) bool { return c&x == x }

// CanOf returns the capability with a name, 0 if there is none.
func CanOf(word string) Can {
	for i, w := range canNames {
		if w == word {
			return 1 << i
		}
	}
	return 0
}

// Words are the names of what c has, in a fixed order, as in context.can and the
// capability table.
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

// A Quirk is a bug or a peculiarity of an agent that the dialect works around. It has a
// number, the version it was seen in, and a test that names it.
type Quirk struct {
	ID   string // "claude-code/3"
	Seen string // version
	Text string
}

// Native finds an event by the agent's own name.
func (d *Dialect) Native(name string) (Native, bool) { return FindNative(d.NativeEvents, name) }

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
	Event   string // --event; a name in the payload takes precedence
	WorkDir string // of this process, for an event without its own
	Env     func(string) string
	Now     time.Time
	Version string // of the agent, set by its dialect if known
	Unread  string // what hooks do not get of the payload ([Event.Unread])

	// Entry is the id of the agent that the entry names, if another one runs it
	// (Dialect.AlsoReads); "" otherwise.
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

// NativeName is the agent's own name for the event: the one in the payload, else
// --event.
func (in Input) NativeName() string {
	if name := in.Text("hook_event_name"); name != "" {
		return name
	}
	return in.Event
}

// NewEvent creates an event from a native one: base fields, context, capabilities. An
// event that is not the first of n.MapsTo cannot decide anything. The session id is the
// agent's, or else derived from the transcript's path; the folder is the agent's, or
// else that of this process.
func (in Input) NewEvent(agent string, n Native, i int) *Event {
	ev := &Event{
		Type:        n.MapsTo[i],
		Timestamp:   Timestamp(in.Now),
		SessionID:   in.Text("session_id"),
		WorkDir:     cmp.Or(in.Text("cwd"), in.WorkDir),
		Agent:       agent,
		NativeEvent: n.Name,
		Entry:       in.Entry,
		Outcome:     n.Outcome,
		Halts:       n.Halts,
		Unread:      in.Unread,
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

// StableID derives an id from parts: the same parts give the same id.
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
