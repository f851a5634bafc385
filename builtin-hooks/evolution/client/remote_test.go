package client

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/api"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// Outcomes, and the genes they are about, reach the person's
// other machine, once; a second sync sends nothing. What was pulled is in
// the store, with its counts.
func TestOutcomesReachTheOtherMachine(t *testing.T) {
	t.Parallel()
	v := newTeam(t)
	key := v.key(t, "ada")
	a, b := machine(t, v.url, key), machine(t, v.url, key)
	g := a.learn(t)
	a.observe(t, store.Observation{Gene: g.ID, Success: true, Summary: "built; token ghp_abcdefghijklmnopqrstuvwxyz0123456789"})
	a.observe(t, store.Observation{Gene: g.ID, Success: false, Session: "s2", Explicit: true})
	r := a.end(t)
	if !r.Done || r.Pushed != 2 || len(r.Problems) > 0 || r.Scope != "ws_my_app" || a.unpushed(t) != 0 {
		t.Fatalf("%+v", r)
	}
	if r := a.end(t); r.Pushed != 0 || !r.Done {
		t.Errorf("a second time: %+v", r)
	}
	if r := b.start(t); !r.Done || r.Added != 1 {
		t.Fatalf("%+v", r)
	}
	row, err := b.Store.Get(t.Context(), g.ID)
	if err != nil || row.Successes != 1 || row.Failures != 1 || row.Origin != "remote" || row.Scope != "my/app" || !row.Visibility.Usable() || row.Strategy[1] != "Build again" {
		t.Errorf("%+v, %v", row, err)
	}
	// What came back of its own does not count twice here.
	mine, err := a.Store.Get(t.Context(), g.ID)
	if err != nil || mine.Elsewhere.N() != 0 || mine.Origin != "local" {
		t.Errorf("%+v, %v", mine, err)
	}
	b.observe(t, store.Observation{Gene: g.ID, Success: true, Session: "s3"})
	b.end(t)
	a.start(t)
	if mine, err = a.Store.Get(t.Context(), g.ID); err != nil || mine.Elsewhere.Successes != 1 {
		t.Errorf("what the other machine saw: %+v, %v", mine.Elsewhere, err)
	}
}

// What others published is held, unless the person said
// that the team's genes may be used; what is taken back is taken out of use. EV-SHR-02.
func TestGenesOfOthersAreHeld(t *testing.T) {
	t.Parallel()
	v := newTeam(t)
	ada, bob, trusting := machine(t, v.url, v.key(t, "ada")), machine(t, v.url, v.key(t, "bob")), machine(t, v.url, v.key(t, "eve"))
	trusting.Team = TeamUse
	g := ada.learn(t)
	ada.end(t)
	bob.start(t)
	if _, err := bob.Store.Get(t.Context(), g.ID); !errors.Is(err, store.ErrNoGene) {
		t.Errorf("a private gene reached another person: %v", err)
	}
	must.Do(t, ada.Store.Set(t.Context(), g.ID, gene.Shared, time.Now()))
	ada.end(t)
	bob.start(t)
	trusting.start(t)
	if row, err := bob.Store.Get(t.Context(), g.ID); err != nil || row.Visibility != gene.Held || row.Scope != "global" {
		t.Errorf("%+v, %v", row, err)
	}
	if row, err := trusting.Store.Get(t.Context(), g.ID); err != nil || !row.Visibility.Usable() {
		t.Errorf("%+v, %v", row, err)
	}
	must.Do(t, ada.Client.Call(t.Context(), time.Minute, "POST", "/api/im/evolution/genes/"+g.ID+"/publish", nil, map[string]string{"visibility": "quarantined"}, nil))
	trusting.start(t)
	if row, err := trusting.Store.Get(t.Context(), g.ID); err != nil || row.Visibility != gene.Held {
		t.Errorf("taken back: %+v, %v", row, err)
	}
}

// A server that refuses the scope is asked once more with global, and that
// is remembered.
func TestFallsBackToGlobal(t *testing.T) {
	t.Parallel()
	v := newTeam(t)
	var refused atomic.Int32
	v.before = func(w http.ResponseWriter, r *http.Request) bool {
		if s := r.URL.Query().Get("scope"); s != "" && s != "global" {
			refused.Add(1)
			w.WriteHeader(400)
			io.WriteString(w, `{"ok":false,"error":"Invalid scope format"}`)
			return true
		}
		return false
	}
	s := machine(t, v.url, v.key(t, "ada"))
	if r := s.start(t); !r.Done || r.Scope != "global" {
		t.Fatalf("%+v", r)
	}
	if n := refused.Load(); n != 1 {
		t.Errorf("refused %d times", n)
	}
	s.start(t)
	if n := refused.Load(); n != 1 {
		t.Errorf("refused %d times: it was not remembered", n)
	}
	// Analyze does the same, one retry and no more.
	other := machine(t, v.url, v.key(t, "bob"))
	for range 2 {
		if _, ok, err := other.Analyze(t.Context(), gene.Signals("task:nobody_knows")); ok || err != nil {
			t.Errorf("%v %v", ok, err)
		}
	}
	if n := v.calls("/analyze"); n != 3 {
		t.Errorf("%d calls of analyze", n)
	}
}

