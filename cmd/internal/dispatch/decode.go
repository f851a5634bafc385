package dispatch

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/protocol/spec"
	"github.com/agents-hooks/agents-hooks/runner"
)

// A speaker is the caller: it is answered in its own form, and named in the log.
type speaker struct {
	dialect *protocol.Dialect
	event   string // its own name of the event, which may need its own form of no opinion
	agent   string // in the log
	native  string // in the log; "" until the payload is decoded
}

// nobody is the caller if no agent is known: its answer is empty.
var nobody = protocol.Dialect{NoOpinion: protocol.Silence}

// speaker is the caller according to the arguments.
func (o *options) speaker() speaker {
	s := speaker{dialect: &nobody, event: o.event, agent: o.agent}
	if o.agent == "" {
		s.dialect = spec.Dialect
	} else if d, ok := agents.Lookup(o.agent); ok && d != spec.Dialect {
		s.dialect = d
	}
	return s
}

// at is the speaker with its own name of the event.
func (s speaker) at(native string) speaker {
	s.event, s.native = native, native
	return s
}

// specForm reports whether the answer is in the format's own form.
func (s speaker) specForm() bool { return s.dialect == spec.Dialect }

// noOpinion is the answer without an opinion.
func (s speaker) noOpinion() protocol.Reply { return s.dialect.NoOpinion(s.event) }

// identify determines the sender of a payload: the agent of --agent, or one that reads that
// agent's files; else by the payload's own form. If that is unclear, no hook is asked.
func (c call) identify(said speaker, payload protocol.Object) (_ speaker, notes []runner.Warning, ok bool) {
	if c.opt.json {
		return spoken(spec.Dialect), nil, true
	}
	if d, ok := agents.Lookup(c.opt.agent); ok {
		return spoken(agents.Caller(d, payload)), nil, true
	}
	d := agents.Detect(payload)
	switch {
	case c.opt.agent != "":
		notes = append(notes, misnamed(c.opt.agent, d))
	case d == nil && payload.Has("hook_event_name"):
		notes = append(notes, note("agent", "cannot tell which agent this event is from, and no hook was asked; name it with --agent: agents-hooks agents lists them"))
	case d == nil:
		d = spec.Dialect // neither form: the caller meant the format's own and forgot the event
	}
	if d == nil {
		return said, notes, false
	}
	return spoken(d), notes, true
}

// misnamed is the warning of a name that no agent has, with the agent that the payload tells instead.
func misnamed(word string, told *protocol.Dialect) runner.Warning {
	text, _ := agents.Meant(word)
	if told == nil {
		return note("agent", "no such agent: %q, and the event does not tell which it is: no hook was asked; %s", word, text)
	}
	return note("agent", "no such agent: %q; the event tells that it is %s; %s", word, told.ID, text)
}

func spoken(d *protocol.Dialect) speaker { return speaker{dialect: d, agent: d.ID} }

// decoded is a decoded payload.
type decoded struct {
	from    speaker
	payload protocol.Object
	events  []*protocol.Event // the first one decides; none if the format has no event for it
}

func (c call) decode(from speaker, payload protocol.Object, unread string) (decoded, error) {
	events, err := from.dialect.Decode(protocol.Input{
		Payload: payload, Unread: unread, Event: c.opt.event, WorkDir: c.host.WorkDir, Env: c.told(from.dialect), Now: c.start, Entry: c.entry(from),
	})
	if err != nil || len(events) == 0 {
		return decoded{from: from, payload: payload}, err
	}
	for _, ev := range events {
		// If an agent omits the directory, or spells it in its own way, the project's guards
		// must still run.
		ev.WorkDir = cmp.Or(ev.WorkDir, c.host.WorkDir)
		if c.host.GOOS == "windows" {
			ev.WorkDir = windowsDir(ev.WorkDir, c.host.WorkDir)
		}
	}
	return decoded{from.at(events[0].NativeEvent), payload, events}, nil
}

