//go:build unix

package session

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/killtest"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// The test program runs itself as its own workers.
func TestMain(m *testing.M) {
	if dir := os.Getenv("SESSION_TEST_DIR"); dir != "" {
		worker(At(dir), os.Args[1])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// worker does all that a hook may do with a session, again and again, and says
// on stdout what it was told is kept. What was refused (a lock that two hundred
// others want) is not said, and tried again.
func worker(d Dir, id string) {
	for n := 0; ; n++ {
		name := id + "-" + strconv.Itoa(n)
		if d.Spool("m", name, protocol.Object{{Name: "text", Value: protocol.Quote(strings.Repeat(name, 50))}}) == nil {
			fmt.Println("spooled", name)
		}
		err := d.Update("state", func(o protocol.Object) protocol.Object {
			o.Set(id, strconv.AppendInt(nil, int64(n), 10))
			return o
		})
		if err == nil {
			fmt.Println("state", id, n)
		}
		if d.Defer(Item{Kind: name, Text: name, Expires: time.Now().Add(time.Hour)}) == nil {
			fmt.Println("deferred", name)
		}
		if n%2 == 1 {
			if items, err := d.Take(time.Now(), id+"-"+strconv.Itoa(n-1)); err == nil {
				for _, item := range items {
					fmt.Println("took", item.Kind)
				}
			}
		}
		if n%3 == 2 {
			_ = d.Drain("m", func(list []protocol.Object) error {
				for _, o := range list {
					if err := statefile.Append(d.file("drained"), 10*time.Second, []byte(o.Text("id"))); err != nil {
						return err
					}
				}
				return nil
			})
		}
	}
}

// Many processes append and update at once, are killed with SIGKILL
// at random points, and nothing that was acknowledged is lost, torn or delivered
// twice.
func TestKilledProcessesLoseNothing(t *testing.T) {
	dir := t.TempDir()
	workers := slowtest.Count(60, 200)
	acks := killtest.Play(t, workers, 6, "SESSION_TEST_DIR="+dir, func(i int) []string { return []string{"w" + strconv.Itoa(i)} })
	check(t, At(dir), acks, workers)
}

func check(t *testing.T, d Dir, acks []string, workers int) {
	t.Helper()
	kept := map[string]bool{}
	drained, _ := os.ReadFile(d.file("drained"))
	for line := range strings.Lines(string(drained)) {
		kept[strings.TrimSpace(line)] = true
	}
	for _, o := range d.Spooled("m") {
		kept[o.Text("id")] = true
		if o.Text("text") != strings.Repeat(o.Text("id"), 50) {
			t.Errorf("a record of the spool is torn: %s", o.Raw())
		}
	}
	waiting := map[string]bool{}
	if items, err := d.Take(time.Now()); err != nil {
		t.Error(err)
	} else {
		for _, item := range items {
			waiting[item.Kind] = true
			if item.Text != item.Kind {
				t.Errorf("an item is torn: %+v", item)
			}
		}
	}
	state := d.Read("state")
	took := map[string]bool{}
	wasDeferred := 0
	for _, a := range acks {
		word := strings.Fields(a)
		if len(word) < 2 || strings.Count(word[1], "-") == 0 && word[0] != "state" {
			continue // the kill cut this acknowledgement
		}
		switch {
		case word[0] == "spooled" && !kept[word[1]]:
			t.Errorf("lost from the spool: %s", word[1])
		case word[0] == "state" && len(word) == 3:
			acked, err := strconv.Atoi(word[2])
			if n, _ := strconv.Atoi(string(state.Get(word[1]))); err == nil && (n < acked || !state.Has(word[1])) {
				t.Errorf("lost from the state: %s has %d, acknowledged %d", word[1], n, acked)
			}
		case word[0] == "took":
			if took[word[1]] || waiting[word[1]] {
				t.Errorf("delivered twice: %s", word[1])
			}
			took[word[1]] = true
		case word[0] == "deferred":
			wasDeferred++
		}
	}
	for _, a := range acks {
		// A worker takes only its own item before the last one: that one may have
		// been taken by a process that was killed before it could say so.
		name, ok := strings.CutPrefix(a, "deferred ")
		if !ok || took[name] || waiting[name] || !strings.Contains(name, "-") {
			continue
		}
		who, n, _ := strings.Cut(name, "-")
		if number, _ := strconv.Atoi(n); !slices.Contains(acks, "spooled "+who+"-"+strconv.Itoa(number+1)) {
			t.Errorf("an item is lost: %s", name)
		}
	}
	if len(acks) < workers || wasDeferred == 0 {
		t.Errorf("only %d acknowledgements, %d of deferred items: this proves little", len(acks), wasDeferred)
	}
}
