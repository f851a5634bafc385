package protocol

import (
	"slices"
	"strings"
)

// An EventType is one of the 13 events of the format.
type EventType string

// The vocabulary of the format (spec/SPEC.md#events).
const (
	PreSession          EventType = "pre-session"
	PostSession         EventType = "post-session"
	PreAgentTurn        EventType = "pre-agent-turn"
	PostAgentTurn       EventType = "post-agent-turn"
	PreAgentTurnStop    EventType = "pre-agent-turn-stop"
	PostAgentTurnStop   EventType = "post-agent-turn-stop"
	PreToolCall         EventType = "pre-tool-call"
	PostToolCall        EventType = "post-tool-call"
	PostToolCallFailure EventType = "post-tool-call-failure"
	PreSubagent         EventType = "pre-subagent"
	PostSubagent        EventType = "post-subagent"
	PreContextCompact   EventType = "pre-context-compact"
	PostContextCompact  EventType = "post-context-compact"
)

// EventTypes lists the vocabulary in the order of a session.
func EventTypes() []EventType {
	return []EventType{
		PreSession, PostSession,
		PreAgentTurn, PostAgentTurn, PreAgentTurnStop, PostAgentTurnStop,
		PreToolCall, PostToolCall, PostToolCallFailure,
		PreSubagent, PostSubagent,
		PreContextCompact, PostContextCompact,
	}
}

// Known reports whether t is in the vocabulary.
func (t EventType) Known() bool { return slices.Contains(EventTypes(), t) }

// IsTool reports whether t is one of the three tool events, the only ones that
// matchers apply to.
func (t EventType) IsTool() bool {
	return t == PreToolCall || t == PostToolCall || t == PostToolCallFailure
}

// Prevents reports whether a block on t keeps something from happening (or, on
// pre-agent-turn-stop, keeps the agent going). On the other events exit 2 is
// feedback only, and no failure policy applies to them (RULINGS 1).
func (t EventType) Prevents() bool {
	switch t {
	case PreSession, PreAgentTurn, PreAgentTurnStop, PreToolCall, PreSubagent, PreContextCompact:
		return true
	}
	return false
}

// An Event is one thing that happened in an agent, as a hook is told of it.
type Event struct {
	Type      EventType
	Timestamp string // ISO 8601, UTC, milliseconds; as given in spec form
	SessionID string
	WorkDir   string
	Context   Object // agent, native_event, native, can …; as given in spec form

	// Fields are the members beside the base ones, in the order in which a hook
	// sees them. In spec form unknown members of the payload stay here.
	Fields Object

	Agent       string // id of the agent, "" if nobody said
	NativeEvent string // the agent's own name of the event, "" in spec form
	Can         Can    // what the answer to this event can carry

	// EnvFile is the file in which the agent takes variables for its session,
	// "" if it offers none.
	EnvFile string

	// Entry is the id of the agent whose entry was run, where that is another one
	// (Dialect.AlsoReads): the answer has to be in a form that holds for such an
	// entry.
	Entry string

	Call *Call // the tool call, on tool events
}

// A Call is the tool call of a tool event, in both vocabularies.
type Call struct {
	// ID is the agent's own id of the call, "" if it gives none: the event's
	// tool_use_id was made up then, and cannot tell two calls apart (R9).
	ID string

	Name        string   // portable name, "Shell"; the agent's own where none is known
	NativeName  string   // the agent's own name, "Bash"
	Also        []string // further names that a matcher tries
	Input       Object   // portable and native keys side by side; what hooks get
	NativeInput Object   // what the agent sent
	Keys        []Key    // which portable key of Input stands for which native one

	derived Object   // members of Input that were computed for the hook
	opaque  bool     // the agent's input is no object; Input holds it as "input"
	given   Object   // what the last hook gave as modified_input, before settle
	lost    []string // what settle had to leave out of it
}

