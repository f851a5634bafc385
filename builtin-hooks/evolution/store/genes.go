package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/selector"
	"github.com/agents-hooks/agents-hooks/internal/order"
)

// Errors that callers distinguish.
var (
	ErrNoGene = errors.New("no such gene")
	ErrHeld   = errors.New("the gene is held: approve it first")
)

// A Row is a gene in the store. Its counts are the sum of here and elsewhere.
type Row struct {
	gene.Gene
	Origin    string    // seed, local, import, remote …
	Created   time.Time // of the row
	Changed   time.Time
	Here      selector.Tally // as observed by this store
	Elsewhere selector.Tally // as reported by its origin
	Worse     int            // outcomes with more failures than before; set by Get
	Uses      int            // outcomes, whatever their weight; set by Proven and Get
}

// All is all that is known about the gene.
func (r *Row) All() selector.Tally { return r.Here.Add(r.Elsewhere) }

// Get returns a gene by its id.
func (s *Store) Get(ctx context.Context, id string) (Row, error) {
	if err := s.read(ctx); err != nil {
		return Row{}, s.fail(fmt.Sprintf("gene %q", id), err)
	}
	r, err := s.get(id)
	return r, s.fail(fmt.Sprintf("gene %q", id), err)
}

func (s *Store) get(id string) (Row, error) {
	k := s.gene(id)
	if k == nil {
		return Row{}, ErrNoGene
	}
	r := rowOf(k)
	for i := range s.Seen {
		if o := &s.Seen[i]; o.Gene == id && o.stands() {
			r.Here = r.Here.Add(o.tally())
			r.Uses++
		}
	}
	r.Worse = s.worse()[id]
	return r.summed(), nil
}

// rowOf is a gene in the form for callers, without local results.
func rowOf(k *kept) Row {
	r := Row{Gene: k.Gene, Origin: k.Origin, Created: k.Created, Changed: k.Changed, Elsewhere: selector.Tally(k.Counts)}
	r.Gene = r.Gene.Clone()
	return r
}

// summed is a row with the sums in its gene.
func (r Row) summed() Row {
	all := r.All()
	r.Uses += int(r.Elsewhere.N())
	r.Successes, r.Failures, r.LastUsed = int(all.Successes+0.5), int(all.Failures+0.5), all.Last
	return r
}

// A Filter selects genes; its zero value selects all.
type Filter struct {
	Signal     string // genes that name it
	Category   gene.Category
	Visibility gene.Visibility
	Scope      string // genes of this scope, or of all scopes
	Origin     string
	Changed    time.Time // since then
}

// List returns the selected genes, by id.
func (s *Store) List(ctx context.Context, f Filter) (out []Row, err error) {
	if err := s.read(ctx); err != nil {
		return nil, s.fail("listing genes", err)
	}
	at := map[string]int{}
	for i := range s.Kept {
		k := &s.Kept[i]
		if !k.Gone && f.wants(k) {
			at[k.Gene.ID] = len(out)
			out = append(out, rowOf(k))
		}
	}
	for i := range s.Seen {
		o := &s.Seen[i]
		if j, ok := at[o.Gene]; ok && o.stands() {
			out[j].Here = out[j].Here.Add(o.tally())
			out[j].Uses++
		}
	}
	for i := range out {
		out[i] = out[i].summed()
	}
	order.By(out, func(a, b Row) int { return strings.Compare(a.ID, b.ID) })
	return out, nil
}

func (f *Filter) wants(k *kept) bool {
	g := &k.Gene
	return (f.Signal == "" || slices.Contains(gene.Types(g.SignalsMatch), f.Signal)) && (f.Category == "" || g.Category == f.Category) &&
		(f.Visibility == "" || g.Visibility == f.Visibility) && (f.Scope == "" || isOf(g, f.Scope)) && (f.Origin == "" || k.Origin == f.Origin) && !k.Changed.Before(f.Changed)
}

