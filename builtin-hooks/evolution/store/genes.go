package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/choose"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
)

// Errors that callers tell apart.
var (
	ErrNoGene      = errors.New("no such gene")
	ErrQuarantined = errors.New("the gene is in quarantine: approve it first")
)

// A Row is a gene in the store. Its counts are those of here and of elsewhere
// together.
type Row struct {
	gene.Gene
	Origin    string    // seed, local, import, remote …
	Created   time.Time // of the row
	Changed   time.Time
	Trial     time.Time    // since when it is on trial; zero: it is not
	Here      choose.Tally // what was seen by this store
	Elsewhere choose.Tally // what its origin told
	Uses      int          // outcomes, whatever they weigh; set by Proven and Get
}

// All is what is known of the gene in all.
func (r *Row) All() choose.Tally { return r.Here.Add(r.Elsewhere) }

const rowColumns = `g.doc, g.visibility, g.origin, g.created, g.changed, g.trial, g.elsewhere_good, g.elsewhere_bad, g.elsewhere_last,
 (SELECT sum(good) FROM edges e WHERE e.gene = g.id AND e.signal = ''), (SELECT sum(bad) FROM edges e WHERE e.gene = g.id AND e.signal = ''),
 (SELECT max(last) FROM edges e WHERE e.gene = g.id AND e.signal = ''), (SELECT sum(runs) FROM edges e WHERE e.gene = g.id AND e.signal = '')`

func readRow(st *sqlite3.Stmt) (r Row, err error) {
	if err := json.Unmarshal([]byte(st.ColumnText(0)), &r.Gene); err != nil {
		return r, fmt.Errorf("reading a gene: %w", err)
	}
	r.Visibility, r.Origin = gene.Visibility(st.ColumnText(1)), st.ColumnText(2)
	r.Created, r.Changed, r.Trial = timeOf(st.ColumnInt64(3)), timeOf(st.ColumnInt64(4)), timeOf(st.ColumnInt64(5))
	r.Elsewhere = choose.Tally{Successes: st.ColumnFloat(6), Failures: st.ColumnFloat(7), Last: timeOf(st.ColumnInt64(8))}
	r.Here = choose.Tally{Successes: st.ColumnFloat(9), Failures: st.ColumnFloat(10), Last: timeOf(st.ColumnInt64(11))}
	all := r.All()
	r.Uses = st.ColumnInt(12) + int(r.Elsewhere.N())
	r.Successes, r.Failures, r.LastUsed = int(all.Successes+0.5), int(all.Failures+0.5), all.Last
	return r, nil
}

// Get is a gene by its id.
func (s *Store) Get(ctx context.Context, id string) (r Row, err error) {
	defer s.db.Within(ctx)()
	return s.get(id)
}

func (s *Store) get(id string) (r Row, err error) {
	err = ErrNoGene
	if e := s.db.Each("SELECT "+rowColumns+" FROM genes g WHERE g.id = ? AND NOT g.deleted", []any{id}, func(st *sqlite3.Stmt) error {
		r, err = readRow(st)
		return nil
	}); e != nil {
		err = e
	}
	return r, s.fail(fmt.Sprintf("gene %q", id), err)
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
	defer s.db.Within(ctx)()
	err = s.db.Each("SELECT "+rowColumns+` FROM genes g WHERE NOT g.deleted
  AND (?1 = '' OR g.id IN (SELECT gene FROM gene_signals WHERE signal = ?1)) AND (?2 = '' OR g.category = ?2) AND (?3 = '' OR g.visibility = ?3)
  AND (?4 = '' OR g.scope IN ('', 'global', ?4)) AND (?5 = '' OR g.origin = ?5) AND g.changed >= ?6 ORDER BY g.id`,
		[]any{f.Signal, string(f.Category), string(f.Visibility), f.Scope, f.Origin, f.Changed}, func(st *sqlite3.Stmt) error {
			r, err := readRow(st)
			out = append(out, r)
			return err
		})
	return out, s.fail("listing genes", err)
}

// Put adds a gene or changes it. A gene without an id gets one. Its counts are
// taken as those of elsewhere.
func (s *Store) Put(ctx context.Context, g gene.Gene, origin string, now time.Time) (Row, error) {
	defer s.db.Within(ctx)()
	err := s.db.Write(func() (err error) {
		if g.ID == "" {
			var taken error
			g.ID = gene.NewID(g.Category, now, func(id string) bool {
				n, err := s.db.One("SELECT count(*) FROM genes WHERE id = ?", id)
				taken = errors.Join(taken, err)
				return n > 0
			})
			err = taken
		}
		if err == nil {
			err = s.put(g, origin, now)
		}
		return err
	})
	if err != nil {
		return Row{}, s.fail("saving a gene", err)
	}
	return s.get(g.ID)
}

// put writes a gene inside a transaction.
func (s *Store) put(g gene.Gene, origin string, now time.Time) error {
	good, bad, last := float64(g.Successes), float64(g.Failures), g.LastUsed
	g.Successes, g.Failures, g.LastUsed = 0, 0, time.Time{}
	if g.Visibility == "" {
		g.Visibility = gene.Private
	}
	doc, err := json.Marshal(g)
	if err != nil {
		return err
	}
	trial := time.Time{}
	if g.Visibility == gene.Canary {
		trial = now
	}
	if err := s.db.Run(`INSERT INTO genes VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?11, ?12, 0)
  ON CONFLICT (id) DO UPDATE SET doc = ?2, title = ?3, category = ?4, visibility = ?5, scope = ?6, origin = ?7,
  elsewhere_good = ?8, elsewhere_bad = ?9, elsewhere_last = ?10, changed = ?11, trial = CASE WHEN ?12 AND trial THEN trial ELSE ?12 END, deleted = 0`,
		g.ID, string(doc), g.Title, string(g.Category), string(g.Visibility), g.Scope, origin, good, bad, last, now, trial); err != nil {
		return err
	}
	if err := s.db.Run("DELETE FROM gene_signals WHERE gene = ?", g.ID); err != nil {
		return err
	}
	for _, t := range gene.Types(g.SignalsMatch) {
		if err := s.db.Run("INSERT INTO gene_signals VALUES (?, ?)", t, g.ID); err != nil {
			return err
		}
	}
	return nil
}

