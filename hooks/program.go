package hooks

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// Time limits for a program that does not respond.
const (
	helloWait  = 10 * time.Second // for its hello
	cancelWait = 10 * time.Second // for an answer after a cancel
	closeWait  = 6 * time.Second  // for its exit after its input has ended
)

// program runs hooks through a stream (spec/STREAM.md), one event at a time.
type program struct {
	argv []string
	env  []string
	dir  string

	turn    chan struct{} // a lock: the holder of its one element may write
	stream  *stream       // nil: not started, or died
	closing bool
}

func newProgram(o Options) *program {
	p := &program{argv: slices.Clone(o.Program), env: o.Env, dir: o.WorkDir, turn: make(chan struct{}, 1)}
	if o.NoProject {
		p.argv = append(p.argv, "--no-project")
	}
	if o.TrustProject {
		p.argv = append(p.argv, "--trust=always")
	}
	return p
}

// A stream is a running program.
type stream struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	answers chan protocol.Object // closed at its end
	said    *tail                // the end of its stderr
	lines   int
	writing sync.Mutex
}

// ask sends an event and waits for its answer. If the program dies on an event that can
// still be prevented, it is restarted and the event sent again, since a guard that
// judges twice is better than one that does not judge. An event that has already
// happened is not sent twice.
func (p *program) ask(ctx context.Context, payload protocol.Object) (Outcome, error) {
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-ctx.Done():
		return Outcome{}, cancelled(ctx.Err())
	}
	if p.closing {
		return Outcome{}, &Error{Kind: "gone", Text: "this Hooks was closed"}
	}
	out, sent, err := p.once(ctx, payload)
	if !errors.Is(err, errDied) {
		return out, err
	}
	p.drop()
	if sent && !protocol.EventType(payload.Text("event_type")).Prevents() {
		return out, err
	}
	if out, _, err = p.once(ctx, payload); errors.Is(err, errDied) {
		p.drop()
	}
	return out, err
}

var errDied = errors.New("it ended without an answer")

// once sends an event to the running program, or to a new one. sent is false if the
// program certainly did not read it.
func (p *program) once(ctx context.Context, payload protocol.Object) (out Outcome, sent bool, err error) {
	if p.stream != nil && p.stream.over() {
		p.drop()
	}
	if p.stream == nil {
		if p.stream, err = p.start(); err != nil {
			p.stream = nil
			return Outcome{}, false, err
		}
	}
	st := p.stream
	id := st.next()
	wrote := st.send(append(protocol.Object{{Name: "id", Value: id}}, payload...))
	for {
		select {
		case err := <-wrote:
			if err != nil {
				return Outcome{}, false, p.died(st)
			}
			wrote = nil
		case a, ok := <-st.answers:
			if !ok {
				return Outcome{}, true, p.died(st)
			}
			out, err := p.read(id, a)
			return out, true, err
		case <-ctx.Done():
			out, err := p.cancel(ctx, st, id)
			return out, true, err
		}
	}
}

// cancel ends an event. It may already be answered, or blocked by a hook whose failure
// counts as a block.
func (p *program) cancel(ctx context.Context, st *stream, id protocol.Raw) (Outcome, error) {
	st.next()
	_ = st.send(protocol.Object{{Name: "request", Value: protocol.Quote("cancel")}, {Name: "of", Value: id}})
	if a, ok := st.wait(cancelWait); ok {
		out, err := p.read(id, a)
		if said, ok := st.wait(cancelWait); !ok || !said.Has("cancelled") {
			p.drop()
		}
		return out, err
	}
	p.drop() // it hangs: the next event gets a new one
	return Outcome{}, cancelled(ctx.Err())
}

// read returns the answer to the event with an id.
func (p *program) read(id protocol.Raw, a protocol.Object) (out Outcome, err error) {
	if !bytes.Equal(a.Get("id"), id) {
		p.drop()
		return out, p.gone("it answered %s where %s was asked", a.Get("id"), id)
	}
	if a.Has("outcome") {
		out = outcomeOf(a.Sub("outcome"))
		out.BlockedBy = a.Text("blocked_by")
	}
	for _, raw := range protocol.ElementsOf(a.Get("warnings")) {
		w := protocol.ObjectOf(raw)
		out.Warnings = append(out.Warnings, Warning{w.Text("hook"), w.Text("kind"), w.Text("text")})
	}
	if a.Has("error") {
		e := a.Sub("error")
		return out, &Error{Kind: e.Text("kind"), Text: e.Text("text")}
	}
	return out, nil
}

