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

// Options say who asks, and where. The zero value is a nameless agent in the current
// directory, with the environment of this process.
type Options struct {
	Agent   string // your id, in events and in the log: letters, digits, - and _
	Version string // of your agent, in events
	WorkDir string // whose project's hooks count, absolute; "": the current directory

	// Can is what your agent carries out, in the words of context.can: "block", "ask",
	// "modify", "context", "continue", "message", "allow", "output"; nil: all of it. What it
	// cannot is made of what it can, or warned of.
	Can []string

	// Env is the environment: where hooks and settings of the person are, what hooks
	// inherit. nil: that of this process.
	Env []string

	// Program is the command that runs hooks in place of this process, with its
	// arguments, such as "agents-hooks-run", "run", "--stream".
	Program []string

	// Dispatcher is the program that async hooks are started by, since they may outlive
	// this one: agents-hooks-run or agents-hooks. "": the one that installed entries use,
	// else the first on the PATH.
	Dispatcher string

	NoProject bool // leave hooks of projects out
	// TrustProject runs the hooks of a project though nobody has approved them: for
	// CI, where the repository is one's own.
	TrustProject bool

	// Timeout ends the hooks of an event that take longer together, whatever their own
	// limits are, so that nothing hangs; 0: 10 minutes.
	Timeout time.Duration

	// Strict makes Tool refuse a call where hooks could not be asked.
	Strict bool

	// Ask asks the person, and reports whether they agree. nil: nobody is there, and a
	// question is a block.
	Ask func(ctx context.Context, call Call, reason string) bool

	// Tell is given what the person should read: warnings, and messages of hooks. nil:
	// they are in outcomes alone.
	Tell func(text string)
}

// An engine asks the hooks of one event.
type engine interface {
	ask(ctx context.Context, payload protocol.Object) (Outcome, error)
	close() error
}

// Hooks run the hooks of a person and a project. They are safe for use by several
// goroutines; with [Options.Program] events wait for one another.
type Hooks struct {
	opt    Options
	engine engine
}

// New finds out where hooks are. It reads and starts nothing.
func New(o Options) (*Hooks, error) {
	if o.Env == nil {
		o.Env = os.Environ()
	}
	if o.WorkDir == "" {
		dir, err := os.Getwd()
		if err != nil {
			return nil, fmt.Errorf("hooks: which project's hooks count: %w", err)
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

// Close ends the program that runs hooks, if there is one, once what it runs has ended.
// Async hooks go on.
func (h *Hooks) Close() error { return h.engine.close() }

// A Session is one conversation: what may happen so often in it, or is said once, goes
// by its id. It is safe for use by several goroutines.
type Session struct {
	hooks *Hooks
	id    string
}

// Session is the session of an id: one that goes on keeps its own. "" makes a new one.
func (h *Hooks) Session(id string) *Session {
	if id == "" {
		var b [16]byte
		_, _ = rand.Read(b[:]) // it ends the process rather than fail
		id = hex.EncodeToString(b[:])
	}
	return &Session{hooks: h, id: id}
}

// ID is the id of the session.
func (s *Session) ID() string { return s.id }

// Dispatch asks the hooks of an event, and waits for them. An error is an [*Error]: hooks
// were not asked, or not to the end, which is neither a permission nor a refusal, and
// there is no more in the outcome than warnings. Ending ctx ends the hook that runs.
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

// payload is the event as the format has it.
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

// tell gives the person what is for them.
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

// cancelled is the error of an event whose time was over, or that nobody waits for.
func cancelled(err error) error {
	return &Error{Kind: "cancelled", Text: "the event was cancelled before all of its hooks had judged it", Err: err}
}
