package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/api"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// All agents of one person share all; others see only what was
// published, without whose it is.
func TestOnePersonManyAgents(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s := opened(t, place)
		c := team(t, s, DefaultLimits(), io.Discard, "ada", "ada", "bob")
		laptop, server, bob := c[0], c[1], c[2]
		laptop.more = http.Header{"X-Im-Agent": {"laptop"}}
		id := fmt.Sprint(at(laptop.want(201, "POST", "/api/im/evolution/genes?scope=ws_app", geneBody), "id"))
		see := func(c peer) any {
			for _, g := range at(c.want(200, "POST", "/api/im/evolution/sync?scope=ws_app", `{"pull": {"since": 0}}`), "pulled", "genes").([]any) {
				if at(g, "id") == id {
					return g
				}
			}
			return nil
		}
		if g := see(server); at(g, "mine") != true || at(g, "createdBy") != "laptop" {
			t.Errorf("the person's other agent sees %v", g)
		}
		if g := see(bob); g != nil {
			t.Errorf("another person sees %v", g)
		}
		bob.want(403, "POST", "/api/im/evolution/genes/"+id+"/publish", "")
		laptop.want(200, "POST", "/api/im/evolution/genes/"+id+"/publish", "")
		if g := see(bob); at(g, "mine") != false || at(g, "createdBy") != "" || at(g, "scope") != "global" {
			t.Errorf("another person sees %v", g)
		}
		bob.want(200, "POST", "/api/im/evolution/record", `{"gene_id": "`+id+`", "signals": ["error:timeout"], "outcome": "success", "summary": "private words"}`)
		sync := laptop.want(200, "POST", "/api/im/evolution/sync", `{"pull": {"since": 0}}`)
		if strings.Contains(fmt.Sprint(sync), "private words") || len(at(sync, "pulled", "edges").([]any)) != 0 {
			t.Errorf("what another person did is told: %v", at(sync, "pulled", "edges"))
		}
		laptop.want(200, "POST", "/api/im/evolution/genes/"+id+"/publish", `{"visibility": "quarantined"}`)
		after := bob.want(200, "POST", "/api/im/evolution/sync", `{"pull": {"since": 1}}`)
		if !strings.Contains(fmt.Sprint(at(after, "pulled", "quarantines")), id) || strings.Contains(fmt.Sprint(at(after, "pulled", "genes")), "Go builds") {
			t.Errorf("%v", at(after, "pulled", "quarantines"))
		}
		keys, err := s.Keys(t.Context())
		if err != nil || len(keys) != 3 {
			t.Fatalf("%v, %v", keys, err)
		}
		for _, k := range keys {
			if k.Label != "key 1" {
				continue
			}
			must.Do(t, s.Revoke(t.Context(), k.ID))
		}
		server.want(401, "GET", "/api/im/skills/installed", "")
		laptop.want(200, "GET", "/api/im/skills/installed", "")
		if err := s.Revoke(t.Context(), "key_none"); err == nil {
			t.Error("a key that is none was revoked")
		}
	})
}

// Observations are only added; what somebody judged stands for
// what was guessed, in whichever order they come; what was not followed counts
// for nothing; the same outcome twice counts once, also at the same moment.
func TestJudgementReplacesGuess(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s := opened(t, place)
		c := team(t, s, DefaultLimits(), io.Discard, "ada")[0]
		counts := func(gene string) string {
			var good, bad, seen int
			must.Do(t, s.db.QueryRowContext(t.Context(), "SELECT success, failure, (SELECT count(*) FROM observations o WHERE o.gene = genes.id) FROM genes WHERE id = $1", gene).Scan(&good, &bad, &seen))
			return fmt.Sprintf("%d+%d of %d", good, bad, seen)
		}
		guess := func(gene, id, outcome string) {
			c.want(200, "POST", "/api/im/evolution/sync", `{"push": {"outcomes": [{"gene_id": "`+gene+`", "signals": ["a:b"], "outcome": "`+outcome+`", "outcome_id": "`+id+`", "session_id": "s1"}]}}`)
		}
		judge := func(gene, id, outcome, more string) {
			c.want(200, "POST", "/api/im/evolution/record", `{"gene_id": "`+gene+`", "signals": ["a:b"], "outcome": "`+outcome+`", "metadata": {"outcome_id": "`+id+`", "session_id": "s1"}`+more+`}`)
		}
		made := func() string {
			return fmt.Sprint(at(c.want(201, "POST", "/api/im/evolution/genes", geneBody), "id"))
		}
		g := made()
		guess(g, "1", "success")
		guess(g, "1", "success")
		guess(g, "2", "failed")
		if got := counts(g); got != "1+1 of 2" {
			t.Error(got)
		}
		judge(g, "3", "failed", "")
		if got := counts(g); got != "0+1 of 3" {
			t.Error(got)
		}
		guess(g, "4", "success")
		judge(g, "5", "success", "")
		judge(g, "5", "success", "")
		if got := counts(g); got != "1+0 of 5" {
			t.Error(got)
		}
		judge(g, "6", "success", `, "followed": false`)
		if got := counts(g); got != "0+0 of 6" {
			t.Error(got)
		}
		g = made()
		var wg sync.WaitGroup
		for i := range 12 {
			wg.Go(func() { guess(g, fmt.Sprint("x", i%4), "success") })
		}
		wg.Wait()
		if got := counts(g); got != "4+0 of 4" {
			t.Error(got)
		}
	})
}

