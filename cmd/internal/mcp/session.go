package mcp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// drainWait is how long calls may continue after the input has ended, or another was done.
const drainWait = 30 * time.Second

// A session is what a server knows about its client.
type session struct {
	*wire
	server *Server

	mu      sync.Mutex
	ended   bool                           // nothing new is accepted
	open    map[string]*request            // unanswered ones, by id
	under   int                            // requests that are open, or whose answers are being written
	idle    chan struct{}                  // signalled when one is done
	version string                         // agreed on by initialize, "" before
	told    []string                       // the tools of the last list that it got, nil before
	asked   int                            // requests of ours
	waiting map[int]chan<- protocol.Object // for answers to them

	// What changes something of a set with an order waits for the end of the last such call. Only
	// the reader of the input uses it.
	last map[*Set]<-chan struct{}

	asking   sync.Mutex // held while the client is asked for its roots
	hasRoots bool       // it can report them
	known    bool       // it was asked
	roots    []string   // what it reported
}

// A request is one of the client's.
type request struct {
	message
	batch     bool // it is one of a batch
	stateless bool // of a protocol without sessions
	cancelled bool
	listens   bool   // waits for changes of the tools, until it is cancelled
	listening func() // ends the wait for that to be so
	done      context.CancelFunc
	reply     func(*reply) // nil: there is none
}

// Serve answers one client until it ends its input or ctx is done. It then completes
// running calls, as a script that pipes its requests in expects. A line that is not a
// message gets an error, and the server continues.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	c := &session{wire: &wire{out: out}, server: s, open: map[string]*request{}, idle: make(chan struct{}, 1), waiting: map[int]chan<- protocol.Object{}, last: map[*Set]<-chan struct{}{}}
	ended := make(chan error, 1)
	go func() { ended <- c.read(bufio.NewReaderSize(in, 64<<10)) }()
	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
	}
	c.drain()
	return errors.Join(err, c.broken())
}

func (c *session) read(lines *bufio.Reader) error {
	for {
		line, err := readLine(lines)
		c.line(line)
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("reading from the client: %w", err)
		}
	}
}

// line handles one line from the client.
func (c *session) line(line []byte) {
	list, batch, wrong := messages(line)
	if wrong == nil && batch {
		wrong = c.refuseBatch()
	}
	if wrong != nil {
		c.send(refusal(nil, wrong))
		return
	}
	reply := func(r *reply) {
		if r != nil {
			c.send(r)
		}
	}
	if batch {
		reply = c.together(len(list))
	}
	for _, raw := range list {
		c.take(raw, batch, reply)
	}
}

// lastBatch is the last protocol that has batches.
const lastBatch = "2025-03-26"

func (c *session) refuseBatch() *fault {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.version > lastBatch {
		return faultf(noRequest, "protocol %s has no batches: want one message a line", c.version)
	}
	return nil
}

// together answers the n messages of a batch at once, when the last of them is done.
func (c *session) together(n int) func(*reply) {
	var mu sync.Mutex
	var all []*reply
	return func(r *reply) {
		mu.Lock()
		defer mu.Unlock()
		if r != nil {
			all = append(all, r)
		}
		if n--; n == 0 && all != nil {
			c.send(all)
		}
	}
}

// take handles one message.
func (c *session) take(raw protocol.Raw, batch bool, reply func(*reply)) {
	m, wrong := parse(raw)
	switch {
	case wrong != nil:
		reply(refusal(m.id, wrong))
	case m.answer != nil:
		c.heard(m)
		reply(nil)
	case m.id == nil:
		c.noted(m)
		reply(nil)
	default:
		c.begin(&request{message: m, batch: batch, reply: reply})
	}
}

// begin answers a request. Requests that may take a while run concurrently.
func (c *session) begin(r *request) {
	var ctx context.Context
	ctx, r.done = context.WithCancel(context.Background())
	c.mu.Lock()
	switch at := key(r.id); {
	case c.ended:
		c.mu.Unlock()
		return
	case c.open[at] != nil:
		c.mu.Unlock()
		// Its answer would be taken for the other request's.
		r.reply(refusal(nil, faultf(noRequest, "the id %s is that of a request which has no answer yet", r.id)))
		return
	default:
		c.open[at] = r
		c.under++
	}
	c.mu.Unlock()
	switch r.method {
	case "tools/call":
		before, done := c.queue(r)
		go func() {
			defer done()
			<-before
			c.do(ctx, r)
		}()
	case "tools/list":
		go c.do(ctx, r)
	case "subscriptions/listen":
		// What the client asks for after this can change what it listens for.
		var listening context.Context
		listening, r.listening = context.WithCancel(context.Background())
		go c.do(ctx, r)
		<-listening.Done()
	default:
		c.do(ctx, r)
	}
}

