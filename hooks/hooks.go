package hooks

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// Options describe the calling agent. The zero value is an agent without a name in the
// current directory, with the environment of this process.
type Options struct {
	Agent   string // your agent's id in events and in the log: letters, digits, - and _
	Version string // your agent's version in events
	WorkDir string // selects the project whose hooks run; absolute; "": the current directory

	// Can is what your agent supports, in the words of context.can: "block", "ask",
	// "modify", "context", "continue", "message", "allow", "output"; nil: all of them.
	// What it does not support is replaced by what it does, or dropped with a warning.
	Can []string

	// Env is the environment: it locates the user's hooks and settings, and hooks
	// inherit it. nil: that of this process.
	Env []string

	// Program is the command, with arguments, that runs hooks in place of this process,
	// such as "agents-hooks-run", "run", "--stream".
	Program []string

	// Dispatcher is the program that starts async hooks, since these may outlive this
	// process: agents-hooks-run or agents-hooks. "": the one in installed entries, else
	// the first on the PATH.
	Dispatcher string

	NoProject bool // ignore project hooks
	// TrustProject runs project hooks without approval: for CI, where the repository is
	// your own.
	TrustProject bool

	// Timeout limits all hooks of an event together, whatever their own limits are, so
	// that nothing hangs; 0: 10 minutes.
	Timeout time.Duration

	// Strict makes Tool fail closed: it refuses a call if hooks could not be run.
	Strict bool

	// Ask asks the user, and reports whether they agree. nil: no user is present, and a
	// question becomes a block.
	Ask func(ctx context.Context, call Call, reason string) bool

	// Tell gets what the user should read: warnings, and messages of hooks. nil: they
	// are only in outcomes.
	Tell func(text string)
}

// An engine runs the hooks of one event.
type engine interface {
	ask(ctx context.Context, payload protocol.Object) (Outcome, error)
	close() error
}

// Hooks runs the hooks of a user and a project. It is safe for concurrent use; with
// [Options.Program] events are processed one at a time.
type Hooks struct {
	opt    Options
	engine engine
}

// New determines where hooks are. It reads no files and starts no process.
func New(o Options) (*Hooks, error) {
	if o.Env == nil {
		o.Env = os.Environ()
	}
	if o.WorkDir == "" {
		dir, err := os.Getwd()
		if err != nil {
			return nil, fmt.Errorf("hooks: finding the project: %w", err)
		}
		o.WorkDir = dir
	}
	if !filepath.IsAbs(o.WorkDir) {
		return nil, fmt.Errorf("hooks: WorkDir %q: want an absolute path", o.WorkDir)
	}
	for _, word := range o.Can {
		if protocol.CanOf(word) == 0 {
			return nil, fmt.Errorf("hooks: Can %q: want some of %q", word, protocol.CanAll.Words())
		}
	}
	if len(o.Program) > 0 {
		return &Hooks{opt: o, engine: newProgram(o)}, nil
	}
	return &Hooks{opt: o, engine: newInside(o)}, nil
}

// Close ends the program of [Options.Program], once its running hook has ended. Async
// hooks go on.
func (h *Hooks) Close() error { return h.engine.close() }

// A Session is one conversation. Limits and notices per session are kept under its id.
// It is safe for concurrent use.
type Session struct {
	hooks *Hooks
	id    string
}

// Session returns the session with an id; a resumed session keeps its id. "" creates a
// new one.
func (h *Hooks) Session(id string) *Session {
	if id == "" {
		var b [16]byte
		_, _ = rand.Read(b[:]) // it never fails: it would end the process
		id = hex.EncodeToString(b[:])
	}
	return &Session{hooks: h, id: id}
}

// ID is the id of the session.
func (s *Session) ID() string { return s.id }

// Dispatch runs the hooks of an event, and waits for them. An error is an [*Error]:
// hooks could not be run, or not to the end, which is neither a permission nor a
// refusal, and the outcome has only warnings. Cancelling ctx ends the running hook.
func (s *Session) Dispatch(ctx context.Context, ev Event) (Outcome, error) {
	if ev.err != nil {
		return Outcome{}, &Error{Kind: "unreadable", Text: ev.err.Error(), Err: ev.err}
	}
	payload, err := protocol.ParseObject(s.payload(ev).Append(nil))
	if err != nil {
		return Outcome{}, &Error{Kind: "unreadable", Text: err.Error(), Err: err}
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(s.hooks.opt.Timeout, 10*time.Minute))
	defer cancel()
	out, err := s.hooks.engine.ask(ctx, payload)
	s.hooks.tell(out)
	return out, err
}

// payload is the event in the format's form.
func (s *Session) payload(ev Event) protocol.Object {
	o, opt := protocol.Object{}, &s.hooks.opt
	o.SetText("event_type", string(ev.kind))
	o.SetText("timestamp", protocol.Timestamp(time.Now()))
	o.SetText("session_id", s.id)
	o.SetText("work_dir", opt.WorkDir)
	var about protocol.Object
	for _, m := range [][2]string{{"agent", opt.Agent}, {"agent_version", opt.Version}} {
		if m[1] != "" {
			about.SetText(m[0], m[1])
		}
	}
	if opt.Can != nil {
		about.Set("can", protocol.TextList(opt.Can))
	}
	o.Set("context", about.Raw())
	for _, m := range ev.fields {
		o.Set(m.Name, m.Value)
	}
	return o
}

// tell passes the user's messages to Options.Tell.
func (h *Hooks) tell(o Outcome) {
	if h.opt.Tell == nil {
		return
	}
	for _, w := range o.Warnings {
		h.opt.Tell(w.String())
	}
	if o.UserMessage != "" {
		h.opt.Tell(o.UserMessage)
	}
}

// cancelled is the error of an event that timed out or was cancelled.
func cancelled(err error) error {
	return &Error{Kind: "cancelled", Text: "the event was cancelled before all of its hooks had judged it", Err: err}
}
