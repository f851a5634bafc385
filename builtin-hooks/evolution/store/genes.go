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

// Errors that callers tell apart.
var (
	ErrNoGene = errors.New("no such gene")
	ErrHeld   = errors.New("the gene is held: approve it first")
)

// A Row is a gene in the store. Its counts are those of here and of elsewhere
// together.
type Row struct {
	gene.Gene
	Origin    string    // seed, local, import, remote …
	Created   time.Time // of the row
	Changed   time.Time
	Trial     time.Time      // since when it is on trial; zero: it is not
	Here      selector.Tally // what was seen by this store
	Elsewhere selector.Tally // what its origin told
	Worse     int            // outcomes after which there were more failures; set by Get
	Uses      int            // outcomes, whatever they weigh; set by Proven and Get
}

// All is what is known of the gene in all.
func (r *Row) All() selector.Tally { return r.Here.Add(r.Elsewhere) }

// Get is a gene by its id.
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

// rowOf is a gene as callers get it, without what was seen here.
func rowOf(k *kept) Row {
	r := Row{Gene: k.Gene, Origin: k.Origin, Created: k.Created, Changed: k.Changed, Trial: k.Trial, Elsewhere: selector.Tally(k.Counts)}
	r.Gene = r.Gene.Clone()
	return r
}

// summed is a row with the counts of its gene.
func (r Row) summed() Row {
	all := r.All()
	r.Uses += int(r.Elsewhere.N())
	r.Successes, r.Failures, r.LastUsed = int(all.Successes+0.5), int(all.Failures+0.5), all.Last
	return r
}

// A Filter says which genes are wanted; its zero value means all.
type Filter struct {
	Signal     string // that name it
	Category   gene.Category
	Visibility gene.Visibility
	Scope      string // of it, or of all scopes
	Origin     string
	Changed    time.Time // since then
}

// List are the genes of a filter, by id.
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

// Put adds a gene or changes it. A gene without an id gets one. Its counts are
// taken as those of elsewhere.
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

// put writes a gene inside of a change.
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
		return // a file that is pulled again and again need not grow
	}
	s.stage(entry{Genes: []kept{k}})
}

// same reports that two say the same, whenever they came.
func same(a, b *kept) bool {
	if a.Gone || a.Origin != b.Origin || a.Counts != b.Counts || a.Trial != b.Trial || a.Seeds != b.Seeds {
		return false
	}
	x, err := json.Marshal(a.Gene)
	y, err2 := json.Marshal(b.Gene)
	return err == nil && err2 == nil && string(x) == string(y)
}

// stamp is a time as the file has it.
func stamp(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

// Cured notes what a gene of this store cured, and with which command any gene helped:
// those of others and the seeds say themselves what they are about.
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

// Merged is what Merge did.
type Merged struct{ Added, Updated, Skipped int }

// Merge takes in genes of elsewhere (a file, a server). Those that are not
// trusted are held; one that was approved here before stays
// approved as long as its text is the same. What was made or deleted here is
// never replaced. The counts of a remote gene include what was pushed from here:
// that part is taken off again.
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

// toldThem is how many outcomes of a gene were pushed from here, and counted.
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

// Elsewhere takes in how genes that were made here, or came with the program, did
// elsewhere, as a server tells: their counts without those that were pushed from
// here. Genes that are not in the store, and those that [Store.Merge] takes in,
// are passed over.
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

// sameText reports whether two genes say the same to the word.
func sameText(a, b *gene.Gene) bool {
	return a.Title == b.Title && a.Description == b.Description && slices.Equal(a.Strategy, b.Strategy) &&
		slices.Equal(a.Preconditions, b.Preconditions) && slices.Equal(a.SignalsMatch, b.SignalsMatch)
}

// Set changes who may see a gene: approve is Private, publish is Canary or
// Published, and so on.
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

// Delete takes a gene out of the file for good: a pull or a new version of the program
// does not bring it back. What stays is its id, and its observations.
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
