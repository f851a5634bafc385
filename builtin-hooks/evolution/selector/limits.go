package selector

import "time"

// A gene is banned from this many outcomes on, if its smoothed rate of success is below
// the limit; the second limit applies if nothing else is left.
const (
	banFrom    = 5
	banBelow   = 0.18
	banRelaxed = 0.05
)

// Banned reports whether a gene has failed too often to be suggested.
func Banned(t Tally, limit float64) bool {
	return t.N() >= banFrom && (t.Successes+1)/(t.N()+2) < limit
}

// BanLimit is the usual limit for Banned.
const BanLimit = banBelow

// A Mark is something that happened to a gene.
type Mark struct {
	At   time.Time
	Kind Kind
}

// A Kind is the kind of a Mark.
type Kind uint8

const (
	Offered Kind = iota
	Succeeded
	Failed
)

// A State is the state of a gene's circuit breaker.
type State uint8

const (
	Closed  State = iota
	Open          // must not be offered
	Probing       // may be offered once
)

const (
	breakAt     = 5               // this many failures …
	breakWithin = 5 * time.Minute // … within this time open the breaker
	coolDown    = time.Minute     // until one probe is let through
)

// Broken is the state of a gene's breaker after marks, the oldest first: five failures
// within five minutes open it; after a minute one offer is let through as a probe; if
// that fails it opens again, if it succeeds the breaker closes. A probe without a
// result for a minute lets another one through.
func Broken(marks []Mark, now time.Time) State {
	var failures []time.Time
	var until, probe time.Time // open until; the probe is out since
	for _, m := range marks {
		if m.At.After(now) {
			break
		}
		switch m.Kind {
		case Succeeded:
			failures, until, probe = nil, time.Time{}, time.Time{}
		case Failed:
			if !until.IsZero() {
				until, probe = m.At.Add(coolDown), time.Time{}
				continue
			}
			failures = append(failures, m.At)
			for m.At.Sub(failures[0]) > breakWithin {
				failures = failures[1:]
			}
			if len(failures) >= breakAt {
				until = m.At.Add(coolDown)
			}
		case Offered:
			if !until.IsZero() && !m.At.Before(until) {
				probe = m.At
			}
		}
	}
	switch {
	case until.IsZero():
		return Closed
	case now.Before(until), !probe.IsZero() && now.Before(probe.Add(coolDown)):
		return Open
	}
	return Probing
}

// BreakerLooksBack is how old marks may be and still matter to Broken: a breaker stays
// open as long as failures follow each other.
const BreakerLooksBack = time.Hour
