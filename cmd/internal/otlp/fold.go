package otlp

import (
	"cmp"
	"crypto/sha256"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/runlog"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// Limits of what is open at a time. Above them, the oldest is closed first.
const (
	mostSessions = 256
	mostTools    = 64
	idleFor      = 6 * time.Hour // then a session counts as over
)

// A Fold is what is open at some position of the log: sessions, their turns and
// calls.
type Fold struct {
	Sessions map[string]*Session `json:"sessions"`
	Contents bool                `json:"-"` // include reasons, warnings and inputs
}

// A Session is one that has not ended yet.
type Session struct {
	Trace   ID16      `json:"trace"`
	Span    ID8       `json:"span"`
	ID      string    `json:"id"`
	Agent   string    `json:"agent"`
	Project string    `json:"project"`
	Start   time.Time `json:"start"`
	End     time.Time `json:"end"` // of the last event
	Events  int       `json:"events"`
	Blocked int       `json:"blocked"`
	Turns   int       `json:"turns"`
	Turn    *Turn     `json:"turn,omitempty"` // the last one
	Tools   []Tool    `json:"tools,omitempty"`
}

// A Turn is what followed a prompt.
type Turn struct {
	Span   ID8       `json:"span"`
	Start  time.Time `json:"start"`
	End    time.Time `json:"end"`
	Closed bool      `json:"closed"`
}

// A Tool is a call that has begun.
type Tool struct {
	Span   ID8       `json:"span"`
	CallID string    `json:"call"`
	Name   string    `json:"name"`
	Ours   string    `json:"tool"` // the portable name
	Start  time.Time `json:"start"`
	End    time.Time `json:"end"` // of the event that began it
	Input  string    `json:"input,omitempty"`
}

// Add adds a line, and returns the spans that ended with it.
func (f *Fold) Add(l *runner.LogLine) (spans []Span) {
	if l.Session == "" {
		return f.hooks(l, nil, ID8{})
	}
	key := l.Agent + " " + l.Session
	s := f.Sessions[key]
	if s != nil && l.Time.Sub(s.End) > idleFor {
		spans, s = f.end(key), nil
	}
	if s == nil {
		spans = append(spans, f.makeRoom()...)
		s = begin(l)
		f.Sessions[key] = s
	}
	end := l.Time.Add(l.Duration)
	if end.After(s.End) {
		s.End = end
	}
	s.Project = cmp.Or(l.Project, s.Project)
	var parent ID8
	if l.Ref == "" {
		s.Events++
		s.Blocked += one(l.Decision == protocol.Block.String())
		var more []Span
		parent, more = f.event(s, l, end)
		spans = append(spans, more...)
	} else {
		parent = s.current()
	}
	spans = append(spans, f.hooks(l, s, parent)...)
	if l.Event == string(protocol.PostSession) && l.Ref == "" {
		spans = append(spans, f.end(key)...)
	}
	return spans
}

// event applies an event to the turns and calls of its session. parent is what its
// hooks belong to.
func (f *Fold) event(s *Session, l *runner.LogLine, end time.Time) (parent ID8, spans []Span) {
	if s.Turn != nil && !s.Turn.Closed && end.After(s.Turn.End) {
		s.Turn.End = end
	}
	switch protocol.EventType(l.Event) {
	case protocol.PreAgentTurn:
		spans = s.closeTurn()
		s.Turns++
		s.Turn = &Turn{Span: spanID(s.Trace, "turn", l.ID), Start: l.Time, End: end}
		return s.Turn.Span, spans
	case protocol.PreToolCall:
		t := Tool{Span: spanID(s.Trace, "tool", l.ID), CallID: l.CallID, Name: cmp.Or(l.NativeTool, l.Tool), Ours: l.Tool, Start: l.Time, End: end}
		if f.Contents {
			t.Input = inputOf(l)
		}
		if l.Decision == protocol.Block.String() {
			return t.Span, []Span{s.tool(t, end, l.Decision, "blocked")}
		}
		if len(s.Tools) >= mostTools {
			spans = append(spans, s.unfinished(s.Tools[0]))
			s.Tools = s.Tools[1:]
		}
		s.Tools = append(s.Tools, t)
		return t.Span, spans
	case protocol.PostToolCall, protocol.PostToolCallFailure:
		i := s.find(l)
		if i < 0 {
			return s.current(), nil
		}
		t, failed := s.Tools[i], ""
		s.Tools = slices.Delete(s.Tools, i, i+1)
		if protocol.EventType(l.Event) == protocol.PostToolCallFailure {
			failed = "tool_error"
		}
		return t.Span, []Span{s.tool(t, l.Time, l.Decision, failed)}
	case protocol.PermissionRequest:
		if i := s.find(l); i >= 0 {
			return s.Tools[i].Span, nil
		}
	case protocol.PostAgentTurn, protocol.PostAgentTurnStop:
		parent = s.current()
		return parent, s.closeTurn()
	case protocol.PreAgentTurnStop:
		parent = s.current()
		if l.Decision == protocol.Block.String() { // it continues
			return parent, nil
		}
		return parent, s.closeTurn()
	}
	return s.current(), nil
}

// begin starts a session with its first line.
func begin(l *runner.LogLine) *Session {
	s := &Session{ID: l.Session, Agent: l.Agent, Start: l.Time}
	sum := sha256.Sum256([]byte("agents-hooks trace\n" + l.Agent + "\n" + l.Session))
	s.Trace = ID16(sum[:16])
	s.Span = spanID(s.Trace, "session", l.ID)
	return s
}

// spanID is always the same for the same thing, however often it is sent.
func spanID(trace ID16, what, id string) ID8 {
	sum := sha256.Sum256([]byte("agents-hooks span\n" + string(trace[:]) + "\n" + what + "\n" + id))
	return ID8(sum[:8])
}

// current is the parent of an event that is not part of a call: the last turn, else
// the session.
func (s *Session) current() ID8 {
	if s.Turn != nil {
		return s.Turn.Span
	}
	return s.Span
}

// find returns the open call of a line: by its id, else the oldest of that tool.
func (s *Session) find(l *runner.LogLine) int {
	if l.CallID != "" {
		if i := slices.IndexFunc(s.Tools, func(t Tool) bool { return t.CallID == l.CallID }); i >= 0 {
			return i
		}
	}
	return slices.IndexFunc(s.Tools, func(t Tool) bool {
		return (t.CallID == "" || l.CallID == "") && l.Tool != "" && t.Ours == l.Tool
	})
}

func (s *Session) attributes(operation string, more ...Attribute) []Attribute {
	list := []Attribute{{"gen_ai.operation.name", operation}, {"gen_ai.conversation.id", s.ID}, {"gen_ai.agent.name", s.Agent}}
	return append(list, more...)
}

func (s *Session) tool(t Tool, end time.Time, decision, failed string) Span {
	a := s.attributes("execute_tool", Attribute{"gen_ai.tool.name", t.Name}, Attribute{"gen_ai.tool.call.id", t.CallID}, Attribute{"gen_ai.tool.call.arguments", t.Input},
		Attribute{"agents_hooks.tool", t.Ours}, Attribute{"agents_hooks.decision", decision}, Attribute{"error.type", failed})
	return Span{Trace: s.Trace, ID: t.Span, Parent: s.current(), Name: strings.TrimSpace("execute_tool " + t.Name), Start: t.Start, End: later(t.Start, end), Attributes: a, Failed: failed}
}

// unfinished is a call whose end nobody reported.
func (s *Session) unfinished(t Tool) Span {
	span := s.tool(t, t.End, "", "")
	span.Attributes = append(span.Attributes, Attribute{"agents_hooks.unfinished", true})
	return span
}

// closeTurn ends the turn, and the calls in it.
func (s *Session) closeTurn() (spans []Span) {
	for _, t := range s.Tools {
		spans = append(spans, s.unfinished(t))
	}
	s.Tools = nil
	if t := s.Turn; t != nil && !t.Closed {
		t.Closed = true
		spans = append(spans, Span{
			Trace: s.Trace, ID: t.Span, Parent: s.Span, Name: strings.TrimSpace("invoke_agent " + s.Agent),
			Start: t.Start, End: later(t.Start, t.End), Attributes: s.attributes("invoke_agent"),
		})
	}
	return spans
}

// end closes a session and forgets it.
func (f *Fold) end(key string) (spans []Span) {
	s := f.Sessions[key]
	delete(f.Sessions, key)
	project := s.Project
	if !f.Contents && project != "" {
		project = path.Base(filepath.ToSlash(project)) // a path would name the user
	}
	a := []Attribute{{"gen_ai.conversation.id", s.ID}, {"gen_ai.agent.name", s.Agent}, {"agents_hooks.project", project},
		{"agents_hooks.events", s.Events}, {"agents_hooks.blocked", s.Blocked}, {"agents_hooks.turns", s.Turns}}
	return append(s.closeTurn(), Span{
		Trace: s.Trace, ID: s.Span, Name: strings.TrimSpace("session " + s.Agent), Start: s.Start, End: later(s.Start, s.End), Attributes: a,
	})
}

// makeRoom closes the session that was idle longest, if there are too many.
func (f *Fold) makeRoom() []Span {
	if len(f.Sessions) < mostSessions {
		return nil
	}
	oldest := ""
	for key, s := range f.Sessions {
		if o := f.Sessions[oldest]; o == nil || s.End.Before(o.End) || s.End.Equal(o.End) && key < oldest {
			oldest = key
		}
	}
	return f.end(oldest)
}

// EndIdle closes the sessions that had no event for hours.
func (f *Fold) EndIdle(now time.Time) (spans []Span) {
	var idle []string
	for key, s := range f.Sessions {
		if now.Sub(s.End) > idleFor {
			idle = append(idle, key)
		}
	}
	slices.Sort(idle)
	for _, key := range idle {
		spans = append(spans, f.end(key)...)
	}
	return spans
}

// hooks are the spans of a line's hooks. They ran one after another.
func (f *Fold) hooks(l *runner.LogLine, s *Session, parent ID8) (spans []Span) {
	if s == nil {
		s = begin(l)
		s.Trace = ID16(append(s.Trace[:8], spanIDs(l.ID)...)) // one for each event without a session
	}
	at := l.Time
	for i, h := range l.Hooks {
		verdict := cmp.Or(h.Decision, string(h.Result))
		a := s.attributes("execute_hook", Attribute{"agents_hooks.hook.name", h.Name}, Attribute{"agents_hooks.hook.layer", string(h.Layer)},
			Attribute{"agents_hooks.hook.verdict", verdict}, Attribute{"agents_hooks.hook.exit_code", h.Exit}, Attribute{"agents_hooks.hook.async", h.Async},
			Attribute{"agents_hooks.event", l.Event}, Attribute{"agents_hooks.native_event", l.NativeEvent}, Attribute{"agents_hooks.tool", l.Tool})
		failed := ""
		if runlog.Broken(h.Result) {
			failed = string(h.Result)
			a = append(a, Attribute{"error.type", failed})
		}
		if f.Contents {
			a = append(a, Attribute{"agents_hooks.hook.reason", h.Reason}, Attribute{"agents_hooks.hook.warning", h.Warning}, Attribute{"agents_hooks.hook.stderr", h.Stderr})
		}
		spans = append(spans, Span{
			Trace: s.Trace, ID: spanID(s.Trace, "hook "+h.Name, l.ID+string(rune('a'+i%26))), Parent: parent,
			Name: "execute_hook " + h.Name, Start: at, End: at.Add(h.Duration), Attributes: a, Failed: failed,
		})
		at = at.Add(h.Duration)
	}
	return spans
}

func spanIDs(id string) []byte {
	b := spanID(ID16{}, "event", id)
	return b[:]
}

// inputOf is a tool's input, if the log has it.
func inputOf(l *runner.LogLine) string {
	return string(protocol.ObjectOf(l.Input).Get("tool_input"))
}

func later(a, b time.Time) time.Time {
	if b.Before(a) {
		return a
	}
	return b
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
