package index

import (
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/ext/fts5"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/sqlite"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/find"
)

var tune = flag.Bool("tune", false, "judge by the half of the queries that is for tuning, and show what was missed")

// A question of the benchmark: testdata/retrieval/queries.txt.
type question struct {
	class, text string
	want        []string // parts of the memories that answer; none: nothing does
}

func questions(t testing.TB) []question {
	t.Helper()
	var out []question
	for _, f := range rows(t, "queries.txt") {
		q := question{class: f[0], text: f[1]}
		if f[2] != "-" {
			q.want = strings.Split(f[2], "//")
		}
		out = append(out, q)
	}
	return out
}

func rows(t testing.TB, name string) [][]string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "retrieval", name))
	if err != nil {
		t.Fatal(err)
	}
	var out [][]string
	for line := range strings.Lines(string(b)) {
		fields := strings.Split(strings.TrimSpace(line), " | ")
		if len(fields) < 3 {
			t.Fatalf("%s: %q has %d fields", name, line, len(fields))
		}
		out = append(out, fields)
	}
	return out
}

// corpus is the memories of the benchmark. A memory marked old:x is replaced by
// the one marked new:x.
func corpus(t testing.TB) []Doc {
	t.Helper()
	var out []Doc
	for _, file := range []string{"facts-en.txt", "facts-zh.txt"} {
		for i, f := range rows(t, file) {
			d := Doc{ID: fmt.Sprintf("%s-%d", file, i), Kind: "fact", Type: f[0], Entities: []string{f[1]}, Content: f[2], Confidence: 0.9, Time: now.Add(-time.Duration(i) * time.Hour)}
			if len(f) > 3 {
				switch kind, name, _ := strings.Cut(f[3], ":"); kind {
				case "old":
					d.ID = "old:" + name
				case "new":
					d.ID, d.Replaces = "new:"+name, []string{"old:" + name}
				}
			}
			out = append(out, d)
		}
	}
	return out
}

// held reports whether a question is of the half that is reported and never
// tuned on.
func (q question) held() bool {
	h := fnv.New32a()
	h.Write([]byte(q.text))
	return h.Sum32()%2 == 0
}

// rank is the place of the first hit that answers, from 1; 0 if none does.
func (q question) rank(hits []Doc) int {
	for i, h := range hits {
		if slices.ContainsFunc(q.want, func(w string) bool { return h.ID == w || strings.Contains(h.Content, w) }) {
			return i + 1
		}
	}
	return 0
}

// A tally is what a method made of the questions.
type tally struct {
	recall, reciprocal float64 // sums over questions that have an answer
	answered           int
	updated, updates   int
	falseHits, empties int
	byClass            map[string][2]int
}

func (a *tally) add(q question, hits []Doc) {
	if a.byClass == nil {
		a.byClass = map[string][2]int{}
	}
	c := a.byClass[q.class]
	c[1]++
	if q.want == nil {
		a.empties++
		if len(hits) > 0 {
			a.falseHits++
		} else {
			c[0]++
		}
		a.byClass[q.class] = c
		return
	}
	a.answered++
	r := q.rank(hits)
	if r > 0 && r <= 5 {
		a.recall++
		a.reciprocal += 1 / float64(r)
		c[0]++
	}
	a.byClass[q.class] = c
	if q.class == "update" {
		a.updates++
		if r == 1 && !slices.ContainsFunc(hits, func(d Doc) bool { return strings.HasPrefix(d.ID, "old:") }) {
			a.updated++
		}
	}
}

func (a tally) String() string {
	return fmt.Sprintf("| %.2f | %.2f | %.2f | %.2f |", a.recall/float64(a.answered), a.reciprocal/float64(a.answered),
		float64(a.updated)/float64(max(a.updates, 1)), float64(a.falseHits)/float64(max(a.empties, 1)))
}

