package runner

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/confine"
	"github.com/agents-hooks/agents-hooks/internal/safefile"
)

// What a hook may write, in bytes. If stdout is longer, the hook's output is refused;
// if stderr is longer, it is cut, and says so.
const (
	maxStdout = 1 << 20
	maxStderr = 64 << 10
)

// reapLimit is how long a process that was sent SIGKILL may take to go. Only one
// that hangs in the kernel takes longer; the answer does not wait for it.
const reapLimit = time.Second

// A command is one process from its start to its end.
type command struct {
	argv  []string // argv[0] is a path
	dir   string
	env   []string
	stdin []byte
	time  deadlines
	drain time.Duration
	// alone says that nothing else runs below this process: whatever is left in other
	// sessions is then known to be the hook's, and is ended with it.
	alone bool
	// memory is the most that the process may have, in bytes; 0: no bound of ours.
	memory uint64
	// within is what the process may do; nil: what we may.
	within *confine.Rules
}

// Deadlines are the time of one hook.
type deadlines struct {
	limit time.Time     // when it is told to end
	grace time.Duration // from then to the kill
	last  time.Time     // when the answer is due, by which all is over; zero if never
	event bool          // limit is the event's, not the hook's own
}

// A stop is why a hook was stopped.
type stop uint8

const (
	notStopped stop = iota
	ownLimit        // its own time limit
	eventLimit      // the deadline of the whole event
	cancelled       // the dispatcher itself was told to end
)

// An exitState is how a hook ended.
type exitState struct {
	status
	stop           stop
	stdout, stderr capture
	err            error  // why it did not start
	note           string // what the person should know of how it was started
	in             *told  // what it was told, of a hook that speaks another protocol
	envFile        []byte // the variables that such a hook set
	panicked       string // a built-in hook's panic
}

// A status is what the system says about a process that ended.
type status struct {
	exit   int    // exit code, -1 if it has none
	signal string // "SIGKILL", if a signal ended it
}

// run starts the process and sees it to its end: it feeds stdin, collects
// stdout and stderr, and stops the whole group when its time is over. The exit
// status of the process decides, whatever still holds its pipes.
func (c *command) run(ctx context.Context) exitState {
	theirs, ours, rest, err := pipes(c.stdin)
	if err != nil {
		return notStarted(err)
	}
	began := time.Now()
	p, err := c.start(theirs)
	theirs.close()
	if err != nil {
		ours.close()
		return notStarted(err)
	}
	if ours[0] != nil {
		go feed(ours[0], rest)
	}
	out, errs := collect(ours[1], maxStdout), collect(ours[2], maxStderr)
	e := c.await(ctx, p, began)
	p.release()
	// A hook that did not read all of its input has not failed: the feeder ends here,
	// whoever still holds the other side.
	ours[0].Close()
	last := time.Now().Add(c.drainTime(e.stop))
	e.stdout, e.stderr = out.take(last), errs.take(last)
	return e
}

// start starts the process, from a thread that is confined if the process shall be.
func (c *command) start(io stdio) (p *process, err error) {
	begin := func() { p, err = start(c.argv, c.dir, c.env, io, ownGroup) }
	if c.within == nil {
		begin()
	} else if cerr := c.within.Do(begin); cerr != nil {
		return nil, &looseError{cerr}
	}
	if err == nil && c.memory > 0 {
		p.limitMemory(c.memory)
	}
	return p, err
}

// await waits for the process. At its limit the group is sent SIGTERM, and
// after the grace all that is left of it SIGKILL, even if the process itself
// has gone by then.
func (c *command) await(ctx context.Context, p *process, began time.Time) exitState {
	ended := make(chan status, 1)
	go func() { ended <- p.wait() }()
	limit := time.NewTimer(time.Until(c.time.limit))
	defer limit.Stop()
	var why stop
	select {
	case s := <-ended:
		return exitState{status: s}
	case <-limit.C:
		why = ownLimit
		if c.time.event {
			why = eventLimit
		}
	case <-ctx.Done():
		why = cancelled
		if ctx.Err() == context.DeadlineExceeded {
			why = eventLimit
		}
	}
	// It may have ended before that, while we were stopped or got no processor: what it
	// said in time counts.
	if s, over := p.over(ended); over {
		return exitState{status: s}
	}
	s := c.end(p, ended)
	if c.alone {
		p.endStrays(began)
	}
	return exitState{status: s, stop: why}
}

// end ends a process group: politely first.
func (c *command) end(p *process, ended <-chan status) status {
	p.terminate()
	grace := c.time.grace
	if !c.time.last.IsZero() {
		grace = min(grace, time.Until(c.time.last))
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case s := <-ended:
		// What the process started may need its grace as well.
		for pause := 5 * time.Millisecond; p.groupAlive(); pause = min(2*pause, 50*time.Millisecond) {
			select {
			case <-timer.C:
				p.kill()
				return s
			case <-time.After(pause):
			}
		}
		return s
	case <-timer.C:
	}
	p.kill()
	timer.Reset(reapLimit)
	select {
	case s := <-ended:
		return s
	case <-timer.C:
		return status{exit: -1}
	}
}

// drainTime is how long pipes that are still open are read after the end. Of a
// hook that was stopped only a line of stderr is of interest, and the answer may
// be due.
func (c *command) drainTime(why stop) time.Duration {
	if why == notStopped {
		return c.drain
	}
	return min(c.drain, 20*time.Millisecond)
}

