package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/selector"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// play changes a store in every way that there is, as a seed says.
func play(t *testing.T, s *Store, seed uint64, steps int) {
	t.Helper()
	ctx, r := t.Context(), rand.New(rand.NewPCG(seed, 1))
	check := func(err error) {
		t.Helper()
		if err != nil && !errors.Is(err, ErrNoGene) && !errors.Is(err, ErrHeld) {
			t.Fatal(err)
		}
	}
	for i := range steps {
		id, at := fmt.Sprint("g", r.IntN(9)), day.Add(time.Duration(i)*time.Minute)
		switch r.IntN(9) {
		case 0, 1:
			g := sample(id, "error:timeout", "error:oom")
			g.Visibility = []gene.Visibility{gene.Draft, gene.Trial, ""}[r.IntN(3)]
			g.Successes, g.Translations = r.IntN(3), map[string]gene.Text{"zh": {Title: "标题", Strategy: []string{"读"}}}
			_, err := s.Put(ctx, g, "local", at)
			check(err)
		case 2:
			g, err := gene.Parse([]byte(fmt.Sprintf(`{"id": "far%d", "category": "repair", "title": "x", "signals_match": ["error:oom"], "strategy": ["Do %d."], "visibility": "published", "later": {"a": [%d]}}`, r.IntN(4), i, i)))
			check(err)
			_, err = s.Merge(ctx, []gene.Gene{g}, "remote", r.IntN(2) == 0, at)
			check(err)
		case 3:
			check(s.Set(ctx, id, gene.Trial, at))
		case 4:
			if r.IntN(3) == 0 {
				check(s.Delete(ctx, id, at))
			}
		case 5:
			check(s.Suggested(ctx, Suggestion{Gene: id, Session: fmt.Sprint(r.IntN(3)), Signals: []string{"error:oom"}, Action: selector.Apply, Confidence: r.Float64(), At: at}))
		case 6:
			check(s.Pushed(ctx, []string{fmt.Sprint("o", r.IntN(i+1))}, at))
			check(s.Distilled(ctx, "error:oom", at))
		default:
			yes, score := r.IntN(2) == 0, r.Float64()
			o := Observation{ID: fmt.Sprint("o", i), Gene: id, Session: fmt.Sprint(r.IntN(3)), Agent: fmt.Sprint(r.IntN(2)), Signals: gene.Signals("error:oom"), Success: yes, Explicit: r.IntN(3) == 0, Summary: strings.Repeat("so ", r.IntN(200)), More: json.RawMessage(`{"a":1}`), At: at}
			if r.IntN(2) == 0 {
				o.Followed, o.Score = &yes, &score
			}
			_, err := s.Record(ctx, o)
			check(err)
		}
	}
}

// says is all that a store answers, as text.
func says(t *testing.T, s *Store) string {
	t.Helper()
	ctx := t.Context()
	rows, err := s.List(ctx, Filter{})
	seen, err2 := s.Observations(ctx, Search{})
	offers, err3 := s.Suggestions(ctx, "", time.Time{})
	proven, err4 := s.Proven(ctx, "", nil, 1, 100)
	may, err5 := s.Candidates(ctx, gene.Signals("error:oom"), "global", "1", day.Add(time.Hour))
	must.Do(t, errors.Join(err, err2, err3, err4, err5))
	type answers struct {
		Rows   []Row
		Seen   []Observation
		Offers []Suggestion
		Proven []Row
		May    []selector.Candidate
		Facts  map[string]string
	}
	b, err := json.Marshal(answers{rows, seen, offers, proven, may, s.Facts})
	must.Do(t, err)
	for _, o := range seen {
		b = fmt.Appendf(b, " %s %s %d %v", o.ID, o.Replaced, o.Seq, o.Pushed)
	}
	return string(b)
}

