package ops

import (
	"context"
	"slices"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/draft"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
)

type reviewing struct {
	Session string `json:"session" help:"only the suggestions of this session of an agent" zh:"仅此会话的建议"`
	Days    int    `json:"days" help:"suggestions of the last so many days; default 7" zh:"最近若干天的建议，默认 7"`
}

// A Review is the answer of evolve_review.
type Review struct {
	Schema     int          `json:"schema"`
	Unrecorded []Unrecorded `json:"unrecorded"`
	Held       []Summary    `json:"held"`
	Failing    []Summary    `json:"failing"`
	OnTrial    []Summary    `json:"on_trial"`
	Ripe       []string     `json:"ripe"`
	Alike      [][2]string  `json:"alike"` // pairs of your genes that say the same
	Waiting    []Waiting    `json:"waiting"`
}

// An Unrecorded suggestion is one whose result nobody reported: at most, it was
// inferred from the next command.
type Unrecorded struct {
	GeneID    string   `json:"gene_id"`
	Title     string   `json:"title"`
	Session   string   `json:"session"`
	Signals   []string `json:"signals"`
	At        *string  `json:"at"`
	Concluded string   `json:"concluded"` // success, failed, "" if nothing
}

func (d *Operator) review(ctx context.Context, a reviewing) (any, error) {
	if a.Days <= 0 {
		a.Days = 7
	}
	return in(d, ctx, func(s *store.Store) (*Review, error) {
		out := &Review{Schema: 1, Unrecorded: []Unrecorded{}, Held: []Summary{}, Failing: []Summary{}, OnTrial: []Summary{}, Ripe: []string{}, Alike: [][2]string{}}
		rows, err := s.List(ctx, store.Filter{})
		if err != nil {
			return nil, err
		}
		d.judge(out, rows)
		since := d.Now().AddDate(0, 0, -a.Days)
		offers, err := s.Suggestions(ctx, a.Session, since)
		if err != nil {
			return nil, err
		}
		list, err := s.Observations(ctx, store.Search{Standing: true})
		if err != nil {
			return nil, err
		}
		d.unrecorded(out, offers, list, rows)
		if out.Waiting, err = d.unworded(); err != nil {
			return nil, err
		}
		return out, d.ripen(ctx, s, out, list)
	})
}

// A Waiting failure ended in a session without a review: somebody still has to describe
// what helped.
type Waiting struct {
	Session string   `json:"session"`
	At      *string  `json:"at"`
	Failed  string   `json:"failed"`  // the command
	Times   int      `json:"times"`   // how often
	Message string   `json:"message"` // of the failure
	Signals []string `json:"signals"`
	Changed []string `json:"changed"` // files and commands between failure and success
	Proof   string   `json:"proof"`   // the command that succeeded
}

func (d *Operator) unworded() ([]Waiting, error) {
	list, err := draft.List(d.Dir, d.Scope, d.Now())
	out := []Waiting{}
	for i := len(list) - 1; i >= 0; i-- {
		w := list[i]
		out = append(out, Waiting{w.Session, at(w.At), w.Failed, w.Times, w.Message, orEmpty(w.Signals), orEmpty(w.Changed), w.Proof})
	}
	return out, err
}

func (d *Operator) judge(out *Review, rows []store.Row) {
	var own []gene.Gene
	for i := range rows {
		r := &rows[i]
		switch sum := d.summary(r); {
		case r.Visibility == gene.Held:
			out.Held = append(out.Held, sum)
		case sum.Banned:
			out.Failing = append(out.Failing, sum)
		case r.Visibility == gene.Trial:
			out.OnTrial = append(out.OnTrial, sum)
		}
		if r.Origin == "local" {
			own = append(own, r.Gene)
		}
	}
	for i := range own {
		for _, n := range gene.Near(&own[i], own[i+1:]) {
			out.Alike = append(out.Alike, [2]string{own[i].ID, n.ID})
		}
	}
}

func (d *Operator) unrecorded(out *Review, offers []store.Suggestion, list []store.Observation, rows []store.Row) {
	for i := len(offers) - 1; i >= 0; i-- {
		o := offers[i]
		if slices.ContainsFunc(out.Unrecorded, func(u Unrecorded) bool { return u.GeneID == o.Gene && u.Session == o.Session }) {
			continue
		}
		u := Unrecorded{GeneID: o.Gene, Session: o.Session, Signals: o.Signals, At: at(o.At)}
		said := false
		for j := range list {
			if list[j].Gene == o.Gene && list[j].Session == o.Session {
				said = said || list[j].Explicit
				u.Concluded = list[j].Outcome()
			}
		}
		at := slices.IndexFunc(rows, func(r store.Row) bool { return r.ID == o.Gene })
		if said || at < 0 {
			continue
		}
		u.Title = rows[at].In(d.Language).Title
		out.Unrecorded = append(out.Unrecorded, u)
	}
}

func (d *Operator) ripen(ctx context.Context, s *store.Store, out *Review, list []store.Observation) error {
	seen := map[string]bool{}
	for _, o := range list {
		for _, t := range gene.Types(o.Signals) {
			if seen[t] {
				continue
			}
			seen[t] = true
			ok, err := s.Ripe(ctx, t, d.Now())
			if err != nil {
				return err
			}
			if ok {
				out.Ripe = append(out.Ripe, t)
			}
		}
	}
	slices.Sort(out.Ripe)
	return nil
}
