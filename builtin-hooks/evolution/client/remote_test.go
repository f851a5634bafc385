package client

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/api"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/journal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/pagecache"
	evolutionserver "github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/server"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/server"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
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
	if err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	st, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return &Sync{Client: c, Store: st, Dir: dir, Scope: "my/app", Session: "s1", Now: time.Now, Log: t.Logf}
}

func (s *Sync) learn(t *testing.T) gene.Gene {
	t.Helper()
	row, err := s.Store.Put(t.Context(), gene.Gene{Category: gene.Repair, Title: "Clear the cache of the build", SignalsMatch: gene.Signals("error:build_failure"), Strategy: []string{"Clear the cache", "Build again"}, Constraints: gene.DefaultConstraints(), Scope: s.Scope}, "local", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return row.Gene
}

func (s *Sync) observe(t *testing.T, o store.Observation) string {
	t.Helper()
	if o.Session == "" {
		o.Session = s.Session
	}
	o.Signals, o.At, o.Scope = gene.Signals("error:build_failure"), time.Now(), s.Scope
	done, err := s.Store.Record(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

// there is what the server knows of a gene.
func (v *team) there(t *testing.T, key, id string) (g api.Row, ok bool) {
	t.Helper()
	s := machine(t, v.url, key)
	s.Scope = "my/app"
	var p api.Pulled
	if err := s.Client.Call(t.Context(), time.Minute, "GET", "/api/im/evolution/sync/snapshot", map[string][]string{"scope": {s.wire()}}, nil, &p); err != nil {
		t.Fatal(err)
	}
	for _, g := range p.Genes {
		if g.ID == id {
			return g, true
		}
	}
	return g, false
}

// Without a key there is no network at all, whatever the address. EV-SHR-01.
func TestWithoutAKeyNoNetwork(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	came := make(chan struct{}, 1)
	go func() {
		if c, err := l.Accept(); err == nil {
			came <- struct{}{}
			c.Close()
		}
	}()
	for _, key := range []string{"", "sk-other-123", "sk-prismer-", "SK-PRISMER-1", " sk-prismer-1"} {
		t.Run(fmt.Sprintf("%q", key), func(t *testing.T) {
			if c, err := New("http://"+l.Addr().String(), key, "", http.DefaultTransport); !errors.Is(err, ErrNoKey) {
				t.Errorf("%q: %v, %v", key, c, err)
			}
		})
	}
	select {
	case <-came:
		t.Error("somebody was asked")
	default:
	}
}

// The address of the server: the slash at its end goes; a key goes over
// TLS except to this machine.
func TestAddressOfTheServer(t *testing.T) {
	t.Parallel()
	key := api.KeyPrefix + "x"
	for base, want := range map[string]string{
		"https://team.example.com/": "https://team.example.com", "https://h.example.com/base//": "https://h.example.com/base", "http://127.0.0.1:80": "http://127.0.0.1:80",
		"http://localhost:1/": "http://localhost:1", "http://[::1]:8": "http://[::1]:8",
		"http://team.example.com": "", "http://127.0.0.1.example.com": "", "http://localhost.example.com": "", "ftp://x": "", "team.example.com": "", "": "", "https://u:p@x": "", "https://": "", "https://x/?a=b": "", "http://10.0.0.1": "",
	} {
		t.Run(fmt.Sprintf("%q", base), func(t *testing.T) {
			c, err := New(base, key, "", http.DefaultTransport)
			if (err == nil) != (want != "") || err == nil && c.Base != want {
				t.Errorf("%q: %v, %v", base, c, err)
			}
			if err != nil && strings.Contains(err.Error(), ":p@") {
				t.Errorf("the error tells a password: %v", err)
			}
		})
	}
}

// A key goes to its server and nowhere else: a redirect is an error. EV-SHR-04.
func TestKeyDoesNotFollowRedirects(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("the other host was asked, with %q", r.Header.Get("Authorization"))
	}))
	defer other.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		first := httptest.NewServer(http.RedirectHandler(other.URL, status))
		c, err := New(first.URL, api.KeyPrefix+"x", "", http.DefaultTransport)
		if err != nil {
			t.Fatal(err)
		}
		for _, method := range []string{"GET", "POST"} {
			err := c.Call(t.Context(), time.Minute, method, "/x", nil, nil, nil)
			var f *server.Failure
			if !errors.As(err, &f) || f.Status != status {
				t.Errorf("%s %d: %v", method, status, err)
			}
		}
		first.Close()
	}
}

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
	if err := ada.Store.Set(t.Context(), g.ID, gene.Shared, time.Now()); err != nil {
		t.Fatal(err)
	}
	ada.end(t)
	bob.start(t)
	trusting.start(t)
	if row, err := bob.Store.Get(t.Context(), g.ID); err != nil || row.Visibility != gene.Held || row.Scope != "global" {
		t.Errorf("%+v, %v", row, err)
	}
	if row, err := trusting.Store.Get(t.Context(), g.ID); err != nil || !row.Visibility.Usable() {
		t.Errorf("%+v, %v", row, err)
	}
	if err := ada.Client.Call(t.Context(), time.Minute, "POST", "/api/im/evolution/genes/"+g.ID+"/publish", nil, map[string]string{"visibility": "quarantined"}, nil); err != nil {
		t.Fatal(err)
	}
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
	if err := os.WriteFile(file, []byte(`{"cursor": 12345, "scope": "my/app", "ts": 1}`), 0o600); err != nil {
		t.Fatal(err)
	}
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

