package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Hooks that speak the protocol of another program (protocol.Tongue): the event is
// told in it, with the variables of that program, and what the hook answers is heard
// in it. From there on their results are like all others.

// told is what one run of a hook reads.
type told struct {
	stdin []byte
	env   []string // over what each hook has: "NAME=value", or "NAME" for one that it has not
	said  *protocol.Said

	getenv func(string) string // of the agent
}

// maxEnvFile is how much of a file of variables is read, in bytes.
const maxEnvFile = 64 << 10

// spoken is what a hook is told of the event in its own protocol, nil if that is the
// format's.
func (c *chain) spoken(h *discovery.Hook) []told {
	if h.Tongue == nil {
		return nil
	}
	if c.shared == nil {
		c.shared = c.newHookEnv(c.ev, c.set.Project, c.set.Root)
	}
	list := []told{}
	for _, s := range h.Told(c.ev, &c.budget) {
		list = append(list, told{stdin: s.Bytes(), env: h.Tongue.Env(c.seat(h)), said: &s})
	}
	return list
}

// seat is where a hook of another protocol runs.
func (c *chain) seat(h *discovery.Hook) protocol.Seat {
	at := protocol.Seat{Session: envValue(c.ev.SessionID), Project: envValue(cmp.Or(h.Project, c.shared.named)), Root: cmp.Or(h.PluginRoot, h.Home())}
	if c.shared.state != "" {
		at.Data = stateDir(c.shared.state, h)
	}
	return at
}

// speak runs a hook once for each thing that it is told, until one is blocked.
func (c *chain) speak(h *discovery.Hook) Result {
	all := Result{Hook: h, Verdict: OK}
	start := time.Now()
	for i, in := range c.spoken(h) {
		t := c.allot(h, time.Now())
		// It would be started to be stopped at once, with the same words: no test can see whether it was.
		if i > 0 && !time.Now().Before(t.limit) {
			all.join(Result{Hook: h, Verdict: Skipped, Exit: -1, Warning: "was stopped: the time of the whole event was over"})
			break
		}
		r := c.runOne(h, in, t)
		all.join(r)
		if r.Outcome.Decision == protocol.Block {
			break
		}
	}
	all.Duration = time.Since(start)
	return all
}

// runOne runs a hook for one thing that it is told.
func (c *chain) runOne(h *discovery.Hook, in told, t deadlines) Result {
	file := ""
	if c.ev.Type == protocol.PreSession {
		at := c.seat(h)
		if file = newEnvFile(at.Data); file != "" {
			defer os.Remove(file)
			at.EnvFile = file
			in.env = h.Tongue.Env(at)
		}
	}
	e, err := c.Runner.turn(c.ctx, h, c.shared, in, t)
	if err != nil {
		c.warn(h.Name, "state", "its state directory cannot be made: "+err.Error())
	}
	if e.note != "" {
		c.warn("", "sandbox", e.note)
	}
	in.getenv = func(name string) string { return variable(c.Env, name) }
	e.in = &in
	unread := ""
	if file != "" {
		e.envFile, unread = readEnvFile(file)
	}
	if e.stop == ownLimit && h.Tongue.Leaves(e.stdout.data) {
		return Result{Hook: h, Verdict: OK, Stderr: stderrText(e.stderr), Warning: "said that nobody is to wait for it, and was waited for until its time limit; write async: true into its HOOK.md"}
	}
	r := interpret(h, c.ev, e, &c.set.Settings)
	if unread != "" {
		r.Warning = strings.TrimPrefix(r.Warning+"; the file for variables of the session "+unread+": nothing of it is used", "; ")
	}
	return r
}

// newEnvFile makes the file into which a hook writes variables for the session, in
// its own folder, "" if that cannot be.
func newEnvFile(dir string) string {
	if dir != "" && os.MkdirAll(dir, 0o700) != nil {
		dir = ""
	}
	f, err := os.CreateTemp(dir, "session-env-*.sh")
	if err != nil {
		return ""
	}
	defer f.Close()
	return f.Name()
}

// readEnvFile reads what a hook made of that file. If the hook replaced it with
// something else, it is not read.
func readEnvFile(file string) (text []byte, unread string) {
	info, err := os.Lstat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, ""
	case err != nil:
		return nil, "cannot be read"
	case !info.Mode().IsRegular():
		return nil, "is no longer a regular file"
	case info.Size() > maxEnvFile:
		return nil, fmt.Sprintf("is over %d KiB", maxEnvFile>>10)
	}
	if text, err = safefile.Read(file, maxEnvFile); err != nil {
		return nil, "cannot be read"
	}
	return text, ""
}

