package server

import (
	"database/sql"
	"flag"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/api"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/selector"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// sow puts n genes of others into a database, spread over the signals there are.
func sow(t *testing.T, s *Store, n int) {
	t.Helper()
	kinds := []string{"error:timeout", "error:build_failure", "error:oom", "error:port_in_use", "error:permission_denied", "error:not_found", "error:auth", "error:test_failure", "error:syntax", "error:network", "error:disk", "error:dependency", "error:lock"}
	err := s.transaction(t.Context(), func(tx *sql.Tx) error {
		for i := range n {
			tick, err := s.tick(t.Context(), tx)
			if err != nil {
				return err
			}
			id := fmt.Sprintf("gene_repair_many%d", i)
			if _, err := tx.ExecContext(t.Context(), `INSERT INTO genes (`+geneColumns+`, opened) VALUES ($1, 'person_others', '', 'global', 'repair', 'A way', '', $2, '["Look first","Then again"]', '[]', '{}', 'shared', '', 0, 0, 0, 0, 0, 0, $3, 1)`,
				id, `[{"type":"`+kinds[i%len(kinds)]+`"}]`, tick); err != nil {
				return err
			}
			if err := s.index(t.Context(), tx, id); err != nil {
				return err
			}
		}
		return nil
	})
	must.Do(t, err)
}

// took is how long the quickest of n answers took.
func (c peer) took(n int, body string) time.Duration {
	c.t.Helper()
	var all []time.Duration
	for range n {
		begin := time.Now()
		c.want(200, "POST", "/api/im/evolution/analyze", body)
		all = append(all, time.Since(begin))
	}
	return slices.Min(all)
}

var genes = flag.Int("genes", 4000, "how many genes others have; 20,000 take a minute and a half")

// With many genes an answer takes no more than three times as long as with those that
// come with the program, and finds what helped; a machine that has none yet gets all of
// them, page by page.
func TestManyGenesAreFoundAsFast(t *testing.T) {
	if !slowtest.On() {
		t.Skip("making thousands of genes takes seconds: -slow does")
	}
	onBoth(t, func(t *testing.T, place string) {
		s := opened(t, place)
		c := team(t, s, Limits{Body: 1 << 20, Request: time.Minute}, io.Discard, "ada", "bob")
		ada, bob := c[0], c[1]
		ask := `{"signals": ["error:timeout"]}`
		few := ada.took(40, ask)
		sow(t, s, *genes)
		if err := s.statistics(t.Context()); err != nil { // as the service does beside requests
			t.Fatal(err)
		}
		bob.want(200, "POST", "/api/im/evolution/record", `{"gene_id": "gene_repair_many13", "signals": ["error:timeout"], "outcome": "success", "summary": "x"}`)
		many := ada.took(40, ask)
		for i := 0; i < 10 && many > 3*few; i++ { // of what others do on the machine, the quickest answer of many says least
			many = min(many, ada.took(40, ask))
		}
		t.Logf("%s with 57 genes, %s with %d", few, many, *genes+57)
		if many > 3*few {
			t.Errorf("%s, want at most three times %s", many, few)
		}
		// What is chosen of them is up to chance, so the choice does not tell.
		list, err := s.candidates(t.Context(), "", "global", []api.Signal{{Type: "error:timeout"}})
		if err != nil || !slices.ContainsFunc(list, func(c selector.Candidate) bool { return c.Gene.ID == "gene_repair_many13" && c.Global.N() > 0 }) {
			t.Errorf("what helped somebody is not among the %d looked at, %v", len(list), err)
		}
		seen, since := map[string]bool{}, 0.0
		for range 1000 {
			p := at(ada.want(200, "POST", "/api/im/evolution/sync", fmt.Sprintf(`{"pull": {"since": %.0f}}`, since)), "pulled")
			for _, g := range at(p, "genes").([]any) {
				seen[at(g, "id").(string)] = true
			}
			since = at(p, "cursor").(float64)
			if at(p, "more") != true {
				break
			}
		}
		if len(seen) < *genes+50 {
			t.Errorf("%d of them came", len(seen))
		}
		t.Logf("50 clients: 95 of 100 answers within %s", crowd(ada, 50, 10, ask))
	})
}

// crowd is the 95th percentile of answers to n clients at once, each of which asks
// several times.
func crowd(c peer, n, times int, body string) time.Duration {
	var mu sync.Mutex
	var all []time.Duration
	var work sync.WaitGroup
	h := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: n}}
	for range n {
		work.Go(func() {
			for range times {
				req, err := http.NewRequest("POST", c.url+"/api/im/evolution/analyze", strings.NewReader(body))
				if err != nil {
					c.t.Error(err)
					return
				}
				req.Header.Set("Authorization", "Bearer "+c.key)
				begin := time.Now()
				resp, err := h.Do(req)
				if err != nil {
					c.t.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
				mu.Lock()
				if all = append(all, time.Since(begin)); resp.StatusCode != 200 {
					c.t.Errorf("%s", resp.Status)
				}
				mu.Unlock()
			}
		})
	}
	work.Wait()
	slices.Sort(all)
	return all[len(all)*95/100]
}
