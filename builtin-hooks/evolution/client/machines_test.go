package client

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/api"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	evolutionserver "github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/server"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A team is a service and its database.
type team struct {
	store *evolutionserver.Store
	url   string
	// before is asked before each request; what it answers, if anything, is the
	// answer.
	before func(w http.ResponseWriter, r *http.Request) bool
	mu     sync.Mutex
	asked  []string
}

func newTeam(t *testing.T) *team {
	t.Helper()
	id := func() string {
		b := make([]byte, 16)
		rand.Read(b)
		return hex.EncodeToString(b)
	}
	s, err := evolutionserver.Open(t.Context(), filepath.Join(t.TempDir(), "serve.sqlite"), time.Now, id)
	must.Do(t, err)
	t.Cleanup(func() { s.Close() })
	v := &team{store: s}
	service := evolutionserver.New(s, evolutionserver.DefaultLimits(), evolutionserver.Hosts{}, io.Discard)
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v.mu.Lock()
		v.asked = append(v.asked, r.Method+" "+r.URL.Path)
		before := v.before
		v.mu.Unlock()
		if before != nil && before(w, r) {
			return
		}
		service.ServeHTTP(w, r)
	}))
	t.Cleanup(h.Close)
	v.url = h.URL
	return v
}

func (v *team) key(t *testing.T, person string) string {
	t.Helper()
	key, _, err := v.store.NewKey(t.Context(), person, evolutionserver.Terms{})
	must.Do(t, err)
	return key
}

func (v *team) calls(part string) (n int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, c := range v.asked {
		if strings.Contains(c, part) {
			n++
		}
	}
	return n
}

// machine is a machine of a person: a store of its own.
func machine(t *testing.T, base, key string) *Sync {
	t.Helper()
	c, err := New(base, key, "test", http.DefaultTransport)
	must.Do(t, err)
	dir := t.TempDir()
	st, err := store.Open(t.Context(), dir)
	must.Do(t, err)
	t.Cleanup(func() { st.Close() })
	return &Sync{Client: c, Store: st, Dir: dir, Scope: "my/app", Session: "s1", Now: time.Now, Log: t.Logf}
}

func (s *Sync) learn(t *testing.T) gene.Gene {
	t.Helper()
	row, err := s.Store.Put(t.Context(), gene.Gene{Category: gene.Repair, Title: "Clear the cache of the build", SignalsMatch: gene.Signals("error:build_failure"), Strategy: []string{"Clear the cache", "Build again"}, Constraints: gene.DefaultConstraints(), Scope: s.Scope}, "local", time.Now())
	must.Do(t, err)
	return row.Gene
}

func (s *Sync) observe(t *testing.T, o store.Observation) string {
	t.Helper()
	o.Session = cmp.Or(o.Session, s.Session)
	o.Signals, o.At, o.Scope = gene.Signals("error:build_failure"), time.Now(), s.Scope
	done, err := s.Store.Record(t.Context(), o)
	must.Do(t, err)
	return done.ID
}

// end is the end of a session.
func (s *Sync) end(t *testing.T) *Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	r := NewResult()
	s.End(ctx, r)
	return r
}

func (s *Sync) start(t *testing.T) *Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	r := NewResult()
	s.Start(ctx, r)
	return r
}

func (s *Sync) unpushed(t *testing.T) int {
	t.Helper()
	list, err := s.Store.Observations(t.Context(), store.Search{Unpushed: true})
	must.Do(t, err)
	return len(list)
}

// there is what the server knows of a gene.
func (v *team) there(t *testing.T, key, id string) (g api.Row, ok bool) {
	t.Helper()
	s := machine(t, v.url, key)
	s.Scope = "my/app"
	var p api.Pulled
	must.Do(t, s.Client.Call(t.Context(), time.Minute, "GET", "/api/im/evolution/sync/snapshot", map[string][]string{"scope": {s.wire()}}, nil, &p))
	for _, g := range p.Genes {
		if g.ID == id {
			return g, true
		}
	}
	return g, false
}
