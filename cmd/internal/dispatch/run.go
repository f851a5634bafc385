package dispatch

import (
	"context"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"time"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/protocol/spec"
	"github.com/agents-hooks/agents-hooks/runner"
)

// maxDepth is how many dispatchers may stand inside one another (RULINGS 1).
const maxDepth = 3

// Share is how much of an agent's own time limit we use (R5): the answer has to
// leave before the agent kills us.
const Share = 0.9

// A call is one event on its way through.
type call struct {
	host   host.Host
	opt    options
	stdout io.Writer
	stderr io.Writer
	start  time.Time

	dialect *protocol.Dialect // nil until it is known
	native  string            // the agent's own name of the event, once it is known
	notes   []runner.Warning  // what is to be logged beside the runner's own warnings
	after   []func()          // what waits until the answer is out

	world   *builtinhooks.World // of the built-in hooks of the event that runs
	payload protocol.Object
	taken   *taken // what is recorded, nil if nothing is
}

// Run is the run verb.
func Run(h host.Host, args []string, stdin io.Reader, stdout, stderr io.Writer) (exit int) {
	c := &call{host: h, opt: parseArgs(args), stdout: stdout, stderr: stderr, start: h.Now()}
	if c.opt.state == "" {
		c.opt.state = h.State
	}
	written := false
	defer func() {
		// A bug of ours must not block an agent: a Go panic would leave with 2.
		if p := recover(); p != nil {
			c.note("bug", "internal error: %v\n%s", p, debug.Stack())
			exit = c.giveUp(written)
		}
	}()
	reply := c.answer(stdin)
	written = true
	exit = c.leave(reply)
	for _, f := range c.after {
		f()
	}
	c.record(reply)
	return exit
}

// leave writes the answer.
func (c *call) leave(r protocol.Reply) int {
	for _, f := range r.Files {
		if err := appendFile(f.Path, f.Text); err != nil {
			c.note("answer", "writing what the agent reads from a file: %v", err)
		}
	}
	if len(r.Stdout) > 0 {
		if _, err := c.stdout.Write(r.Stdout); err != nil {
			c.note("answer", "writing the answer: %v", err)
		}
	}
	if len(r.Stderr) > 0 {
		_, _ = c.stderr.Write(r.Stderr)
	}
	return r.Exit
}

// giveUp ends a call that a bug ended, with no opinion.
func (c *call) giveUp(written bool) int {
	c.log(&runner.LogLine{Decision: protocol.NoOpinion.String()})
	if written {
		return 0
	}
	return c.leave(c.noOpinion())
}

// noOpinion is the answer that says nothing, in the form of whoever asks.
func (c *call) noOpinion() protocol.Reply {
	if c.dialect != nil {
		return c.dialect.NoOpinion(c.native)
	}
	if d, ok := agents.Lookup(c.opt.agent); ok {
		return d.NoOpinion(c.opt.event)
	}
	return protocol.Reply{}
}

// answer takes one event to its reply.
func (c *call) answer(stdin io.Reader) protocol.Reply {
	raw, err := readInput(stdin)
	if err != nil {
		return c.unreadable(err)
	}
	payload, err := protocol.ParseObject(raw)
	if err != nil {
		return c.unreadable(err)
	}
	if c.probed(payload) {
		return c.probe(payload.Text(ProbeMember))
	}
	c.payload = payload
	if c.dialect = c.choose(payload); c.dialect == nil {
		c.note("agent", "cannot tell which agent this event is from; name it with --agent")
		c.log(&runner.LogLine{Decision: protocol.NoOpinion.String()})
		return protocol.Reply{}
	}
	if depth, _ := strconv.Atoi(c.host.Getenv("AGENTS_HOOKS_DEPTH")); depth > maxDepth {
		return c.silent("depth", "%d dispatchers stand inside one another, at most %d may; is a hook running an agent that runs this hook?", depth, maxDepth)
	}
	events, err := c.dialect.Decode(protocol.Input{Payload: payload, Event: c.opt.event, WorkDir: c.host.WorkDir, Env: c.host.Getenv, Now: c.start, Entry: c.entry()})
	if err != nil {
		return c.unreadable(err)
	}
	if len(events) == 0 {
		return c.noEvent(payload)
	}
	c.native = events[0].NativeEvent
	ctx, cancel := c.deadline(context.Background(), events[0])
	defer cancel()
	return c.events(ctx, events)
}

