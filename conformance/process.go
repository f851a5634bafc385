package conformance

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// The usual guards, see Options.guard.
const (
	pipeGuard   = 5 * time.Second  // after the exit, for the ends of the answer's pipes
	settleGuard = 20 * time.Second // for what an async hook still has to do
	goneGuard   = 3 * time.Second  // for processes that were killed to be gone
	maxOutput   = 64 << 20         // of a stream that is kept, in bytes
)

// A call is one start of a program.
type call struct {
	argv   []string
	dir    string
	env    []string
	stdin  []byte
	held   bool // stdin stays open after the event
	asked  bool // each line of stdin once the one before was answered by a line
	deaf   bool // nobody reads stdout
	limit  time.Duration
	pipes  time.Duration // after the exit, for the ends of the answer's pipes
	killIf func() bool   // asked until it ends; true kills the program
	kill   bool          // kill its whole group once it has ended
}

// An ending is how a program ended.
type ending struct {
	exit     int // -1: it did not exit by itself
	killed   bool
	overtime bool
	held     bool // a process that was left behind holds the answer's pipes
	stdout   []byte
	stderr   []byte
	time     time.Duration
	err      error // it did not start
}

// run starts the program and waits for its end.
func (c call) run(ctx context.Context) ending {
	cmd := exec.Command(c.argv[0], c.argv[1:]...)
	cmd.Dir, cmd.Env = c.dir, c.env
	ownGroup(cmd)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return ending{exit: -1, err: err}
	}
	out, errs := newStream(), newStream()
	if err := errors.Join(out.open(), errs.open()); err != nil {
		return ending{exit: -1, err: err}
	}
	cmd.Stdout, cmd.Stderr = out.w, errs.w
	if c.deaf {
		out.r.Close()
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		out.close()
		errs.close()
		return ending{exit: -1, err: err}
	}
	out.follow(!c.deaf)
	errs.follow(true)
	go func() {
		c.write(stdin, out)
		if !c.held {
			stdin.Close()
		}
	}()
	e := c.wait(ctx, cmd)
	e.time = time.Since(start)
	stdin.Close()
	if c.kill {
		killGroup(cmd.Process.Pid)
	}
	last := time.Now().Add(c.pipes)
	heldOut, heldErr := out.end(last), errs.end(last)
	e.held = heldOut || heldErr
	e.stdout, e.stderr = out.bytes(), errs.bytes()
	return e
}

// write writes stdin. A program may end without reading it.
func (c call) write(stdin io.Writer, out *stream) {
	if !c.asked {
		_, _ = stdin.Write(c.stdin)
		return
	}
	n := 0
	for line := range bytes.Lines(c.stdin) {
		_, _ = stdin.Write(line)
		n++
		for answered := false; !answered; {
			select {
			case <-out.done:
				return
			case <-time.After(2 * time.Millisecond):
				answered = bytes.Count(out.bytes(), []byte("\n")) >= n
			}
		}
	}
}

// wait waits for the exit, and ends the program's group where it has to.
func (c call) wait(ctx context.Context, cmd *exec.Cmd) ending {
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	limit := time.NewTimer(c.limit)
	defer limit.Stop()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	var e ending
	for {
		select {
		case <-done:
			e.exit = cmd.ProcessState.ExitCode()
			return e
		case <-limit.C:
			e.overtime = true
			killGroup(cmd.Process.Pid)
		case <-ctx.Done():
			killGroup(cmd.Process.Pid)
			<-done
			e.exit = -1
			return e
		case <-tick.C:
			if c.killIf != nil && !e.killed && c.killIf() {
				e.killed = true
				_ = cmd.Process.Kill() // it alone: its hooks live on
			}
		}
	}
}

// A stream collects what a program writes.
type stream struct {
	r, w *os.File
	done chan struct{}

	mu  sync.Mutex
	buf bytes.Buffer
}

func newStream() *stream { return &stream{done: make(chan struct{})} }

func (s *stream) open() (err error) {
	s.r, s.w, err = os.Pipe()
	return err
}

func (s *stream) close() {
	s.r.Close()
	s.w.Close()
}

// follow reads until the pipe ends. Our own end for writing is closed: only the
// program, and what it started, hold it now.
func (s *stream) follow(read bool) {
	s.w.Close()
	if !read {
		close(s.done)
		return
	}
	go func() {
		defer close(s.done)
		_, _ = io.Copy(s, s.r)
	}()
}

// Write keeps what fits.
func (s *stream) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if room := maxOutput - s.buf.Len(); room > 0 {
		s.buf.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// end waits for the end of the pipe until last, and reports whether somebody
// still holds it.
func (s *stream) end(last time.Time) (held bool) {
	timer := time.NewTimer(time.Until(last))
	defer timer.Stop()
	select {
	case <-s.done:
	case <-timer.C:
		held = true
	}
	s.r.Close()
	return held
}

func (s *stream) bytes() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bytes.Clone(s.buf.Bytes())
}