// Whoever pulls by the cursor page by page misses nothing that is written
// meanwhile, whatever the clocks of the writers say. EV-SRV-06.
func TestCursorMissesNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		first := opened(t, place)
		late, err := Open(t.Context(), place, func() time.Time { return time.Now().Add(-time.Hour) }, newID)
		must.Do(t, err)
		defer late.Close()
		_, _, err = first.NewKey(t.Context(), "ada", Terms{})
		must.Do(t, err)
		keys, _ := first.Keys(t.Context())
		var person string
		must.Do(t, first.db.QueryRow("SELECT person FROM keys WHERE id = $1", keys[0].ID).Scan(&person))
		who := caller{person: person}
		each := slowtest.Count(8, 25)
		var writers sync.WaitGroup
		for i, s := range []*Store{first, late, first} {
			writers.Go(func() {
				for k := range each {
					g := api.Gene{ID: fmt.Sprintf("gene_%d_%d", i, k), Category: "repair", SignalsMatch: []api.Signal{{Type: "a:b"}}, Strategy: []string{"x"}, Visibility: "private"}
					if _, _, err := s.addGene(t.Context(), who, "global", g); err != nil {
						t.Error(err)
					}
				}
			})
		}
		done := make(chan struct{})
		go func() { writers.Wait(); close(done) }()
		seen := map[string]int{}
		var cursor int64
		pull := func() {
			list, err := first.genesSince(t.Context(), person, "global", cursor, maxMillis, 7)
			if err != nil {
				t.Error(err)
			}
			for _, g := range list {
				cursor = g.updated
				seen[g.ID]++
			}
		}
		for running := true; running; {
			select {
			case <-done:
				running = false
			default:
			}
			pull()
		}
		for before := -1; before != len(seen); {
			before = len(seen)
			pull()
		}
		n := 0
		for id, times := range seen {
			if strings.HasPrefix(id, "gene_") {
				n++
			}
			if times != 1 {
				t.Errorf("%s was pulled %d times", id, times)
			}
		}
		if n != 3*each {
			t.Errorf("%d genes were pulled, want %d", n, 3*each)
		}
	})
}

// Instances that start together make the schema once; a schema of a newer
// program is left alone. EV-SRV-05.
func TestMigrationsAreMadeOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				s, err := Open(t.Context(), place, time.Now, newID)
				if err != nil {
					t.Error(err)
					return
				}
				s.Close()
			})
		}
		wg.Wait()
		s := opened(t, place)
		var n int
		if err := s.db.QueryRow("SELECT count(*) FROM schema_migrations").Scan(&n); err != nil || n != len(migrations) {
			t.Errorf("%d migrations, %v", n, err)
		}
		must.Do(t, must.Err(s.db.Exec("INSERT INTO schema_migrations (version, at) VALUES (99, 0)")))
		if _, err := Open(t.Context(), place, time.Now, newID); err == nil || !strings.Contains(err.Error(), "newer") {
			t.Errorf("a newer schema: %v", err)
		}
	})
}

// Keys are no more than hashes in the database, and never in the log. EV-SRV-03.
func TestKeysAreNowhereInTheClear(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		var log bytes.Buffer
		s := opened(t, place)
		c := team(t, s, DefaultLimits(), &log, "ada")[0]
		c.want(201, "POST", "/api/im/memory/files?secret=value", `{"path": "a.md", "content": "my words"}`)
		c.want(200, "GET", "/api/im/skills/installed", "")
		var hash string
		if err := s.db.QueryRow("SELECT hash FROM keys").Scan(&hash); err != nil || strings.Contains(hash, "sk-") || len(hash) != 64 {
			t.Errorf("%q, %v", hash, err)
		}
		for _, bad := range []string{c.key, c.key[len(api.KeyPrefix):], "my words", "secret=value"} {
			if strings.Contains(log.String(), bad) {
				t.Errorf("the log holds %q:\n%s", bad, log.String())
			}
		}
		for line := range strings.Lines(log.String()) {
			var doc map[string]any
			if err := json.Unmarshal([]byte(line), &doc); err != nil || doc["status"] == nil || doc["key"] == "" {
				t.Errorf("%s: %v", line, err)
			}
		}
	})
}

