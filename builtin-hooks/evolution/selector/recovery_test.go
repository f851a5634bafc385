package selector

import (
	"math/rand/v2"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// EV-JRN-25: the interval holds the true difference about as often as it says, and there
// is none where too little is known.
func TestTheIntervalHoldsTheDifference(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 5))
	arms := func(n, shift int) (list []int) {
		for range n {
			list = append(list, shift+r.IntN(7))
		}
		return list
	}
	rounds := slowtest.Count(60, 200)
	held, apart := 0, 0
	for range rounds {
		c := Compare(arms(30, 2), arms(30, 6))
		if *c.Low <= -4 && *c.High >= -4 {
			held++
		}
		if *c.High < 0 {
			apart++
		}
	}
	if held < rounds*85/100 || apart < rounds*90/100 {
		t.Errorf("of %d intervals %d hold the difference, %d are below zero", rounds, held, apart)
	}
	even := 0
	for range rounds {
		if c := Compare(arms(30, 3), arms(30, 3)); *c.Low > 0 || *c.High < 0 {
			even++
		}
	}
	if even > rounds*12/100 {
		t.Errorf("of %d comparisons of the same %d see a difference", rounds, even)
	}
	if c := Compare([]int{1, 2, 3, 9}, arms(30, 3)); c.Difference != nil || c.Low != nil || *c.With.Median != 2.5 {
		t.Errorf("%+v", c)
	}
	if c := Compare(nil, nil); c.With.Median != nil {
		t.Errorf("%+v", c)
	}
}
