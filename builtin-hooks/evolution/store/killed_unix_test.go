//go:build unix

package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/selector"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/killtest"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// The test program runs itself as its own workers.
func TestMain(m *testing.M) {
	if dir := os.Getenv("STORE_TEST_DIR"); dir != "" {
		if os.Args[1] == "full" {
			full(dir)
		} else {
			worker(dir, os.Args[1])
		}
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
		if s.Suggested(ctx, Suggestion{Gene: name, Session: id, Action: selector.Apply, At: time.Now()}) == nil {
			fmt.Println("suggestion", name)
		}
		if n%3 == 2 { // the file is written anew
			if s.Delete(ctx, fmt.Sprintf("%s-%d", id, n-1), time.Now()) == nil {
				fmt.Println("gone", fmt.Sprintf("%s-%d", id, n-1))
			}
		}
		s.Close()
	}
}

// full records until no file may grow, and then until it may again.
func full(dir string) {
	ctx := context.Background()
	s, err := Open(ctx, dir)
	if err != nil {
		panic(err)
	}
	signal.Ignore(syscall.SIGXFSZ)
	var was syscall.Rlimit
	if err := errors.Join(syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was), syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 2500, Max: was.Max})); err != nil {
		panic(err)
	}
	for n := 0; ; n++ {
		_, err := s.Record(ctx, Observation{ID: fmt.Sprint("o", n), Signals: gene.Signals("error:oom"), Summary: strings.Repeat("it was so ", 20), At: time.Now()})
		if err != nil {
			fmt.Println("refused:", err)
			break
		}
		fmt.Println("o", n)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		panic(err)
	}
	if _, err := s.Record(ctx, Observation{ID: "after", Signals: gene.Signals("error:oom"), At: time.Now()}); err == nil {
		fmt.Println("o after")
	}
}

// EV-JRN-09: a full disk takes nothing away that was recorded, is said, and once there is
// room again work goes on.
func TestFullDiskIsSaid(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	cmd := exec.Command(os.Args[0], "full")
	cmd.Env = append(os.Environ(), "STORE_TEST_DIR="+dir)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if !strings.Contains(string(out), "refused: recording an outcome: ") || !strings.Contains(string(out), "o after") {
		t.Errorf("%s", out)
	}
	list, err := s.Observations(t.Context(), Search{})
	if n := strings.Count("\n"+string(out), "\no "); err != nil || len(list) != n || n < 3 {
		t.Errorf("%d outcomes, %d were acknowledged: %v", len(list), n, err)
	}
	if err := s.Check(); err != nil || len(s.broken) > 0 {
		t.Errorf("%v %q", err, s.broken)
	}
}

// EV-JRN-09: twenty-four processes make one store and write to it at once, take genes out
// again, and are killed with SIGKILL at random points: the file stays whole, and nothing
// that was acknowledged is lost.
func TestKilledProcessesLoseNothing(t *testing.T) {
	dir := t.TempDir()
	workers := slowtest.Count(8, 24)
	acks := killtest.Play(t, workers, 8, "STORE_TEST_DIR="+dir, func(i int) []string { return []string{fmt.Sprint("w", i)} })
	s := open(t, dir)
	if err := s.Check(); err != nil {
		t.Error("the file is damaged:", err)
	}
	kept := map[string]bool{}
	rows, err := s.List(t.Context(), Filter{Origin: "local"})
	must.Do(t, err)
	listed := map[string]bool{}
	for _, r := range rows {
		listed["gone "+r.ID] = true
	}
	for id, i := range s.genes {
		kept["gene "+id], kept["gone "+id] = true, s.Kept[i].Gone && !listed["gone "+id]
	}
	outcomes, err := s.Observations(t.Context(), Search{})
	must.Do(t, err)
	for _, o := range outcomes {
		kept["outcome "+o.ID] = true
	}
	offered, err := s.Suggestions(t.Context(), "", time.Time{})
	must.Do(t, err)
	for _, o := range offered {
		kept["suggestion "+o.Gene] = true
	}
	if len(acks) < workers-workers/6 {
		t.Errorf("only %d things were acknowledged", len(acks))
	}
	for _, a := range acks {
		if !kept[a] {
			t.Errorf("acknowledged and lost: %s", a)
		}
	}
	// What the index makes of it is what the lines say.
	for _, suffix := range []string{".index", ".index.lock"} {
		os.Remove(s.Path() + suffix)
	}
	if anew := open(t, dir); !reflect.DeepEqual(anew.Seen, s.Seen) || !reflect.DeepEqual(anew.Offers, s.Offers) || !reflect.DeepEqual(anew.Facts, s.Facts) || len(anew.Kept) != len(s.Kept) {
		t.Error("the index says something else than the lines")
	}
}
