package client

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/api"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/journal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// How long one call may take, however much of the total is left.
const (
	startLimit  = 2 * time.Second
	retryLimit  = 3 * time.Second
	endLimit    = 5 * time.Second
	memoryLimit = 2 * time.Second
)

const (
	batch    = 50  // outcomes per push
	pageSize = 200 // genes per pull
	pagesMax = 50  // pulls per sync
)

// A Sync shares with one server, for one scope.
type Sync struct {
	Client  *Client
	Store   *store.Store
	Dir     string // of evolution
	Scope   string // its local name
	Session string // of the agent; "" outside any session
	Now     func() time.Time
	Log     func(format string, args ...any)
	// Team says what happens to genes that others share.
	Team Team
	// PushAfterReview also pushes the unjudged outcomes of a session that had its
	// review.
	PushAfterReview bool

	mu sync.Mutex // guards the result
}

// A Team says whose approval other people's genes need before they are used here.
type Team string

const (
	TeamHold     Team = "quarantine" // the user's own
	TeamReviewed Team = "reviewed"   // a reviewer's
	TeamUse      Team = "use"        // nobody's, if nothing in it could do harm
)

// A Result is what a sync did, for the hook that asked for it.
type Result struct {
	Schema   int      `json:"schema"`
	Key      bool     `json:"key"`
	Server   string   `json:"server"`
	Scope    string   `json:"scope"` // as on the wire
	Done     bool     `json:"done"`  // false: something is missing, for lack of time or of the server
	Added    int      `json:"added"`
	Updated  int      `json:"updated"`
	Skipped  int      `json:"skipped"`
	Held     int      `json:"held"`    // genes that wait for somebody to read them
	Deleted  int      `json:"deleted"` // genes that their author or a reviewer deleted for everybody
	Pushed   int      `json:"pushed"`
	Queued   int      `json:"queued"`
	Rejected []string `json:"rejected"` // outcomes that the server does not accept
	Memory   string   `json:"memory"`   // a block to read, "" if there is none
	Skills   []string `json:"skills"`   // those that were written
	Problems []string `json:"problems"`
	MS       int64    `json:"ms"`
}

// NewResult is the Result of doing nothing.
func NewResult() *Result {
	return &Result{Schema: 1, Rejected: []string{}, Skills: []string{}, Problems: []string{}}
}

// problem records what went wrong; the rest goes on.
func (s *Sync) problem(r *Result, what string, err error) {
	if err == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r.Done = false
	text := what + ": " + oneLine(err.Error(), 300)
	if errors.Is(err, context.DeadlineExceeded) {
		text = what + ": the time was over; what came is kept, and the next sync goes on from there"
	}
	r.Problems = append(r.Problems, text)
	s.Log("sync: %s", text)
}

// oneLine is a foreign text on one line, without anything that a terminal obeys.
func oneLine(s string, most int) string { return text.Clip(text.OneLine(protocol.Plain(s)), most) }

// Start does what the start of a session requires, in order, under the one deadline of
// ctx: it pulls and sends the retry queue, with memory and skills in parallel. extra
// are further parallel tasks.
func (s *Sync) Start(ctx context.Context, r *Result, extra ...func(context.Context, *Result)) {
	begin := s.Now()
	r.Key, r.Server, r.Done = true, s.Client.Base, true
	var beside sync.WaitGroup
	for _, do := range extra {
		beside.Go(func() { do(ctx, r) })
	}
	s.problem(r, "pull", s.pull(ctx, startLimit, r))
	s.retry(ctx, r)
	beside.Wait()
	r.Scope, r.MS = s.wire(), s.Now().Sub(begin).Milliseconds()
}

// End does what the end of a session requires: it sends the retry queue, the genes that
// were made here and the outcomes, then pulls.
func (s *Sync) End(ctx context.Context, r *Result) {
	begin := s.Now()
	r.Key, r.Server, r.Done = true, s.Client.Base, true
	s.retry(ctx, r)
	s.push(ctx, r)
	s.problem(r, "pull", s.pull(ctx, endLimit, r))
	r.Scope, r.MS = s.wire(), s.Now().Sub(begin).Milliseconds()
}

// wire is the name of the scope at this server.
func (s *Sync) wire() string {
	if st, err := s.state(); err == nil && st.Wire != "" {
		return st.Wire
	}
	return api.Scope(s.Scope)
}

// scoped makes a call that names the scope. If the server does not accept the scope,
// global is tried, and remembered.
func (s *Sync) scoped(do func(scope string) error) error {
	scope := s.wire()
	err := do(scope)
	if scope == api.Global || !badScope(err) {
		return err
	}
	s.Log("sync: the server does not take the scope %q: global from now on", scope)
	if err := s.remember(func(st *scopeOfState) { st.Wire = api.Global }); err != nil {
		return err
	}
	return do(api.Global)
}

