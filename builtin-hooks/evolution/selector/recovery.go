package selector

import (
	"math/rand/v2"
	"slices"
)

// A Recovery compares how long it took to overcome a recurring failure with a
// suggestion and without: what was done until the failed command succeeded.
type Recovery struct {
	With    Arm `json:"with"`
	Without Arm `json:"without"`
	// HeldOut is how many of those without were chosen by chance: only these are
	// comparable to those with one. If there are none, the difference says little.
	HeldOut int `json:"held_out"`
	// The difference of the medians, with minus without, and its 95 % interval; none if
	// an arm has fewer than five.
	Difference *float64 `json:"difference"`
	Low        *float64 `json:"low"`
	High       *float64 `json:"high"`
}

// An Arm is one side of the comparison.
type Arm struct {
	Over   int      `json:"over"` // failures that ended
	Not    int      `json:"not"`  // failures that did not end in the session
	Median *float64 `json:"median_steps"`
}

const (
	leastArm   = 5
	resamples  = 2000
	intervalAt = 0.025
)

// Compare compares the steps of failures that ended. The interval comes from
// bootstrapping the medians, with the same result each time.
func Compare(with, without []int) (r Recovery) {
	r.With, r.Without = arm(with), arm(without)
	if len(with) < leastArm || len(without) < leastArm {
		return r
	}
	random := rand.New(rand.NewPCG(uint64(len(with)), uint64(len(without))))
	draw := func(from, to []int) float64 {
		for i := range to {
			to[i] = from[random.IntN(len(from))]
		}
		return median(to)
	}
	a, b := make([]int, len(with)), make([]int, len(without))
	all := make([]float64, resamples)
	for i := range all {
		all[i] = draw(with, a) - draw(without, b)
	}
	slices.Sort(all)
	cut := int(intervalAt * resamples)
	difference := *r.With.Median - *r.Without.Median
	r.Difference, r.Low, r.High = &difference, &all[cut], &all[resamples-1-cut]
	return r
}

func arm(steps []int) Arm {
	if len(steps) == 0 {
		return Arm{}
	}
	m := median(slices.Clone(steps))
	return Arm{Over: len(steps), Median: &m}
}

// median sorts a list, which must not be empty.
func median(list []int) float64 {
	slices.Sort(list)
	n := len(list)
	return float64(list[(n-1)/2]+list[n/2]) / 2
}
