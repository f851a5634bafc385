package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/api"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// Every call of the contract, with its answer. EV-SRV-01.
func TestContract(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		c := team(t, opened(t, place), DefaultLimits(), io.Discard, "ada")[0]
		g := c.want(201, "POST", "/api/im/evolution/genes?scope=ws_app", geneBody)
		id, _ := at(g, "id").(string)
		if !strings.HasPrefix(id, "gene_repair_") || at(g, "type") != "Gene" || at(g, "signals_match", 0, "type") != "error:timeout" || at(g, "visibility") != "private" || at(g, "strategy", 1) != "Clear the module cache" {
			t.Fatalf("%v", g)
		}
		r := c.want(200, "POST", "/api/im/evolution/record", `{"gene_id": "`+id+`", "signals": ["error:timeout"], "outcome": "failure", "summary": "no", "score": 0.1}`)
		if at(r, "edge_updated") != true || at(r, "failure_count") != 1.0 {
			t.Errorf("%v", r)
		}
		a := c.want(200, "POST", "/api/im/evolution/analyze?scope=ws_app", `{"signals": ["error:timeout"]}`)
		if act := at(a, "action"); act != "apply_gene" && act != "explore" {
			t.Errorf("%v", a)
		}
		for _, member := range []string{"gene_id", "gene", "strategy", "confidence", "coverageScore", "alternatives", "rank", "reason", "suggestion", "relatedMemories"} {
			if _, ok := a.(map[string]any)[member]; !ok {
				t.Errorf("analyze has no %s", member)
			}
		}
		a = c.want(200, "POST", "/api/im/evolution/analyze", `{"signals": [{"type": "perf:slow_query"}]}`)
		if at(a, "action") != "create_suggested" || at(a, "suggestion", "category") != "repair" {
			t.Errorf("%v", a)
		}
		sync := c.want(200, "POST", "/api/im/evolution/sync?scope=ws_app", `{"push": {"outcomes": [{"gene_id": "`+id+`", "signals": [{"type": "error:timeout"}], "outcome": "success", "summary": "it built"}, {"gene_id": "nope", "signals": ["x:y"], "outcome": "success", "summary": ""}, {"gene_id": "`+id+`", "signals": [], "outcome": "success", "summary": ""}]}, "pull": {"since": 0}}`)
		if at(sync, "pushed", "accepted") != 1.0 || !strings.HasPrefix(fmt.Sprint(at(sync, "pushed", "rejected", 0)), "outcome[1]: unknown gene") || !strings.HasPrefix(fmt.Sprint(at(sync, "pushed", "rejected", 1)), "outcome[2]: signals") {
			t.Errorf("%v", at(sync, "pushed"))
		}
		var row any
		for _, x := range at(sync, "pulled", "genes").([]any) {
			if at(x, "id") == id {
				row = x
			}
		}
		if at(row, "strategySteps") != `["Look at the first error only","Clear the module cache"]` || at(row, "successCount") != 1.0 || at(row, "failureCount") != 1.0 || at(row, "mine") != true || at(row, "scope") != "ws_app" {
			t.Errorf("%v", row)
		}
		if at(sync, "pulled", "edges", 0, "signalKey") != "error:timeout" || at(sync, "pulled", "globalPrior", "error:timeout", "alpha") != 1.25 || at(sync, "pulled", "cursor").(float64) < 1e12 {
			t.Errorf("%v %v", at(sync, "pulled", "edges"), at(sync, "pulled", "globalPrior"))
		}
		cursor := int64(at(sync, "pulled", "cursor").(float64))
		again := c.want(200, "POST", "/api/im/evolution/sync", fmt.Sprintf(`{"pull": {"since": %d, "scope": "ws_app"}}`, cursor))
		if n := len(at(again, "pulled", "genes").([]any)); n != 0 || at(again, "pulled", "cursor") != float64(cursor) {
			t.Errorf("%d genes after the cursor", n)
		}
		snap := c.want(200, "GET", "/api/im/evolution/sync/snapshot?since=0&scope=ws_app", "")
		seeds, err := gene.Seeds()
		seeds = slices.DeleteFunc(seeds, func(g gene.Gene) bool { return g.When.Literal })
		if err != nil || len(at(snap, "genes").([]any)) != len(seeds)+1 {
			t.Errorf("a snapshot of %d genes, want one and %d seeds (%v)", len(at(snap, "genes").([]any)), len(seeds), err)
		}
		if r := c.want(200, "POST", "/api/im/evolution/report", `{"raw_context": "build failed", "outcome": "failed"}`); !strings.HasPrefix(fmt.Sprint(at(r, "trace_id")), "trace_") {
			t.Errorf("%v", r)
		}
		if hot := c.want(200, "GET", "/api/im/evolution/public/hot?limit=3", ""); len(hot.([]any)) != min(3, len(seeds)) || at(hot, 0, "title") == nil || at(hot, 0, "success_count") == nil {
			t.Errorf("%v", hot)
		}
		restOfContract(t, c)
	})
}

