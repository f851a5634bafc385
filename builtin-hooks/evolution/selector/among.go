package selector

import (
	"cmp"
	"math/rand/v2"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/internal/order"
)

// A Fit is a candidate that is about a failure.
type Fit struct {
	Candidate
	Score float64 // from 0 to 1
	Why   string
}

// byRecord is how much a gene's record influences its rank: of genes that fit equally
// well, the one that helped more comes first.
const byRecord = 0.2

// Among decides between genes that are about a failure: the one that fits best and, of
// those that fit equally, the one with the best record. A gene that mostly fails, or
// that failed often just now, is left out. Chance plays a part only if o.Random is set,
// and then only in how far a record is trusted.
func Among(list []Fit, o Options) Choice {
	var all []Ranked
	why := map[string]string{}
	for _, f := range list {
		if !f.Gene.Visibility.Usable() {
			continue
		}
		r := Ranked{Candidate: f.Candidate, Layer: gene.Exact, Coverage: f.Score}
		canary := f.Gene.Visibility == gene.Trial
		r.Memory = Memory(f.Local, f.Global, canary, o.Now, o.Random)
		r.Confidence = Confidence(r.Memory, f.Local.N(), f.Global.N(), f.Others)
		r.Quality = Quality(f.Gene.Forks, f.Global.Rate())
		r.Rank = f.Score
		if f.Global.N() > 0 {
			r.Rank += byRecord * (r.Memory - 0.5)
		}
		why[f.Gene.ID] = f.Why
		all = append(all, r)
	}
	order.By(all, func(a, b Ranked) int { return cmp.Or(cmp.Compare(b.Rank, a.Rank), cmp.Compare(a.Gene.ID, b.Gene.ID)) })
	c := parted(all, o.Now)
	if len(c.Ranked) == 0 {
		c.Action, c.Reason = Nothing, "no gene is about this failure"
		if len(c.Out) > 0 {
			c.Reason = "what there is has failed too often"
		}
		return c
	}
	c.Action, c.Reason = Apply, why[c.Ranked[0].Gene.ID]
	return c
}

// Platitudes are the candidates that only say that one should look, for the signals of
// an event: for agents that have not tried anything yet.
func Platitudes(event []gene.Signal, list []Candidate, o Options) Choice {
	var few []Candidate
	for _, c := range list {
		if _, layer := gene.Coverage(event, c.Gene.SignalsMatch); c.Gene.Platitude && layer == gene.Exact && !narrow(event, c.Gene.SignalsMatch) {
			few = append(few, c)
		}
	}
	if len(few) == 0 {
		return Choice{Action: Nothing, Reason: "no gene is about this failure"}
	}
	o.Random = (*rand.Rand)(nil)
	return Choose(event, few, o)
}