// isOf reports whether a gene is for a scope: its own, or all.
func isOf(g *gene.Gene, scope string) bool {
	return g.Scope == "" || g.Scope == "global" || g.Scope == scope
}

// Put adds or changes a gene. A gene without an id gets one. Its counts are stored as
// those from elsewhere.
func (s *Store) Put(ctx context.Context, g gene.Gene, origin string, now time.Time) (Row, error) {
	err := s.write(ctx, func() error {
		if g.ID == "" {
			g.ID = s.newID(g.Category, now)
		}
		s.put(g, origin, now)
		return nil
	})
	if err != nil {
		return Row{}, s.fail("saving a gene", err)
	}
	return s.get(g.ID)
}

// newID is one that no gene has or had.
func (s *Store) newID(c gene.Category, now time.Time) string {
	return gene.NewID(c, now, func(id string) bool { _, ok := s.genes[id]; return ok })
}

// put writes a gene as part of a change.
func (s *Store) put(g gene.Gene, origin string, now time.Time) {
	now = stamp(now)
	k := kept{Gene: g.Clone(), Origin: origin, Counts: counts{float64(g.Successes), float64(g.Failures), g.LastUsed}, Created: now, Changed: now}
	k.Gene.Successes, k.Gene.Failures, k.Gene.LastUsed = 0, 0, time.Time{}
	if k.Gene.Visibility == "" {
		k.Gene.Visibility = gene.Draft
	}
	if origin == "seed" {
		k.Seeds = gene.SeedVersion()
	}
	var was *kept
	if i, ok := s.genes[g.ID]; ok {
		was = &s.Kept[i]
		if !was.Gone {
			k.Created = was.Created
		}
	}
	if k.Gene.Visibility == gene.Trial {
		if k.Trial = now; was != nil && !was.Trial.IsZero() {
			k.Trial = was.Trial
		}
	}
	if was != nil && same(was, &k) {
		return // a file that is pulled repeatedly need not grow
	}
	s.stage(entry{Genes: []kept{k}})
}

// same reports whether two say the same, regardless of when they were added.
func same(a, b *kept) bool {
	if a.Gone || a.Origin != b.Origin || a.Counts != b.Counts || a.Trial != b.Trial || a.Seeds != b.Seeds {
		return false
	}
	x, err := json.Marshal(a.Gene)
	y, err2 := json.Marshal(b.Gene)
	return err == nil && err2 == nil && string(x) == string(y)
}