func restOfContract(t *testing.T, c peer) {
	m := c.want(200, "GET", "/api/im/memory/load?scope=my-app", "")
	if at(m, "content") != "" || at(m, "template") == nil || at(m, "path") != "MEMORY.md" || at(m, "scope") != "ws_my-app" {
		t.Errorf("%v", m)
	}
	for v := 1.0; v <= 2; v++ {
		if f := c.want(201, "POST", "/api/im/memory/files", `{"path": "MEMORY.md", "scope": "my-app", "content": "one\ntwo\ntoken ghp_abcdefghijklmnopqrstuvwxyz0123456789", "memoryType": "project"}`); at(f, "version") != v {
			t.Errorf("%v", f)
		}
	}
	m = c.want(200, "GET", "/api/im/memory/load?scope=my-app", "")
	if at(m, "totalLines") != 3.0 || at(m, "version") != 2.0 || strings.Contains(fmt.Sprint(at(m, "content")), "ghp_") {
		t.Errorf("%v", m)
	}
	if f := c.want(200, "GET", "/api/im/memory/files?scope=my-app", ""); at(f, 0, "path") != "MEMORY.md" || at(f, 0, "memoryType") != "project" || len(f.([]any)) != 1 {
		t.Errorf("%v", f)
	}
	if w := c.want(200, "GET", "/api/im/workspace?scope=ws_app&slots=strategies", ""); at(w, "strategies", 0, "strategy") == nil {
		t.Errorf("%v", w)
	}
	if s := c.want(200, "POST", "/api/im/skills/import", `{"items": [{"slug": "review-go", "name": "Review", "description": "d", "content": "# Review\n"}, {"slug": "../../etc", "content": "x"}]}`); at(s, "imported") != 1.0 || len(at(s, "skipped").([]any)) != 1 {
		t.Errorf("%v", s)
	}
	if s := c.want(200, "GET", "/api/im/skills/installed", ""); at(s, 0, "slug") != "review-go" || at(s, 0, "content") != nil {
		t.Errorf("%v", s)
	}
	if s := c.want(200, "GET", "/api/im/skills/review-go/content", ""); at(s, "content") != "# Review\n" {
		t.Errorf("%v", s)
	}
	status, doc := c.do("POST", "/api/context/load", `{"input": "https://go.dev/doc"}`)
	if status != 200 || doc["success"] != true || at(doc, "result", "cached") != false || at(doc, "cost", "credits") != 0.0 {
		t.Errorf("a miss: %d %v", status, doc)
	}
	status, doc = c.do("POST", "/api/context/save", `{"url": "https://GO.dev/doc#x", "hqcc": "what it says"}`)
	if status != 200 || doc["success"] != true || doc["visibility"] != "private" || doc["url"] != "https://go.dev/doc" {
		t.Errorf("%d %v", status, doc)
	}
	if _, doc = c.do("POST", "/api/context/load", `{"input": "https://go.dev/doc"}`); at(doc, "result", "hqcc") != "what it says" || at(doc, "result", "cached") != true {
		t.Errorf("a hit: %v", doc)
	}
	if _, doc = c.do("POST", "/api/context/save", `{"items": [{"url": "prismer://search/go", "hqcc": "x"}, {"url": "http://10.0.0.1/", "hqcc": "x"}]}`); at(doc, "results", 0, "success") != true || at(doc, "results", 1, "success") != false {
		t.Errorf("%v", doc)
	}
}

