package selector

import (
	"math"
	"math/rand/v2"
	"time"
)

// A Tally is what is known about a gene: weights of outcomes, and the time of the last.
type Tally struct {
	Successes, Failures float64
	Last                time.Time
}

// N is how many outcomes there were.
func (t Tally) N() float64 { return t.Successes + t.Failures }

// Rate is the share that succeeded; 0 if there were none.
func (t Tally) Rate() float64 {
	if t.N() == 0 {
		return 0
	}
	return t.Successes / t.N()
}

// Add is the sum of two tallies.
func (t Tally) Add(u Tally) Tally {
	t.Successes, t.Failures = t.Successes+u.Successes, t.Failures+u.Failures
	if u.Last.After(t.Last) {
		t.Last = u.Last
	}
	return t
}

// HalfLife is the age at which an outcome counts half.
const HalfLife = 30 * 24 * time.Hour

// decay is the weight of an outcome of that age.
func decay(age time.Duration) float64 {
	if age <= 0 {
		return 1
	}
	return math.Pow(0.5, float64(age)/float64(HalfLife))
}

// A Beta is a distribution of the rate of success.
type Beta struct{ Alpha, Beta float64 }

// Posterior is what a tally says about the rate of success: one more success and
// failure than seen, decayed by age, neither below 1.
func Posterior(t Tally, now time.Time) Beta {
	d := 1.0
	if !t.Last.IsZero() {
		d = decay(now.Sub(t.Last))
	}
	return Beta{max(1, (t.Successes+1)*d), max(1, (t.Failures+1)*d)}
}

// globalWeight is the share in the blend of what was seen everywhere: all of it as long
// as there is nothing local, a fifth from 80 local outcomes on. A gene on trial gets
// half of that.
func globalWeight(localTotal float64, canary bool) float64 {
	w := max(0.2, 1-localTotal/100)
	if canary {
		w /= 2
	}
	return w
}

// blend is the posterior of a gene from local and global results. The second includes
// the first.
func blend(local, global Tally, canary bool, now time.Time) Beta {
	w := globalWeight(local.N(), canary)
	l, g := Posterior(local, now), Posterior(global, now)
	return Beta{w*g.Alpha + (1-w)*l.Alpha, w*g.Beta + (1-w)*l.Beta}
}

// Mean is the expected rate of success.
func (b Beta) Mean() float64 { return b.Alpha / (b.Alpha + b.Beta) }

// Sample draws from the distribution.
func (b Beta) Sample(r *rand.Rand) float64 {
	x, y := gamma(b.Alpha, r), gamma(b.Beta, r)
	if x+y == 0 {
		return b.Mean()
	}
	return x / (x + y)
}

// gamma draws from the gamma distribution of a shape, which is at least 1 here, by the
// method of Marsaglia and Tsang.
func gamma(shape float64, r *rand.Rand) float64 {
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d) // mutant: of a greater one more is refused, and what is drawn is the same
	for {
		x := r.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v = v * v * v
		u := r.Float64()
		if math.Log(u) < 0.5*x*x+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}

// The score of a gene that nobody has used yet.
const (
	prior       = 0.5
	priorCanary = 0.35
)

// Memory is the score of what is known about a gene: a sample of the posterior or,
// without a source of random numbers, its mean; the prior if nothing is known.
func Memory(local, global Tally, canary bool, now time.Time, r *rand.Rand) float64 {
	if global.N() == 0 && local.N() == 0 {
		if canary {
			return priorCanary
		}
		return prior
	}
	b := blend(local, global, canary, now)
	if r == nil {
		return b.Mean()
	}
	return b.Sample(r)
}

// Confidence is how sure a suggestion is: the memory score, scaled by the number of
// uses up to 20, and a bonus if other agents used it.
func Confidence(memory, localN, globalN, othersN float64) float64 {
	bonus := 0.0
	switch {
	case othersN >= 10:
		bonus = 0.1
	case othersN >= 5:
		bonus = 0.05
	}
	return min(1, memory*min((localN+globalN)/20, 1)+bonus)
}
