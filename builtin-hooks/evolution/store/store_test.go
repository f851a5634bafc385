package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/selector"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
)

var day = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

func open(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(t.Context(), dir)
	must.Do(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func sample(id string, signals ...string) gene.Gene {
	return gene.Gene{ID: id, Category: gene.Repair, Title: "Title of " + id, SignalsMatch: gene.Signals(signals...), Strategy: []string{"Read the first error."}, Constraints: gene.DefaultConstraints()}
}

func put(t *testing.T, s *Store, g gene.Gene) {
	t.Helper()
	must.Do(t, must.Err(s.Put(t.Context(), g, "local", day)))
}

func record(t *testing.T, s *Store, o Observation) Recorded {
	t.Helper()
	if o.Signals == nil {
		o.Signals = gene.Signals("error:timeout")
	}
	o.Summary = cmp.Or(o.Summary, "the build was green again")
	done, err := s.Record(t.Context(), o)
	must.Do(t, err)
	return done
}

func tally(t *testing.T, s *Store, id string) selector.Tally {
	t.Helper()
	r, err := s.Get(t.Context(), id)
	must.Do(t, err)
	return r.Here
}

// Without any account a store is made, with the seeds in it, and private.
func TestLocalGenesFirst(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "evo #1")
	if Exists(dir) {
		t.Error("it exists before it was made")
	}
	s := open(t, dir)
	seeds, err := gene.Seeds()
	must.Do(t, err)
	list, err := s.List(t.Context(), Filter{Origin: "seed"})
	if err != nil || len(list) != len(seeds) {
		t.Fatalf("%d seeds, want %d: %v", len(list), len(seeds), err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(dir)); Exists(dir) || len(entries) > 0 {
		t.Errorf("reading made it: %v", entries)
	}
	// A deleted seed does not come back, not even with other seeds.
	must.Do(t, s.Delete(t.Context(), seeds[0].ID, day))
	if !Exists(dir) {
		t.Error("it does not exist after it was made")
	}
	info, err := os.Stat(s.Path())
	if err != nil || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		t.Errorf("others can read it: %v %v", info.Mode(), err)
	}
	// What others know of a seed is not forgotten either.
	told := seeds[1]
	told.Successes, told.Failures = 9, 4
	must.Do(t, s.Elsewhere(t.Context(), []gene.Gene{told}))
	again := open(t, dir)
	if _, err := again.Get(t.Context(), seeds[0].ID); !errors.Is(err, ErrNoGene) {
		t.Errorf("the deleted seed: %v", err)
	}
	if r, err := again.Get(t.Context(), told.ID); err != nil || r.Successes != 9 || r.Failures != 4 {
		t.Errorf("%d and %d are known of %s: %v", r.Successes, r.Failures, told.ID, err)
	}
}

// An explicit record of a session and gene replaces the implicit
// one, the last explicit one stands, and an implicit one that comes later counts
// nothing. EV-JRN-04.
func TestExplicitReplacesImplicit(t *testing.T) {
	s := open(t, t.TempDir())
	put(t, s, sample("g", "error:timeout"))
	want := func(step string, good, bad float64) {
		t.Helper()
		if got := tally(t, s, "g"); got.Successes != good || got.Failures != bad {
			t.Errorf("%s: %v good, %v bad; want %v and %v", step, got.Successes, got.Failures, good, bad)
		}
	}
	record(t, s, Observation{ID: "i1", Gene: "g", Session: "s", Success: true, At: day})
	want("implicit", 1, 0)
	done := record(t, s, Observation{ID: "e1", Gene: "g", Session: "s", Success: false, Explicit: true, At: day.Add(time.Minute)})
	want("explicit", 0, 1)
	if !slices.Equal(done.Replaces, []string{"i1"}) {
		t.Errorf("replaced %v", done.Replaces)
	}
	record(t, s, Observation{ID: "e2", Gene: "g", Session: "s", Success: true, Explicit: true, At: day.Add(2 * time.Minute)})
	want("the last explicit one", 1, 0)
	if done := record(t, s, Observation{ID: "i2", Gene: "g", Session: "s", Success: false, At: day.Add(3 * time.Minute)}); done.Counted {
		t.Error("an implicit record counted after an explicit one")
	}
	want("too late", 1, 0)
	record(t, s, Observation{ID: "i3", Gene: "g", Session: "other", Success: false, At: day.Add(2 * time.Hour)})
	want("another session", 1, 1)
	all, err := s.Observations(t.Context(), Search{Gene: "g"})
	if err != nil || len(all) != 5 {
		t.Fatalf("%d observations are kept: %v", len(all), err)
	}
	if by := all[0].Replaced; by != "e1" {
		t.Errorf("i1 was replaced by %q", by)
	}
}

// EV-JRN-05: followed false takes the outcome out of the posterior.
func TestNotFollowedTeachesNothing(t *testing.T) {
	s := open(t, t.TempDir())
	put(t, s, sample("g", "error:timeout"))
	record(t, s, Observation{Gene: "g", Session: "s", Success: true, At: day})
	no := false
	done := record(t, s, Observation{Gene: "g", Session: "s", Success: true, Explicit: true, Followed: &no, At: day})
	if got := tally(t, s, "g"); got.N() != 0 || done.Counted {
		t.Errorf("%+v is known of a gene that nobody followed", got)
	}
	if list, _ := s.Observations(t.Context(), Search{Unpushed: true}); len(list) != 0 {
		t.Errorf("%d of it would be pushed", len(list))
	}
}

// A list says of each gene what its record here is, as the gene alone does.
func TestAListCountsOutcomes(t *testing.T) {
	s := open(t, t.TempDir())
	put(t, s, sample("a", "custom:both"))
	put(t, s, sample("b", "custom:both"))
	record(t, s, Observation{Gene: "a", Session: "s", Success: true, At: day})
	record(t, s, Observation{Gene: "b", Session: "s", Success: true, At: day})
	record(t, s, Observation{Gene: "b", Session: "other", At: day.Add(2 * time.Hour)})
	list, err := s.List(t.Context(), Filter{Signal: "custom:both"})
	if err != nil || len(list) != 2 || list[0].Uses != 1 || list[1].Uses != 2 {
		t.Fatalf("%+v %v", list, err)
	}
	for _, r := range list {
		alone, err := s.Get(t.Context(), r.ID)
		if err != nil || r.Here != alone.Here || r.Uses != alone.Uses || r.Successes != alone.Successes || r.Failures != alone.Failures {
			t.Errorf("%+v\nalone %+v, %v", r, alone, err)
		}
	}
}

// The same outcome id is one outcome, however often it is told. EV-JRN-06.
func TestAnOutcomeIsRecordedOnce(t *testing.T) {
	s := open(t, t.TempDir())
	put(t, s, sample("g", "error:timeout"))
	for i := range 3 {
		if done := record(t, s, Observation{ID: "same", Gene: "g", Success: true, At: day}); done.Duplicate != (i > 0) || !done.Counted {
			t.Errorf("time %d: %+v", i, done)
		}
	}
	if got := tally(t, s, "g"); got.Successes != 1 {
		t.Errorf("%v successes", got.Successes)
	}
}

// Repeats within an hour count half each, the fifth nothing. EV-JRN-07.
func TestRepeatsCountLess(t *testing.T) {
	s := open(t, t.TempDir())
	put(t, s, sample("g", "error:timeout"))
	for i, want := range []float64{1, 0.5, 0.25, 0.125, 0.0625} {
		done := record(t, s, Observation{Gene: "g", Success: true, At: day.Add(time.Duration(i) * time.Minute)})
		if done.Weight != want || done.Counted != (i < 4) {
			t.Errorf("record %d: weight %v, counted %v", i, done.Weight, done.Counted)
		}
	}
	if got := tally(t, s, "g"); got.Successes != 1.875 {
		t.Errorf("%v successes", got.Successes)
	}
}

// When everything fails at once, learning rests. EV-JRN-08.
func TestLearningFreezes(t *testing.T) {
	s := open(t, t.TempDir())
	for i := range 25 {
		put(t, s, sample(fmt.Sprint("g", i), "error:timeout"))
	}
	for i := range 25 {
		done := record(t, s, Observation{Gene: fmt.Sprint("g", i), Success: i == 0, At: day.Add(time.Duration(i) * time.Second)})
		if done.Frozen != (i >= 19) || done.Counted == done.Frozen {
			t.Errorf("outcome %d: %+v", i, done)
		}
	}
	if since, err := s.Frozen(); err != nil || since.IsZero() {
		t.Errorf("frozen since %v: %v", since, err)
	}
	if done := record(t, s, Observation{Gene: "g3", Success: true, At: day.Add(time.Hour)}); done.Frozen || !done.Counted {
		t.Errorf("an hour later: %+v", done)
	}
}

// What comes from elsewhere is held until somebody approves
// it, and is not offered before. EV-FND-09.
func TestHeldGenesAreNotTold(t *testing.T) {
	s, ctx := open(t, t.TempDir()), t.Context()
	g := sample("theirs", "error:oom")
	g.Visibility, g.Successes, g.Failures = gene.Shared, 30, 2
	m, err := s.Merge(ctx, []gene.Gene{g}, "import", false, day)
	if err != nil || m.Added != 1 {
		t.Fatalf("%+v %v", m, err)
	}
	offered := func() bool {
		list, err := s.Candidates(ctx, gene.Signals("error:oom"), "global", "", day)
		must.Do(t, err)
		return slices.ContainsFunc(list, func(c selector.Candidate) bool { return c.Gene.ID == "theirs" })
	}
	if offered() {
		t.Error("a gene that is held is offered")
	}
	if _, err := s.Record(ctx, Observation{Gene: "theirs", At: day}); !errors.Is(err, ErrHeld) {
		t.Errorf("recording: %v", err)
	}
	if err := s.Set(ctx, "theirs", gene.Draft, day); err != nil || !offered() {
		t.Errorf("after approval: %v", err)
	}
	// The same text again stays approved, another one does not.
	g.Successes = 40
	if m, err = s.Merge(ctx, []gene.Gene{g}, "import", false, day); err != nil || m.Updated != 1 || !offered() {
		t.Errorf("the same again: %+v %v", m, err)
	}
	if r, _ := s.Get(ctx, "theirs"); r.Successes != 40 {
		t.Errorf("%d successes elsewhere", r.Successes)
	}
	g.Strategy = []string{"Something else."}
	if _, err = s.Merge(ctx, []gene.Gene{g}, "import", false, day); err != nil || offered() {
		t.Errorf("another text: offered, %v", err)
	}
	// Deleted is deleted, and what is ours is not replaced.
	must.Do(t, s.Delete(ctx, "theirs", day))
	put(t, s, sample("ours", "error:oom"))
	theirs := sample("ours", "error:timeout")
	if m, err = s.Merge(ctx, []gene.Gene{g, theirs}, "remote", true, day); err != nil || m.Skipped != 2 {
		t.Errorf("%+v %v", m, err)
	}
}

// What was pushed comes back in a server's counts; it is not known twice.
func TestPushedOutcomesAreNotCountedTwice(t *testing.T) {
	s, ctx := open(t, t.TempDir()), t.Context()
	g := sample("far", "error:oom")
	g.Successes, g.Failures = 10, 5
	must.Do(t, must.Err(s.Merge(ctx, []gene.Gene{g}, "remote", true, day)))
	record(t, s, Observation{ID: "a", Gene: "far", Signals: gene.Signals("error:oom"), Success: true, At: day})
	list, err := s.Observations(ctx, Search{Unpushed: true})
	if err != nil || len(list) != 1 || list[0].ID != "a" {
		t.Fatalf("unpushed: %v %v", list, err)
	}
	must.Do(t, s.Pushed(ctx, []string{"a"}, day))
	if list, _ = s.Observations(ctx, Search{Unpushed: true}); len(list) != 0 {
		t.Errorf("still unpushed: %v", list)
	}
	g.Successes = 11
	must.Do(t, must.Err(s.Merge(ctx, []gene.Gene{g}, "remote", true, day)))
	c, err := s.Candidates(ctx, gene.Signals("error:oom"), "global", "", day)
	must.Do(t, err)
	i := slices.IndexFunc(c, func(c selector.Candidate) bool { return c.Gene.ID == "far" })
	if got := c[i].Global; got.Successes != 11 || got.Failures != 5 {
		t.Errorf("known: %+v, want 11 and 5", got)
	}
}

// Secrets are taken out before anything is stored.
func TestOutcomesAreRedacted(t *testing.T) {
	s, ctx := open(t, t.TempDir()), t.Context()
	put(t, s, sample("g", "error:timeout"))
	secret := "ghp_abcdefghijklmnopqrstuvwxyz012345"
	record(t, s, Observation{Gene: "g", Summary: "used " + secret, Reason: secret, More: []byte(`{"token": "` + secret + `"}`), At: day})
	all, err := s.Observations(ctx, Search{})
	must.Do(t, err)
	if text := fmt.Sprintf("%s %s %s", all[0].Summary, all[0].Reason, all[0].More); strings.Contains(text, secret) {
		t.Errorf("stored: %s", text)
	}
}

// Whatever is recorded in whatever order, what is known of the genes is what
// their observations say.
func TestEdgesAreWhatObservationsSay(t *testing.T) {
	s, ctx := open(t, t.TempDir()), t.Context()
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 3 {
		put(t, s, sample(fmt.Sprint("g", i), "error:timeout", "error:oom"))
	}
	signals := [][]gene.Signal{gene.Signals("error:timeout"), gene.Signals("error:oom", "error:timeout"), gene.Signals("error:generic"), {{Type: "error:oom", TechStack: "go"}, {Type: "error:oom"}}}
	for i := range slowtest.Count(60, 150) {
		o := Observation{
			ID: fmt.Sprint("o", r.IntN(140)), Gene: fmt.Sprint("g", r.IntN(3)), Session: []string{"", "a", "b", "c"}[r.IntN(4)], Scope: []string{"", "shop"}[r.IntN(2)],
			Agent: []string{"one", "two"}[r.IntN(2)], Signals: signals[r.IntN(4)], Success: r.IntN(3) > 0, Explicit: r.IntN(3) == 0, At: day.Add(time.Duration(i) * 7 * time.Minute),
		}
		if f := r.IntN(4) > 0; r.IntN(3) == 0 {
			o.Followed = &f
		}
		record(t, s, o)
	}
	all, err := s.Observations(ctx, Search{Standing: true})
	must.Do(t, err)
	for i := range 3 {
		id, sum := fmt.Sprint("g", i), 0.0
		for _, o := range all {
			if o.Gene == id && o.Counted {
				sum += o.Weight
			}
		}
		if got := tally(t, s, id).N(); math.Abs(got-sum) > 1e-9 {
			t.Errorf("%s: %v is known, the observations say %v", id, got, sum)
		}
	}
}

// Genes with at least three outcomes, the best rate first, of this scope
// and of all.
func TestProvenGenes(t *testing.T) {
	s := open(t, t.TempDir())
	for i, g := range []struct {
		good, bad int
		scope     string
	}{{3, 0, ""}, {2, 0, ""}, {1, 3, ""}, {9, 1, "shop"}, {9, 1, "other"}} {
		x := sample(fmt.Sprint("g", i), "error:timeout")
		x.Scope, x.Successes, x.Failures = g.scope, g.good, g.bad
		must.Do(t, must.Err(s.Put(t.Context(), x, "local", day)))
	}
	list, err := s.Proven(t.Context(), "shop", nil, 3, 5)
	var got []string
	for _, r := range list {
		got = append(got, r.ID)
	}
	if err != nil || !slices.Equal(got, []string{"g0", "g3", "g2"}) {
		t.Errorf("%v %v", got, err)
	}
	if list, _ = s.Proven(t.Context(), "shop", []string{"error:oom"}, 3, 5); len(list) != 0 {
		t.Errorf("of another signal: %v", list)
	}
}

// One who writes is waited for, and no longer than the caller has time.
func TestAWriterIsWaitedForAsLongAsOneMay(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	put(t, s, sample("g", "error:timeout"))
	release, err := statefile.Hold(s.Path(), time.Second)
	must.Do(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	o := Observation{ID: "o", Gene: "g", Signals: gene.Signals("error:timeout"), Success: true, At: day}
	if _, err := s.Record(ctx, o); err == nil {
		t.Error("recorded while another wrote")
	}
	release()
	// What was not acknowledged was not kept, and can be told again.
	if done := record(t, s, o); done.Duplicate || !done.Counted {
		t.Errorf("%+v", done)
	}
}
