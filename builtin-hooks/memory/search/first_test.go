package search

import (
	"cmp"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// The first of a list are those that come first when all of it is sorted, in that order, and
// nothing of the list is lost; one after another they are all of it.
func TestTheFirstAreThoseOfASortedList(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	for range 3_000 {
		list := make([]int, random.IntN(400))
		for i := range list {
			list[i] = random.IntN(1 + random.IntN(500))
		}
		switch random.IntN(4) {
		case 0:
			slices.Sort(list)
		case 1:
			slices.Sort(list)
			slices.Reverse(list)
		}
		sorted := slices.Sorted(slices.Values(list))
		k := random.IntN(len(list) + 3)
		some := slices.Clone(list)
		first(some, k, cmp.Compare)
		if n := min(k, len(list)); !slices.Equal(some[:n], sorted[:n]) || !slices.Equal(slices.Sorted(slices.Values(some)), sorted) {
			t.Fatalf("the first %d of %v are %v", k, list, some)
		}
		var all []int
		inOrder(list, cmp.Compare, func(n int) bool { all = append(all, n); return true })
		if !slices.Equal(all, sorted) {
			t.Fatalf("in order: %v, want %v", all, sorted)
		}
	}
}

// To find a few takes a few looks at each, however many there are.
func TestTheFirstAreFoundWithoutSorting(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{1_000, 100_000} {
		list, looks := random.Perm(n), 0
		first(list, 64, func(a, b int) int { looks++; return cmp.Compare(a, b) })
		if looks > 8*n {
			t.Errorf("%d looks at %d", looks, n)
		}
	}
}

// A file that is over the bound of a quick search is not even opened.
// BM-RCL-06.
func TestAQuickSearchOpensNothingOverItsBound(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "facts.jsonl")
	must.Write(t, path, "")
	must.Do(t, os.Truncate(path, 60<<20))
	var opened []string
	in := &beneath.Root{Dir: root, Touched: func(path string) { opened = append(opened, path) }}
	read := func([]byte) []Doc { t.Error("it was read"); return nil }
	err := New("", nil).Refresh([]Source{{Name: "facts.jsonl", Path: path, In: in, Lines: true, Read: read}}, time.Now(), readMost)
	if !errors.Is(err, ErrTooMuch) {
		t.Error(err)
	}
	if len(opened) > 2 { // its folder, and its size
		t.Errorf("touched %q", opened)
	}
}