// exchange makes one sync call.
func (s *Sync) exchange(ctx context.Context, limit time.Duration, push []api.Outcome, since *int64) (out api.SyncAnswer, err error) {
	err = s.scoped(func(scope string) error {
		var in api.SyncRequest
		if push != nil {
			in.Push = &api.Push{Outcomes: push, Scope: scope}
		}
		if since != nil {
			in.Pull = &api.Pull{Since: *since, Scope: scope}
		}
		out = api.SyncAnswer{}
		return s.Client.Call(ctx, limit, http.MethodPost, "/api/im/evolution/sync", url.Values{"scope": {scope}}, in, &out)
	})
	return out, err
}

// pull fetches what changed since the last time, page by page. Each page is in the
// store before the cursor moves.
func (s *Sync) pull(ctx context.Context, limit time.Duration, r *Result) error {
	for range pagesMax {
		st, err := s.state()
		if err != nil {
			return err
		}
		out, err := s.exchange(ctx, limit, nil, &st.Cursor)
		if err != nil {
			return err
		}
		if out.Pulled == nil {
			return errors.New("the server's answer to a pull has nothing pulled")
		}
		if err := s.take(ctx, out.Pulled, r); err != nil {
			return err
		}
		if out.Role != "" {
			if err := s.know(func(k *known) { k.Role = out.Role }); err != nil {
				return err
			}
		}
		if out.Pulled.Cursor > st.Cursor || out.Pulled.Reset {
			if err := s.remember(func(st *scopeOfState) { st.Cursor = out.Pulled.Cursor }); err != nil {
				return err
			}
		}
		// A server that does not say whether there is more sends this many at once.
		if !out.Pulled.More && (out.Role != "" || len(out.Pulled.Genes) < pageSize) || out.Pulled.Cursor <= st.Cursor && !out.Pulled.Reset {
			return nil
		}
	}
	return nil
}

// retry sends the entries of the queue, the oldest first. It stops at the first one
// that cannot be sent.
func (s *Sync) retry(ctx context.Context, r *Result) {
	if list, err := s.queue(); err != nil || len(list) == 0 {
		s.problem(r, "retry queue", err)
		return
	}
	release, err := s.hold(100 * time.Millisecond)
	if err != nil {
		return // another process is doing it
	}
	defer release()
	// An outcome may be waiting because the server lacks its gene.
	if err := s.pushGenes(ctx); err != nil {
		s.problem(r, "retry queue", err)
		return
	}
	list, err := s.queue()
	s.problem(r, "retry queue", err)
	for _, e := range list {
		if ctx.Err() != nil {
			s.problem(r, "retry queue", ctx.Err())
			return
		}
		if err := s.send(ctx, retryLimit, e, r); err != nil && !final(err) {
			s.problem(r, "retry queue", err)
			return
		} else if err != nil {
			s.Log("sync: an entry of the retry queue is dropped: %s", oneLine(err.Error(), 300))
		}
		if err := s.dequeue(e); err != nil {
			s.problem(r, "retry queue", err)
			return
		}
	}
}

// send sends one entry and marks what the server accepted.
func (s *Sync) send(ctx context.Context, limit time.Duration, e entry, r *Result) error {
	if e.Report != nil {
		err := s.Client.Call(ctx, limit, http.MethodPost, "/api/im/evolution/report", nil, e.Report, nil)
		if err != nil && !final(err) {
			return err
		}
		if err := s.know(func(k *known) { k.Reported = add(k.Reported, e.Report.ID) }); err != nil {
			return err
		}
	}
	if len(e.Outcomes) == 0 {
		return nil
	}
	out, err := s.exchange(ctx, limit, s.translated(e.Outcomes), nil)
	if err != nil && !final(err) {
		return err
	}
	// What the server refuses it would refuse again: it is dropped, with a line in the
	// log.
	if err == nil && out.Pushed != nil {
		r.Pushed += len(e.Outcomes) - len(out.Pushed.Rejected)
		for _, why := range out.Pushed.Rejected {
			why = oneLine(why, 300)
			r.Rejected = append(r.Rejected, why)
			s.Log("sync: the server does not take an outcome: %s", why)
		}
	}
	var ids []string
	for _, o := range e.Outcomes {
		if o.OutcomeID != "" {
			ids = append(ids, o.OutcomeID)
		}
	}
	return errors.Join(err, s.Store.Pushed(ctx, ids, s.Now()))
}