// choose is the dialect of a payload: --agent, or an agent that reads the files
// of that one; else the payload's own form.
func (c *call) choose(payload protocol.Object) *protocol.Dialect {
	if c.opt.agent != "" {
		if d, ok := agents.Lookup(c.opt.agent); ok {
			return agents.Caller(d, payload, c.host.Getenv)
		}
		c.note("agent", "--agent %q is not known; told by the payload instead", c.opt.agent)
	}
	if d := agents.Detect(payload, c.host.Getenv); d != nil {
		return d
	}
	if c.opt.agent == "" && !payload.Has("hook_event_name") {
		// Neither form: the caller meant the format's own and forgot the event.
		return spec.Dialect
	}
	return nil
}

// entry is the agent that the entry names, where another one runs it.
func (c *call) entry() string {
	if d, ok := agents.Lookup(c.opt.agent); ok && d != c.dialect {
		return d.ID
	}
	return ""
}

// unreadable answers an event that could not be read: exit 1 in spec form, no
// opinion for an agent. It is never silent.
func (c *call) unreadable(err error) protocol.Reply {
	c.note("unreadable", "%v", err)
	c.log(&runner.LogLine{Decision: protocol.NoOpinion.String()})
	if c.specForm() {
		return protocol.Reply{Exit: 1, Stderr: []byte("agents-hooks: run: the event cannot be read: " + protocol.Plain(err.Error()) + "\nhint: run reads one JSON object with \"event_type\" on stdin\n")}
	}
	return c.noOpinion()
}

// silent answers with no opinion for a reason that is logged, and said where
// stderr may speak.
func (c *call) silent(kind, format string, args ...any) protocol.Reply {
	c.note(kind, format, args...)
	c.log(&runner.LogLine{Decision: protocol.NoOpinion.String()})
	r := c.noOpinion()
	if c.specForm() {
		r.Stderr = warningLines(c.notes)
	}
	return r
}

// noEvent answers a payload that the format has no event for (R7).
func (c *call) noEvent(payload protocol.Object) protocol.Reply {
	if c.specForm() {
		return c.silent("event", "event_type %q is not one of the format's events", payload.Text("event_type"))
	}
	c.native = payload.Text("hook_event_name")
	if c.native == "" {
		c.native = c.opt.event
	}
	return c.noOpinion()
}

// specForm reports whether the answer is in the format's own form.
func (c *call) specForm() bool {
	if c.dialect != nil {
		return c.dialect == spec.Dialect
	}
	return c.opt.agent == ""
}

// deadline bounds the whole event: --deadline, and nine tenths of the agent's
// own limit.
func (c *call) deadline(parent context.Context, ev *protocol.Event) (context.Context, context.CancelFunc) {
	limit := c.opt.deadline
	if n, ok := c.dialect.Native(ev.NativeEvent); ok && n.Limit > 0 {
		if own := time.Duration(float64(n.Limit) * Share); limit == 0 || own < limit {
			limit = own
		}
	}
	if limit == 0 {
		return context.WithCancel(parent)
	}
	return context.WithDeadline(parent, time.Now().Add(limit))
}

// note keeps something for the log.
func (c *call) note(kind, format string, args ...any) {
	c.notes = append(c.notes, runner.Warning{Kind: kind, Text: sprintf(format, args...)})
}

// appendFile adds to a file that an agent reads: variables for its session.
func appendFile(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err := f.Write(text); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