func notStarted(err error) exitState { return exitState{status: status{exit: -1}, err: err} }

// A stdio is stdin, stdout and stderr.
type stdio [3]*os.File

func (s stdio) close() {
	for _, f := range s {
		f.Close() // of none it is an error
	}
}

// pipes are the three pipes of a process, its ends and ours, with what it is to read
// in the first of them. rest is what did not fit; ours has no stdin if all did.
func pipes(stdin []byte) (theirs, ours stdio, rest []byte, err error) {
	if theirs[0], ours[0], rest, err = inPipe(stdin); err == nil {
		ours[1], theirs[1], err = outPipe()
	}
	if err == nil {
		ours[2], theirs[2], err = outPipe()
	}
	if err != nil {
		theirs.close()
		ours.close()
	}
	return theirs, ours, rest, err
}

// feed writes what did not fit into the pipe, and then ends stdin. A hook that
// does not want it ends this with EPIPE, which is nobody's failure.
func feed(w *os.File, b []byte) {
	_, _ = w.Write(b)
	w.Close()
}

// A capture is what a hook wrote, up to a limit.
type capture struct {
	data []byte
	over bool // there was more
}

// A sink keeps the first bytes written to it and swallows the rest, so that a
// hook that floods neither blocks nor fills memory.
type sink struct {
	mu sync.Mutex
	capture
	max    int
	closed bool
}

func (s *sink) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0, io.ErrClosedPipe
	}
	keep := min(len(b), s.max-len(s.data))
	s.data = append(s.data, b[:keep]...)
	s.over = s.over || keep < len(b)
	return len(b), nil
}

// close ends the sink: what comes later is refused.
func (s *sink) close() capture {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return s.capture
}

// A collector reads one output pipe of a process.
type collector struct {
	sink
	r    *os.File
	done chan struct{}
}

func collect(r *os.File, limit int) *collector {
	c := &collector{sink: sink{max: limit}, r: r, done: make(chan struct{})}
	go func() {
		defer close(c.done)
		buf := make([]byte, 8<<10)
		for {
			n, err := r.Read(buf)
			if n > 0 {
				if _, werr := c.Write(buf[:n]); werr != nil {
					return
				}
			}
			if errors.Is(err, os.ErrDeadlineExceeded) {
				for left := most; left > 0; left -= n {
					if n = readNow(r, buf); n <= 0 {
						return
					}
					_, _ = c.Write(buf[:n])
				}
			}
			if err != nil {
				return
			}
		}
	}()
	return c
}

// most is what a pipe may hold that is no longer waited for.
const most = 1 << 20

// take returns what was written until the pipe ended, or until last: a child that was
// left behind may hold the pipe for ever. What is in the pipe by then counts, even if
// no processor was free to read it earlier.
func (c *collector) take(last time.Time) capture {
	select {
	case <-c.done:
	default:
		timer := time.NewTimer(time.Until(last))
		select {
		case <-c.done:
		case <-timer.C:
			if c.r.SetReadDeadline(time.Unix(1, 0)) == nil {
				<-c.done
			}
		}
		timer.Stop()
	}
	got := c.close()
	c.r.Close()
	got.data = readable(got.data, got.over)
	return got
}

// program turns an entry's argv into what can be started: its first word is looked up
// in the hook's own PATH. If an interpreter is given the script, the script is opened
// first: python3 and sh exit with 2 when they cannot read it, and 2 is a block. shell
// stands in for a sh that is not there.
func program(e discovery.Entry, env, shell []string) ([]string, error) {
	if len(e.Argv) == 0 {
		return nil, launchErrorf("the hook has no entry to start")
	}
	if e.Filled {
		e.Argv = filled(e.Argv, env)
	}
	if strings.ContainsAny(e.Argv[0], separators) {
		return e.Argv, nil
	}
	front := shell
	if found := lookPath(e.Argv[0], env); found != "" {
		front = []string{found}
	} else if len(shell) == 0 || !slices.Contains(shells, e.Argv[0]) || !isFile(shell[0]) {
		return nil, launchErrorf("interpreter %q was not found in PATH %q", e.Argv[0], variable(env, "PATH"))
	}
	if e.Path != "" {
		f, err := safefile.Open(e.Path)
		if err != nil {
			return nil, launchErrorf("entry %q cannot be read: %v", e.Path, cause(err))
		}
		f.Close()
	}
	return append(slices.Clone(front), e.Argv[1:]...), nil
}

// shells are the interpreters that [Runner.Shell] stands in for.
var shells = []string{"sh", "bash", "dash"}

// filled are words with the value of a variable for each ${NAME} that is one of env.
func filled(words, env []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		var b strings.Builder
		for {
			before, rest, ok := strings.Cut(w, "${")
			name, after, closed := strings.Cut(rest, "}")
			if b.WriteString(before); !ok {
				break
			}
			if !closed || !slices.ContainsFunc(env, func(kv string) bool { n, _, _ := strings.Cut(kv, "="); return sameName(n, name) }) {
				b.WriteString("${")
				w = rest
				continue
			}
			b.WriteString(variable(env, name))
			w = after
		}
		out[i] = b.String()
	}
	return out
}
