package ops

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/selector"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
	"github.com/agents-hooks/agents-hooks/internal/order"
)

// A Summary is a gene in a list.
type Summary struct {
	ID         string   `json:"id"`
	Title      string   `json:"title"`
	Category   string   `json:"category"`
	Visibility string   `json:"visibility"`
	Origin     string   `json:"origin"`
	Scope      string   `json:"scope"`
	Signals    []string `json:"signals"`
	Steps      int      `json:"steps"`
	Successes  int      `json:"success_count"`
	Failures   int      `json:"failure_count"`
	Runs       int      `json:"runs"`
	Rate       *float64 `json:"success_rate"`
	LastUsed   *string  `json:"last_used_at"`
	Banned     bool     `json:"banned"`
	Author     string   `json:"author,omitempty"`   // who shared it
	HeldFor    string   `json:"held_for,omitempty"` // why it is held
}

func (d *Operator) summary(r *store.Row) Summary {
	all := r.All()
	s := Summary{
		ID: r.ID, Title: r.In(d.Language).Title, Category: string(r.Category), Visibility: string(r.Visibility), Origin: r.Origin, Scope: cmp.Or(r.Scope, "global"),
		Signals: gene.Types(r.SignalsMatch), Steps: len(r.Strategy), Successes: r.Successes, Failures: r.Failures, Runs: r.Uses, LastUsed: at(r.LastUsed),
		Banned: selector.Banned(all, selector.BanLimit), Author: r.Author,
	}
	if r.Visibility == gene.Held {
		s.HeldFor = r.HeldFor
	}
	if all.N() > 0 {
		rate := round(all.Rate())
		s.Rate = &rate
	}
	return s
}

func round(f float64) float64 { return math.Round(f*1000) / 1000 }

type listing struct {
	Signal     string `json:"signal" help:"only those for this signal" zh:"仅此信号的"`
	Category   string `json:"category" words:"repair optimize innovate diagnostic" help:"only of this category" zh:"仅此类别"`
	Visibility string `json:"visibility" words:"draft trial shared held seed" help:"only of this state" zh:"仅此状态"`
	Scope      string `json:"scope" help:"only those that may be used there" zh:"仅在该作用域可用的"`
	Origin     string `json:"origin" words:"seed local import remote" help:"only those from there" zh:"仅来自该来源的"`
}

// A Listing is the answer of evolve_list and evolve_browse.
type Listing struct {
	Schema int       `json:"schema"`
	Genes  []Summary `json:"genes"`
	Whole  bool      `json:"-"` // nothing in particular was asked for
}

func (d *Operator) list(ctx context.Context, l listing) (any, error) {
	return in(d, ctx, func(s *store.Store) (*Listing, error) {
		rows, err := s.List(ctx, store.Filter{Signal: l.Signal, Category: gene.Category(l.Category), Visibility: gene.Visibility(l.Visibility), Scope: l.Scope, Origin: l.Origin})
		out := d.listed(rows)
		out.Whole = l == listing{}
		return out, err
	})
}

// listed sorts proven genes first, then those made or brought here, then the rest by
// id.
func (d *Operator) listed(rows []store.Row) *Listing {
	brought := func(r *store.Row) int {
		if r.Visibility == gene.Seed {
			return 1
		}
		return 0
	}
	order.By(rows, func(a, b store.Row) int {
		return cmp.Or(cmp.Compare(b.All().N(), a.All().N()), brought(&a)-brought(&b), cmp.Compare(a.ID, b.ID))
	})
	out := &Listing{Schema: 1, Genes: []Summary{}}
	for i := range rows {
		out.Genes = append(out.Genes, d.summary(&rows[i]))
	}
	return out
}

type browsing struct {
	Category string `json:"category" words:"repair optimize innovate diagnostic" help:"only of this category" zh:"仅此类别"`
	Signal   string `json:"signal" help:"only those for this signal" zh:"仅此信号的"`
	Limit    int    `json:"limit" help:"at most so many; default 20" zh:"数量上限，默认 20"`
}

func (d *Operator) browse(ctx context.Context, b browsing) (any, error) {
	return in(d, ctx, func(s *store.Store) (*Listing, error) {
		rows, err := s.List(ctx, store.Filter{Signal: b.Signal, Category: gene.Category(b.Category)})
		rows = slices.DeleteFunc(rows, func(r store.Row) bool {
			return r.Visibility != gene.Shared && r.Visibility != gene.Trial && r.Visibility != gene.Seed
		})
		out := d.listed(rows)
		if b.Limit <= 0 {
			b.Limit = 20
		}
		out.Genes = out.Genes[:min(b.Limit, len(out.Genes))]
		return out, err
	})
}

type showing struct {
	GeneID string `json:"gene_id" need:"1" help:"the gene" zh:"基因"`
}

// A Shown is the answer of evolve_show.
type Shown struct {
	Schema    int            `json:"schema"`
	Gene      *gene.Gene     `json:"gene"`
	Origin    string         `json:"origin"`
	Created   *string        `json:"created"`
	Here      Count          `json:"here"`
	Elsewhere Count          `json:"elsewhere"`
	Posterior Posterior      `json:"posterior"`
	Worse     int            `json:"worse"` // outcomes with more failures than before
	Banned    bool           `json:"banned"`
	Problems  []gene.Problem `json:"problems"`
	Outcomes  []Outcome      `json:"outcomes"`
}

// A Count is the total weight of outcomes.
type Count struct {
	Successes float64 `json:"successes"`
	Failures  float64 `json:"failures"`
}

// A Posterior is what is known about the rate of success.
type Posterior struct {
	Alpha float64 `json:"alpha"`
	Beta  float64 `json:"beta"`
	Mean  float64 `json:"mean"`
}

