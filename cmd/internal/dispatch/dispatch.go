package dispatch

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/notice"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/runner"
)

// maxDepth is how deeply dispatchers may be nested.
const maxDepth = 3

// Verb runs the commands that need no command line framework: run, and the hidden one of the
// async supervisor. ok is false for every other word.
func Verb(h host.Host, args []string, stdin io.Reader, stdout, stderr io.Writer) (exit int, ok bool) {
	switch args[0] {
	case "run":
		crashBySignal()
		adopt()
		return Run(h, args[1:], stdin, stdout, stderr), true
	case runner.WorkVerb:
		crashBySignal()
		adopt()
		return runner.Work(h.State, append([]string{h.Self}, args[1:]...), h.WorkDir, h.Given), true
	case runner.SuperviseVerb:
		crashBySignal()
		adopt()
		return supervise(h, args[1:], stdin), true
	}
	return 0, false
}

// A call is what the process was started with. Nothing in it changes once the caller is known.
type call struct {
	host   host.Host // as this caller may use it, see options.place
	opt    options
	start  time.Time
	nested int             // how many live dispatchers are around it
	tie    protocol.Object // the beginning of an answer in a stream
	memo   *discovery.Memo // a stream's
}

// newCall is a call according to the arguments: they may show that it is in agent form, or else
// the payload will.
func newCall(h host.Host, o options) *call {
	c := &call{opt: o, start: h.Now()}
	c.settle(h, o.speaker().specForm())
	return c
}

// settle sets the host for spec form or agent form.
func (c *call) settle(h host.Host, specForm bool) {
	c.host = c.opt.place(h, specForm)
	c.nested = runner.Nested(c.host.State, c.host.Getenv("AGENTS_HOOKS_TICKET"))
	if depth, _ := strconv.Atoi(h.Getenv("AGENTS_HOOKS_DEPTH")); specForm {
		c.nested = max(c.nested, depth)
	}
}

// Run is the run command.
func Run(h host.Host, args []string, stdin io.Reader, stdout, stderr io.Writer) (exit int) {
	o := parseArgs(args)
	if o.stream {
		return stream(h, o, stdin, stdout)
	}
	ctx, end := context.WithCancel(context.Background())
	defer end()
	bound(ctx, h)
	c := newCall(h, o)
	return c.reply(c.answer(ctx, func() given { return read(stdin) }), stdout, stderr)
}

// reply writes the answer, and then does what can wait until it is out.
func (c *call) reply(a answer, stdout, stderr io.Writer) (exit int) {
	switch {
	case c.opt.json:
		a.reply = a.inJSON(c.tie)
	case c.opt.stream:
		a.reply = a.inLine(c.tie)
	}
	defer func() {
		// The answer is out, or as much of it as could be written: a bug of ours must not add
		// to it, nor block an agent with the exit code 2 of a Go panic.
		if p := recover(); p != nil {
			c.log(a.from, runner.LogLine{}, []runner.Warning{bug(p)})
			exit = 0
		}
	}()
	exit, troubles := leave(a.reply, stdout, stderr)
	for _, r := range a.ran {
		c.startAsync(a.from, r)
	}
	c.record(a, troubles)
	c.noteStrange(a)
	if a.over.transcript != "" {
		c.noteRefused(a)
	}
	if a.decided != nil {
		a.decided.set.KeepIndex()
	}
	if a.decided != nil && a.decided.set.Settings.Export != nil {
		c.export(a.decided)
	}
	return exit
}

// An answer is the result of one native event.
type answer struct {
	reply   protocol.Reply
	outcome protocol.Outcome // the outcome in the reply, in spec form
	by      string           // the hook that blocked, "" if none did
	notices []runner.Warning // the notices in the reply, in spec form
	refused *refusal         // why no hook was asked, nil if that is normal
	from    speaker          // the caller
	payload protocol.Object  // what it sent
	ran     []ran            // for each event that hooks were asked about: what starts after the reply
	decided *fitted          // the event that decided; nil if no hook was asked
	strange oddity           // the part of the payload that the dialect does not know
	over    closing          // what ends with this event
}

// answer turns what was read into an answer, step by step. A bug of ours becomes no opinion, in
// the caller's form as far as that is known.
func (c *call) answer(parent context.Context, read func() given) (a answer) {
	from, ok := c.opt.speaker(), false
	var notes []runner.Warning
	defer func() {
		if p := recover(); p != nil {
			c.log(from, runner.LogLine{}, append(notes, bug(p)))
			a = answer{reply: from.noOpinion(), from: from, refused: &refusal{kind: "bug", at: -1, text: fmt.Sprintf("internal error: %v", p)}}
		}
	}()
	got := read()
	payload := got.object
	if got.err != nil {
		return c.unreadable(parent, from, nil, got.begin, got.err)
	}
	if payload.Has(ProbeMember) {
		if d, ok := agents.Lookup(c.opt.agent); ok {
			return c.probe(d, payload)
		}
	}
	if from, notes, ok = c.identify(from, payload); !ok {
		return c.unknown(from, notes)
	}
	if c.opt.agent == "" && !from.specForm() {
		c.settle(c.host, false)
	}
	if c.tooDeep() {
		notes = append(notes, note("depth", "%d dispatchers stand inside one another, at most %d may: only locked hooks run; is a hook running an agent that runs this hook?", c.nested, maxDepth))
	}
	in, err := c.decode(from, payload, got.unread)
	if err != nil {
		return c.unreadable(parent, from, notes, got.begin, err)
	}
	if len(in.events) == 0 {
		if c.unnamed(from, payload) {
			return c.unreadable(parent, from, notes, got.begin, errNoName)
		}
		a = c.noEvent(from, notes, payload)
		a.strange = in.strange()
		return a
	}
	from = in.from
	ctx, cancel := c.deadline(parent, from)
	defer cancel()
	a = c.events(ctx, in, append(notes, in.doubts()...))
	a.strange = in.strange()
	if in.events[0].Type.Closes() {
		a.over = c.closes(in)
	}
	return a
}