// The benchmark of issue "memory": what is found of what should be. It prints
// Recall@5, MRR, how often an update wins over what it replaced, and how often
// something is found where nothing is.
func TestRetrieval(t *testing.T) {
	docs := corpus(t)
	qs := questions(t)
	if len(docs) < 300 || len(qs) < 120 {
		t.Fatalf("%d memories, %d questions", len(docs), len(qs))
	}
	for _, q := range qs {
		if q.want != nil && q.rank(docs) == 0 {
			t.Errorf("nothing answers %q: want %q", q.text, q.want)
		}
	}
	x := filled(t, docs, Hash{})
	sameFound(t, x, docs, qs)
	methods := []struct {
		name string
		find func(text string) []Doc
	}{
		{"hybrid", finder(t, x, find.Hybrid)},
		{"text leg alone", finder(t, x, find.Text)},
		{"vector leg alone", finder(t, x, find.Vector)},
		{"FTS5 porter unicode61", porter(t, docs)},
		{"grep for all words", grep(docs)},
	}
	results := map[string]tally{}
	for _, m := range methods {
		var a tally
		for _, q := range qs {
			if q.held() == *tune {
				continue
			}
			hits := m.find(q.text)
			a.add(q, hits)
			if *tune && m.name == "hybrid" && (q.want == nil) != (q.rank(hits) == 0 && len(hits) == 0) || *tune && m.name == "hybrid" && q.want != nil && q.rank(hits) != 1 {
				t.Logf("%s %q want %v: rank %d of %d: %.60q", q.class, q.text, q.want, q.rank(hits), len(hits), contents(hits))
			}
		}
		results[m.name] = a
		t.Logf("| %-22s %s  %v", m.name, a, a.byClass)
	}
	ours, base := results["hybrid"], results["FTS5 porter unicode61"]
	if r := ours.recall / float64(ours.answered); r < 0.85 {
		t.Errorf("Recall@5 is %.2f, want 0.85", r)
	}
	if ours.recall < 2*base.recall {
		t.Errorf("Recall@5 is %.2f times that of FTS5 porter unicode61, want 2 (G23)", ours.recall/base.recall)
	}
}

// sameFound holds searches of a snapshot and of the index equal, on all questions
// and by each leg.
func sameFound(t *testing.T, x *Index, docs []Doc, qs []question) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "all")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), find.SnapshotFile)
	made := find.New(path)
	err := made.Refresh([]Source{{Name: "all", Path: file, Read: func([]byte) []Doc { return docs }}}, now, 0)
	if err == nil {
		err = made.Write()
	}
	if err != nil {
		t.Fatal(err)
	}
	snap, err := find.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(snap.Close)
	for _, q := range qs {
		for _, m := range []find.Method{find.Hybrid, find.Text, find.Vector} {
			ask := Query{Text: q.text, Max: 5, Method: m, Now: now}
			want, err := x.Search(context.Background(), ask)
			if err != nil {
				t.Fatal(err)
			}
			got, err := find.Search(context.Background(), snap, Hash{}, ask)
			if err != nil || !reflect.DeepEqual(rounded(got), rounded(want)) {
				t.Errorf("%s %q: the snapshot finds %v, %v; the index %v", m, q.text, got, err, want)
			}
		}
	}
}

func contents(docs []Doc) (out []string) {
	for _, d := range docs {
		out = append(out, d.Content)
	}
	return out
}

// filled is an index of some memories.
func filled(t testing.TB, docs []Doc, e Embedder) *Index {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "all.jsonl")
	if err := os.WriteFile(file, []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	x, err := Open(filepath.Join(dir, FileName), e)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	if _, err := x.Sync(context.Background(), []Source{{Name: "all", Path: file, Read: func([]byte) []Doc { return docs }}}, now); err != nil {
		t.Fatal(err)
	}
	return x
}

func finder(t testing.TB, x *Index, m find.Method) func(string) []Doc {
	return func(text string) (out []Doc) {
		hits, err := x.Search(context.Background(), Query{Text: text, Max: 5, Method: m, Now: now})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range hits {
			out = append(out, h.Doc)
		}
		return out
	}
}

// porter is what SQLite offers by itself: any of the words of a query.
func porter(t testing.TB, docs []Doc) func(string) []Doc {
	db, err := sqlite.Open(":memory:")
	if err == nil {
		err = fts5.Register(db.Conn)
	}
	if err == nil {
		err = db.Exec("CREATE VIRTUAL TABLE t USING fts5(text, tokenize='porter unicode61')")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	for i, d := range docs {
		if err := db.Run("INSERT INTO t (rowid, text) VALUES (?, ?)", int64(i), d.Text()); err != nil {
			t.Fatal(err)
		}
	}
	return func(query string) (out []Doc) {
		var terms []string
		for _, w := range strings.Fields(query) {
			terms = append(terms, `"`+strings.ReplaceAll(w, `"`, "")+`"`)
		}
		err := db.Each("SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t) LIMIT 5", []any{strings.Join(terms, " OR ")}, func(s *sqlite3.Stmt) error {
			out = append(out, docs[s.ColumnInt64(0)])
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
}

// grep is what a person does without a search: lines that hold every word.
func grep(docs []Doc) func(string) []Doc {
	return func(query string) (out []Doc) {
		words := strings.Fields(strings.ToLower(query))
		for _, d := range docs {
			line := strings.ToLower(d.Content)
			if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(line, w) }) && len(out) < 5 {
				out = append(out, d)
			}
		}
		return out
	}
}
