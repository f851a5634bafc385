package client

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/api"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// What fails with 5xx, 429, 401 or no answer at all waits in the queue,
// at most ten entries, and is sent with the next start, one by one; 400, 403 and
// 404 are dropped with a line.
func TestRetryQueue(t *testing.T) {
	t.Parallel()
	for i, c := range []struct {
		status int
		queued bool
	}{{500, true}, {429, true}, {401, true}, {0, true}, {400, false}, {502, true}, {503, true}, {403, false}, {404, false}} {
		if !slowtest.Part(i, 4) {
			continue
		}
		t.Run(fmt.Sprint(c.status), func(t *testing.T) {
			t.Parallel()
			v := newTeam(t)
			key := v.key(t, "ada")
			s := machine(t, v.url, key)
			g := s.learn(t)
			s.end(t)
			id := s.observe(t, store.Observation{Gene: g.ID, Success: true})
			v.before = func(w http.ResponseWriter, _ *http.Request) bool {
				if c.status == 0 {
					panic(http.ErrAbortHandler)
				}
				w.WriteHeader(c.status)
				return true
			}
			r := s.end(t)
			n, err := Waiting(s.Dir)
			if err != nil || (n == 1) != c.queued || r.Done || (r.Queued == 1) != c.queued {
				t.Fatalf("%d entries, %v: %+v", n, err, r)
			}
			v.mu.Lock()
			v.before = nil
			v.mu.Unlock()
			if !c.queued {
				if s.unpushed(t) != 0 {
					t.Error("what the server refused is sent again")
				}
				return
			}
			q, _ := s.queue()
			if q[0].Outcomes[0].OutcomeID != id || q[0].TS == 0 {
				t.Errorf("%+v", q)
			}
			if r := s.end(t); r.Pushed != 1 || s.unpushed(t) != 0 {
				t.Errorf("%+v", r)
			}
			if n, _ := Waiting(s.Dir); n != 0 {
				t.Errorf("%d entries are left", n)
			}
			if row, ok := v.there(t, key, g.ID); !ok || row.SuccessCount != 1 {
				t.Errorf("%+v", row)
			}
		})
	}
}

// The queue keeps the newest ten; what leaves it is not lost, since the
// store has it. A queue that the original wrote is sent. EV-SHR-05.
func TestQueueOfTen(t *testing.T) {
	t.Parallel()
	v := newTeam(t)
	key := v.key(t, "ada")
	s := machine(t, v.url, key)
	g := s.learn(t)
	s.end(t)
	v.before = func(w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(503); return true }
	for i := range 13 {
		s.observe(t, store.Observation{Gene: g.ID, Success: true, Session: fmt.Sprint("x", i)})
		s.end(t)
	}
	if n, err := Waiting(s.Dir); n != 10 || err != nil {
		t.Errorf("%d entries, %v", n, err)
	}
	v.before = nil
	if r := s.end(t); r.Pushed != 13 || s.unpushed(t) != 0 {
		t.Errorf("%+v", r)
	}
	if row, _ := v.there(t, key, g.ID); row.SuccessCount != 13 {
		t.Errorf("%+v", row)
	}
	old := `[{"outcomes":[{"gene_id":"` + g.ID + `","outcome":"failure","summary":"x","signals":[{"type":"error:oom"}]}],"ts":1}]`
	must.Write(t, filepath.Join(s.Dir, queueFile), old)
	if r := s.start(t); r.Pushed != 1 {
		t.Errorf("%+v", r)
	}
	if row, _ := v.there(t, key, g.ID); row.FailureCount != 1 {
		t.Errorf("%+v", row)
	}
}

// An outcome that the server does not take is dropped with a line; the
// others of the same push are taken.
func TestRejectedOutcomesAreDropped(t *testing.T) {
	t.Parallel()
	v := newTeam(t)
	s := machine(t, v.url, v.key(t, "ada"))
	imported, err := s.Store.Put(t.Context(), gene.Gene{ID: "gene_of_elsewhere", Category: gene.Repair, Title: "x", SignalsMatch: gene.Signals("a:b"), Strategy: []string{"x"}}, "import", time.Now())
	must.Do(t, err)
	g := s.learn(t)
	s.observe(t, store.Observation{Gene: imported.ID, Success: true})
	s.observe(t, store.Observation{Gene: g.ID, Success: true})
	var lines []string
	s.Log = func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	r := s.end(t)
	if r.Pushed != 1 || len(r.Rejected) != 1 || !strings.Contains(r.Rejected[0], "unknown gene") || s.unpushed(t) != 0 || !strings.Contains(strings.Join(lines, "\n"), "does not take an outcome") {
		t.Errorf("%+v\n%s", r, lines)
	}
}

// One deadline for all; a server that does not answer costs that and no
// more, and what is there is kept.
func TestASyncHasOneDeadline(t *testing.T) {
	t.Parallel()
	v := newTeam(t)
	hang := make(chan struct{})
	defer close(hang)
	v.before = func(_ http.ResponseWriter, r *http.Request) bool {
		select {
		case <-hang:
		case <-r.Context().Done():
		}
		return true
	}
	s := machine(t, v.url, v.key(t, "ada"))
	must.Do(t, s.enqueue(entry{Outcomes: []api.Outcome{{GeneID: "x", OutcomeID: "1"}}}))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	r := NewResult()
	begin := time.Now()
	s.Start(ctx, r, s.Memory)
	if took := time.Since(begin); took > 20*time.Second || r.Done || len(r.Problems) < 2 {
		t.Errorf("%v: %+v", took, r)
	}
	if !strings.Contains(strings.Join(r.Problems, "\n"), "pull: the time was over; what came is kept") {
		t.Errorf("problems %q", r.Problems)
	}
	if n, _ := Waiting(s.Dir); n != 1 {
		t.Error("what waited is gone")
	}
}
