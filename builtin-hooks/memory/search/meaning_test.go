package search

import (
	"flag"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon"
	trained "github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon/words"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

var (
	missed = flag.Bool("missed", false, "show the questions whose answer was not among the first five")
	set    = flag.String("set", "", "folder of facts and questions to play, in place of those here")
)

// lexiconOf is the lexicon of this version, in a cache.
func lexiconOf(t testing.TB, cache string) *lexicon.Lexicon {
	t.Helper()
	must.Do(t, lexicon.Lay(cache, trained.Unpack))
	l, err := lexicon.Open(lexicon.Path(cache))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l
}

// lines are the rows of a set's file.
func lines(t testing.TB, set, name string) (out [][]string) {
	t.Helper()
	for line := range strings.Lines(must.Read(t, filepath.Join(set, name))) {
		if f := strings.SplitN(strings.TrimSpace(line), " | ", 3); len(f) > 1 {
			out = append(out, f)
		}
	}
	return out
}

// snapshotOf is one of some memories.
func snapshotOf(t testing.TB, docs []Doc, l *lexicon.Lexicon) *Snapshot {
	t.Helper()
	file := filepath.Join(t.TempDir(), "all")
	must.Write(t, file, "x")
	s := New(filepath.Join(t.TempDir(), SnapshotFile), l)
	must.Do(t, s.Refresh([]Source{{Name: "all", Path: file, Read: func([]byte) []Doc { return docs }}}, day, 0))
	return s
}

// What is meant is found: of questions that a team asks about its own facts, how
// many have an answer among the first five. How the sets were made is told beside them;
// -set plays another one, of the same form.
// BM-FND-04.
func TestMeaning(t *testing.T) {
	t.Parallel()
	sets := map[string]map[string]float64{
		filepath.Join("testdata", "meaning"): {"plain": 0.95, "reword": 0.90, "cross": 0.95, "typo": 0.9, "none": 0.9},
		filepath.Join("testdata", "frozen"):  {"plain": 0.95, "reword": 0.78, "cross": 0.90, "typo": 0.9, "none": 0.7},
		filepath.Join("testdata", "wool"):    {"plain": 0.95, "reword": 0.80, "cross": 0.90, "typo": 0.9, "none": 0.8},
		filepath.Join("testdata", "buses"):   {"plain": 0.95, "reword": 0.78, "cross": 0.90, "typo": 0.9, "none": 0.7},
		filepath.Join("testdata", "vets"):    {"plain": 0.95, "reword": 0.78, "cross": 0.95, "typo": 0.9, "none": 0.9},
		filepath.Join("testdata", "whales"):  {"plain": 0.95, "reword": 0.75, "cross": 0.90, "typo": 0.9, "none": 0.55},
		filepath.Join("testdata", "ski"):     {"plain": 0.95, "reword": 0.70, "cross": 0.85, "typo": 0.9, "none": 0.55},
		filepath.Join("testdata", "blood"):   {"plain": 0.95, "reword": 0.75, "cross": 0.80, "typo": 0.9, "none": 0.75},
		filepath.Join("testdata", "lifts"):   {"plain": 0.95, "reword": 0.80, "cross": 0.95, "typo": 0.9, "none": 0.8},
	}
	if *set != "" {
		sets = map[string]map[string]float64{*set: {}}
	}
	for dir, least := range sets {
		if *set == "" && !slowtest.Among(filepath.Base(dir), "meaning") {
			continue
		}
		t.Run(filepath.Base(dir), func(t *testing.T) { meaning(t, dir, least) })
	}
}

func meaning(t *testing.T, dir string, least map[string]float64) {
	var docs []Doc
	for _, f := range lines(t, dir, "facts.txt") {
		docs = append(docs, Doc{ID: f[0], Kind: "fact", Type: "W", Content: strings.Join(f[1:], " | ")})
	}
	s := snapshotOf(t, docs, lexiconOf(t, t.TempDir()))
	type score struct{ all, right, strong, stems, trigrams int }
	stems, trigrams := fullText(t, docs, "porter unicode61", strings.Fields), fullText(t, docs, "trigram", strings.Fields)
	classes := map[string]*score{}
	for _, q := range lines(t, dir, "questions.txt") {
		hits := Search(s, Query{Text: q[1], Max: 5})
		if !ascii(q[1]) && q[0] == "reword" && *missed {
			q[0] = "reword-zh"
		}
		c := classes[q[0]]
		if c == nil {
			c = &score{}
			classes[q[0]] = c
		}
		c.all++
		known := slices.ContainsFunc(hits, func(h Hit) bool { return !h.Weak })
		if known {
			c.strong++
		}
		if q[2] == "-" {
			if !known {
				c.right++
			}
			continue
		}
		want := strings.Fields(q[2])
		answers := func(d Doc) bool { return slices.Contains(want, d.ID) }
		if found, _ := stems(q[1]); slices.ContainsFunc(found, answers) {
			c.stems++
		}
		if found, _ := trigrams(q[1]); slices.ContainsFunc(found, answers) {
			c.trigrams++
		}
		if slices.ContainsFunc(hits, func(h Hit) bool { return slices.Contains(want, h.ID) }) {
			c.right++
		} else if *missed {
			t.Logf("%s %q wants %s, found %v", q[0], q[1], q[2], contents(hits))
		}
	}
	for class, c := range classes {
		t.Run(class, func(t *testing.T) {
			r := float64(c.right) / float64(c.all)
			part := func(n int) float64 { return float64(n) / float64(c.all) }
			t.Logf("%-7s %3d questions: %.2f right, %.2f marked as known; FTS5 porter %.2f, trigram %.2f", class, c.all, r, part(c.strong), part(c.stems), part(c.trigrams))
			if r < least[class] {
				t.Errorf("%s: %.2f right, want %.2f", class, r, least[class])
			}
		})
	}
}

func contents(hits []Hit) (out []string) {
	for _, h := range hits {
		out = append(out, h.Content[:min(50, len(h.Content))])
	}
	return out
}

// day is in the past, so that clocks of file systems do not matter.
var day = time.Date(2026, 11, 18, 9, 0, 0, 0, time.UTC)

// In a small memory, a search lists even what is further away than it would be worth
// among many; among many it does not.
// BM-FND-06.
func TestAHandfulIsListedThoughItIsFar(t *testing.T) {
	t.Parallel()
	l := lexiconOf(t, t.TempDir())
	few := []Doc{
		{ID: "1", Kind: "fact", Content: "Deploys go through ArgoCD; nobody runs kubectl apply by hand"},
		{ID: "2", Kind: "fact", Content: "Payments are retried three times with exponential backoff"},
		{ID: "3", Kind: "fact", Content: "Anna owns the billing service and approves changes to invoices"},
	}
	far := func(docs []Doc) (n int) {
		for _, h := range Search(snapshotOf(t, docs, l), Query{Text: "which CI do we use", Max: 5}) {
			if h.Score < leastNear {
				n++
				if !h.Weak {
					t.Errorf("%q is not marked as weak", h.Content)
				}
			}
		}
		return n
	}
	if n := far(few); n < 2 {
		t.Errorf("%d of three facts that are far away, want at least two", n)
	}
	many := few
	for i := range 5 {
		many = append(many, Doc{ID: "c" + strconv.Itoa(i), Kind: "fact", Content: "The pipeline of branch " + strconv.Itoa(i) + " is built by Jenkins"})
	}
	if n := far(many); n > 0 {
		t.Errorf("%d facts that are far away, though five are near", n)
	}
}
