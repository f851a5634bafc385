package record

import (
	"strconv"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// An Entry is one event of an agent, and the answer to it.
type Entry struct {
	Time        time.Time
	Agent       string // id of the dialect
	NativeEvent string
	Event       string // the format's event, the one that decided
	Session     string
	Project     string // root of the project
	WorkDir     string // the dispatcher's, for a payload without one
	Flag        string // --event, if the payload does not name its event
	EnvFile     bool   // the agent offered a file for session variables

	Payload  protocol.Raw // the agent's own; nil if it was too large
	Redacted bool         // something was redacted
	Cut      bool         // a text was cut
	Omitted  int          // size of a payload that was too large, in bytes

	Answer Answer
}

// An Answer is what the agent was told, and why.
type Answer struct {
	Decision string // none, allow, ask, block
	Reason   string
	Exit     int
	Stdout   string
	Stderr   string
	Files    []string // texts that were appended to files which the agent reads
	Hooks    []Hook   // in the order in which they ran
}

// A Hook is one that ran.
type Hook struct {
	Name   string `json:"name"`
	Result string `json:"result"` // ok, block, failed …
}

// NewAnswer is the answer in a reply.
func NewAnswer(r protocol.Reply, o protocol.Outcome) Answer {
	a := Answer{Decision: o.Decision.String(), Reason: o.Reason, Exit: r.Exit, Stdout: string(r.Stdout), Stderr: string(r.Stderr)}
	for _, f := range r.Files {
		a.Files = append(a.Files, string(f.Text))
	}
	return a
}

// Same reports whether an agent is told the same. It ignores which hooks ran.
func (a Answer) Same(b Answer) bool {
	if len(a.Files) != len(b.Files) {
		return false
	}
	for i := range a.Files {
		if a.Files[i] != b.Files[i] {
			return false
		}
	}
	return a.Decision == b.Decision && a.Reason == b.Reason && a.Exit == b.Exit && a.Stdout == b.Stdout && a.Stderr == b.Stderr
}

// line is an entry as it is stored: redacted, cut and bounded.
func (e Entry) line(most int) []byte {
	e.clean()
	b := e.Append(nil)
	if len(b) <= most {
		return b
	}
	e.omit()
	if b = e.Append(nil); len(b) > most {
		e.Answer = Answer{Decision: e.Answer.Decision, Exit: e.Answer.Exit}
		b = e.Append(nil)
	}
	return b
}

// clean redacts secrets and cuts long texts.
func (e *Entry) clean() {
	if len(e.Payload) > maxPayload {
		e.omit()
	} else {
		clean, redacted := redact.Log.JSON(e.Payload, e.short)
		e.Payload, e.Redacted = clean, e.Redacted || redacted
	}
	a := e.Answer.Redact()
	e.Redacted = e.Redacted || !a.Same(e.Answer)
	e.Answer = a
}

// short is a text, cut to the length that is stored.
func (e *Entry) short(s string) string {
	if len(s) <= MaxText {
		return s
	}
	e.Cut = true
	return text.HeadBytes(s, MaxText) + "… [" + strconv.Itoa(len(s)-MaxText) + " more bytes]"
}

func (e *Entry) omit() { e.Omitted, e.Payload = len(e.Payload), nil }

// Redact is the answer as it is stored.
func (a Answer) Redact() Answer {
	a.Reason = redact.Log.Text(a.Reason)
	a.Stdout, a.Stderr = redactOutput(a.Stdout), redactOutput(a.Stderr)
	files := a.Files
	a.Files = nil
	for _, f := range files {
		a.Files = append(a.Files, redact.Log.Text(f))
	}
	return a
}

// redactOutput redacts a JSON object member by member, so that it stays valid, and
// any other text as a whole.
func redactOutput(output string) string {
	o, err := protocol.ParseObject([]byte(output))
	if err != nil {
		return redact.Log.Text(output)
	}
	clean, redacted := redact.Log.JSON(o.Raw(), nil)
	if !redacted {
		return output
	}
	return string(clean) + "\n"
}

// Append appends the entry and a newline to dst.
func (e *Entry) Append(dst []byte) []byte {
	o := make(protocol.Object, 0, 16)
	o.Set("v", protocol.Raw("1"))
	o.SetText("time", protocol.Timestamp(e.Time))
	o.SetText("agent", e.Agent)
	o.SetText("native_event", e.NativeEvent)
	o.SetText("event", e.Event)
	o.SetText("session", e.Session)
	o.SetText("project", e.Project)
	o.SetText("work_dir", e.WorkDir)
	o.PutText("flag", e.Flag)
	for _, m := range []struct {
		name string
		set  bool
	}{{"env_file", e.EnvFile}, {"redacted", e.Redacted}, {"cut", e.Cut}} {
		if m.set {
			o.Set(m.name, protocol.Raw("true"))
		}
	}
	if e.Payload == nil {
		o.Set("omitted_bytes", protocol.Raw(strconv.Itoa(e.Omitted)))
	} else {
		o.Set("payload", e.Payload)
	}
	o.Set("answer", e.Answer.raw())
	return append(o.Append(dst), '\n')
}

func (a Answer) raw() protocol.Raw {
	var o protocol.Object
	o.SetText("decision", a.Decision)
	o.SetText("reason", a.Reason)
	o.Set("exit", protocol.Raw(strconv.Itoa(a.Exit)))
	o.SetText("stdout", a.Stdout)
	o.SetText("stderr", a.Stderr)
	if len(a.Files) > 0 {
		o.Set("files", protocol.TextList(a.Files))
	}
	o.Set("hooks", protocol.ListOf(a.Hooks, func(h Hook) protocol.Raw {
		return protocol.Object{{Name: "name", Value: protocol.Quote(h.Name)}, {Name: "result", Value: protocol.Quote(h.Result)}}.Raw()
	}))
	return o.Raw()
}

// Parse reads one object of a recording; ok is false if it is something else, such as
// a payload.
func Parse(o protocol.Object) (e Entry, ok bool) {
	answer := o.Sub("answer")
	if string(o.Get("v")) != "1" || answer == nil || !o.Has("native_event") || !o.Has("payload") && !o.Has("omitted_bytes") {
		return Entry{}, false
	}
	e = Entry{
		Agent: o.Text("agent"), NativeEvent: o.Text("native_event"), Event: o.Text("event"), Session: o.Text("session"),
		Project: o.Text("project"), WorkDir: o.Text("work_dir"), Flag: o.Text("flag"), EnvFile: o.Bool("env_file"),
		Payload: o.Get("payload"), Redacted: o.Bool("redacted"), Cut: o.Bool("cut"), Omitted: number(o.Get("omitted_bytes")),
		Answer: Answer{
			Decision: answer.Text("decision"), Reason: answer.Text("reason"), Exit: number(answer.Get("exit")),
			Stdout: answer.Text("stdout"), Stderr: answer.Text("stderr"),
		},
	}
	e.Time, _ = time.Parse(time.RFC3339Nano, o.Text("time"))
	e.Answer.Files = protocol.TextsOf(answer.Get("files"))
	for _, raw := range protocol.ElementsOf(answer.Get("hooks")) {
		h := protocol.ObjectOf(raw)
		e.Answer.Hooks = append(e.Answer.Hooks, Hook{h.Text("name"), h.Text("result")})
	}
	return e, true
}

func number(raw protocol.Raw) int {
	n, _ := strconv.Atoi(string(raw))
	return n
}
