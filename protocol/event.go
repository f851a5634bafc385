package protocol

import (
	"bytes"
	"cmp"
	"slices"
)

// An EventType is one of the 13 events of the format, or one of our two.
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

// Further events that agents report (spec/SPEC.md#events-of-ours).
const (
	PermissionRequest EventType = "permission-request"
	Notification      EventType = "notification"
)

// EventNames are the words of the vocabulary.
func EventNames() (names []string) {
	for _, t := range EventTypes() {
		names = append(names, string(t))
	}
	return names
}

// EventTypes lists the vocabulary in the order of a session, followed by our events.
func EventTypes() []EventType {
	return []EventType{
		PreSession, PostSession,
		PreAgentTurn, PostAgentTurn, PreAgentTurnStop, PostAgentTurnStop,
		PreToolCall, PostToolCall, PostToolCallFailure,
		PreSubagent, PostSubagent,
		PreContextCompact, PostContextCompact,
		PermissionRequest, Notification,
	}
}

// Ours reports whether the format itself does not have t.
func (t EventType) Ours() bool { return t == PermissionRequest || t == Notification }

// Known reports whether t is in the vocabulary.
func (t EventType) Known() bool { return slices.Contains(EventTypes(), t) }

// IsTool reports whether t is about a tool call: the three tool events and
// permission-request, the only ones that matchers apply to.
func (t EventType) IsTool() bool {
	return t == PreToolCall || t == PermissionRequest || t.HasResult()
}

// HasResult reports whether t has the result of a tool call.
func (t EventType) HasResult() bool { return t == PostToolCall || t == PostToolCallFailure }

// Closes reports whether t ends a turn or a session.
func (t EventType) Closes() bool {
	return t == PreAgentTurnStop || t == PostAgentTurn || t == PostSession
}

// Permits reports whether an answer to t may give the permission that the agent would
// ask the user for.
func (t EventType) Permits() bool { return t == PreToolCall || t == PermissionRequest }

// Prevents reports whether a block on t prevents an operation (or, on
// pre-agent-turn-stop, makes the agent go on). On the other events exit 2 is only
// feedback, and no failure policy applies.
func (t EventType) Prevents() bool {
	switch t {
	case PreSession, PreAgentTurn, PreAgentTurnStop, PreToolCall, PermissionRequest, PreSubagent, PreContextCompact:
		return true
	}
	return false
}

// BlocksInstead says what happens to a block on t if the event cannot carry it.
func (t EventType) BlocksInstead() string {
	switch t {
	case PreSession:
		return "its first prompt, else its first tool call, is blocked instead"
	case PreAgentTurn:
		return "its first tool call is blocked instead"
	case PreSubagent:
		return "what counts is what its hooks say at the tool call that starts it"
	case PreContextCompact:
		return "dropped, and nothing that comes later could carry it"
	}
	return "dropped"
}

// An Event is one thing that happened in an agent, as hooks see it.
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
	NativeEvent string // the agent's own name for the event, "" in spec form
	Can         Can    // what the answer to this event can carry
	Halts       bool   // the answer can end the turn

	// Unread is what hooks do not get of it ([TooDeep], [Twice]), "" if nothing: a guard
	// must not be passed by that, nor a hook's changed input lose it.
	Unread string

	// EnvFile is the file from which the agent reads session variables, "" if it has
	// none.
	EnvFile string

	// Entry is the id of the agent whose entry was run, if that is another one
	// (Dialect.AlsoReads): the answer must be valid for such an entry.
	Entry string

	Call *Call // the tool call, on tool events

	// Deed is what the call does, computed on demand: see package protocol/deed.
	Deed *Deed

	// Outcome is how the agent reports the end of a call.
	Outcome Ending
}

// A Call is the tool call of a tool event, in both vocabularies.
type Call struct {
	// ID is the agent's own id of the call, "" if it gives none: then the event's
	// tool_use_id is derived, and cannot distinguish two calls.
	ID string

	Name        string   // portable name, "Shell"; the agent's own if there is none
	NativeName  string   // the agent's own name, "Bash"
	Also        []string // further names that a matcher tries
	Input       Object   // portable and native keys side by side; what hooks get
	NativeInput Object   // what the agent sent
	Keys        []Key    // which portable key of Input corresponds to which native one
	Does        Does     // what it does; 0 if unknown

	derived Object   // members of Input that were computed for the hook
	opaque  bool     // the agent's input is not an object; Input holds it as "input"
	unsaid  bool     // the agent sent no input at all
	given   Object   // what the last hook gave as modified_input, before settle
	lost    []string // what settle had to drop
	unread  string   // what hooks do not get of a text with its input
}