// stamp is a time with the precision of the file.
func stamp(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

// Cured records which failure one of the store's own genes cured, and for any gene with
// which command it helped: other people's genes and seeds say themselves what they are
// about.
func (s *Store) Cured(ctx context.Context, id string, f failure.Failure, now time.Time) error {
	return s.fail(fmt.Sprintf("gene %q", id), s.write(ctx, func() error {
		r, err := s.get(id)
		if err != nil {
			return err
		}
		s.family(id, f.Family)
		if r.Origin != "local" {
			return nil
		}
		r.Gene.Cured(f)
		r.Successes, r.Failures, r.LastUsed = int(r.Elsewhere.Successes), int(r.Elsewhere.Failures), r.Elsewhere.Last
		s.put(r.Gene, r.Origin, now)
		return nil
	}))
}

// Merged is the result of Merge.
type Merged struct{ Added, Updated, Skipped int }

// Merge adds genes from elsewhere (a file, a server). Untrusted ones are held; one that
// was approved here before stays approved as long as its text is the same. What was
// made or deleted here is never replaced. The counts of a remote gene include what was
// pushed from here, which is subtracted.
func (s *Store) Merge(ctx context.Context, list []gene.Gene, origin string, trusted bool, now time.Time) (m Merged, err error) {
	err = s.write(ctx, func() error {
		m = Merged{}
		for _, g := range list {
			if g.ID == "" {
				g.ID = s.newID(g.Category, now)
			}
			s.merge(g, origin, trusted, now, &m)
		}
		return nil
	})
	if err != nil {
		m = Merged{}
	}
	return m, s.fail("taking in genes", err)
}

func (s *Store) merge(g gene.Gene, origin string, trusted bool, now time.Time, m *Merged) {
	i, have := s.genes[g.ID]
	approved := false
	if have {
		was := &s.Kept[i]
		if was.Gone || was.Origin == "local" || was.Origin == "seed" {
			m.Skipped++
			return
		}
		if approved = was.Gene.Visibility != gene.Held && sameText(&was.Gene, &g); approved {
			g.Visibility = was.Gene.Visibility
		}
	}
	switch {
	case approved:
	case !trusted:
		g.Visibility = gene.Held
	case g.Visibility == gene.Held, g.Visibility == gene.Seed, g.Visibility == "":
		g.Visibility = gene.Draft
	}
	good, bad := s.toldThem(g.ID)
	g.Successes, g.Failures = max(0, g.Successes-good), max(0, g.Failures-bad)
	if have {
		m.Updated++
	} else {
		m.Added++
	}
	s.put(g, origin, now)
}

// toldThem is how many counted outcomes of a gene were pushed from here.
func (s *Store) toldThem(id string) (good, bad int) {
	for i := range s.Seen {
		switch o := &s.Seen[i]; {
		case o.Gene != id || o.Pushed.IsZero() || !o.Counted:
		case o.Success:
			good++
		default:
			bad++
		}
	}
	return good, bad
}

// Elsewhere records the results elsewhere of genes that were made here or came with the
// program, as reported by a server: their counts without what was pushed from here. It
// skips genes that are not in the store, and those that [Store.Merge] adds.
func (s *Store) Elsewhere(ctx context.Context, list []gene.Gene) error {
	return s.fail("taking in counts", s.write(ctx, func() error {
		for _, g := range list {
			k := s.gene(g.ID)
			if k == nil || k.Origin != "local" && k.Origin != "seed" {
				continue
			}
			good, bad := s.toldThem(g.ID)
			told := counts{float64(max(0, g.Successes-good)), float64(max(0, g.Failures-bad)), g.LastUsed}
			if told != k.Counts {
				s.stage(entry{Elsewhere: []elsewhere{{g.ID, told}}})
			}
		}
		return nil
	}))
}

// sameText reports whether two genes have exactly the same text.
func sameText(a, b *gene.Gene) bool {
	return a.Title == b.Title && a.Description == b.Description && slices.Equal(a.Strategy, b.Strategy) &&
		slices.Equal(a.Preconditions, b.Preconditions) && slices.Equal(a.SignalsMatch, b.SignalsMatch)
}

// Set changes the state of a gene: approving makes it Draft, publishing Trial or
// Shared, and so on.
func (s *Store) Set(ctx context.Context, id string, v gene.Visibility, now time.Time) error {
	return s.fail(fmt.Sprintf("gene %q", id), s.write(ctx, func() error { return s.set(id, v, now) }))
}

func (s *Store) set(id string, v gene.Visibility, now time.Time) error {
	k := s.gene(id)
	if k == nil {
		return ErrNoGene
	}
	c := state{ID: id, Visibility: v, Changed: stamp(now)}
	if v == gene.Trial {
		if c.Trial = k.Trial; c.Trial.IsZero() {
			c.Trial = c.Changed
		}
	}
	s.stage(entry{States: []state{c}})
	return nil
}

// Delete removes a gene from the file for good: neither a pull nor a new version of the
// program brings it back. Its id and its observations stay.
func (s *Store) Delete(ctx context.Context, id string, now time.Time) error {
	return s.fail(fmt.Sprintf("gene %q", id), s.write(ctx, func() error {
		k := s.gene(id)
		if k == nil {
			return ErrNoGene
		}
		s.stage(entry{Gone: []gone{{id, k.Origin, stamp(now)}}})
		s.rids = true
		return nil
	}))
}
