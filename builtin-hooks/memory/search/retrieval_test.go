package search

import (
	"errors"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/ext/fts5"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A question of the benchmark: testdata/retrieval/queries.txt.
type question struct {
	class, text string
	want        []string // parts of the memories that answer; none: nothing does
}

func rows(t testing.TB, name string) (out [][]string) {
	t.Helper()
	for line := range strings.Lines(must.Read(t, filepath.Join("testdata", "retrieval", name))) {
		out = append(out, strings.Split(strings.TrimSpace(line), " | "))
	}
	return out
}

// corpus is the memories of the benchmark. A memory marked old:x is replaced by
// the one marked new:x.
func corpus(t testing.TB) (out []Doc) {
	t.Helper()
	for _, file := range []string{"facts-en.txt", "facts-zh.txt"} {
		for i, f := range rows(t, file) {
			d := Doc{ID: fmt.Sprintf("%s-%d", file, i), Kind: "fact", Type: f[0], Entities: []string{f[1]}, Content: f[2], Confidence: 0.9, Time: day.Add(-time.Duration(i) * time.Hour)}
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

// A tally is what a way to search made of the questions.
type tally struct {
	right, answered, known, unanswered int
	reciprocal                         float64
}

func (a *tally) add(q question, docs []Doc, known bool) {
	if q.want == nil {
		a.unanswered++
		if known {
			a.known++
		}
		return
	}
	a.answered++
	at := slices.IndexFunc(docs[:min(5, len(docs))], func(d Doc) bool {
		return slices.ContainsFunc(q.want, func(w string) bool { return d.ID == w || strings.Contains(d.Content, w) })
	})
	if at >= 0 {
		a.right++
		a.reciprocal += 1 / float64(at+1)
	}
}

// The benchmark of 329 facts and 181 questions, of which a hash chooses the half that
// was not looked at one by one; and what SQLite's own full text search finds, by the
// words' stems and by three letters each.
// BM-FND-05.
func TestRetrieval(t *testing.T) {
	t.Parallel()
	docs := corpus(t)
	s := snapshotOf(t, docs, lexiconOf(t, t.TempDir()))
	bare := snapshotOf(t, docs, nil)
	ways := []struct {
		name string
		find func(text string) ([]Doc, bool)
	}{
		{"words and meaning", finder(s, Hybrid)},
		{"words", finder(bare, Text)},
		{"meaning", finder(s, Vector)},
		{"FTS5 porter unicode61", fullText(t, docs, "porter unicode61", strings.Fields)},
		{"FTS5 trigram", fullText(t, docs, "trigram", strings.Fields)},
	}
	results := map[string]tally{}
	for _, way := range ways {
		var a tally
		for _, f := range rows(t, "queries.txt") {
			q := question{class: f[0], text: f[1]}
			if f[2] != "-" {
				q.want = strings.Split(f[2], "//")
			}
			h := fnv.New32a()
			h.Write([]byte(q.text))
			if h.Sum32()%2 != 0 {
				continue
			}
			found, known := way.find(q.text)
			a.add(q, found, known)
		}
		results[way.name] = a
		t.Logf("| %-22s | %.2f | %.2f | %.2f |", way.name, float64(a.right)/float64(a.answered), a.reciprocal/float64(a.answered), float64(a.known)/float64(a.unanswered))
	}
	ours, plain := results["words and meaning"], results["FTS5 porter unicode61"]
	if r := float64(ours.right) / float64(ours.answered); r < 0.85 {
		t.Errorf("Recall@5 is %.2f, want 0.85", r)
	}
	if ours.right < 2*plain.right {
		t.Errorf("%d are found, and by FTS5 %d: want twice as many", ours.right, plain.right)
	}
}

func finder(s *Snapshot, m Method) func(string) ([]Doc, bool) {
	return func(text string) (out []Doc, known bool) {
		for _, h := range Search(s, Query{Text: text, Max: 5, Method: m, Now: day}) {
			out, known = append(out, h.Doc), known || !h.Weak
		}
		return out, known
	}
}

// fullText is what SQLite offers by itself: any of the words of a query.
func fullText(t testing.TB, docs []Doc, tokenizer string, words func(string) []string) func(string) ([]Doc, bool) {
	db, err := sqlite3.Open(":memory:")
	if err == nil {
		err = fts5.Register(db)
	}
	if err == nil {
		err = db.Exec("CREATE VIRTUAL TABLE t USING fts5(text, tokenize='" + tokenizer + "')")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	prepared := func(sql string) *sqlite3.Stmt {
		s, _, err := db.Prepare(sql)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}
	insert := prepared("INSERT INTO t (rowid, text) VALUES (?, ?)")
	for i, d := range docs {
		must.Do(t, errors.Join(insert.BindInt64(1, int64(i)), insert.BindText(2, d.Text()), insert.Exec()))
	}
	choose := prepared("SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t) LIMIT 5")
	return func(query string) (out []Doc, known bool) {
		var terms []string
		for _, w := range words(query) {
			terms = append(terms, `"`+strings.ReplaceAll(w, `"`, "")+`"`)
		}
		err := choose.BindText(1, strings.Join(terms, " OR "))
		for choose.Step() {
			out = append(out, docs[choose.ColumnInt64(0)])
		}
		must.Do(t, errors.Join(err, choose.Reset()))
		return out, len(out) > 0
	}
}