// Names lists the names that a matcher's tool expression is matched against, each once:
// the portable name, the agent's own, and the further ones.
func (c *Call) Names() []string {
	names := []string{c.Name}
	for _, n := range append([]string{c.NativeName}, c.Also...) {
		if n != "" && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}

// Modifiable reports whether the call can be made with another input.
func (e *Event) Modifiable() bool { return e.Can.Has(CanModify) && e.Unread == "" }

// SetCan sets what the answer can carry, here and in context.can.
func (e *Event) SetCan(c Can) {
	e.Can = c
	e.Context = e.Context.Clone()
	e.Context.Set("can", c.Raw())
}

// Take adds the member of p as a field, if it is present and not null.
//
//go:noinline
func (e *Event) Take(p Object, name string) { e.TakeAs(name, p, name) }

// TakeAs adds the member native of p as the field name, if it is present and not null.
//
//go:noinline
func (e *Event) TakeAs(name string, p Object, native string) {
	if v := p.Get(native); v != nil && string(v) != "null" {
		e.Fields = append(e.Fields, Member{name, v})
	}
}

// Put adds a text field, unless it is empty.
//
//go:noinline
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

// PutCall adds the fields that describe the tool call. If the agent gave no id, the
// caller makes one up.
func (e *Event) PutCall(c *Call, id string) {
	e.Call, e.Unread = c, cmp.Or(e.Unread, c.unread)
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

// The portable tools: one name and one shape, whatever the agent calls them.
const (
	Shell     = "Shell"     // command
	ReadFile  = "ReadFile"  // file_path
	WriteFile = "WriteFile" // file_path, content
	EditFile  = "EditFile"  // file_path, old_string, new_string
	Search    = "Search"    // pattern, path
	Fetch     = "Fetch"     // url
	WebSearch = "WebSearch" // query
	Task      = "Task"      // prompt, description, subagent_type
)

// PortableTools are the names of all of them.
func PortableTools() []string {
	return []string{Shell, ReadFile, WriteFile, EditFile, Search, Fetch, WebSearch, Task}
}

// Has reports whether d has any of x.
func (d Does) Has(x Does) bool { return d&x != 0 }

// DoesOf is what a tool of a portable name does.
func DoesOf(name string) Does {
	switch name {
	case Shell:
		return Runs
	case WriteFile, EditFile:
		return Changes
	case ReadFile, Search, Fetch, WebSearch, Task:
		return Nothing
	}
	return 0
}

// A Key says that a portable key stands for an agent's own key.
type Key struct{ Portable, Native string }

// A Tool is how one of an agent's tools is seen through the portable ones.
type Tool struct {
	Native string   // the agent's own name, "run_shell_command"
	Name   string   // the portable name, Shell
	Also   []string // further names that a matcher tries
	Keys   []Key    // where the agent's keys differ from the portable ones
	Does   Does     // what a call of it does, where its portable name does not say it
	Source string   // how the row is known: "observed", "source", "documentation"
}

// Tools is the tool table of an agent.
type Tools []Tool

// Find looks a tool up by the agent's own name.
func (t Tools) Find(native string) (Tool, bool) {
	for _, tool := range t {
		if tool.Native == native {
			return tool, true
		}
	}
	return Tool{}, false
}

// NewCall makes a call from what the agent sent: the portable name, and the portable
// keys added beside the native ones, which are never overwritten. A tool that the
// table does not know keeps its own name.
//
// An input that is not an object becomes the member "input" of the hooks' input, so
// that a pattern finds it; it cannot be changed.
func (t Tools) NewCall(native string, input Raw) *Call {
	c := &Call{Name: native, NativeName: native}
	var keys []Key
	if tool, ok := t.Find(native); ok {
		c.Name, c.Also, keys, c.Does = tool.Name, tool.Also, tool.Keys, tool.Does
	}
	if c.Does == 0 {
		c.Does = DoesOf(c.Name)
	}
	switch {
	case len(input) == 0 || string(input) == "null":
		c.NativeInput, c.unsaid = Object{}, true
	case input[0] != '{':
		c.opaque = true
		c.Input = Object{{"input", input}}
		if c.Does == 0 {
			c.learn(c.Input)
		}
		return c
	default:
		c.NativeInput = ObjectOf(input)
	}
	switch {
	case c.Does == 0:
		c.learn(c.NativeInput)
	case c.Does == Runs && HasPatch(input): // a patch may be applied by a command
		c.Also = append(c.Also[:len(c.Also):len(c.Also)], EditFile, WriteFile)
	}
	c.Keys = pairs(keys, c.NativeInput)
	c.Input = make(Object, len(c.NativeInput), len(c.NativeInput)+len(c.Keys)+2)
	copy(c.Input, c.NativeInput)
	for _, k := range c.Keys {
		if v := c.NativeInput.Get(k.Native); v != nil {
			c.Input = append(c.Input, Member{k.Portable, v})
		}
	}
	return c
}

// ParseCall is [Tools.NewCall] for an agent whose model writes the input as a text.
func (t Tools) ParseCall(native string, input Raw) *Call {
	v, unread := ParseText(TextOf(input))
	if v == nil {
		v = input
	}
	c := t.NewCall(native, v)
	c.unread = unread
	return c
}

// HasPatch reports whether a value has the text with which a patch begins.
func HasPatch(raw []byte) bool { return bytes.Contains(raw, []byte("*** Begin Patch")) }

// pairs are the keys of a tool that apply to one input: without those whose portable
// name the agent uses itself, and with one native key for each portable one: the key
// that is present, else the one that the table names first.
func pairs(keys []Key, input Object) []Key {
	var out []Key
next:
	for _, k := range keys {
		if input.Has(k.Portable) {
			continue
		}
		for i := range out {
			if out[i].Portable == k.Portable {
				if !input.Has(out[i].Native) && input.Has(k.Native) {
					out[i] = k
				}
				continue next
			}
		}
		out = append(out, k)
	}
	return out
}

// Derived reports whether a member of Input was computed from others.
func (c *Call) Derived(name string) bool { return c.derived.Has(name) }

// Derive adds a member to the hooks' input that was computed from others, and so
// cannot be mapped back to a key of the agent. An existing member is kept.
func (c *Call) Derive(name string, value Raw) {
	if !c.Input.Has(name) {
		c.Input = append(c.Input, Member{name, value})
		c.derived = append(c.derived, Member{name, value})
	}
}