// Cured notes what a gene of this store cured, and with which command any gene helped:
// those of others and the seeds say themselves what they are about.
func (s *Store) Cured(ctx context.Context, id string, f failure.Failure, now time.Time) error {
	defer s.db.Within(ctx)()
	return s.fail(fmt.Sprintf("gene %q", id), s.db.Write(func() error {
		r, err := s.get(id)
		if err == nil {
			err = s.family(id, f.Family)
		}
		if err != nil || r.Origin != "local" {
			return err
		}
		r.Gene.Cured(f)
		r.Successes, r.Failures, r.LastUsed = int(r.Elsewhere.Successes), int(r.Elsewhere.Failures), r.Elsewhere.Last
		return s.put(r.Gene, r.Origin, now)
	}))
}

// Merged is what Merge did.
type Merged struct{ Added, Updated, Skipped int }

// Merge takes in genes of elsewhere (a file, a server). Those that are not
// trusted go to quarantine (EVO-33); one that was approved here before stays
// approved as long as its text is the same. What was made or deleted here is
// never replaced. The counts of a remote gene include what was pushed from here:
// that part is taken off again.
func (s *Store) Merge(ctx context.Context, list []gene.Gene, origin string, trusted bool, now time.Time) (m Merged, err error) {
	defer s.db.Within(ctx)()
	err = s.db.Write(func() error {
		m = Merged{}
		for _, g := range list {
			if g.ID == "" {
				g.ID = gene.NewID(g.Category, now, func(id string) bool { n, _ := s.db.One("SELECT count(*) FROM genes WHERE id = ?", id); return n > 0 })
			}
			if err := s.merge(g, origin, trusted, now, &m); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		m = Merged{}
	}
	return m, s.fail("taking in genes", err)
}

func (s *Store) merge(g gene.Gene, origin string, trusted bool, now time.Time, m *Merged) error {
	var was gene.Gene
	var from string
	have, deleted := false, false
	if err := s.db.Each("SELECT doc, visibility, origin, deleted FROM genes WHERE id = ?", []any{g.ID}, func(st *sqlite3.Stmt) error {
		have, from, deleted = true, st.ColumnText(2), st.ColumnBool(3)
		err := json.Unmarshal([]byte(st.ColumnText(0)), &was)
		was.Visibility = gene.Visibility(st.ColumnText(1))
		return err
	}); err != nil {
		return err
	}
	if have && (deleted || from == "local" || from == "seed") {
		m.Skipped++
		return nil
	}
	approved := have && was.Visibility != gene.Quarantined && sameText(&was, &g)
	switch {
	case approved:
		g.Visibility = was.Visibility
	case !trusted:
		g.Visibility = gene.Quarantined
	case g.Visibility == gene.Quarantined, g.Visibility == gene.Seed, g.Visibility == "":
		g.Visibility = gene.Private
	}
	for success, count := range map[int]*int{1: &g.Successes, 0: &g.Failures} {
		ours, err := s.db.One("SELECT count(*) FROM observations o JOIN pushed p ON p.observation = o.id WHERE o.gene = ? AND o.success = ? AND o.counted", g.ID, success)
		if err != nil {
			return err
		}
		*count = max(0, *count-int(ours))
	}
	if have {
		m.Updated++
	} else {
		m.Added++
	}
	return s.put(g, origin, now)
}

// sameText reports whether two genes say the same to the word.
func sameText(a, b *gene.Gene) bool {
	return a.Title == b.Title && a.Description == b.Description && slices.Equal(a.Strategy, b.Strategy) &&
		slices.Equal(a.Preconditions, b.Preconditions) && slices.Equal(a.SignalsMatch, b.SignalsMatch)
}

// Set changes who may see a gene: approve is Private, publish is Canary or
// Published, and so on.
func (s *Store) Set(ctx context.Context, id string, v gene.Visibility, now time.Time) error {
	defer s.db.Within(ctx)()
	return s.fail(fmt.Sprintf("gene %q", id), s.db.Write(func() error { return s.set(id, v, now) }))
}

func (s *Store) set(id string, v gene.Visibility, now time.Time) error {
	if err := s.db.Run(`UPDATE genes SET visibility = ?2, changed = ?3,
  trial = CASE WHEN ?2 <> 'canary' THEN 0 WHEN trial THEN trial ELSE ?3 END WHERE id = ?1 AND NOT deleted`, id, string(v), now); err != nil {
		return err
	}
	if s.db.Changes() == 0 {
		return ErrNoGene
	}
	return nil
}

// Delete hides a gene for good: it is not offered, and a pull or a new version
// of the program does not bring it back. Its observations stay.
func (s *Store) Delete(ctx context.Context, id string, now time.Time) error {
	defer s.db.Within(ctx)()
	return s.fail(fmt.Sprintf("gene %q", id), s.db.Write(func() error {
		if err := s.db.Run("UPDATE genes SET deleted = 1, changed = ?2 WHERE id = ?1 AND NOT deleted", id, now); err != nil {
			return err
		}
		if s.db.Changes() == 0 {
			return ErrNoGene
		}
		return nil
	}))
}
