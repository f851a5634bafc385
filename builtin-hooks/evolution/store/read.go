package store

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/selector"
	"github.com/agents-hooks/agents-hooks/internal/order"
)

// stands reports whether an outcome counts for its gene.
func (o *Observation) stands() bool { return o.Counted && o.Replaced == "" }

// tally is what an outcome that counts adds.
func (o *Observation) tally() selector.Tally {
	t := selector.Tally{Failures: o.Weight, Last: o.At}
	if o.Success {
		t.Successes, t.Failures = o.Weight, 0
	}
	return t
}

// tried reports whether an outcome is about trying its gene, as far as anybody said:
// not replaced, and not from somebody who did something else.
func (o *Observation) tried() bool {
	return o.Replaced == "" && o.Gene != "" && (o.Followed == nil || *o.Followed)
}

// Candidates are the genes that may be chosen for signals, of one scope and of all
// scopes. Each comes with what was observed for the one signal with most results, and
// what its origin reported.
func (s *Store) Candidates(ctx context.Context, signals []gene.Signal, scope, agent string, now time.Time) ([]selector.Candidate, error) {
	if err := s.read(ctx); err != nil {
		return nil, s.fail("reading genes", err)
	}
	var out []selector.Candidate
	at, worse, helped := map[string]int{}, s.worse(), s.helped()
	for i := range s.Kept {
		k := &s.Kept[i]
		id := k.Gene.ID
		if k.Gone || !k.Gene.Visibility.Usable() || !isOf(&k.Gene, scope) || worse[id] >= mostWorse && worse[id] > helped[id] {
			continue
		}
		at[k.Gene.ID] = len(out)
		out = append(out, selector.Candidate{Gene: k.Gene, Global: selector.Tally(k.Counts), Others: selector.Tally(k.Counts).N()})
	}
	for id, k := range s.onSignals(gene.Types(signals), scope, agent) {
		if i, ok := at[id]; ok {
			c := &out[i]
			c.Local, c.Global, c.Others = k.local, c.Global.Add(k.all), c.Others+k.others
		}
	}
	s.addRecent(out, at, now)
	order.By(out, func(a, b selector.Candidate) int { return cmp.Compare(a.Gene.ID, b.Gene.ID) })
	return out, nil
}

// A knowledge is what was observed of a gene for one signal.
type knowledge struct {
	local, all selector.Tally
	others     float64
}

// onSignals is what was observed of genes for signals; if several, for the one with
// most. (An outcome with two signals is one outcome.)
func (s *Store) onSignals(types []string, scope, agent string) map[string]knowledge {
	type edge struct{ gene, signal string }
	edges := map[edge]knowledge{}
	for i := range s.Seen {
		o := &s.Seen[i]
		if !o.stands() {
			continue
		}
		for _, t := range gene.Types(o.Signals) {
			if !slices.Contains(types, t) {
				continue
			}
			k, add := edges[edge{o.Gene, t}], o.tally()
			k.all = k.all.Add(add)
			if o.Scope == cmp.Or(scope, "global") {
				k.local = k.local.Add(add)
			}
			if o.Agent != agent {
				k.others += add.N()
			}
			edges[edge{o.Gene, t}] = k
		}
	}
	out := map[string]knowledge{}
	for _, t := range slices.Sorted(slices.Values(types)) {
		for e, k := range edges {
			if e.signal == t && k.all.N() > out[e.gene].all.N() {
				out[e.gene] = k
			}
		}
	}
	return out
}

// addRecent adds the offers and outcomes of the last hour, for the breaker.
func (s *Store) addRecent(list []selector.Candidate, at map[string]int, now time.Time) {
	from := now.Add(-selector.BreakerLooksBack)
	mark := func(gene string, when time.Time, kind selector.Kind) {
		if i, ok := at[gene]; ok && when.After(from) {
			list[i].Recent = append(list[i].Recent, selector.Mark{At: when, Kind: kind})
		}
	}
	for i := range s.Seen {
		if o := &s.Seen[i]; o.tried() {
			kind := selector.Kind(2)
			if o.Success {
				kind = 1
			}
			mark(o.Gene, o.At, kind)
		}
	}
	for i := range s.Offers {
		if !s.Offers[i].Held {
			mark(s.Offers[i].Gene, s.Offers[i].At, 0)
		}
	}
	for i := range list {
		order.By(list[i].Recent, func(a, b selector.Mark) int { return a.At.Compare(b.At) })
	}
}

// A Suggestion is a gene that was offered.
type Suggestion struct {
	Gene       string          `json:"gene"`
	Session    string          `json:"session"`
	Scope      string          `json:"scope"`
	Signals    []string        `json:"signals"`
	Action     selector.Action `json:"action"`
	Confidence float64         `json:"confidence"`
	Coverage   float64         `json:"coverage"`
	At         time.Time       `json:"at"`
	Failure    string          `json:"failure,omitempty"` // the identity of the failure it was for
	Held       bool            `json:"held,omitempty"`    // it was not shown, by chance: the control group
}

// Suggested records that a gene was offered.
func (s *Store) Suggested(ctx context.Context, g Suggestion) error {
	g.At = stamp(g.At)
	return s.fail("noting a suggestion", s.write(ctx, func() error {
		s.stage(entry{Offers: []Suggestion{g}})
		return nil
	}))
}

// Suggestions are the suggestions in a session ("": in all) since a time, the oldest
// first.
func (s *Store) Suggestions(ctx context.Context, session string, since time.Time) (out []Suggestion, err error) {
	all, err := s.Offered(ctx, session, since)
	return slices.DeleteFunc(all, func(g Suggestion) bool { return g.Held }), err
}