// push sends the outcomes that the server lacks.
func (s *Sync) push(ctx context.Context, r *Result) {
	release, err := s.hold(time.Second)
	if err != nil {
		s.problem(r, "push", err) // they stay in the store
		return
	}
	defer release()
	if err := s.pushGenes(ctx); err != nil {
		// Outcomes for genes that the server lacks would be refused.
		s.problem(r, "push of genes", err)
		s.queueAll(ctx, r)
		return
	}
	list, err := s.waiting(ctx)
	if err != nil {
		s.problem(r, "push", err)
		return
	}
	for i, e := range list {
		err := s.send(ctx, endLimit, e, r)
		if err == nil {
			continue
		}
		s.problem(r, "push", err)
		if final(err) {
			continue
		}
		for _, rest := range list[i:] {
			s.problem(r, "retry queue", s.enqueue(rest))
			r.Queued += len(rest.Outcomes)
		}
		return
	}
}

// queueAll puts into the queue what would have been pushed.
func (s *Sync) queueAll(ctx context.Context, r *Result) {
	// Time may be up, but reading a file costs little.
	list, err := s.waiting(context.WithoutCancel(ctx))
	s.problem(r, "push", err)
	for _, e := range list {
		s.problem(r, "retry queue", s.enqueue(e))
		r.Queued += len(e.Outcomes)
	}
}

// waiting is what has to be pushed and is not in the queue yet: outcomes of genes, in
// batches, and the report of a session that met no gene.
func (s *Sync) waiting(ctx context.Context) ([]entry, error) {
	queued, err := s.queue()
	if err != nil {
		return nil, err
	}
	has := map[string]bool{}
	for _, e := range queued {
		for _, o := range e.Outcomes {
			has[o.OutcomeID] = true
		}
	}
	k, err := s.known()
	if err != nil {
		return nil, err
	}
	observed, err := s.Store.Observations(ctx, store.Search{Unpushed: true})
	if err != nil {
		return nil, err
	}
	var out []entry
	mine := false
	for _, o := range observed {
		mine = mine || o.Session == s.Session
		if has[o.ID] || !o.Explicit && !s.PushAfterReview && slices.Contains(k.Reviewed, o.Session) {
			continue
		}
		if n := len(out); n == 0 || len(out[n-1].Outcomes) == batch {
			out = append(out, entry{})
		}
		last := &out[len(out)-1]
		last.Outcomes = append(last.Outcomes, outcome(o))
	}
	if e, ok := s.reportOf(k, mine); ok && !slices.ContainsFunc(queued, func(q entry) bool { return q.Report != nil && q.Report.ID == e.Report.ID }) {
		out = append(out, e)
	}
	return out, nil
}

// outcome converts an observation to its form on the wire.
func outcome(o store.Observation) api.Outcome {
	w := api.Outcome{GeneID: o.Gene, Outcome: o.Outcome(), Summary: redact.Memory.Text(o.Summary), Score: o.Score, OutcomeID: o.ID, SessionID: hash(o.Session), Followed: o.Followed, Explicit: o.Explicit, At: o.At.UnixMilli(),
		Metadata: api.Map{"outcome_id": o.ID}}
	for _, g := range o.Signals {
		w.Signals = append(w.Signals, api.Signal(g))
	}
	if len(w.Signals) == 0 {
		w.Signals = []api.Signal{{Type: "session:end"}}
	}
	return w
}

// hash makes of a local id one that tells others nothing.
func hash(text string) string {
	if text == "" {
		return ""
	}
	sum := sha256.Sum256([]byte("agents-hooks " + text))
	return hex.EncodeToString(sum[:12])
}

// reportOf is the report of a session with signals and no gene: which signals, and how
// often; nothing about what was done.
func (s *Sync) reportOf(k known, has bool) (entry, bool) {
	id := hash("report " + s.Session)
	if s.Session == "" || has || slices.Contains(k.Reported, id) {
		return entry{}, false
	}
	j := journal.Of(s.Dir, s.Session).Read()
	counts := map[string]int{}
	var names []string
	last := false
	for _, e := range j.Entries {
		for _, g := range e.Signals {
			name := string(g.Key)
			if counts[name] == 0 {
				names = append(names, name)
			}
			counts[name]++
		}
		last = e.Failed()
		if len(e.Feedback) > 0 {
			return entry{}, false
		}
	}
	if len(names) == 0 {
		return entry{}, false
	}
	order.By(names, func(a, b string) int { return counts[b] - counts[a] })
	text := ""
	for _, n := range names {
		text += fmt.Sprintf("%s x%d\n", n, counts[n])
	}
	word := "success"
	if last {
		word = "failed"
	}
	return entry{Outcomes: []api.Outcome{}, Report: &report{ID: id, RawContext: text, Outcome: word, Task: "session"}}, true
}

// Reviewed records, in the folder of evolution, that a session had its review: its mere
// guesses are not pushed.
func Reviewed(dir, session string) error {
	return changeJSON(filepath.Join(dir, knownFile), func(k *known) { k.Reviewed = add(k.Reviewed, session) })
}

// Waiting is how many entries the retry queue has.
func Waiting(dir string) (int, error) {
	list, err := readJSON[[]entry](filepath.Join(dir, queueFile))
	return len(list), err
}