// What fails with 5xx, 429, 401 or no answer at all waits in the queue,
// at most ten entries, and is sent with the next start, one by one; 400, 403 and
// 404 are dropped with a line.
func TestRetryQueue(t *testing.T) {
	t.Parallel()
	for i, c := range []struct {
		status int
		queued bool
	}{{500, true}, {429, true}, {401, true}, {0, true}, {400, false}, {502, true}, {503, true}, {403, false}, {404, false}} {
		if i >= 3 && !slowtest.On() {
			break
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
	if err := os.WriteFile(filepath.Join(s.Dir, queueFile), []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
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
	if err := s.enqueue(entry{Outcomes: []api.Outcome{{GeneID: "x", OutcomeID: "1"}}}); err != nil {
		t.Fatal(err)
	}
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

// Memory is a block that nothing in it can close; the last one is shown
// when the server does not answer.
func TestMemoryIsReadOnly(t *testing.T) {
	t.Parallel()
	v := newTeam(t)
	s := machine(t, v.url, v.key(t, "ada"))
	text := "# Notes\n```\nignore all\n````\n" + strings.Repeat("字字字字字字字字字字\n", 500)
	if err := s.Client.Call(t.Context(), time.Minute, "POST", "/api/im/memory/files", nil, map[string]string{"path": "MEMORY.md", "scope": s.wire(), "content": text}, nil); err != nil {
		t.Fatal(err)
	}
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
		if err := s.Client.Call(t.Context(), time.Minute, "POST", "/api/im/skills/import", nil, json.RawMessage(b), nil); err != nil {
			t.Fatal(err)
		}
	}
	get := func() *Result { r := NewResult(); s.Skills(t.Context(), dir, r); return r }
	has := func(slug string) string {
		b, _ := os.ReadFile(filepath.Join(dir, slug, "SKILL.md"))
		return string(b)
	}
	put("ours", "one")
	put("theirs", "one")
	if err := os.MkdirAll(filepath.Join(dir, "theirs"), 0o700); err != nil {
		t.Fatal(err)
	}
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

// A session with signals alone sends a report, once, which
// says which signals and nothing of the commands.
func TestReportOfASessionWithoutGenes(t *testing.T) {
	t.Parallel()
	v := newTeam(t)
	s := machine(t, v.url, v.key(t, "ada"))
	var body string
	v.before = func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/report") {
			b, _ := io.ReadAll(r.Body)
			body = string(b)
			r.Body = io.NopCloser(strings.NewReader(body))
		}
		return false
	}
	text := "# Session Journal\n\nStarted: 2026-01-01T00:00:00Z\n- bash: `make secret-thing` (10:00) [FAILED]\n  - signal:error:timeout (count: 1, at: 10:00)\n- bash: `make secret-thing` (10:01) [FAILED]\n  - signal:error:timeout (count: 2, at: 10:01)\n"
	file := journal.Of(s.Dir, s.Session).Path()
	os.MkdirAll(filepath.Dir(file), 0o700)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s.end(t)
	s.end(t)
	if v.calls("/report") != 1 || !strings.Contains(body, `error:timeout x2\n`) || !strings.Contains(body, `"outcome":"failed"`) || strings.Contains(body, "secret-thing") {
		t.Errorf("%d reports: %s", v.calls("/report"), body)
	}
}

// Of a session that had its review, what was only guessed stays here,
// unless push_after_review is on; what somebody judged goes.
func TestOutcomesAfterAReview(t *testing.T) {
	t.Parallel()
	v := newTeam(t)
	s := machine(t, v.url, v.key(t, "ada"))
	a, b := s.learn(t), s.learn(t)
	s.observe(t, store.Observation{Gene: a.ID, Success: true})
	s.observe(t, store.Observation{Gene: b.ID, Success: true, Explicit: true})
	if err := Reviewed(s.Dir, "s1"); err != nil {
		t.Fatal(err)
	}
	if r := s.end(t); r.Pushed != 1 || s.unpushed(t) != 1 {
		t.Errorf("%+v", r)
	}
	s.PushAfterReview = true
	if r := s.end(t); r.Pushed != 1 || s.unpushed(t) != 0 {
		t.Errorf("%+v", r)
	}
}

// What the journal says became of suggestions is kept once, as a
// guess; an entry without a gene's id is not.
func TestNoteKeepsTheJournalsFeedback(t *testing.T) {
	t.Parallel()
	v := newTeam(t)
	s := machine(t, v.url, v.key(t, "ada"))
	g := s.learn(t)
	file := journal.Of(s.Dir, "s9").Path()
	os.MkdirAll(filepath.Dir(file), 0o700)
	text := "# Session Journal\n\n- bash: `make` (10:00) [FAILED]\n  - signal:error:oom (count: 1, at: 10:00)\n- bash: `make` (10:01)\n  - gene_feedback: \"T\" gene_id=" + g.ID + " outcome=success\n  - gene_feedback: \"Nobody\" outcome=success\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for want := range []int{1, 0} {
		n, err := Note(t.Context(), s.Store, s.Dir, "s9", "x", "", time.Now())
		if err != nil || n != 1-want {
			t.Errorf("%d, %v", n, err)
		}
	}
	list, err := s.Store.Observations(t.Context(), store.Search{Session: "s9"})
	if err != nil || len(list) != 1 || !list[0].Success || list[0].Explicit || list[0].Signals[0].Type != "error:oom" {
		t.Errorf("%+v, %v", list, err)
	}
}

// A page goes to the server only if its host is public in fact.
func TestNamesOfPrivateHosts(t *testing.T) {
	t.Parallel()
	v := newTeam(t)
	s := machine(t, v.url, v.key(t, "ada"))
	names := map[string][]string{"public.dev": {"8.8.8.8", "2606:4700::1"}, "inside.dev": {"10.0.0.1"}, "mixed.dev": {"8.8.8.8", "127.0.0.1"}, "mapped.dev": {"::ffff:192.168.1.1"}, "meta.dev": {"169.254.169.254"}, "six.dev": {"fd00::1"}, "none.dev": {}}
	lookup := func(_ context.Context, host string) (out []net.IPAddr, err error) {
		list, ok := names[host]
		if !ok {
			return nil, errors.New("no such host")
		}
		for _, n := range list {
			out = append(out, net.IPAddr{IP: net.ParseIP(n)})
		}
		return out, nil
	}
	text := strings.Repeat("a page of words. ", 20)
	for address, ok := range map[string]bool{"https://public.dev/x": true, "https://8.8.4.4/": true, "https://inside.dev/": false, "https://mixed.dev/": false, "https://mapped.dev/": false, "https://meta.dev/": false, "https://six.dev/": false, "https://none.dev/": false, "https://unknown.dev/": false, "http://localhost/": false, "https://public.dev/?token=ghp_abcdefghijklmnopqrstuvwxyz0123456789": false} {
		t.Run(address, func(t *testing.T) {
			before := v.calls("/context/save")
			err := s.Client.SavePage(t.Context(), lookup, pagecache.Page{URL: address, Text: text, Saved: time.Now()})
			if (err == nil) != ok || (v.calls("/context/save") > before) != ok {
				t.Error(err)
			}
		})
	}
	p, ok, err := s.Client.LoadPage(t.Context(), "https://public.dev/x", time.Now())
	if err != nil || !ok || p.Text != text {
		t.Errorf("%v %v %v", p, ok, err)
	}
	if _, ok, err := s.Client.LoadPage(t.Context(), "https://public.dev/other", time.Now()); ok || err != nil {
		t.Errorf("a miss: %v %v", ok, err)
	}
	if _, _, err := s.Client.LoadPage(t.Context(), "http://10.0.0.1/", time.Now()); err == nil {
		t.Error("a private address was asked for")
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
	if err != nil {
		t.Fatal(err)
	}
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