// start starts the program, and checks that it speaks the protocol.
func (p *program) start() (*stream, error) {
	cmd := exec.Command(p.argv[0], p.argv[1:]...)
	cmd.Env, cmd.Dir = p.env, p.dir
	ownGroup(cmd)
	cmd.WaitDelay = time.Second
	st := &stream{cmd: cmd, answers: make(chan protocol.Object), said: &tail{}}
	cmd.Stderr = st.said
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, p.gone("%v", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, p.gone("%v", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, p.gone("%v", err)
	}
	st.in = in
	go st.listen(out)
	st.next()
	hello := protocol.Object{{Name: "request", Value: protocol.Quote("hello")}, {Name: "stream", Value: protocol.Raw("1")}}
	_ = st.send(hello)
	a, ok := st.wait(helloWait)
	if !ok || string(a.Sub("hello").Get("stream")) != "1" {
		st.kill()
		if ok {
			return nil, p.gone("it does not speak version 1 of the stream: %s", a.Raw())
		}
		return nil, p.gone("no answer to hello: %s", st.said.last())
	}
	return st, nil
}

// listen reads answers to the end of the program's output.
func (st *stream) listen(out io.Reader) {
	defer func() { close(st.answers); _ = st.cmd.Wait() }()
	r := bufio.NewReaderSize(out, 64<<10)
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return
		}
		o, err := protocol.ParseObject(line)
		if err != nil {
			st.said.Write(line)
			_ = st.cmd.Process.Kill()
			return // who has its output open after it is not waited for
		}
		st.answers <- o
	}
}

// over reports whether it has ended.
func (st *stream) over() bool {
	select {
	case _, more := <-st.answers:
		return !more
	default:
		return false
	}
}

// next is the id of the next line.
func (st *stream) next() protocol.Raw {
	st.lines++
	return protocol.Raw(strconv.Itoa(st.lines))
}

// send writes a line, without waiting for a program that does not read.
func (st *stream) send(o protocol.Object) <-chan error {
	wrote := make(chan error, 1)
	go func() {
		st.writing.Lock()
		defer st.writing.Unlock()
		_, err := st.in.Write(append(o.Append(nil), '\n'))
		wrote <- err
	}()
	return wrote
}

// wait waits for an answer, but not indefinitely.
func (st *stream) wait(most time.Duration) (protocol.Object, bool) {
	select {
	case a, ok := <-st.answers:
		return a, ok
	case <-time.After(most):
		return nil, false
	}
}

// kill ends it at once, and releases everyone who waits.
func (st *stream) kill() {
	_ = st.in.Close()
	_ = st.cmd.Process.Kill()
	go func() {
		for range st.answers {
		}
	}()
}

func (p *program) drop() {
	if p.stream != nil {
		p.stream.kill()
		p.stream = nil
	}
}

func (p *program) died(st *stream) error {
	e := p.gone("%v: %s", errDied, st.said.last())
	e.Err = errDied
	return e
}

func (p *program) gone(format string, args ...any) *Error {
	return &Error{Kind: "gone", Text: fmt.Sprintf("%q: %s", p.argv[0], fmt.Sprintf(format, args...))}
}

// close ends the program by closing its input, and kills it after a while.
func (p *program) close() error {
	p.turn <- struct{}{}
	defer func() { <-p.turn }()
	p.closing = true
	if p.stream == nil {
		return nil
	}
	_ = p.stream.in.Close()
	if _, more := p.stream.wait(closeWait); more {
		return p.gone("it said more than it was asked")
	}
	p.drop()
	return nil
}

// A tail keeps the end of what was written.
type tail struct {
	mu  sync.Mutex
	end []byte
}

const maxTail = 2000

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end = append(t.end, b...)
	if len(t.end) > maxTail {
		t.end = slices.Clone(t.end[len(t.end)-maxTail:])
	}
	return len(b), nil
}

func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if said := bytes.TrimSpace(t.end); len(said) > 0 {
		return protocol.Plain(string(said))
	}
	return "and it said nothing on stderr"
}