// What is refused, and how. EV-SRV-02.
func TestContractRefusals(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s := opened(t, place)
		both := team(t, s, DefaultLimits(), io.Discard, "ada", "bob")
		ada, bob := both[0], both[1]
		id := fmt.Sprint(at(ada.want(201, "POST", "/api/im/evolution/genes", geneBody), "id"))
		for _, c := range []struct {
			status             int
			method, path, body string
			message            string
		}{
			{400, "POST", "/api/im/evolution/analyze?scope=my%2Fapp", `{"signals": ["x:y"]}`, "Invalid scope format"},
			{400, "POST", "/api/im/evolution/record?scope=my-app", `{}`, "Invalid scope format"},
			{400, "POST", "/api/im/evolution/genes?scope=my-app", `{}`, "Invalid scope format"},
			{400, "POST", "/api/im/evolution/analyze", `{}`, "signals"},
			{400, "POST", "/api/im/evolution/analyze", ``, "empty"},
			{400, "POST", "/api/im/evolution/analyze", `[1`, "body"},
			{404, "POST", "/api/im/evolution/record", `{"gene_id": "x", "signals": ["a:b"], "outcome": "success"}`, "unknown"},
			{400, "POST", "/api/im/evolution/record", `{"gene_id": "` + id + `", "signals": [], "outcome": "success"}`, "signals"},
			{400, "POST", "/api/im/evolution/record", `{"gene_id": "` + id + `", "signals": ["a:b"], "outcome": "maybe"}`, "outcome"},
			{400, "POST", "/api/im/evolution/record", `{"gene_id": "` + id + `", "signals": ["a:b"], "outcome": "success", "score": 2}`, "score"},
			{400, "POST", "/api/im/evolution/genes", `{"category": "magic", "signals_match": ["a:b"], "strategy": ["x"]}`, "category"},
			{400, "POST", "/api/im/evolution/genes", `{"category": "repair", "signals_match": [], "strategy": ["x"]}`, "signals_match"},
			{400, "POST", "/api/im/evolution/genes", `{"category": "repair", "signals_match": ["a:b"], "strategy": []}`, "strategy"},
			{400, "POST", "/api/im/evolution/genes", `{"category": "repair", "signals_match": ["a:b"], "strategy": ["x"], "id": "../x"}`, "id"},
			{400, "POST", "/api/im/evolution/report", `{"outcome": "success"}`, "raw_context"},
			{400, "GET", "/api/im/memory/load?path=../../etc/passwd", "", "path"},
			{400, "POST", "/api/im/memory/files", `{"path": "/etc/passwd", "content": "x"}`, "path"},
			{404, "GET", "/api/im/skills/none/content", "", "no such skill"},
			{404, "GET", "/api/im/nothing", "", "no such path"},
			{404, "GET", "/api/im/evolution/sync", "", "no such path"},
			{413, "POST", "/api/im/memory/files", `{"path": "a", "content": "` + strings.Repeat("x", 3<<20) + `"}`, "bytes"},
		} {
			t.Run(fmt.Sprintf("status %v, %s, %s, body %q", c.status, c.method, c.path, c.body), func(t *testing.T) {
				f := ada.want(c.status, c.method, c.path, c.body)
				if !strings.Contains(fmt.Sprint(at(f, "message")), c.message) {
					t.Errorf("%s %s: %v, want %q", c.method, c.path, f, c.message)
				}
			})
		}
		bob.want(403, "POST", "/api/im/evolution/record", `{"gene_id": "`+id+`", "signals": ["a:b"], "outcome": "success"}`)
		if status, doc := ada.do("POST", "/api/context/load", `{"input": "http://169.254.169.254/latest"}`); status != 400 || doc["success"] != false {
			t.Errorf("%d %v", status, doc)
		}
		for _, key := range []string{"", "nonsense", api.KeyPrefix + "0000", "Bearer"} {
			c := ada
			c.key = key
			c.want(401, "GET", "/api/im/skills/installed", "")
		}
	})
}

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
		if err != nil {
			t.Fatal(err)
		}
		defer late.Close()
		_, _, err = first.NewKey(t.Context(), "ada", Terms{})
		if err != nil {
			t.Fatal(err)
		}
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
		if _, err := s.db.Exec("INSERT INTO schema_migrations (version, at) VALUES (99, 0)"); err != nil {
			t.Fatal(err)
		}
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
	if err != nil {
		t.Fatal(err)
	}
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