// EV-JRN-12: the index says what the lines say, whatever happened; one that is cut, of
// other lines or of another program is passed over.
func TestTheIndexSaysWhatTheLinesSay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	play(t, s, 1, slowtest.Count(60, 400))
	want := says(t, s)
	index := s.Path() + ".index"
	again := open(t, dir) // reads the lines behind the index, and writes it
	if got := says(t, again); got != want {
		t.Fatalf("behind the index:\n%s\nwant\n%s", got, want)
	}
	if got := says(t, open(t, dir)); got != want {
		t.Errorf("of the index:\n%s\nwant\n%s", got, want)
	}
	whole, err := os.ReadFile(index)
	if err != nil || len(whole) < 1000 {
		t.Fatalf("%d bytes: %v", len(whole), err)
	}
	r := rand.New(rand.NewPCG(2, 2))
	if _, _, _, ok := readIndex(index); !ok {
		t.Fatal("the whole index is not read")
	}
	for i := range slowtest.Count(10, 60) {
		b := append([]byte{}, whole...)
		if i%2 == 0 {
			b = b[:r.IntN(len(b))]
		} else {
			b[r.IntN(len(b))] ^= byte(1 + r.IntN(255))
		}
		os.WriteFile(index, b, 0o600)
		if _, _, _, ok := readIndex(index); ok {
			t.Fatalf("try %d: a damaged index is read", i)
		}
	}
	os.WriteFile(index, whole[:9], 0o600)
	if got := says(t, open(t, dir)); got != want {
		t.Error("with a damaged index something else is known")
	}
	// Lines of the same length, but others.
	b, _ := os.ReadFile(s.Path())
	changed := strings.Replace(string(b), `"agent":"1"`, `"agent":"7"`, 1)
	os.WriteFile(s.Path(), []byte(changed), 0o600)
	if got := says(t, open(t, dir)); got == want {
		t.Error("the index hides what the lines say")
	}
}

// A form of the index that a member cannot be written in would lose it. What a gene keeps
// to itself is written in another way, or comes with the program.
func TestTheIndexHoldsEveryMember(t *testing.T) {
	t.Parallel()
	seen := map[reflect.Type]bool{}
	var walk func(reflect.Type)
	walk = func(at reflect.Type) {
		if seen[at] || at == timeType {
			return
		}
		seen[at] = true
		switch at.Kind() {
		case reflect.Struct:
			for i := range at.NumField() {
				f := at.Field(i)
				if !f.IsExported() && !(at == geneType && (f.Name == "extra" || f.Name == "blanks")) && at != reflect.TypeFor[known]() {
					t.Errorf("%v.%s is not written", at, f.Name)
				}
				if f.IsExported() {
					walk(f.Type)
				}
			}
		case reflect.Slice, reflect.Pointer, reflect.Map:
			walk(at.Elem())
		case reflect.String, reflect.Bool, reflect.Int, reflect.Int64, reflect.Float64, reflect.Uint8:
		default:
			t.Errorf("%v cannot be written", at)
		}
	}
	walk(reflect.TypeFor[known]())
}

// EV-JRN-13: lines that cannot be read are kept in a file of their own, which is said;
// all others stay.
func TestDamagedLinesAreKeptAsideAndSaid(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	play(t, s, 3, slowtest.Count(15, 60))
	want := says(t, s)
	b, _ := os.ReadFile(s.Path())
	lines := strings.SplitAfter(string(b), "\n")
	bad := "\x00\x00\x00\n{\"outcomes\":[{\"id\":\n"
	lines[4] += bad
	must.Write(t, s.Path(), strings.Join(lines, ""))
	again := open(t, dir)
	if got := says(t, again); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	kept, _ := filepath.Glob(s.Path() + ".corrupt-*")
	if len(kept) != 1 {
		t.Fatalf("kept: %q", kept)
	}
	if text, _ := os.ReadFile(kept[0]); string(text) != bad {
		t.Errorf("kept: %q", text)
	}
	if err := again.Check(); err == nil || !strings.Contains(err.Error(), filepath.Base(kept[0])) {
		t.Errorf("%v", err)
	}
	if now, _ := os.ReadFile(s.Path()); string(now) != string(b) {
		t.Error("the other lines were changed")
	}
	if info, err := os.Stat(kept[0]); err != nil || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		t.Errorf("others can read it: %v %v", info.Mode(), err)
	}
}

// EV-JRN-13: a line without an end was never acknowledged.
func TestALineWithoutAnEndIsCutOff(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	put(t, s, sample("g", "error:timeout"))
	b, _ := os.ReadFile(s.Path())
	for n := 0; n < len(b); n += slowtest.Count(37, 11) {
		must.Write(t, s.Path(), b[:n])
		again := open(t, dir)
		_, err := again.Get(t.Context(), "g")
		if !errors.Is(err, ErrNoGene) {
			t.Fatalf("cut at %d: %v", n, err)
		}
	}
	again := open(t, dir)
	put(t, again, sample("h", "error:timeout"))
	if err := errors.Join(again.Check(), s.Check()); err != nil {
		t.Error(err)
	}
	if _, err := s.Get(t.Context(), "h"); err != nil {
		t.Error("what another window wrote:", err)
	}
}

