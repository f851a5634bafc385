package server

import (
	"database/sql"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"
)

// While one change takes long and forty others wait for it, whoever reads gets an answer; and
// whoever waited is served when it is over. EV-SRV-21.
func TestReadersDoNotWaitForWriters(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s := opened(t, place)
		ada := team(t, s, Limits{Body: 1 << 20, Request: time.Hour}, io.Discard, "ada")[0]
		ada.want(201, "POST", genesPath, shareBody("gene_repair_a", "Wait"))
		begun, done := make(chan struct{}), make(chan struct{})
		var work sync.WaitGroup
		work.Go(func() {
			err := s.transaction(t.Context(), func(tx *sql.Tx) error {
				_, err := s.tick(t.Context(), tx)
				close(begun)
				<-done
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
		<-begun
		sent := make(chan struct{}, 40)
		for i := range 40 {
			work.Go(func() {
				sent <- struct{}{}
				ada.want(200, "POST", "/api/im/evolution/record", fmt.Sprintf(`{"gene_id": "gene_repair_a", "signals": ["error:timeout"], "outcome": "success", "summary": "x", "outcome_id": "o%d"}`, i))
			})
		}
		for range 40 {
			<-sent
		}
		for range 20 { // while they come in
			ada.want(200, "POST", "/api/im/evolution/analyze", `{"signals": ["error:timeout"]}`)
		}
		close(done)
		work.Wait()
		if g := ada.sees()["gene_repair_a"]; g["successCount"] != 40.0 {
			t.Errorf("%v", g["successCount"])
		}
	})
}

// Of one call's outcomes those that cannot be taken are named by their number, with the reason, and the others
// are there; the same call again adds nothing. EV-SRV-22.
func TestOutcomesOfACallAreTakenTogether(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s := opened(t, place)
		c := team(t, s, DefaultLimits(), io.Discard, "ada", "bob")
		c[0].want(201, "POST", genesPath, shareBody("gene_repair_a", "Wait"))
		c[0].want(201, "POST", genesPath, `{"id": "gene_repair_own", "category": "repair", "title": "A way", "strategy": ["Look"], "signals_match": ["error:timeout"]}`)
		one := func(gene, outcome string, i int) string {
			return fmt.Sprintf(`{"gene_id": %q, "signals": ["error:timeout"], "outcome": %q, "summary": "x", "outcome_id": "o%d"}`, gene, outcome, i)
		}
		body := `{"push": {"outcomes": [` + one("gene_repair_a", "success", 0) + `,` + one("gene_repair_none", "success", 1) + `,` + one("gene_repair_a", "maybe", 2) + `,` + one("gene_repair_own", "success", 3) + `,` + one("gene_repair_a", "failed", 4) + `]}}`
		for range 2 {
			r := at(c[1].want(200, "POST", "/api/im/evolution/sync", body), "pushed")
			if want := `map[accepted:2 rejected:[outcome[1]: unknown gene "gene_repair_none" outcome[2]: outcome: want success or failed outcome[3]: no access to gene "gene_repair_own"]]`; fmt.Sprint(r) != want {
				t.Errorf("%v", r)
			}
		}
		if g := c[1].sees()["gene_repair_a"]; g["successCount"] != 1.0 || g["failureCount"] != 1.0 {
			t.Errorf("%v", g)
		}
	})
}