// queue is what a call of a tool waits for, and what ends the wait for this one.
func (c *session) queue(r *request) (before <-chan struct{}, done func()) {
	free := make(chan struct{})
	close(free)
	set, t := c.server.tool(r.params.Text("name"))
	if t == nil || !set.InOrder || t.ReadOnly || t.Needs.Has(op.Network) {
		return free, func() {}
	}
	mine := make(chan struct{})
	before = c.last[set]
	if c.last[set] = mine; before == nil {
		before = free
	}
	return before, func() { close(mine) }
}

func (c *session) do(ctx context.Context, r *request) {
	defer r.done()
	var result any
	var wrong *fault
	if ctx.Err() == nil { // it may have been cancelled while it waited
		result, wrong = c.safely(ctx, r)
	}
	if r.listening != nil {
		r.listening() // also if it was refused
	}
	c.mu.Lock()
	cancelled := r.cancelled
	delete(c.open, key(r.id)) // whoever has the answer may reuse the id
	c.mu.Unlock()
	switch {
	case cancelled:
		r.reply(nil) // nobody waits for it
	case wrong != nil:
		r.reply(refusal(r.id, wrong))
	default:
		r.reply(&reply{Version: "2.0", ID: []byte(r.id), Result: result})
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.under--
	select {
	case c.idle <- struct{}{}:
	default:
	}
}

// safely answers a request, even with a panic.
func (c *session) safely(ctx context.Context, r *request) (result any, wrong *fault) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(c.server.Log, "agents-hooks: mcp: %s: panic: %v\n%s", r.method, p, debug.Stack())
			result, wrong = nil, faultf(internal, "%s failed; this is a bug of agents-hooks: %v", r.method, p)
		}
	}()
	return c.answer(ctx, r)
}

// cancel cancels a request: its answer is not sent. A tool is not interrupted in what
// it has begun.
func (c *session) cancel(id protocol.Raw) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r := c.open[key(id)]; r != nil && r.method != "initialize" {
		r.cancelled = true
		r.done()
	}
}

// drain returns when nothing is unanswered. Listeners are told that it is over.
func (c *session) drain() {
	limit := time.NewTimer(drainWait)
	defer limit.Stop()
	for {
		c.mu.Lock()
		c.ended = true
		n := c.under
		for _, r := range c.open {
			if r.listens {
				r.done()
			}
		}
		c.mu.Unlock()
		if n == 0 {
			return
		}
		select {
		case <-c.idle:
			limit.Reset(drainWait)
		case <-limit.C:
			return
		}
	}
}

// ask asks the client for something.
func (c *session) ask(ctx context.Context, method string, wait time.Duration) (protocol.Object, error) {
	answered := make(chan protocol.Object, 1)
	c.mu.Lock()
	c.asked++
	id := c.asked
	c.waiting[id] = answered
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.waiting, id)
		c.mu.Unlock()
	}()
	c.send(note{Version: "2.0", ID: id, Method: method})
	ctx, done := context.WithTimeout(ctx, wait)
	defer done()
	select {
	case o := <-answered:
		if o.Has("error") {
			return nil, fmt.Errorf("%s: the client says %s", method, o.Get("error"))
		}
		return o.Sub("result"), nil
	case <-ctx.Done():
		c.send(note{Version: "2.0", Method: "notifications/cancelled", Params: map[string]any{"requestId": id, "reason": "no answer in time"}})
		return nil, fmt.Errorf("%s: %w", method, ctx.Err())
	}
}

// heard handles an answer from the client. One that nobody waits for is ignored.
func (c *session) heard(m message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, to := range c.waiting {
		if key(m.id) == fmt.Sprint(id) {
			delete(c.waiting, id)
			to <- m.answer
		}
	}
}