// tooDeep reports whether dispatchers are nested too deeply.
func (c call) tooDeep() bool { return c.nested > maxDepth }

// events runs the events of one native event. Only the first one decides; the others are told
// what happened, unless the agent is made to go on, in which case it did not happen. One
// deadline applies to all.
func (c call) events(ctx context.Context, in decoded, notes []runner.Warning) answer {
	ses := c.session(in)
	if in.echo(ses) {
		return answer{reply: in.from.noOpinion(), from: in.from}
	}
	a, goesOn := c.first(ctx, in, ses, notes)
	for _, ev := range in.events[1:] {
		if goesOn {
			break
		}
		a.ran = append(a.ran, c.observe(ctx, in.from, ses, ev))
	}
	return a
}

// first runs the event that decides.
func (c call) first(ctx context.Context, in decoded, ses *runner.Session, notes []runner.Warning) (a answer, goesOn bool) {
	a.from, a.payload = in.from, in.payload
	l := c.load(ctx, in.from, in.events[0], discovery.ToolNames(in.events[0]))
	notes = append(notes, c.keepEnvFile(l)...)
	l.lend(in.from, ses)
	if l.deduplicates(in.from) {
		kept, release, hit := ses.Dedup(ctx, l.event.NativeEvent, l.event.Call.ID, l.said())
		if hit {
			a.reply = unpack(kept)
			return a, false
		}
		defer func() { release(pack(a.reply)) }()
	}
	f := fit(in.from, c.begins(ctx, in.from, c.run(ctx, in.from, ses, l)))
	notes = append(append(append(notes, l.notes...), c.opt.warnings()...), c.unread(l.set)...)
	if box := c.mailbox(in.from); l.set.Found > 0 && !in.from.specForm() && in.from.dialect.Reaches(l.event, f.outcome) && box.Kept() {
		for _, text := range box.Collect() {
			notes = append(notes, note("unreadable", "%s", text))
		}
	}
	notices := append(f.notices(in.from, notes), ses.Warnings()...)
	unkept := c.logRun(f, notices)
	if len(unkept) > 0 && f.permits() {
		// A permission that cannot be looked up is none.
		f.outcome.Decision, f.outcome.Reason = protocol.NoOpinion, ""
	}
	notices = slices.DeleteFunc(append(notices, unkept...), notice.IsRefused)
	if in.from.specForm() {
		notices = notice.Fresh(ses, notices)
		a.outcome, a.by, a.notices = f.outcome, f.blockedBy(), notices
	}
	a.reply = encode(in.from, ses, f, notices)
	a.ran, a.decided = []ran{f.ran}, &f
	if a.reply.Continue != "" {
		ses.Continued(a.reply.Continue)
	}
	return a, a.reply.Continue != "" && l.event.Type == protocol.PreAgentTurnStop
}

// observe runs an event that decides nothing.
func (c call) observe(ctx context.Context, from speaker, ses *runner.Session, ev *protocol.Event) ran {
	f := fit(from, c.run(ctx, from, ses, c.load(ctx, from, ev, discovery.ToolNames(ev))))
	c.logRun(f, f.notices(from, nil))
	ses.Leave(f.outcome.Later)
	return f.ran
}

// mailbox has messages for an agent's user until the next event, in whichever session: if an
// event cannot be read, its session is unknown.
func (c call) mailbox(from speaker) *runner.Session {
	return runner.OpenSession(c.host.State, from.dialect.ID, "unreadable")
}

// noEvent answers a payload that is not an event of the format.
func (c call) noEvent(from speaker, notes []runner.Warning, payload protocol.Object) answer {
	if from.specForm() {
		unknown := note("event", "event_type %q is not one of the format's events", payload.Text("event_type"))
		failed := c.log(from, runner.LogLine{}, append(notes, unknown))
		reply := protocol.Reply{Stderr: warningLines(append(append(notes, unknown), failed...))}
		hints := agents.EventHints(payload.Text("event_type"))
		reply.Stderr = append(reply.Stderr, "hint: "+strings.Join(hints, "\nhint: ")+"\n"...)
		return answer{reply: reply, from: from, notices: append(notes, failed...), refused: &refusal{kind: "event", at: -1, text: unknown.Text, hint: strings.Join(hints, "; ")}}
	}
	from = from.at(protocol.Input{Payload: payload, Event: c.opt.event}.NativeName())
	return answer{reply: from.noOpinion(), from: from}
}

// bug is the log entry for a panic.
func bug(p any) runner.Warning {
	return note("bug", "internal error: %v\n%s", p, debug.Stack())
}

func note(kind, format string, args ...any) runner.Warning {
	return runner.Warning{Kind: kind, Text: fmt.Sprintf(format, args...)}
}
