package memory_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/compat"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/server"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/room"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/store"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/team"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A machine is one whose project is shared with a server that answers as a test says.
type machine struct {
	t          *testing.T
	root, home string
	url        string
	asked      []room.Request
	answer     func(room.Request) any // nil: everything is taken, nothing comes
	mu         sync.Mutex
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	m := &machine{t: t, root: t.TempDir(), home: t.TempDir()}
	h := httptest.NewServer(http.HandlerFunc(m.serve))
	t.Cleanup(h.Close)
	m.url = h.URL
	must.Do(t, m.share().On(team.Choice{Server: m.url, Room: "app"}, room.Member))
	return m
}

func (m *machine) serve(w http.ResponseWriter, r *http.Request) {
	var in room.Request
	_ = json.NewDecoder(r.Body).Decode(&in)
	m.mu.Lock()
	m.asked = append(m.asked, in)
	answer := m.answer
	m.mu.Unlock()
	var data any = taken(in)
	if answer != nil {
		if got := answer(in); got != nil {
			data = got
		}
	}
	if raw, is := data.(string); is {
		fmt.Fprint(w, raw)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"ok": true, "data": data})
}

// taken is the answer of a server that takes everything, and has nothing.
func taken(in room.Request) room.Answer {
	a := room.Answer{Protocol: 1, Room: in.Room, Role: room.Member}
	for _, item := range in.Push {
		a.Results = append(a.Results, room.Result{Name: name(item.ID + item.Name), Status: room.OK, Version: item.Version})
	}
	return a
}

func name(of string) string { return room.Name([]byte(fmt.Sprintf("%-12.12s", reverse(of)))) }

func reverse(s string) string {
	b := []byte(s)
	for i, k := 0, len(b)-1; i < k; i, k = i+1, k-1 {
		b[i], b[k] = b[k], b[i]
	}
	return string(b)
}

func (m *machine) keeper() (store.Keeper, memory.Place) {
	within, known := beneath.At(m.root), ledger.At(m.home, m.root)
	place := memory.Place{Root: m.root, Tree: m.root, Dir: filepath.Join(m.root, ".agents", "memory-data"), Within: within, Ledger: known}
	return store.Keeper{Root: m.root, Tree: m.root, Dir: place.Dir, Within: within, Ledger: known, Cache: filepath.Join(m.home, "cache"), Now: time.Now(), Random: rand.Uint64}, place
}

func (m *machine) share() *team.Share {
	k, place := m.keeper()
	return team.Of(k, place, m.home)
}

func (m *machine) sync() (*team.Result, error) {
	m.t.Helper()
	c, err := server.New(m.url, compat.KeyPrefix+"x", "", http.DefaultTransport)
	if err != nil {
		m.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(m.t.Context(), time.Minute)
	defer cancel()
	return m.share().Sync(ctx, team.Caller{Client: c}, 10*time.Second)
}

func (m *machine) save(text string) string {
	m.t.Helper()
	return m.saves(memory.Fact{Kind: "W", Content: text, Confidence: 0.9})
}

func (m *machine) saves(f memory.Fact) string {
	m.t.Helper()
	k, _ := m.keeper()
	s, err := k.Save(f, "")
	if err != nil {
		m.t.Fatal(err)
	}
	return s.ID
}

// living is what holds here, each with its origin.
func (m *machine) living() (list []store.Entry) {
	m.t.Helper()
	k, _ := m.keeper()
	all, err := k.Facts()
	if err != nil {
		m.t.Fatal(err)
	}
	return store.Living(all, time.Now())
}

// sends answers each pull that begins at 0 with changes.
func (m *machine) sends(changes ...room.Change) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.answer = func(in room.Request) any {
		a := taken(in)
		if in.Pull != nil && in.Pull.Since == 0 {
			a.Changes = changes
		}
		return a
	}
}

func change(seq int64, who, content string) room.Change {
	return room.Change{Name: name(fmt.Sprint(seq)), Seq: seq, Version: 1, Author: who, Person: "p-" + who[:1], Fact: &room.Fact{Type: "W", Content: content, Confidence: 0.9, Time: "2026-01-02T03:04:05Z"}}
}