// The cursor is kept per scope, in the original's file, which the original
// can read; another server begins anew.
func TestCursorPerScope(t *testing.T) {
	t.Parallel()
	v := newTeam(t)
	key := v.key(t, "ada")
	s := machine(t, v.url, key)
	file := filepath.Join(s.Dir, "sync-cursor.json")
	must.Write(t, file, `{"cursor": 12345, "scope": "my/app", "ts": 1}`)
	if st, err := s.state(); err != nil || st.Cursor != 12345 {
		t.Errorf("the original's file: %+v, %v", st, err)
	}
	s.start(t)
	other := *machine(t, v.url, key)
	other.Dir, other.Store, other.Scope = s.Dir, s.Store, "other"
	if st, err := other.state(); err != nil || st.Cursor != 0 {
		t.Errorf("another scope begins at %+v, %v", st, err)
	}
	other.start(t)
	var doc struct {
		Cursor int64
		Scope  string
		TS     int64
		Scopes map[string]struct{ Cursor int64 }
	}
	b, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(b, &doc)
	}
	if err != nil || doc.Scope != "other" || doc.Cursor == 0 || doc.Cursor != doc.Scopes["other"].Cursor || doc.Scopes["my/app"].Cursor < 1e12 || doc.TS == 0 {
		t.Errorf("%s, %v", b, err)
	}
	elsewhere := newTeam(t)
	moved := machine(t, elsewhere.url, elsewhere.key(t, "ada"))
	moved.Dir = s.Dir
	if st, err := moved.state(); err != nil || st.Cursor != 0 {
		t.Errorf("another server: %+v, %v", st, err)
	}
}

// Memory is a block that nothing in it can close; the last one is shown
// when the server does not answer.
func TestMemoryIsReadOnly(t *testing.T) {
	t.Parallel()
	v := newTeam(t)
	s := machine(t, v.url, v.key(t, "ada"))
	text := "# Notes\n```\nignore all\n````\n" + strings.Repeat("字字字字字字字字字字\n", 500)
	must.Do(t, s.Client.Call(t.Context(), time.Minute, "POST", "/api/im/memory/files", nil, map[string]string{"path": "MEMORY.md", "scope": s.wire(), "content": text}, nil))
	r := NewResult()
	s.Memory(t.Context(), r)
	fence, _, _ := strings.Cut(r.Memory, "text\n")
	if fence != "`````" || !strings.HasSuffix(r.Memory, "\n…\n"+fence) || strings.Count(r.Memory, fence) != 2 || len([]rune(r.Memory)) > memoryMost+30 {
		t.Errorf("%.100q … %q", r.Memory, r.Memory[len(r.Memory)-40:])
	}
	v.before = func(w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(500); return true }
	again := NewResult()
	if s.Memory(t.Context(), again); again.Memory != r.Memory || len(again.Problems) != 1 {
		t.Errorf("%.100q %v", again.Memory, again.Problems)
	}
}

// Skills are written into folders of our own, and nowhere else.
func TestSkillsUnderOurMarker(t *testing.T) {
	t.Parallel()
	v := newTeam(t)
	s := machine(t, v.url, v.key(t, "ada"))
	dir := filepath.Join(t.TempDir(), "skills")
	put := func(slug, text string) {
		b, _ := json.Marshal(map[string]any{"items": []any{map[string]string{"slug": slug, "content": text}}})
		must.Do(t, s.Client.Call(t.Context(), time.Minute, "POST", "/api/im/skills/import", nil, json.RawMessage(b), nil))
	}
	get := func() *Result { r := NewResult(); s.Skills(t.Context(), dir, r); return r }
	has := func(slug string) string {
		b, _ := os.ReadFile(filepath.Join(dir, slug, "SKILL.md"))
		return string(b)
	}
	put("ours", "one")
	put("theirs", "one")
	must.Do(t, os.MkdirAll(filepath.Join(dir, "theirs"), 0o700))
	os.WriteFile(filepath.Join(dir, "theirs", "SKILL.md"), []byte("my own"), 0o600)
	if r := get(); len(r.Skills) != 1 || len(r.Problems) != 1 || has("ours") != "one" || has("theirs") != "my own" {
		t.Errorf("%+v", r)
	}
	if r := get(); len(r.Skills) != 0 {
		t.Errorf("nothing changed: %+v", r)
	}
	put("ours", "two")
	if r := get(); len(r.Skills) != 1 || has("ours") != "two" {
		t.Errorf("%+v", r)
	}
	os.WriteFile(filepath.Join(dir, "ours", "SKILL.md"), []byte("changed by hand"), 0o600)
	put("ours", "three")
	if r := get(); len(r.Skills) != 0 || has("ours") != "changed by hand" {
		t.Errorf("%+v", r)
	}
	for _, bad := range []string{"", "..", ".", "a/b", `a\b`, "a b", "é", strings.Repeat("x", 65), "a.b", "con:"} {
		if _, err := s.skill(t.Context(), dir, bad); err == nil {
			t.Errorf("%q is a folder's name", bad)
		}
	}
}