// An Outcome is one observation.
type Outcome struct {
	ID       string          `json:"id"`
	GeneID   string          `json:"gene_id"`
	At       *string         `json:"at"`
	Outcome  string          `json:"outcome"`
	Signals  []string        `json:"signals"`
	Summary  string          `json:"summary"`
	Session  string          `json:"session"`
	Agent    string          `json:"agent"`
	Explicit bool            `json:"explicit"`
	Followed *bool           `json:"followed"`
	Counted  bool            `json:"counted"`
	Replaced string          `json:"replaced_by"`
	Weight   float64         `json:"weight"`
	Evidence *store.Evidence `json:"evidence,omitempty"`
}

func outcomesOf(list []store.Observation) []Outcome {
	out := []Outcome{}
	for _, o := range list {
		out = append(out, Outcome{o.ID, o.Gene, at(o.At), o.Outcome(), gene.Types(o.Signals), o.Summary, o.Session, o.Agent, o.Explicit, o.Followed, o.Counted && o.Replaced == "", o.Replaced, o.Weight, o.Evidence})
	}
	return out
}

func (d *Operator) show(ctx context.Context, a showing) (any, error) {
	return in(d, ctx, func(s *store.Store) (*Shown, error) {
		r, err := s.Get(ctx, a.GeneID)
		if err != nil {
			return nil, err
		}
		list, err := s.Observations(ctx, store.Search{Gene: r.ID, Max: 20})
		if err != nil {
			return nil, err
		}
		b := selector.Posterior(r.All(), d.Now())
		return &Shown{
			1, &r.Gene, r.Origin, at(r.Created), Count{r.Here.Successes, r.Here.Failures}, Count{r.Elsewhere.Successes, r.Elsewhere.Failures},
			Posterior{b.Alpha, b.Beta, b.Mean()}, r.Worse, selector.Banned(r.All(), selector.BanLimit), orEmpty(gene.Check(&r.Gene, d.Project, d.Scope)), outcomesOf(list),
		}, nil
	})
}

// What makes a gene proven enough to be shown unasked.
const (
	provenRuns     = 3
	provenRate     = 0.5
	passiveMost    = 5
	strategiesMost = 3
)

type telling struct {
	Scope    string `json:"scope" help:"of the project; default its name" zh:"项目的作用域，默认为项目名"`
	Limit    int    `json:"limit" help:"at most so many; default and most 5" zh:"数量上限，默认且最多 5"`
	Untested bool   `json:"untested" help:"fill up with genes that nobody has used yet" zh:"用尚未用过的基因补足"`
}

// A Passive is the answer of evolve_passive.
type Passive struct {
	Schema int      `json:"schema"`
	Scope  string   `json:"scope"`
	Genes  []Proven `json:"genes"`
}

// A Proven is a gene that has worked.
type Proven struct {
	ID         string   `json:"id"`
	Title      string   `json:"title"`
	Rate       float64  `json:"success_rate"`
	Runs       int      `json:"runs"`
	Confidence float64  `json:"confidence"`
	Signals    []string `json:"signals"`
	Strategy   []string `json:"strategy,omitempty"`
}

func (d *Operator) passive(ctx context.Context, a telling) (any, error) {
	out := &Passive{1, d.scopeOr(a.Scope), []Proven{}}
	if a.Limit <= 0 || a.Limit > passiveMost {
		a.Limit = passiveMost
	}
	var err error
	if out.Genes, err = d.proven(ctx, out.Scope, nil, a.Limit, a.Untested); err != nil {
		return nil, err
	}
	for i := range out.Genes {
		out.Genes[i].Strategy = nil
	}
	return out, nil
}

// proven are genes that have worked or, if untested, may be tried. It does not create a
// store if there is none.
func (d *Operator) proven(ctx context.Context, scope string, signals []string, limit int, untested bool) ([]Proven, error) {
	out := []Proven{}
	if !store.Exists(d.Dir) && !untested {
		return out, nil
	}
	return in(d, ctx, func(s *store.Store) ([]Proven, error) {
		least := provenRuns
		if untested {
			least = 0
		}
		// Some of them may have failed more often than not.
		rows, err := s.Proven(ctx, scope, signals, least, 10*limit)
		if err != nil {
			return nil, err
		}
		for i := range rows {
			p := d.provenOf(&rows[i])
			if p.Runs >= provenRuns && p.Rate >= provenRate || untested && p.Runs == 0 {
				out = append(out, p)
			}
		}
		return out[:min(limit, len(out))], nil
	})
}

func (d *Operator) provenOf(r *store.Row) Proven {
	text, all := r.In(d.Language), r.All()
	memory := selector.Memory(r.Here, all, r.Visibility == gene.Trial, d.Now(), nil)
	return Proven{r.ID, text.Title, round(all.Rate()), r.Uses, round(selector.Confidence(memory, r.Here.N(), all.N(), r.Elsewhere.N())), gene.Types(r.SignalsMatch), text.Strategy}
}

type strategising struct {
	Signals []string `json:"signals" help:"what the problem shows; default all" zh:"问题的信号，默认全部"`
	Scope   string   `json:"scope" help:"of the project; default its name" zh:"项目的作用域，默认为项目名"`
	Limit   int      `json:"limit" help:"at most so many; default and most 3" zh:"数量上限，默认且最多 3"`
}

// strategies are the genes to show to a subagent.
func (d *Operator) strategies(ctx context.Context, a strategising) (any, error) {
	out := &Passive{1, d.scopeOr(a.Scope), nil}
	if a.Limit <= 0 || a.Limit > strategiesMost {
		a.Limit = strategiesMost
	}
	var err error
	out.Genes, err = d.proven(ctx, out.Scope, a.Signals, a.Limit, false)
	return out, err
}