// EV-JRN-10: a file that is none of ours, or of a newer program, is left as it is, and the
// error says what to do.
func TestForeignAndNewerFilesAreLeftAlone(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"a text": "this is no store, it is a text of some length", "lines": "one\ntwo\n", "newer": `{"format":99}` + "\n", "needs": first + "\n" + `{"needs":2,"genes":7}` + "\n",
		"needs more": first + "\n" + `{"needs":2,"outcomes":[{"id":"x"}]}` + "\n", "zeros": strings.Repeat("\x00", 500),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, evolution.Genes)
			os.WriteFile(path, []byte(content), 0o600)
			_, err := Open(t.Context(), dir)
			var damaged *Damaged
			var newer *Newer
			switch isNewer := errors.As(err, &newer); {
			case isNewer != strings.HasPrefix(name, "ne") || !isNewer && !errors.As(err, &damaged):
				t.Errorf("%s: %v", name, err)
			}
			if after, _ := os.ReadFile(path); string(after) != content {
				t.Errorf("%s: the file was changed", name)
			}
		})
	}
	// A file that was just made, and nothing written to it, is a new one.
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, evolution.Genes), nil, 0o600)
	open(t, dir)
}

// EV-JRN-14: members that only a newer program knows stay, whatever an older one does.
func TestMembersOfANewerProgramStay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	put(t, s, sample("a", "error:timeout"))
	put(t, s, sample("b", "error:timeout"))
	b, _ := os.ReadFile(s.Path())
	text := strings.ReplaceAll(string(b), `{"genes":`, `{"later":{"x":[1,2]},"genes":`) + `{"sagas":[7]}` + "\n"
	os.WriteFile(s.Path(), []byte(text), 0o600)
	again := open(t, dir)
	must.Do(t, again.Delete(t.Context(), "a", day))
	now, _ := os.ReadFile(s.Path())
	if n := strings.Count(string(now), `"later":{"x":[1,2]}`); n != 2 || !strings.Contains(string(now), `{"sagas":[7]}`) {
		t.Errorf("%d of 2 are left:\n%s", n, now)
	}
	if _, err := again.Get(t.Context(), "b"); err != nil {
		t.Error(err)
	}
}

// EV-JRN-15: what was deleted is in no file any more but by its id, and stays deleted.
func TestWhatIsDeletedIsErased(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	for i := range 3 {
		g := sample("ours", "error:timeout")
		g.Strategy = []string{fmt.Sprintf("Try the blue pelican %d.", i)}
		put(t, s, g)
	}
	put(t, s, sample("other", "error:oom"))
	record(t, s, Observation{ID: "o", Gene: "ours", Success: true, At: day})
	must.Do(t, s.Delete(t.Context(), "ours", day))
	open(t, dir)
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, f := range files {
		if b, _ := os.ReadFile(f); strings.Contains(string(b), "pelican") {
			t.Errorf("%s has its text", filepath.Base(f))
		}
	}
	again := open(t, dir)
	if _, err := again.Get(t.Context(), "ours"); !errors.Is(err, ErrNoGene) {
		t.Errorf("after: %v", err)
	}
	if m, err := again.Merge(t.Context(), []gene.Gene{sample("ours", "error:timeout")}, "remote", true, day); err != nil || m.Skipped != 1 {
		t.Errorf("it came back: %+v %v", m, err)
	}
	if list, _ := again.Observations(t.Context(), Search{Gene: "ours"}); len(list) != 1 {
		t.Errorf("%d outcomes", len(list))
	}
	if _, err := again.Get(t.Context(), "other"); err != nil {
		t.Error(err)
	}
}

// EV-JRN-15: genes that are replaced again and again do not fill the disk.
func TestTheFileDoesNotGrowWithoutEnd(t *testing.T) {
	t.Parallel()
	slowtest.Only(t, "1,500 genes of three kilobytes")
	dir := t.TempDir()
	s := open(t, dir)
	const one, rounds, each = 3000, 30, 50
	for i := range rounds {
		var list []gene.Gene
		for j := range each {
			g := sample("g", "error:timeout")
			g.Strategy = []string{fmt.Sprint(i*each+j, strings.Repeat(" word", one/5))}
			list = append(list, g)
		}
		must.Do(t, must.Err(s.Merge(t.Context(), list, "remote", true, day)))
	}
	info, err := os.Stat(s.Path())
	if err != nil || info.Size() > 900*one {
		t.Errorf("%d bytes for one gene: %v", info.Size(), err)
	}
	if g, err := open(t, dir).Get(t.Context(), "g"); err != nil || !strings.HasPrefix(g.Strategy[0], fmt.Sprint(rounds*each-1)) {
		t.Errorf("%v", err)
	}
}
