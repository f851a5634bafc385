package server

import (
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/room"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// Three instances on one PostgreSQL, each of them killed while four machines tell
// outcomes and share facts, and the database crashed and started again: whoever gets no
// answer asks the next instance. In the end each outcome and each fact is there once.
// EV-SRV-04.
func TestInstancesSurviveKillsAndACrashOfTheDatabase(t *testing.T) {
	if !slowtest.On() {
		t.Skip("it starts a PostgreSQL server of its own: -slow plays it")
	}
	db := startCluster()
	if db.err != nil {
		t.Skip(db.err)
	}
	defer db.stop()
	place := db.fresh(t)
	s, people := crew(t, place, "ada member", "bob member", "cyd member", "dan member")
	people[0].want(201, "POST", genesPath, shareBody("gene_repair_a", "Wait"))
	const machines, tells = 4, 60
	c := &chain{t: t, place: place}
	var mu sync.Mutex
	var services []*exec.Cmd
	var addresses []string
	begin := func(i int) {
		c.begin()
		mu.Lock()
		defer mu.Unlock()
		if i == len(services) {
			services, addresses = append(services, c.service), append(addresses, c.target)
		} else {
			services[i], addresses[i] = c.service, c.target
		}
	}
	for i := range 3 {
		begin(i)
	}
	var told, refused atomic.Int64
	// say asks one instance after the other until one answers.
	say := func(key, path, body string, turn int) {
		for ; ; turn++ {
			mu.Lock()
			base := addresses[turn%len(addresses)]
			mu.Unlock()
			req, err := http.NewRequest("POST", base+path, strings.NewReader(body))
			if err != nil {
				t.Error(err)
				return
			}
			req.Header.Set("Authorization", "Bearer "+key)
			resp, err := http.DefaultClient.Do(req)
			if err == nil {
				resp.Body.Close()
				if resp.StatusCode == 200 {
					told.Add(1)
					return
				}
			}
			refused.Add(1)
			time.Sleep(5 * time.Millisecond)
		}
	}
	var work sync.WaitGroup
	for m := range machines {
		work.Go(func() {
			for i := range tells {
				outcome := "success"
				if i%3 == 0 {
					outcome = "failed"
				}
				say(people[m].key, "/api/im/evolution/record", fmt.Sprintf(`{"gene_id": "gene_repair_a", "signals": ["error:timeout"], "outcome": %q, "summary": "x", "outcome_id": "o-%d-%d"}`, outcome, m, i), m+i)
				say(people[m].key, room.SyncPath, fmt.Sprintf(`{"protocol": 1, "room": "app", "push": [{"id": "log-%d-%d", "version": 1, "fact": {"type": "W", "content": "Fact %d of machine %d", "confidence": 0.9, "timestamp": "2026-01-02T03:04:05Z"}}]}`, m, i, i, m), m+i+1)
			}
		})
	}
	// until waits for the machines to have come so far.
	until := func(part int) {
		for told.Load() < int64(part*2*machines*tells/8) {
			time.Sleep(time.Millisecond)
		}
	}
	for i := range 3 {
		until(2 * i)
		mu.Lock()
		dying := services[i]
		mu.Unlock()
		dying.Process.Kill()
		dying.Wait()
		if i == 1 {
			db.crash()
			must.Do(t, db.begin())
		}
		begin(i)
	}
	work.Wait()
	if refused.Load() == 0 {
		t.Error("nothing went wrong: nothing was proved")
	}
	var outcomes, distinct, facts, good, bad int
	err := s.db.QueryRowContext(t.Context(), `SELECT (SELECT count(*) FROM observations), (SELECT count(DISTINCT id) FROM observations), (SELECT count(*) FROM facts),
		(SELECT sum(success) FROM edges WHERE signal = ''), (SELECT sum(failure) FROM edges WHERE signal = '')`).Scan(&outcomes, &distinct, &facts, &good, &bad)
	if err != nil || outcomes != machines*tells || distinct != outcomes || facts != machines*tells || good+bad != outcomes || bad != machines*tells/3 {
		t.Errorf("%d outcomes, %d facts, %d + %d counted, %v", outcomes, facts, good, bad, err)
	}
	t.Logf("%d answers, %d tries without one", told.Load(), refused.Load())
}
