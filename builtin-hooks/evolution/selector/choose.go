package selector

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/internal/order"
)

// A Candidate is a gene, and what is known about it for the event's signals.
type Candidate struct {
	Gene   gene.Gene
	Local  Tally   // in this scope
	Global Tally   // everywhere, including here
	Others float64 // outcomes of other agents
	Recent []Mark  // recent offers and outcomes, the oldest first
}

// An Action is what to do about an event.
type Action string

const (
	Apply   Action = "apply_gene"
	Explore Action = "explore"          // try a gene that is not the best
	Suggest Action = "create_suggested" // no gene is about this: make one when it is solved
	Nothing Action = "none"
)

// Options say how to choose.
type Options struct {
	Now time.Time
	// Random is nil for the deterministic, greedy selector: the mean instead of a
	// sample, and no exploration.
	Random     *rand.Rand
	Creativity float64 // the original's is 0.35; 0 never explores
}

// Creativity is the default amount of exploration.
const Creativity = 0.35

// A Ranked is a candidate with its numbers.
type Ranked struct {
	Candidate
	Coverage   float64
	Layer      gene.Layer
	Memory     float64
	Confidence float64
	Context    float64
	Quality    float64
	Rank       float64
	Banned     bool // mostly fails
	Resting    bool // failed often in a short time
}

// A Choice is the result of choosing.
type Choice struct {
	Action Action
	Ranked []Ranked // the usable ones, the chosen first, then from the best on
	Out    []Ranked // banned or resting
	Reason string
}

// Chosen is the gene to suggest, nil if there is none.
func (c *Choice) Chosen() *Ranked {
	if (c.Action == Apply || c.Action == Explore) && len(c.Ranked) > 0 {
		return &c.Ranked[0]
	}
	return nil
}

// Instead pauses a gene that was just offered. If one of offered is about the same
// signals, only another gene that is about them too, fits the technology and has helped
// more often than not takes its place; otherwise the paused one stays first, and the
// caller has nothing new to say. The next in rank, untested, is wrong as often as not,
// and chance would offer another one with each failure.
func (c *Choice) Instead(event []gene.Signal, offered []string) {
	resting := slices.IndexFunc(c.Ranked, func(r Ranked) bool { return r.Layer == gene.Exact && slices.Contains(offered, r.Gene.ID) })
	if resting < 0 {
		return
	}
	id := c.Ranked[resting].Gene.ID
	better := slices.IndexFunc(c.Ranked, func(r Ranked) bool {
		return r.Layer == gene.Exact && !slices.Contains(offered, r.Gene.ID) && !OtherStack(event, r.Gene.SignalsMatch) && r.Global.Rate() > 0.5
	})
	first, reason := better, "in place of "+id+", which was offered just now"
	if better < 0 {
		first, reason = resting, "was offered just now, and nothing better is known"
	}
	r := c.Ranked[first]
	c.Ranked = slices.Insert(slices.Delete(c.Ranked, first, first+1), 0, r)
	c.Action, c.Reason = Apply, reason
}

// goodCoverage is the coverage from which a gene is about the event.
const goodCoverage = 0.5

// Choose decides which gene to suggest for the signals of an event. The result does not
// depend on the order of the candidates.
func Choose(event []gene.Signal, list []Candidate, o Options) Choice {
	if len(event) == 0 {
		return Choice{Action: Nothing, Reason: "no signals"}
	}
	list = slices.Clone(list)
	order.By(list, func(a, b Candidate) int { return strings.Compare(a.Gene.ID, b.Gene.ID) })
	var all []Ranked
	for _, c := range list {
		if c.Gene.When.Only {
			continue // nobody knows whether that was the problem
		}
		if r := score(event, c, o); r.Layer != gene.None && c.Gene.Visibility.Usable() {
			all = append(all, r)
		}
	}
	order.By(all, func(a, b Ranked) int { return cmp.Compare(b.Rank, a.Rank) })
	c := parted(all, o.Now)
	if !slices.ContainsFunc(c.Ranked, about) {
		c.Action, c.Reason = Suggest, "no gene is about these signals"
		if slices.ContainsFunc(c.Out, about) {
			c.Action, c.Reason = Nothing, "what there is has failed too often"
		}
		return c
	}
	c.Action, c.Reason = Apply, c.Ranked[0].Layer.String()+" match"
	explore(&c, event, o)
	return c
}

// about reports whether a gene is about the event: by the same signal, or by sufficient
// coverage.
func about(r Ranked) bool { return r.Layer == gene.Exact || r.Coverage >= goodCoverage }

// parted separates usable genes from others. Those about the event come before those
// that only resemble it. If nothing is left, the limit of the ban is relaxed.
func parted(all []Ranked, now time.Time) (c Choice) {
	for _, limit := range [...]float64{banBelow, banRelaxed} {
		c = Choice{}
		for _, r := range all {
			r.Banned = Banned(r.Global, limit)
			r.Resting = Broken(r.Recent, now) == Open
			if r.Banned || r.Resting {
				c.Out = append(c.Out, r)
			} else {
				c.Ranked = append(c.Ranked, r)
			}
		}
		if slices.ContainsFunc(c.Ranked, about) {
			break
		}
	}
	order.By(c.Ranked, func(a, b Ranked) int {
		switch {
		case about(a) == about(b):
			return 0
		case about(a):
			return -1
		}
		return 1
	})
	return c
}