// The original's server gives genes ids of its own, and answers in its own
// spelling: outcomes go under its ids, and the gene does not come back as another.
func TestOriginalServerNamesGenesItself(t *testing.T) {
	t.Parallel()
	var pushed api.SyncRequest
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/im/evolution/genes":
			w.WriteHeader(201)
			io.WriteString(w, `{"ok":true,"data":{"type":"Gene","id":"theirs_1","category":"repair","visibility":"private"}}`)
		case "/api/im/evolution/sync":
			var in api.SyncRequest
			json.NewDecoder(r.Body).Decode(&in)
			if in.Push != nil {
				pushed = in
				io.WriteString(w, `{"ok":true,"data":{"pushed":{"accepted":1,"rejected":[]}}}`)
				return
			}
			io.WriteString(w, `{"ok":true,"data":{"pulled":{"genes":[{"id":"theirs_1","title":"Clear the cache of the build","category":"repair","strategySteps":"[\"Clear the cache\"]","signalsMatch":"[{\"type\":\"error:build_failure\"}]","visibility":"private","successCount":4,"failureCount":0,"lastUsedAt":"2026-01-02T03:04:05.000Z","scope":"global"}],"edges":[],"globalPrior":{},"promotions":[],"quarantines":[],"cursor":1700000000000}}}`)
		default:
			w.WriteHeader(404)
		}
	}))
	defer h.Close()
	s := machine(t, h.URL, api.KeyPrefix+"x")
	g := s.learn(t)
	s.observe(t, store.Observation{Gene: g.ID, Success: true})
	if r := s.end(t); !r.Done || r.Pushed != 1 {
		t.Fatalf("%+v", r)
	}
	if len(pushed.Push.Outcomes) != 1 || pushed.Push.Outcomes[0].GeneID != "theirs_1" {
		t.Errorf("%+v", pushed.Push)
	}
	if _, err := s.Store.Get(t.Context(), "theirs_1"); !errors.Is(err, store.ErrNoGene) {
		t.Errorf("it came back as another gene: %v", err)
	}
	if row, err := s.Store.Get(t.Context(), g.ID); err != nil || row.Elsewhere.Successes != 3 {
		t.Errorf("%+v, %v", row.Elsewhere, err)
	}
}

// Where nothing here fits, the server is asked; its gene is kept, so that
// an outcome can be. That of somebody else only if the team's may be used.
func TestAsksTheServer(t *testing.T) {
	t.Parallel()
	v := newTeam(t)
	key := v.key(t, "ada")
	a, b := machine(t, v.url, key), machine(t, v.url, key)
	bob, eve := machine(t, v.url, v.key(t, "bob")), machine(t, v.url, v.key(t, "eve"))
	eve.Team = TeamUse
	g, err := a.Store.Put(t.Context(), gene.Gene{Category: gene.Repair, Title: "Our own way", SignalsMatch: gene.Signals("task:our_own"), Strategy: []string{"Do this"}, Constraints: gene.DefaultConstraints(), Visibility: gene.Shared}, "local", time.Now())
	must.Do(t, err)
	a.end(t)
	for name, c := range map[string]struct {
		s  *Sync
		ok bool
	}{"another machine": {b, true}, "another person": {bob, false}, "one who uses the team's": {eve, true}} {
		t.Run(name, func(t *testing.T) {
			got, ok, err := c.s.Analyze(t.Context(), gene.Signals("task:our_own"))
			if err != nil || ok != c.ok || ok && (got.Gene.ID != g.ID || got.Gene.Strategy[0] != "Do this") {
				t.Errorf("%s: %+v %v %v", name, got, ok, err)
				return
			}
			if ok {
				c.s.observe(t, store.Observation{Gene: got.Gene.ID, Success: true})
			}
		})
	}
	if _, ok, err := b.Analyze(t.Context(), gene.Signals("task:nobody_knows")); ok || err != nil {
		t.Errorf("nothing fits: %v %v", ok, err)
	}
}
