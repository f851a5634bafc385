package internal_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/order"
)

func TestEqualOnesKeepTheirOrder(t *testing.T) {
	type row struct {
		key, at int
		text    string
	}
	for n := range 200 {
		list := make([]row, n)
		for i := range list {
			list[i] = row{rand.IntN(n/4 + 1), i, "x"}
		}
		want := slices.Clone(list)
		slices.SortStableFunc(want, func(a, b row) int { return a.key - b.key })
		order.By(list, func(a, b row) int { return a.key - b.key })
		if !slices.Equal(list, want) {
			t.Fatalf("%v, want %v", list, want)
		}
	}
}
