package client

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"path/filepath"
	"sync"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/api"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
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

// Reviewed records, in the folder of evolution, that a session had its review: its mere
// guesses are not pushed.
func Reviewed(dir, session string) error {
	return changeJSON(filepath.Join(dir, knownFile), func(k *known) { k.Reviewed = add(k.Reviewed, session) })
}
