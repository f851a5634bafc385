package tally

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"
)

// Times are durations, counted by their first three digits, which is what is shown.
// That is exact below a millisecond, off by at most half a percent above, and limited
// to 900 classes for each power of ten.
type Times struct {
	N     int
	Total time.Duration
	Max   time.Duration
	class map[time.Duration]int
}

// Add counts a duration.
func (t *Times) Add(d time.Duration) {
	if t.class == nil {
		t.class = map[time.Duration]int{}
	}
	d = max(d, 0).Round(time.Microsecond)
	t.N++
	t.Total += d
	t.Max = max(t.Max, d)
	t.class[threeDigits(d)]++
}

// threeDigits is a duration rounded to three digits of microseconds.
func threeDigits(d time.Duration) time.Duration {
	step := time.Microsecond
	for d >= 1000*step {
		step *= 10
	}
	return d.Round(step)
}

func (t *Times) join(o *Times) {
	if t.class == nil {
		t.class = map[time.Duration]int{}
	}
	for d, n := range o.class {
		t.class[d] += n
	}
	t.N, t.Total, t.Max = t.N+o.N, t.Total+o.Total, max(t.Max, o.Max)
}

// Quantile is the smallest duration that a fraction q of them does not exceed: 0.5 is
// the median. 0 if there are none.
func (t *Times) Quantile(q float64) time.Duration {
	rank := int(math.Ceil(q * float64(t.N)))
	for _, d := range slices.SortedFunc(maps.Keys(t.class), cmp.Compare) {
		if rank -= t.class[d]; rank <= 0 {
			return min(d, t.Max)
		}
	}
	return 0
}
