package ops

import (
	"cmp"
	"context"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/selector"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
	"github.com/agents-hooks/agents-hooks/internal/order"
)

type nothing struct{}

// Stats is the answer of evolve_stats.
type Stats struct {
	Schema      int               `json:"schema"`
	Genes       map[string]int    `json:"genes"` // by visibility
	Outcomes    OutcomeCount      `json:"outcomes"`
	Suggestions Offers            `json:"suggestions"`
	Signals     []SignalCount     `json:"signals"`
	North       selector.North    `json:"north_star"`
	Recovery    selector.Recovery `json:"recovery"`
	FrozenSince *string           `json:"frozen_since"`
	File        string            `json:"file"`
}

// An OutcomeCount counts valid observations.
type OutcomeCount struct {
	All       int `json:"all"`
	Successes int `json:"successes"`
	Explicit  int `json:"explicit"`
	Unpushed  int `json:"unpushed"`
}

// Offers counts suggestions by what is known about them.
type Offers struct {
	All         int `json:"all"`
	Followed    int `json:"followed"` // somebody said so
	NotFollowed int `json:"not_followed"`
	Concluded   int `json:"concluded"` // nobody said, but an outcome was inferred from what came next
	Unknown     int `json:"unknown"`
}

// A SignalCount is how often a signal was part of an outcome.
type SignalCount struct {
	Signal    string `json:"signal"`
	Outcomes  int    `json:"outcomes"`
	Successes int    `json:"successes"`
}

func (d *Operator) stats(ctx context.Context, _ nothing) (any, error) {
	return in(d, ctx, func(s *store.Store) (*Stats, error) {
		out := &Stats{Schema: 1, Genes: map[string]int{}, Signals: []SignalCount{}, File: s.Path()}
		rows, err := s.List(ctx, store.Filter{})
		if err != nil {
			return nil, err
		}
		for i := range rows {
			out.Genes[string(rows[i].Visibility)]++
		}
		list, err := s.Observations(ctx, store.Search{Standing: true})
		if err != nil {
			return nil, err
		}
		out.count(list)
		offers, err := s.Suggestions(ctx, "", time.Time{})
		if err != nil {
			return nil, err
		}
		out.Suggestions = offersOf(offers, list)
		if out.Recovery, err = s.Compare(ctx); err != nil {
			return nil, err
		}
		since, err := s.Frozen()
		out.FrozenSince = at(since)
		return out, err
	})
}

func (out *Stats) count(list []store.Observation) {
	signals := map[string]*SignalCount{}
	var capsules []selector.Capsule
	for _, o := range list {
		out.Outcomes.All++
		if o.Success {
			out.Outcomes.Successes++
		}
		if o.Explicit {
			out.Outcomes.Explicit++
		}
		if o.Pushed.IsZero() && o.Gene != "" {
			out.Outcomes.Unpushed++
		}
		types := gene.Types(o.Signals)
		for _, t := range types {
			c := signals[t]
			if c == nil {
				c = &SignalCount{Signal: t}
				signals[t] = c
			}
			c.Outcomes++
			if o.Success {
				c.Successes++
			}
		}
		capsules = append(capsules, selector.Capsule{Agent: o.Agent, Session: o.Session, Gene: o.Gene, Signals: types, Success: o.Success, At: o.At})
	}
	for _, c := range signals {
		out.Signals = append(out.Signals, *c)
	}
	order.By(out.Signals, func(a, b SignalCount) int {
		return cmp.Or(cmp.Compare(b.Outcomes, a.Outcomes), cmp.Compare(a.Signal, b.Signal))
	})
	out.North = selector.NorthStar(capsules)
}

// offersOf counts whether each suggested gene was followed in its session. An inference
// does not count as somebody's word.
func offersOf(offers []store.Suggestion, list []store.Observation) (n Offers) {
	type key struct{ session, gene string }
	const not, yes, guessed = -1, 1, 2
	said := map[key]int{}
	for _, o := range list {
		switch k := (key{o.Session, o.Gene}); {
		case o.Followed != nil && !*o.Followed:
			said[k] = not
		case o.Explicit || o.Followed != nil:
			said[k] = yes
		case said[k] == 0:
			said[k] = guessed
		}
	}
	seen := map[key]bool{}
	for _, o := range offers {
		k := key{o.Session, o.Gene}
		if seen[k] {
			continue
		}
		seen[k] = true
		n.All++
		switch said[k] {
		case yes:
			n.Followed++
		case not:
			n.NotFollowed++
		case guessed:
			n.Concluded++
		default:
			n.Unknown++
		}
	}
	return n
}

// Achievements is the answer of evolve_achievements.
type Achievements struct {
	Schema     int         `json:"schema"`
	Milestones []Milestone `json:"milestones"`
}

// A Milestone is something that was reached, or not yet.
type Milestone struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Has     int    `json:"has"`
	Wants   int    `json:"wants"`
	Reached bool   `json:"reached"`
}

func (d *Operator) achievements(ctx context.Context, _ nothing) (any, error) {
	return in(d, ctx, func(s *store.Store) (*Achievements, error) {
		rows, err := s.List(ctx, store.Filter{Origin: "local"})
		if err != nil {
			return nil, err
		}
		list, err := s.Observations(ctx, store.Search{Standing: true})
		if err != nil {
			return nil, err
		}
		good, explicit, proven := 0, 0, 0
		for _, o := range list {
			if o.Success && o.Gene != "" {
				good++
			}
			if o.Explicit && o.Gene != "" {
				explicit++
			}
		}
		for i := range rows {
			if rows[i].All().Successes >= skillFrom {
				proven++
			}
		}
		out := &Achievements{1, nil}
		add := func(id, title string, has int, steps ...int) {
			for _, n := range steps {
				out.Milestones = append(out.Milestones, Milestone{id, title, has, n, has >= n})
			}
		}
		add("genes", "genes of your own", len(rows), 1, 10, 50)
		add("successes", "problems solved with a gene", good, 1, 10, 100)
		add("looked", "outcomes that somebody looked at", explicit, 1, 10, 100)
		add("skills", "genes proven enough to be a skill", proven, 1, 5)
		return out, nil
	})
}