// Names lists the names that a matcher's tool expression is tried against,
// each once: the portable name, the agent's own, and the further ones.
func (c *Call) Names() []string {
	names := []string{c.Name}
	for _, n := range append([]string{c.NativeName}, c.Also...) {
		if n != "" && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}

// SetInput replaces the tool input for the hooks that run after this one. Of a
// native key and its portable one, the one that was changed is copied to the
// other, so that no later hook judges a value that will not be used.
func (e *Event) SetInput(input Object) {
	if e.Call == nil {
		return
	}
	call := *e.Call
	call.given = input
	call.Input, call.lost = e.Call.settle(input)
	e.Call = &call
	fields := e.Fields.Clone()
	fields.Set("tool_input", call.Input.Raw())
	e.Fields = fields
}

// SetCan sets what the answer can carry, here and in context.can.
func (e *Event) SetCan(c Can) {
	e.Can = c
	e.Context = e.Context.Clone()
	e.Context.Set("can", c.Raw())
}

// Take adds the member of p as a field, if it is there and not null.
func (e *Event) Take(p Object, name string) { e.TakeAs(name, p, name) }

// TakeAs adds the member native of p as the field name, if it is there and not
// null.
func (e *Event) TakeAs(name string, p Object, native string) {
	if v := p.Get(native); v != nil && string(v) != "null" {
		e.Fields = append(e.Fields, Member{name, v})
	}
}

// Put adds a field with a text, if there is one.
func (e *Event) Put(name, text string) {
	if text != "" {
		e.Fields = append(e.Fields, Member{name, Quote(text)})
	}
}

// PutFinal adds the agent's last message to a stop event: final_message, as the
// format has it.
func (e *Event) PutFinal(text string) {
	if text != "" {
		m := Object{{"role", Raw(`"assistant"`)}, {"content", Quote(text)}}
		e.Fields = append(e.Fields, Member{"final_message", m.Raw()})
	}
}

// PutCall adds the fields that say which tool is called, and how. An id that
// the agent did not give is made up by the caller.
func (e *Event) PutCall(c *Call, id string) {
	e.Call = c
	e.Fields = append(e.Fields,
		Member{"tool_name", Quote(c.Name)},
		Member{"tool_input", c.Input.verbatim()},
		Member{"tool_use_id", Quote(id)})
}

// Clone returns a copy that can be changed without changing e.
func (e *Event) Clone() *Event {
	c := *e
	c.Fields = e.Fields.Clone()
	c.Context = e.Context.Clone()
	return &c
}

// JSON is what a hook reads on stdin: one line in the wire spelling of
// [Object.Append], base fields first, a final newline.
func (e *Event) JSON() []byte {
	size := 512
	for _, m := range e.Context {
		size += len(m.Name) + len(m.Value) + 8
	}
	for _, m := range e.Fields {
		size += len(m.Name) + len(m.Value) + 8
	}
	b := append(make([]byte, 0, size+size/8), `{"event_type": `...)
	b = AppendString(b, string(e.Type))
	b = AppendString(append(b, `, "timestamp": `...), e.Timestamp)
	b = AppendString(append(b, `, "session_id": `...), e.SessionID)
	b = AppendString(append(b, `, "work_dir": `...), e.WorkDir)
	b = e.Context.Append(append(b, `, "context": `...))
	for _, m := range e.Fields {
		b = AppendString(append(b, ", "...), m.Name)
		b = AppendValue(append(b, ": "...), m.Value)
	}
	return append(b, "}\n"...)
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

	CanAll = CanBlock | CanAsk | CanModify | CanContext | CanContinue | CanMessage
)

var canNames = [...]string{"block", "ask", "modify", "context", "continue", "message"}

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

// TextList is a JSON array of strings in the wire spelling.
func TextList(words []string) Raw {
	b := []byte{'['}
	for i, w := range words {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = AppendString(b, w)
	}
	return append(b, ']')
}