// join adds the result of one more run of the same hook.
func (r *Result) join(next Result) {
	if r.Verdict == OK || next.Verdict.weight() > r.Verdict.weight() {
		r.Verdict, r.Exit, r.Signal = next.Verdict, next.Exit, next.Signal
	}
	add := func(to *string, more, between string) {
		if more != "" && !strings.Contains(*to, more) {
			*to = strings.TrimPrefix(*to+between+more, between)
		}
	}
	add(&r.Stderr, next.Stderr, "\n")
	add(&r.Warning, next.Warning, "; ")
	o, n := &r.Outcome, next.Outcome
	if n.Decision > o.Decision {
		o.Decision, o.Reason = n.Decision, n.Reason
	} else if n.Decision == o.Decision {
		add(&o.Reason, n.Reason, "\n\n")
	}
	add(&o.AdditionalContext, n.AdditionalContext, "\n\n")
	add(&o.UserMessage, n.UserMessage, "\n\n")
	add(&o.FollowupMessage, n.FollowupMessage, "\n\n")
	add(&o.Halt, n.Halt, "\n\n")
	if n.ModifiedInput != nil {
		o.ModifiedInput = n.ModifiedInput
	}
	if n.ModifiedOutput != "" {
		o.ModifiedOutput = n.ModifiedOutput
	}
	for _, m := range n.Env {
		o.Env.Set(m.Name, m.Value)
	}
}

// weight orders the verdicts on the parts of one event: what blocks in more cases is more.
func (v Verdict) weight() int {
	switch v {
	case OK:
		return 0
	case Failed, NotStarted: // which block in some programs where the others do not
		return 2
	case Blocked:
		return 3
	}
	return 1
}

// hear takes the end of a hook that speaks another protocol.
func (r *Result) hear(ev *protocol.Event, e exitState) {
	if e.stdout.over && e.exit == 0 { // any other exit code says more than its output
		r.Verdict = BadOutput
		r.Warning = fmt.Sprintf("stdout is over %d KiB; nothing of it is used", maxStdout>>10)
		return
	}
	h := r.Hook.Tongue.Hear(ev, *e.in.said, protocol.End{Exit: e.exit, Stdout: e.stdout.data, Stderr: r.Stderr, EnvFile: e.envFile, Getenv: e.in.getenv})
	r.Outcome, r.Verdict = h.Outcome, OK
	switch {
	case h.Failed:
		r.Verdict = Failed
		r.Warning = undecided(e.exit, r.Stderr)
		return
	case h.Bad != "":
		r.Verdict = BadOutput
		r.Warning = h.Bad + "; nothing of its answer is used, as in " + r.Hook.Tongue.Name
		return
	}
	o := &r.Outcome
	o.Reason, o.UserMessage = protocol.Plain(o.Reason), protocol.Plain(o.UserMessage)
	if o.ModifiedOutput != "" {
		o.ModifiedOutput = protocol.Output(o.ModifiedOutput)
	}
	if h.Unplaced != "" {
		h.Warnings = append(h.Warnings, h.Unplaced+": a change that the call of this agent has no place for; left out")
		if r.Hook.Insists && o.Decision < protocol.Block {
			o.Decision, o.Reason = protocol.Block, "wants this call with another "+h.Unplaced+", and it cannot be changed here"
		}
	}
	if o.Decision == protocol.Block {
		r.Verdict = Blocked
		if strings.TrimSpace(o.Reason) == "" { // some give it to the user alone, of whom an agent may not know
			o.Reason = cmp.Or(strings.TrimSpace(o.UserMessage), "blocked this and gave no reason")
		}
	}
	r.Warning = strings.Join(append(h.Warnings, r.misplaced(ev)...), "; ")
}

// overlaid is an environment with variables in place of those of the same name.
func overlaid(env, over []string) []string {
	out := make([]string, 0, len(env)+len(over))
	for _, kv := range env {
		name, _, _ := strings.Cut(kv, "=")
		if !slices.ContainsFunc(over, func(o string) bool { n, _, _ := strings.Cut(o, "="); return sameName(n, name) }) {
			out = append(out, kv)
		}
	}
	for _, kv := range over {
		if strings.Contains(kv, "=") {
			out = append(out, kv)
		}
	}
	return out
}

// turns runs an async hook that speaks another protocol: what it answers changes
// nothing.
func (j *job) turns(l Launch, s *hookEnv) (r Result, e exitState) {
	r = Result{Hook: l.Hook, Verdict: OK, Async: true}
	for _, in := range l.told {
		t := deadlines{limit: time.Now().Add(timeLimit(l.Hook)), grace: j.runner.grace()}
		e, _ = j.runner.turn(context.Background(), l.Hook, s, in, t)
		one := interpret(l.Hook, l.Event, exitState{status: e.status, stop: e.stop, stderr: e.stderr, err: e.err}, &discovery.Settings{})
		if one.Verdict == Blocked {
			one.Warning = "is async: its exit code 2 blocks nothing"
		}
		one.Outcome = protocol.Outcome{}
		r.join(one)
	}
	return r, e
}

func (t told) raw() protocol.Raw {
	var o protocol.Object
	o.SetText("stdin", string(t.stdin))
	o.Set("env", protocol.TextList(t.env))
	return o.Raw()
}

func parseTold(v protocol.Raw) (list []told) {
	for _, raw := range protocol.ElementsOf(v) {
		o := protocol.ObjectOf(raw)
		list = append(list, told{stdin: []byte(o.Text("stdin")), env: protocol.TextsOf(o.Get("env"))})
	}
	return list
}
