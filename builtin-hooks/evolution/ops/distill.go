package ops

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/selector"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

type distilling struct {
	Signal string `json:"signal" help:"of the problem; default all that are ripe" zh:"问题的信号，默认为所有成熟的"`
	DryRun bool   `json:"dry_run" help:"only show what would be made" zh:"只显示将会生成的内容"`
	Force  bool   `json:"force" help:"although it is too early, or near another gene" zh:"即使为时尚早或与其他基因相近"`
}

// A Distilled is the answer of evolve_distill.
type Distilled struct {
	Schema    int        `json:"schema"`
	DryRun    bool       `json:"dry_run"`
	Proposals []Proposal `json:"proposals"`
}

// A Proposal is a gene made from others.
type Proposal struct {
	Signal    string           `json:"signal"`
	From      []string         `json:"from"`
	Gene      *gene.Gene       `json:"gene"`
	Status    string           `json:"status"` // proposed, created, similar, refused
	Similar   []gene.Neighbour `json:"similar"`
	Summaries []string         `json:"summaries"` // reports of those who succeeded
}

func (d *Operator) distill(ctx context.Context, a distilling) (any, error) {
	return in(d, ctx, func(s *store.Store) (*Distilled, error) {
		list, err := s.Observations(ctx, store.Search{Standing: true})
		if err != nil {
			return nil, err
		}
		signals := []string{a.Signal}
		if a.Signal == "" {
			signals = nil
			for _, o := range list {
				for _, t := range gene.Types(o.Signals) {
					if !slices.Contains(signals, t) {
						signals = append(signals, t)
					}
				}
			}
			slices.Sort(signals)
		}
		out := &Distilled{1, a.DryRun, []Proposal{}}
		for _, signal := range signals {
			ripe, err := s.Ripe(ctx, signal, d.Now())
			if err != nil {
				return nil, err
			}
			if !ripe && !a.Force {
				if a.Signal != "" {
					return nil, &op.Error{Code: "TOO_EARLY", Message: fmt.Sprintf("%s is not ripe: want ten successes, 70 %% of late, and a day since the last time", signal), Fix: "--force"}
				}
				continue
			}
			p, err := d.proposal(ctx, s, signal, list, a)
			if err != nil {
				return nil, err
			}
			if p != nil {
				out.Proposals = append(out.Proposals, *p)
			}
		}
		return out, nil
	})
}

// proposal makes one gene of those that solved a problem: the steps of the best one,
// and what the others add. nil if there are not at least two.
func (d *Operator) proposal(ctx context.Context, s *store.Store, signal string, list []store.Observation, a distilling) (*Proposal, error) {
	good := map[string]selector.Tally{}
	p := &Proposal{Signal: signal, Status: "proposed", Similar: []gene.Neighbour{}, Summaries: []string{}}
	for _, o := range list {
		if o.Gene == "" || !slices.Contains(gene.Types(o.Signals), signal) || o.Followed != nil && !*o.Followed {
			continue
		}
		t := selector.Tally{Failures: 1, Last: o.At}
		if o.Success {
			t = selector.Tally{Successes: 1, Last: o.At}
			if o.Summary != "" && !slices.Contains(p.Summaries, o.Summary) {
				p.Summaries = append(p.Summaries, o.Summary)
			}
		}
		good[o.Gene] = good[o.Gene].Add(t)
	}
	p.Summaries = p.Summaries[max(0, len(p.Summaries)-10):]
	var rows []store.Row
	for id, t := range good {
		if r, err := s.Get(ctx, id); err == nil && t.Rate() > 0.5 {
			rows = append(rows, r)
		}
	}
	order.By(rows, func(a, b store.Row) int {
		return cmp.Or(cmp.Compare(selector.Posterior(good[b.ID], d.Now()).Mean(), selector.Posterior(good[a.ID], d.Now()).Mean()), strings.Compare(a.ID, b.ID))
	})
	if len(rows) < 2 {
		return nil, nil
	}
	g := gene.Gene{Category: rows[0].Category, Title: rows[0].Title, Visibility: gene.Draft, Constraints: gene.DefaultConstraints(), CreatedBy: "distilled", Generation: 1}
	for i := range rows {
		gene.Merge(&g, &rows[i].Gene)
		g.DistilledFrom, g.Generation = append(g.DistilledFrom, rows[i].ID), max(g.Generation, rows[i].Generation+1)
	}
	g.Description = fmt.Sprintf("Distilled from %s that solved %s.", text.Count(len(rows), "gene"), signal)
	p.From, p.Gene = g.DistilledFrom, &g
	if a.DryRun {
		return p, nil
	}
	made, err := d.keepGene(ctx, s, g, a.Force, "")
	if err != nil {
		return nil, err
	}
	p.Status, p.Similar = made.Status, made.Similar
	if made.Status == "created" {
		p.Gene = made.Gene
		err = s.Distilled(ctx, signal, d.Now())
	}
	return p, err
}
