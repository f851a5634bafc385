package selector

import (
	"cmp"
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/order"
)

// A Capsule is one outcome, as used for the north-star numbers.
type Capsule struct {
	Agent, Session, Gene string
	Signals              []string
	Success              bool
	At                   time.Time
}

// North contains the three numbers that show whether evolution helps, nil for one about
// which nothing is known yet.
type North struct {
	// RepeatRate is the share of problems (an agent and a signal) that came back in
	// another session more than an hour later. Less is better.
	RepeatRate *float64 `json:"repeatRate"`
	// FirstRate approximates how often a problem is solved at the first encounter.
	FirstRate *float64 `json:"frrApprox"`
	// Gain approximates the value of experience: the rate of success after at least
	// three successes, minus the rate before.
	Gain *float64 `json:"errApprox"`
}

const (
	repeatGap  = time.Hour
	experience = 3 // successes of a gene on a signal
)

// NorthStar computes them from all outcomes.
func NorthStar(all []Capsule) North {
	all = slices.Clone(all)
	order.By(all, func(a, b Capsule) int { return cmp.Compare(a.At.UnixNano(), b.At.UnixNano()) })
	type problem struct{ agent, signal string }
	type edge struct{ gene, signal string }
	last, repeated := map[problem]Capsule{}, map[problem]bool{}
	behind := map[edge]int{}
	var first, with, without tally
	for _, c := range all {
		practised := false
		for _, s := range c.Signals {
			p := problem{c.Agent, s}
			before, met := last[p]
			if !met {
				first.add(c.Success)
			} else if c.At.Sub(before.At) > repeatGap && (c.Session != before.Session || c.Session == "") {
				repeated[p] = true
			}
			last[p] = c
			e := edge{c.Gene, s}
			practised = practised || c.Gene != "" && behind[e] >= experience
			if c.Success {
				behind[e]++
			}
		}
		switch {
		case len(c.Signals) == 0:
		case practised:
			with.add(c.Success)
		default:
			without.add(c.Success)
		}
	}
	var n North
	if len(last) > 0 {
		n.RepeatRate = new(float64(len(repeated)) / float64(len(last)))
	}
	n.FirstRate = first.rate()
	if a, b := with.rate(), without.rate(); a != nil && b != nil {
		n.Gain = new(*a - *b)
	}
	return n
}

type tally struct{ good, all int }

func (t *tally) add(success bool) {
	t.all++
	if success {
		t.good++
	}
}

func (t tally) rate() *float64 {
	if t.all == 0 {
		return nil
	}
	return new(float64(t.good) / float64(t.all))
}