// windowsDir is a directory in the form of Windows: without the prefix of a literal path
// (\\?\C:\p), and with a drive if a Unix shell spelled it (/c/p, /mnt/c/p) or if it is on the
// process's drive (\src).
func windowsDir(dir, current string) string {
	path := strings.ReplaceAll(dir, "/", `\`)
	if share, marked := strings.CutPrefix(path, `\\?\UNC\`); marked {
		return `\\` + share
	}
	for _, mark := range []string{`\\?\`, `\\.\`, `\mnt\`, `\cygdrive\`, `\`} {
		rest, marked := strings.CutPrefix(path, mark)
		drive, below, _ := strings.Cut(rest, `\`)
		letter := strings.ToUpper(strings.TrimSuffix(drive, ":"))
		if marked && len(letter) == 1 && letter[0] >= 'A' && letter[0] <= 'Z' && (len(drive) == 2 || !strings.HasPrefix(mark, `\\`)) {
			return letter + `:\` + below
		}
	}
	if strings.HasPrefix(path, `\`) && !strings.HasPrefix(path, `\\`) && len(current) > 1 && current[1] == ':' {
		return current[:2] + path
	}
	return dir
}

// doubts are probable mistakes in an event: the format's own form is written by hand, and
// nobody would notice that a guard was not asked.
func (in decoded) doubts() (notes []runner.Warning) {
	if !in.from.specForm() {
		return nil
	}
	if in.events[0].Type.IsTool() && in.payload.Text("tool_name") == "" {
		notes = append(notes, note("event", `the event has no "tool_name": what it is, only its tool_input tells`))
	}
	if dir := in.payload.Text("work_dir"); dir != "" && !filepath.IsAbs(dir) {
		notes = append(notes, note("event", "work_dir: want an absolute path, have %q", dir))
	}
	for _, word := range protocol.ElementsOf(in.payload.Sub("context").Get("can")) {
		if w := protocol.TextOf(word); protocol.CanOf(w) == 0 {
			notes = append(notes, note("event", "context.can: %q is left out: want some of %s", w, strings.Join(protocol.CanAll.Words(), ", ")))
		}
	}
	return notes
}

// told is the environment as an agent's dialect sees it: what applies to all agents, and the
// variables of this one.
func (c call) told(d *protocol.Dialect) func(string) string {
	return func(name string) string {
		if slices.Contains(d.Tells, name) {
			return c.host.GivenEnv(name)
		}
		return c.host.Getenv(name)
	}
}

// entry is the agent that the entry names, if another agent runs it.
func (c call) entry(from speaker) string {
	if d, ok := agents.Lookup(c.opt.agent); ok && d != from.dialect {
		return d.ID
	}
	return ""
}

// session is the session's state, nil if there is none: spec form need not name a session, and
// a dispatcher inside another one must not count twice.
func (c call) session(in decoded) *runner.Session {
	ev := in.events[0]
	if in.from.specForm() && (c.nested > 0 || ev.SessionID == "") {
		return nil
	}
	return runner.OpenSession(c.host.State, ev.Agent, ev.SessionID)
}

// echo records a prompt in the session, and reports whether it is not the user's but the
// continuation that we asked for.
func (in decoded) echo(ses *runner.Session) bool {
	ev := in.events[0]
	source := ev.Fields.Text("source")
	if source == "" && in.from.specForm() {
		source = "user" // a prompt is the user's unless it says otherwise
	}
	if ev.Type != protocol.PreAgentTurn || source != "user" {
		return false
	}
	return ses.PromptArrived(ev.Fields.Text("prompt")) && in.from.dialect.EchoesFollowup
}

// An oddity is a part of a payload that its agent's dialect does not know, if any.
type oddity struct {
	protocol.Strange
	is      bool
	payload protocol.Object
	version string
}

// strange reports what was strange. The format's own form is written by hand, and has doubts
// for that.
func (in decoded) strange() (o oddity) {
	if in.from.specForm() || in.from.dialect.Decode == nil {
		return o
	}
	if o.Strange, o.is = in.from.dialect.Strange(in.payload, in.events); o.is {
		o.payload = in.payload
		if len(in.events) > 0 {
			o.version = in.events[0].Context.Text("agent_version")
		}
	}
	return o
}
