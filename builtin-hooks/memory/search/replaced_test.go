package search

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// indexed is a snapshot of some entries at a time.
func indexed(t *testing.T, docs []Doc, now time.Time) *Snapshot {
	t.Helper()
	path := filepath.Join(t.TempDir(), "facts.txt")
	must.Write(t, path, "facts")
	s := New("", nil)
	t.Cleanup(s.Close)
	must.Do(t, s.Refresh([]Source{{Name: "facts.txt", Path: path, Read: func([]byte) []Doc { return docs }}}, now, 0))
	s.now = now
	return s
}

func replacing(id string, of ...string) Doc {
	return Doc{ID: id, Kind: "fact", Type: "W", Content: "fact " + id, Confidence: 0.9, Time: day, Replaces: of}
}

// The index says of each fact what is said of all of them at once: chains, several successors,
// beginnings and ends in the past and the future, at random.
// BM-TRU-08, BM-TRU-27, BM-TRU-30.
func TestTheIndexSaysWhatIsReplacedAsListsDo(t *testing.T) {
	t.Parallel()
	hidden := 0
	for seed := range 2000 {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		var docs []Doc
		var facts []*memory.Fact
		for i := range 2 + r.IntN(9) {
			d := replacing(strconv.Itoa(i))
			for k := range i {
				if r.IntN(i) < 2 {
					d.Replaces = append(d.Replaces, strconv.Itoa(k))
				}
			}
			when := func() time.Time { return day.AddDate(0, 0, r.IntN(11)-5) }
			if r.IntN(3) == 0 {
				d.Since = when()
			}
			if r.IntN(3) == 0 {
				d.Until = when()
			}
			f := d.Fact()
			docs, facts = append(docs, d), append(facts, &f)
		}
		s, by := indexed(t, docs, day), memory.Replaced(facts, day)
		for _, d := range docs {
			if got, want := s.replaced(d), by[d.ID] != ""; got != want {
				t.Fatalf("seed %d: %s is replaced: %v, and the list says %v: %+v", seed, d.ID, got, want, docs)
			} else if got {
				hidden++
			}
		}
	}
	if hidden < 1000 {
		t.Errorf("only %d were replaced", hidden)
	}
}

// In a row of pairs, each of which replaced both before it and is over, there are more ways from
// the first to the last than anybody can go.
// BM-TRU-27.
func TestManyWaysToASuccessorAreGoneOnce(t *testing.T) {
	t.Parallel()
	const rows = 60
	docs := []Doc{replacing("0-a"), replacing("0-b")}
	for i := 1; i <= rows; i++ {
		for _, side := range []string{"a", "b"} {
			d := replacing(fmt.Sprintf("%d-%s", i, side), fmt.Sprintf("%d-a", i-1), fmt.Sprintf("%d-b", i-1))
			d.Until = day.AddDate(0, 0, -1)
			docs = append(docs, d)
		}
	}
	if s := indexed(t, docs, day); s.replaced(docs[0]) {
		t.Error("all that replaced it are over, and it is replaced")
	}
	last := replacing("last", fmt.Sprintf("%d-a", rows))
	if s := indexed(t, append(docs, last), day); !s.replaced(docs[0]) {
		t.Error("the last of a row stands for nothing")
	}
}