// Offered are those, including the held-out ones.
func (s *Store) Offered(ctx context.Context, session string, since time.Time) (out []Suggestion, err error) {
	if err := s.read(ctx); err != nil {
		return nil, s.fail("reading suggestions", err)
	}
	for _, g := range s.Offers {
		if (session == "" || g.Session == session) && !g.At.Before(since) {
			out = append(out, g)
		}
	}
	return out, nil
}

// A Search selects observations; its zero value selects all.
type Search struct {
	Gene, Session string
	Since         time.Time
	Standing      bool // without those that were replaced
	Unpushed      bool // not yet sent to a server: standing outcomes of genes that were followed, as far as anybody said
	Max           int  // only the last ones; 0: all
}

// Observations returns the selected ones, the oldest first.
func (s *Store) Observations(ctx context.Context, q Search) (out []Observation, err error) {
	if err := s.read(ctx); err != nil {
		return nil, s.fail("reading outcomes", err)
	}
	for i := range s.Seen {
		o := &s.Seen[i]
		if (q.Gene == "" || o.Gene == q.Gene) && (q.Session == "" || o.Session == q.Session) && !o.At.Before(q.Since) &&
			(!q.Standing || o.Replaced == "") && (!q.Unpushed || o.Pushed.IsZero() && o.tried()) {
			out = append(out, *o)
		}
	}
	if q.Max > 0 {
		out = out[max(0, len(out)-q.Max):]
	}
	return out, nil
}

// Pushed records that a server has outcomes.
func (s *Store) Pushed(ctx context.Context, ids []string, now time.Time) error {
	return s.fail("noting what was pushed", s.write(ctx, func() error {
		var e entry
		for _, id := range ids {
			if i, ok := s.seen[id]; ok && s.Seen[i].Pushed.IsZero() {
				e.Pushed = append(e.Pushed, pushed{id, stamp(now)})
			}
		}
		s.stage(e)
		return nil
	}))
}

// Proven are the genes of a scope with at least that many outcomes, by rate of success:
// with all that is known about them and, in Here, the results in the scope. signals
// limits it to genes that name one of them.
func (s *Store) Proven(ctx context.Context, scope string, signals []string, least, most int) (out []Row, err error) {
	if err := s.read(ctx); err != nil {
		return nil, s.fail("reading genes", err)
	}
	scope = cmp.Or(scope, "global")
	known := map[string]*Row{}
	for i := range s.Kept {
		k := &s.Kept[i]
		if k.Gone || !k.Gene.Visibility.Usable() || !isOf(&k.Gene, scope) {
			continue
		}
		if len(signals) > 0 && !slices.ContainsFunc(gene.Types(k.Gene.SignalsMatch), func(t string) bool { return slices.Contains(signals, t) }) {
			continue
		}
		r := rowOf(k)
		r.Uses = int(r.Elsewhere.N())
		known[r.ID] = &r
	}
	for i := range s.Seen {
		o := &s.Seen[i]
		r := known[o.Gene]
		if r == nil || !o.stands() {
			continue
		}
		if r.Uses++; o.Scope == scope {
			r.Here = r.Here.Add(o.tally())
		} else {
			r.Elsewhere = r.Elsewhere.Add(o.tally())
		}
	}
	for _, r := range known {
		if r.Uses >= least {
			all := r.All()
			r.Successes, r.Failures, r.LastUsed = int(all.Successes+0.5), int(all.Failures+0.5), all.Last
			out = append(out, *r)
		}
	}
	order.By(out, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.All().Rate(), a.All().Rate()), cmp.Compare(b.Uses, a.Uses), cmp.Compare(a.ID, b.ID))
	})
	return out[:min(max(most, 0), len(out))], nil
}

// ripe are the signals from which a new gene can be distilled.
func (s *Store) ripe(types []string, now time.Time) (out []string) {
	for _, t := range types {
		if s.ripeFor(t, now) {
			out = append(out, t)
		}
	}
	return out
}

func (s *Store) ripeFor(signal string, now time.Time) bool {
	const most = 1000 // the last outcomes, which are considered
	successes, good, n := 0, 0, 0
	for _, o := range slices.Backward(s.Seen) {
		if !o.tried() || !slices.ContainsFunc(o.Signals, func(s gene.Signal) bool { return s.Type == signal }) {
			continue
		}
		if n++; n > most {
			break
		}
		if o.Success {
			if successes++; n <= selector.RecentOutcomes {
				good++
			}
		}
	}
	if n == 0 {
		return false
	}
	last, _ := time.Parse(time.RFC3339, s.Facts["distilled "+signal])
	return selector.Ripe(successes, float64(good)/float64(min(n, selector.RecentOutcomes)), last, now)
}

// Ripe reports whether a new gene can be distilled for a signal.
func (s *Store) Ripe(ctx context.Context, signal string, now time.Time) (bool, error) {
	if err := s.read(ctx); err != nil {
		return false, s.fail("reading outcomes", err)
	}
	return s.ripeFor(signal, now), nil
}

// Distilled records that one was, so that the next waits a day.
func (s *Store) Distilled(ctx context.Context, signal string, now time.Time) error {
	return s.fail("noting a distillation", s.write(ctx, func() error {
		s.setFact("distilled "+signal, now.UTC().Format(time.RFC3339))
		return nil
	}))
}

func (s *Store) setFact(name, value string) {
	if s.Facts[name] != value {
		s.stage(entry{Facts: map[string]string{name: value}})
	}
}
