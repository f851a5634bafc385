package dispatch

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/lines"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// streaming is one process for many events: a line in, a line out, in the order of the lines.
// Between events it keeps nothing but what processes would find in the state directory, and the
// content of files that have not changed (Memo). One line is read ahead, so that the line after
// an event can end it; a faster sender waits.
type streaming struct {
	host host.Host
	opt  options
	out  *outlet
	ctx  context.Context // ends the stream

	memo discovery.Memo
	last *running // what was read last, for the line after it
}

// A running event: another line can end it until it is answered.
type running struct {
	id   protocol.Raw
	ctx  context.Context
	mu   sync.Mutex
	stop context.CancelFunc // nil once it is answered
}

// What a line may ask for, besides an event.
const (
	askHello  = "hello"
	askCancel = "cancel"
)

// A lineIn is one line, as far as it could be read.
type lineIn struct {
	number int
	given
	event   *running // nil: it asks for something else
	stopped bool     // it asked for the cancellation of an event, and that happened
}

// streamVersion is the version of the protocol, spec/STREAM.md.
const streamVersion = "1"

const (
	// afterEnd is how long hooks may continue after the end of the input: the sender of the
	// event may be gone.
	afterEnd = 5 * time.Second
	// lastWord is how long an answer may take if nobody reads it, once the stream was told to
	// end.
	lastWord = 2 * time.Second
	// longLine is the length from which a line's memory is released at once.
	longLine = 1 << 20
)

// stream is the run command with --stream. It exits with 0 at the end of its input, with 1 if
// an answer could not be written, and after a signal with 128 plus its number, once the running
// hook has ended.
func stream(h host.Host, o options, stdin io.Reader, stdout io.Writer) (exit int) {
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, os.Interrupt, syscall.SIGTERM)
	ctx, cancel := context.WithCancel(context.Background())
	boundMemory()
	h.Behaviours = sync.OnceValue(h.Behaviours)
	s := &streaming{host: h, opt: o, out: &outlet{w: stdout}, ctx: ctx}
	read, done := make(chan lineIn), make(chan error, 1)
	go s.read(stdin, read, cancel)
	go func() { done <- s.answerAll(read) }()
	select {
	case err := <-done:
		if err != nil {
			return 1
		}
		return 0
	case sig := <-ended:
		cancel()
		select {
		case <-done:
		case <-time.After(lastWord):
		}
		if n, ok := sig.(syscall.Signal); ok {
			return 128 + int(n)
		}
		return 1
	}
}

// read reads lines to the end of the input, and then gives the running event a little more
// time; or as much as it needs if the input is a file, whose end means nothing.
func (s *streaming) read(stdin io.Reader, out chan<- lineIn, end context.CancelFunc) {
	defer close(out)
	r := bufio.NewReaderSize(stdin, 64<<10)
	for n := 1; ; n++ {
		text, err := lines.Read(r, maxInput)
		if err != nil && !errors.Is(err, lines.ErrLong) {
			if !isFile(stdin) {
				time.AfterFunc(afterEnd, end)
			}
			return
		}
		in := lineIn{number: n, given: given{begin: text}}
		if err == nil {
			in.parse()
		} else {
			in.err = fmt.Errorf("reading stdin: a line of more than %d MiB", maxInput>>20)
		}
		switch {
		case !in.object.Has("request") || in.object.Has("event_type"):
			in.event = &running{id: in.object.Get("id")}
			in.event.ctx, in.event.stop = context.WithCancel(s.ctx)
		case in.object.Text("request") == askCancel:
			in.stopped = s.last.cancel(in.object.Get("of"))
		}
		select {
		case out <- in:
		case <-s.ctx.Done():
			return
		}
		if in.event != nil {
			s.last = in.event
		}
	}
}

func isFile(r io.Reader) bool {
	f, ok := r.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}

// answerAll answers each line, until there are no more or the stream is told to end.
func (s *streaming) answerAll(read <-chan lineIn) error {
	for {
		select {
		case <-s.ctx.Done():
			return nil
		case in, more := <-read:
			if !more {
				return nil
			}
			if err := s.answer(in); err != nil {
				return err
			}
			runner.Reap()
			if len(in.begin) > longLine {
				in = lineIn{}
				debug.FreeOSMemory()
			}
		}
	}
}

func (s *streaming) answer(in lineIn) error {
	id := in.object.Get("id")
	if in.err != nil {
		id = glimpse(in.begin, false).Get("id")
	}
	tie := protocol.Object{{Name: "line", Value: protocol.Raw(strconv.Itoa(in.number))}}
	if id != nil {
		tie.Set("id", id)
		in.object.Delete("id")
	}
	if in.event == nil {
		return s.write(tie, in.request())
	}
	defer in.event.done()
	if !s.opt.json {
		// A plugin sends another process what was not begun, and nobody what was.
		if err := s.write(tie, protocol.Object{{Name: "begun", Value: protocol.Raw("true")}}); err != nil {
			return err
		}
	}
	ctx := in.event.ctx
	watchEvent(ctx, func() {})
	c := newCall(s.host, s.opt)
	c.tie, c.memo = tie, &s.memo
	a := c.answer(ctx, func() given { return in.given })
	if ctx.Err() != nil && a.outcome.Decision != protocol.Block {
		a.refused, a.ran = &refusal{kind: "cancelled", at: -1, text: "the event was cancelled before all of its hooks had judged it"}, nil
	}
	c.reply(a, s.out, io.Discard)
	return s.out.err
}

// request answers a line that asks something of the stream itself.
func (in lineIn) request() (o protocol.Object) {
	switch ask := in.object.Text("request"); ask {
	case askHello:
		if v := in.object.Get("stream"); v != nil && string(v) != streamVersion {
			f := refusal{kind: "request", at: -1, text: fmt.Sprintf("version %s of the stream is not spoken here", protocol.Plain(string(v))), hint: "this program speaks version " + streamVersion}
			o.Set("error", f.raw())
			break
		}
		var hello protocol.Object
		var events []string
		for _, t := range protocol.EventTypes() {
			events = append(events, string(t))
		}
		hello.Set("stream", protocol.Raw(streamVersion))
		hello.Set("events", protocol.TextList(events))
		hello.Set("requests", protocol.TextList([]string{askHello, askCancel}))
		hello.Set("max_line", protocol.Raw(strconv.Itoa(maxInput)))
		o.Set("hello", hello.Raw())
	case askCancel:
		o.Set("cancelled", protocol.Raw(strconv.FormatBool(in.stopped)))
	default:
		f := refusal{kind: "request", at: -1, text: fmt.Sprintf("request %s is not known", protocol.Plain(string(in.object.Get("request")))), hint: "an event has an event_type; requests are hello and cancel"}
		o.Set("error", f.raw())
	}
	return o
}

// done marks it as answered.
func (r *running) done() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stop()
	r.stop = nil
}

// cancel ends it, if it has this id or none is given.
func (r *running) cancel(id protocol.Raw) bool {
	if r == nil || id != nil && !bytes.Equal(id, r.id) {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stop == nil {
		return false
	}
	r.stop()
	return true
}

func (s *streaming) write(tie, o protocol.Object) error {
	line := slices.Concat(protocol.Object{{Name: "schema", Value: protocol.Raw("1")}}, tie, o)
	_, _ = s.out.Write(append(line.Append(nil), '\n'))
	return s.out.err
}

// An outlet remembers a failed write.
type outlet struct {
	w   io.Writer
	err error
}

func (o *outlet) Write(b []byte) (int, error) {
	n, err := o.w.Write(b)
	o.err = cmp.Or(o.err, err)
	return n, err
}
