//go:build unix

package store

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/choose"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/killtest"
)

// The test program runs itself as its own workers.
func TestMain(m *testing.M) {
	if dir := os.Getenv("STORE_TEST_DIR"); dir != "" {
		worker(dir, os.Args[1])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// worker writes all that a store keeps, again and again, and says on stdout what
// it was told is kept.
func worker(dir, id string) {
	ctx := context.Background()
	for n := 0; ; n++ {
		s, err := Open(ctx, dir)
		if err != nil {
			fmt.Fprintln(os.Stderr, "opening:", err)
			continue
		}
		name := fmt.Sprintf("%s-%d", id, n)
		g := gene.Gene{ID: name, Category: gene.Repair, SignalsMatch: gene.Signals("error:oom"), Strategy: []string{"Do."}}
		if _, err := s.Put(ctx, g, "local", time.Now()); err == nil {
			fmt.Println("gene", name)
		}
		o := Observation{ID: name, Gene: name, Session: id, Signals: gene.Signals("error:oom"), Success: true, Explicit: n%2 == 0, Summary: strings.Repeat("it was so ", 20), At: time.Now()}
		if _, err := s.Record(ctx, o); err == nil {
			fmt.Println("outcome", name)
		}
		if s.Suggested(ctx, Suggestion{Gene: name, Session: id, Action: choose.Apply, At: time.Now()}) == nil {
			fmt.Println("suggestion", name)
		}
		s.Close()
	}
}

// Twenty processes make one store and write to it at once, and are killed with
// SIGKILL at random points: the file stays whole, and nothing that was
// acknowledged is lost. EV-JRN-09.
func TestKilledProcessesLoseNothing(t *testing.T) {
	dir := t.TempDir()
	acks := killtest.Play(t, 20, 8, "STORE_TEST_DIR="+dir, func(i int) []string { return []string{fmt.Sprint("w", i)} })
	s := open(t, dir)
	if err := s.Check(); err != nil {
		t.Error("the file is damaged:", err)
	}
	kept := map[string]bool{}
	rows, err := s.List(t.Context(), Filter{Origin: "local"})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		kept["gene "+r.ID] = true
	}
	outcomes, err := s.Observations(t.Context(), Search{})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range outcomes {
		kept["outcome "+o.ID] = true
	}
	offered, err := s.Suggestions(t.Context(), "", time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range offered {
		kept["suggestion "+o.Gene] = true
	}
	if len(acks) < 20 {
		t.Errorf("only %d things were acknowledged", len(acks))
	}
	for _, a := range acks {
		if !kept[a] {
			t.Errorf("acknowledged and lost: %s", a)
		}
	}
	before := edges(t, s)
	if err := s.Rebuild(); err != nil {
		t.Fatal(err)
	}
	if after := edges(t, s); len(after) != len(before) {
		t.Errorf("%d edges are kept, the observations make %d", len(before), len(after))
	}
}
