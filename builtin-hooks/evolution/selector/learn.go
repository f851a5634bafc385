package selector

import (
	"math"
	"strings"
	"time"
)

// Weight is the weight of an outcome if the same gene had n others in the last hour:
// each one halves it.
func Weight(n int) float64 { return math.Pow(0.5, float64(n)) }

// RepeatsWithin is that hour.
const RepeatsWithin = time.Hour

// Learns reports whether an outcome is learned from: not the fifth within an hour, and
// not one that says too little.
func Learns(weight, quality float64) bool { return weight > 0.1 && quality > 0.2 }

// A Report is what is reported about an outcome.
type Report struct {
	Success  bool
	Signals  []string
	Summary  string
	Score    *float64 // 0 to 1, nil if none was given
	Explicit bool     // somebody looked and said so; otherwise it was inferred
}

// Worth is the quality of a report, from 0 to 1: 0.5 for a signal that says what
// happened (0.25 for error:generic), 0.3 for a summary of at least three words, 0.2 if
// somebody looked.
func Worth(r Report) float64 {
	q := 0.0
	for _, s := range r.Signals {
		switch s {
		case "session:end":
		case "error:generic":
			q = max(q, 0.25)
		default:
			q = 0.5
		}
	}
	if len(strings.Fields(r.Summary)) >= 3 || len([]rune(r.Summary)) >= 20 {
		q += 0.3
	}
	if r.Explicit || r.Score != nil {
		q += 0.2
	}
	return q
}

// Reflects reports whether an outcome needs thought: it failed, or went poorly.
func Reflects(r Report) bool { return !r.Success || r.Score != nil && *r.Score < 0.5 }

// Remembers reports whether an outcome deserves a note in memory.
func Remembers(r Report) bool { return r.Success && r.Score != nil && *r.Score >= 0.8 }

const (
	freezeFrom = 20   // outcomes …
	freezeAt   = 0.80 // … of which more than this share failed
	thawBelow  = 0.30
)

// FreezeWithin is how far back outcomes count for Freeze.
const FreezeWithin = 5 * time.Minute

// Freeze reports whether learning is suspended: if more than 80 % of at least 20
// outcomes in five minutes failed, something other than the genes is broken. It resumes
// when fewer than 30 % fail.
func Freeze(frozen bool, n, failed int) bool {
	if n == 0 {
		return false
	}
	rate := float64(failed) / float64(n)
	if frozen {
		return rate >= thawBelow
	}
	return n >= freezeFrom && rate > freezeAt
}

// A Verdict is what happens to a gene on trial.
type Verdict string

const (
	Stay    Verdict = "trial"
	Promote Verdict = "shared"
	Demote  Verdict = "draft"
)

const (
	trialAge       = 48 * time.Hour
	trialAgents    = 3
	trialRuns      = 20
	trialRate      = 0.50
	demoteInARow   = 10
	demoteRate     = 0.20
	demoteRateFrom = 5 // outcomes; a gene is not judged by its first failure
)

// A Trial is the record of a gene on trial.
type Trial struct {
	Since         time.Time
	Agents        int
	Successes     int
	Failures      int
	FailuresInRow int // at the end
}

// Judge says what happens to it: published after 48 hours with at least three agents
// and 20 outcomes of which more than half succeeded; private again after ten failures
// in a row, or with less than 20 % of at least five.
func (t Trial) Judge(now time.Time) Verdict {
	n := t.Successes + t.Failures
	rate := 0.0
	if n > 0 {
		rate = float64(t.Successes) / float64(n)
	}
	switch {
	case t.FailuresInRow >= demoteInARow, n >= demoteRateFrom && rate < demoteRate:
		return Demote
	case now.Sub(t.Since) >= trialAge && t.Agents >= trialAgents && n >= trialRuns && rate > trialRate:
		return Promote
	}
	return Stay
}

const (
	ripeFrom  = 10
	ripeRate  = 0.70
	ripeEvery = 24 * time.Hour
)

// Ripe reports whether a new gene can be distilled from the outcomes of a signal: at
// least ten successes, 70 % success recently, and a day since the last time.
func Ripe(successes int, recent float64, last, now time.Time) bool {
	return successes >= ripeFrom && recent >= ripeRate && (last.IsZero() || now.Sub(last) >= ripeEvery)
}

// RecentOutcomes is how many outcomes count as recent.
const RecentOutcomes = 20