// Limits: how often, whoever asks; a panic of a handler ends nothing. EV-SRV-07.
func TestLimitsAndPanics(t *testing.T) {
	t.Parallel()
	s := opened(t, t.TempDir()+"/serve.sqlite")
	server := New(s, Limits{Body: 1000, Rate: 0.001, Burst: 3, Request: time.Minute}, Hosts{names: []string{"example.com"}}, io.Discard)
	server.im(Read, "GET /panic", func(request) (answer, error) { panic("x") })
	h := httptest.NewServer(server)
	defer h.Close()
	key, _, err := s.NewKey(t.Context(), "ada", Terms{})
	must.Do(t, err)
	c := peer{t: t, url: h.URL, key: key, own: true}
	c.want(500, "GET", "/panic", "")
	c.own = false
	c.want(413, "POST", "/api/im/memory/files", strings.Repeat(" ", 2000))
	c.want(200, "GET", "/api/im/skills/installed", "")
	if f := c.want(429, "GET", "/api/im/skills/installed", ""); at(f, "code") != "RATE_LIMITED" {
		t.Errorf("%v", f)
	}
	none := peer{t: t, url: h.URL}
	for range 3 {
		none.want(401, "GET", "/api/im/skills/installed", "")
	}
	none.want(429, "GET", "/api/im/skills/installed", "")
	none.want(200, "GET", "/healthz", "")
}

// Background jobs that failed are counted by their names.
func TestFailedJobsAreCounted(t *testing.T) {
	t.Parallel()
	m := &New(&Store{now: time.Now}, Limits{}, Hosts{}, io.Discard).meters
	for _, job := range []string{"prune", "digest", "prune"} {
		m.failed(job)
	}
	var b strings.Builder
	m.write(&b)
	if want := "agents_hooks_background_failures_total{duty=\"digest\"} 1\nagents_hooks_background_failures_total{duty=\"prune\"} 2\n"; !strings.HasSuffix(b.String(), want) {
		t.Errorf("%s", b.String())
	}
}

// A caller has a burst, then its rate, and is told how long to wait; another
// caller's is not touched; whoever waited is as good as new, and forgotten. EV-SRV-07.
func TestRates(t *testing.T) {
	t.Parallel()
	now := time.UnixMilli(1_700_000_000_000)
	r := &New(&Store{now: func() time.Time { return now }}, Limits{Rate: 2, Burst: 3}, Hosts{}, io.Discard).rate
	take := func(who string, want time.Duration) {
		t.Helper()
		if wait, ok := r.take(who); wait != want || ok != (want == 0) {
			t.Errorf("%s: %v, %v; want to wait for %v", who, wait, ok, want)
		}
	}
	for range 3 {
		take("ada", 0)
	}
	for range 5 { // asking in vain costs nothing
		take("ada", 500*time.Millisecond)
	}
	take("bob", 0)
	now = now.Add(200 * time.Millisecond)
	take("ada", 300*time.Millisecond)
	now = now.Add(300 * time.Millisecond)
	take("ada", 0)
	take("ada", 500*time.Millisecond)
	now = now.Add(-time.Hour) // a clock that is set back stops nobody for long
	take("ada", 500*time.Millisecond)
	now = now.Add(time.Hour + time.Minute)
	for range 3 {
		take("ada", 0)
	}
	take("ada", 500*time.Millisecond)
	for i := range 20_000 {
		take(fmt.Sprint("host ", i), 0)
		now = now.Add(time.Millisecond)
	}
	if n := len(r.of); n > 10_001 {
		t.Errorf("%d callers are remembered", n)
	}
	slow := &New(&Store{now: func() time.Time { return now }}, Limits{Rate: 1e-18, Burst: 1}, Hosts{}, io.Discard).rate
	slow.take("ada")
	if wait, ok := slow.take("ada"); ok || wait < 100*365*24*time.Hour {
		t.Errorf("a rate of next to nothing: wait for %v, %v", wait, ok)
	}
}