// explore now and then puts another gene first: one that is about the event, and not
// about a technology or stage that may not be the event's.
func explore(c *Choice, event []gene.Signal, o Options) {
	var others []int
	for i, r := range c.Ranked {
		if i > 0 && about(r) && !narrow(event, r.Gene.SignalsMatch) {
			others = append(others, i)
		}
	}
	if o.Random == nil || len(others) == 0 {
		return
	}
	if o.Random.Float64() >= exploration(o.Creativity, len(others)+1, c.Ranked[0].Coverage) {
		return
	}
	i := others[o.Random.IntN(len(others))]
	picked := c.Ranked[i]
	c.Ranked = slices.Insert(slices.Delete(c.Ranked, i, i+1), 0, picked)
	c.Action, c.Reason = Explore, "another gene is tried"
}

// exploration is the probability that a gene other than the best of n is tried: the
// more there are, the lower, and lower if the best fits well.
func exploration(creativity float64, n int, coverage float64) float64 {
	if n < 1 {
		return 0
	}
	p := creativity / math.Sqrt(float64(n))
	if coverage >= goodCoverage {
		return p * 0.3
	}
	return p * 0.6
}

// score computes the numbers of a candidate.
func score(event []gene.Signal, c Candidate, o Options) Ranked {
	canary := c.Gene.Visibility == gene.Trial
	r := Ranked{Candidate: c}
	r.Coverage, r.Layer = gene.Coverage(event, c.Gene.SignalsMatch)
	if r.Layer < gene.Exact && semantic(event, &c.Gene) {
		r.Layer = max(r.Layer, gene.Semantic)
	}
	r.Memory = Memory(c.Local, c.Global, canary, o.Now, o.Random)
	r.Confidence = Confidence(r.Memory, c.Local.N(), c.Global.N(), c.Others)
	r.Context = Context(event, c.Gene.SignalsMatch)
	r.Quality = Quality(c.Gene.Forks, c.Global.Rate())
	r.Rank = 0.35*r.Coverage + 0.25*r.Memory + 0.15*r.Confidence + 0.15*r.Context + 0.10*r.Quality
	switch r.Layer {
	case gene.Exact:
		r.Rank += 0.15
	case gene.Semantic:
		r.Rank += 0.05
	}
	switch {
	case OtherStack(event, c.Gene.SignalsMatch):
		r.Rank *= 0.1
	case narrow(event, c.Gene.SignalsMatch):
		r.Rank *= 0.5 // ours: it may be a different one
	}
	return r
}

// semantic reports whether the gene's words include one from the name of a signal.
func semantic(event []gene.Signal, g *gene.Gene) bool {
	words := gene.Words(g.Title + " " + g.Description)
	for _, e := range event {
		_, tail, _ := strings.Cut(e.Type, ":")
		for _, w := range gene.Words(strings.ReplaceAll(tail, "_", " ")) {
			if slices.Contains(words, w) {
				return true
			}
		}
	}
	return false
}

// Context is 0.5 if a signal of the event has the provider of one of the gene's
// signals, plus 0.5 if one has its stage.
func Context(event, pattern []gene.Signal) float64 {
	provider, stage := 0.0, 0.0
	for _, e := range event {
		for _, p := range pattern {
			if e.Provider != "" && e.Provider == p.Provider {
				provider = 0.5
			}
			if e.Stage != "" && e.Stage == p.Stage {
				stage = 0.5
			}
		}
	}
	return provider + stage
}

// Quality is what others made of a gene: up to a half for forks, and up to a half for
// its rate of success.
func Quality(forks int, rate float64) float64 {
	return min(float64(forks)/10, 0.5) + min(rate, 0.5)
}

// OtherStack reports whether the gene is for another technology than the event: both
// name some, but none in common.
func OtherStack(event, pattern []gene.Signal) bool {
	theirs, named := map[string]bool{}, false
	for _, p := range pattern {
		if p.TechStack == "" {
			return false // it has a signal for any
		}
		theirs[strings.ToLower(p.TechStack)] = true
	}
	for _, e := range event {
		if e.TechStack != "" {
			if named = true; theirs[strings.ToLower(e.TechStack)] {
				return false
			}
		}
	}
	return named && len(theirs) > 0
}

// narrow reports whether the gene names a technology or a stage for the event's signals
// while the event names none.
func narrow(event, pattern []gene.Signal) bool {
	named := false
	for _, e := range event {
		for _, p := range pattern {
			if p.Type != e.Type {
				continue
			}
			if (p.TechStack == "" || e.TechStack != "") && (p.Stage == "" || e.Stage != "") {
				return false
			}
			named = true
		}
	}
	return named
}
