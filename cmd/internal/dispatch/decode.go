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

// A speaker is whoever asks: it is answered in its own form, and stands in the log.
type speaker struct {
	dialect *protocol.Dialect
	event   string // its own name of the event, for which no opinion may have a form of its own
	agent   string // in the log
	native  string // in the log; "" until the payload has told
}

// nobody is the answer if no agent is known: nothing at all.
var nobody = protocol.Dialect{NoOpinion: func(string) protocol.Reply { return protocol.Reply{} }}

// speaker is who asks as far as the arguments say.
func (o *options) speaker() speaker {
	s := speaker{dialect: &nobody, event: o.event, agent: o.agent}
	if o.agent == "" {
		s.dialect = spec.Dialect
	} else if d, ok := agents.Lookup(o.agent); ok && d != spec.Dialect {
		s.dialect = d
	}
	return s
}

// at is the speaker with its name of the event.
func (s speaker) at(native string) speaker {
	s.event, s.native = native, native
	return s
}

// specForm reports whether the answer is in the format's own form.
func (s speaker) specForm() bool { return s.dialect == spec.Dialect }

// noOpinion is the answer that says nothing.
func (s speaker) noOpinion() protocol.Reply { return s.dialect.NoOpinion(s.event) }

// identify tells whom a payload is from: --agent, or an agent that reads the
// files of that one; else by the payload's own form. Where nobody can tell, it is
// whom the arguments said.
func (c call) identify(said speaker, payload protocol.Object) (_ speaker, notes []runner.Warning, ok bool) {
	if c.opt.json {
		return spoken(spec.Dialect), nil, true
	}
	if d, ok := agents.Lookup(c.opt.agent); ok {
		return spoken(agents.Caller(d, payload)), nil, true
	}
	if c.opt.agent != "" {
		notes = append(notes, note("agent", "--agent %q is not known; told by the payload instead", c.opt.agent))
	}
	if d := agents.Detect(payload); d != nil {
		return spoken(d), notes, true
	}
	if c.opt.agent == "" && !payload.Has("hook_event_name") {
		// Neither form: the caller meant the format's own and forgot the event.
		return spoken(spec.Dialect), notes, true
	}
	return said, append(notes, note("agent", "cannot tell which agent this event is from; name it with --agent")), false
}

func spoken(d *protocol.Dialect) speaker { return speaker{dialect: d, agent: d.ID} }

// decoded is what a payload became.
type decoded struct {
	from    speaker
	payload protocol.Object
	events  []*protocol.Event // the first one decides; none if the format has no event for it
}

// decode turns the payload into events.
func (c call) decode(from speaker, payload protocol.Object) (decoded, error) {
	events, err := from.dialect.Decode(protocol.Input{
		Payload: payload, Event: c.opt.event, WorkDir: c.host.WorkDir, Env: c.told(from.dialect), Now: c.start, Entry: c.entry(from),
	})
	if err != nil || len(events) == 0 {
		return decoded{from: from, payload: payload}, err
	}
	for _, ev := range events {
		// A directory that an agent leaves out, or says in a form of its own, must not leave
		// out the project's guards.
		ev.WorkDir = cmp.Or(ev.WorkDir, c.host.WorkDir)
		if c.host.GOOS == "windows" {
			ev.WorkDir = windowsDir(ev.WorkDir, c.host.WorkDir)
		}
	}
	return decoded{from.at(events[0].NativeEvent), payload, events}, nil
}

// windowsDir is a directory as Windows has it: without the mark of a path that is taken
// as it stands (\\?\C:\p), of a drive where it was said by a shell of Unix (/c/p,
// /mnt/c/p) or is that of the process (\src).
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

// doubts are what whoever wrote the event probably did not mean: the format's own form
// is written by hand, and nobody would notice that a guard was not asked.
func (in decoded) doubts() (notes []runner.Warning) {
	if !in.from.specForm() {
		return nil
	}
	if in.events[0].Type.IsTool() && in.payload.Text("tool_name") == "" {
		notes = append(notes, note("event", `the event has no "tool_name": no hook for a tool is asked`))
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

// told is the environment as an agent's dialect reads it: what counts for all, and
// what this agent tells by it.
func (c call) told(d *protocol.Dialect) func(string) string {
	return func(name string) string {
		if slices.Contains(d.Tells, name) {
			return c.host.GivenEnv(name)
		}
		return c.host.Getenv(name)
	}
}

// entry is the agent that the entry names, where another one runs it.
func (c call) entry(from speaker) string {
	if d, ok := agents.Lookup(c.opt.agent); ok && d != from.dialect {
		return d.ID
	}
	return ""
}

// session is the memory of a session, nil where there is none: spec form need not
// name one, and there a dispatcher inside another one must not count twice.
func (c call) session(in decoded) *runner.Session {
	ev := in.events[0]
	if in.from.specForm() && (c.nested > 0 || ev.SessionID == "") {
		return nil
	}
	return runner.OpenSession(c.host.State, ev.Agent, ev.SessionID)
}

// echo tells the session of a person's prompt, and reports whether it is no
// prompt at all but the continuation that we asked for ourselves.
func (in decoded) echo(ses *runner.Session) bool {
	ev := in.events[0]
	source := ev.Fields.Text("source")
	if source == "" && in.from.specForm() {
		source = "user" // a prompt is a person's unless it says otherwise
	}
	if ev.Type != protocol.PreAgentTurn || source != "user" {
		return false
	}
	return ses.PromptArrived(ev.Fields.Text("prompt")) && in.from.dialect.EchoesFollowup
}

// An oddity is what of a payload its agent's dialect does not know, if anything.
type oddity struct {
	protocol.Strange
	is      bool
	payload protocol.Object
	version string
}

// strange reports what was strange. The format's own form is written by hand, and has
// its own words for that (doubts).
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
