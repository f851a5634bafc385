package index

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/find"
)

// What a search is made of; see package find.
type (
	Doc      = find.Doc
	Source   = find.Source
	Query    = find.Query
	Hit      = find.Hit
	Embedder = find.Embedder
	Hash     = find.Hash
)

// Search finds the memories that fit a query best.
func (x *Index) Search(ctx context.Context, q Query) ([]Hit, error) {
	defer x.db.Within(ctx)()
	x.has = map[int64]map[string]bool{}
	return find.Search(ctx, x, x.embed, q)
}

// Count is how many entries there are.
func (x *Index) Count() (n int, err error) {
	err = x.db.Each("SELECT count(*) FROM docs", nil, func(s *sqlite3.Stmt) error { n = int(s.ColumnInt64(0)); return nil })
	return n, err
}

// Frequency is in how many entries a word is.
func (x *Index) Frequency(word string) (n int, err error) {
	err = x.db.Each("SELECT doc FROM vocabulary WHERE term = ?", []any{word}, func(s *sqlite3.Stmt) error { n = int(s.ColumnInt64(0)); return nil })
	return n, err
}

// Best asks FTS5 for any of the words. Every word is quoted, so that nothing in
// a query is an operator (MEM-31).
func (x *Index) Best(words []string, most int) (out []find.Scored, err error) {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = `"` + strings.ReplaceAll(w, `"`, "") + `"`
	}
	err = x.db.Each("SELECT rowid, rank FROM terms WHERE terms MATCH ? ORDER BY rank LIMIT ?", []any{strings.Join(quoted, " OR "), int64(most)}, func(s *sqlite3.Stmt) error {
		out = append(out, find.Scored{N: s.ColumnInt64(0), BM25: -s.ColumnFloat(1)})
		return nil
	})
	return out, err
}

// Has reports whether an entry has a word. FTS5 does not tell, so its text is
// taken apart once more.
func (x *Index) Has(n int64, word string) (bool, error) {
	if x.has[n] == nil {
		d, err := x.Entry(n)
		if err != nil {
			return false, err
		}
		x.has[n] = map[string]bool{}
		for _, w := range find.Terms(d.Text()) {
			x.has[n][w] = true
		}
	}
	return x.has[n][word], nil
}

// Vectors calls f with each vector.
func (x *Index) Vectors(f func(n int64, packed []byte)) error {
	return x.db.Each("SELECT doc, data FROM vectors", nil, func(s *sqlite3.Stmt) error {
		f(s.ColumnInt64(0), s.ColumnRawBlob(1))
		return nil
	})
}

// Replaced are the ids that later entries stand for.
func (x *Index) Replaced() (map[string]bool, error) {
	out := map[string]bool{}
	err := x.db.Each("SELECT old FROM replaced", nil, func(s *sqlite3.Stmt) error {
		out[s.ColumnText(0)] = true
		return nil
	})
	return out, err
}

const docColumns = "id, kind, type, content, entities, confidence, time, session, origin, file"

// Entry is one memory by its number.
func (x *Index) Entry(n int64) (d Doc, err error) {
	err = x.db.Each("SELECT "+docColumns+" FROM docs WHERE doc = ?", []any{n}, func(s *sqlite3.Stmt) error {
		d = readDoc(s, 0)
		return nil
	})
	return d, err
}

// readDoc reads the columns of an entry from a row, beginning with its id.
func readDoc(s *sqlite3.Stmt, at int) Doc {
	d := Doc{
		ID: s.ColumnText(at), Kind: s.ColumnText(at + 1), Type: s.ColumnText(at + 2), Content: s.ColumnText(at + 3),
		Entities: list(s.ColumnText(at + 4)), Confidence: s.ColumnFloat(at + 5), Session: s.ColumnText(at + 7), Origin: s.ColumnText(at + 8),
	}
	if n := s.ColumnInt64(at + 6); n != 0 {
		d.Time = time.Unix(0, n).UTC()
	}
	if s.ColumnCount() > at+9 {
		d.File = s.ColumnText(at + 9)
	}
	return d
}

func list(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\x01")
}

func formatFloat(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
