package index

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ncruces/go-sqlite3"
)

// A Method says which legs a search has.
type Method string

const (
	Hybrid Method = "hybrid"
	Text   Method = "fts"
	Vector Method = "vector"
)

// A Query is what is looked for.
type Query struct {
	Text     string
	Max      int // hits, at least 1
	Method   Method
	From, To time.Time // of the memory's own time; zero: any
	Types    []string  // W, B, O, S; none: all but S
	Entities []string  // one of these
	Stages   bool      // S too
	Replaced bool      // facts too that a later one stands for

	// HalfLife is the age at which a memory counts half; 0: age does not count.
	// What has no time does not age.
	HalfLife time.Duration
	Now      time.Time

	// Weighted adds the scores of the legs, 0.7 for vectors and 0.3 for text, in
	// place of their ranks.
	Weighted bool

	// Diverse prefers hits that are unlike those before them.
	Diverse bool
}

// A Hit is a memory that was found.
type Hit struct {
	Doc
	Score float64 // above 0, at most 1
}

// Reciprocal rank fusion (MEM-28): what a rank counts, and how much a leg.
const (
	rankConstant = 60
	textWeight   = 1.0
	vectorWeight = 0.6
)

// What has too little in common with a query is no hit. Tuned on one half of the
// benchmark's queries, reported on the other.
const (
	leastShared = 0.22 // of what the query asks for, with half of the cosine
	leastCosine = 0.19 // where a word is shared
	aloneCosine = 0.30 // where none is
	unknown     = 0.6  // how much a word counts that no memory has
)

// fits reports whether a candidate has enough in common with the query.
func (c *candidate) fits() bool {
	if c.shared == 0 {
		return c.cosine >= aloneCosine
	}
	return c.shared+c.cosine/2 >= leastShared || c.cosine >= leastCosine
}

// Search finds the memories that fit a query best.
func (x *Index) Search(ctx context.Context, q Query) ([]Hit, error) {
	defer x.interrupt(ctx)()
	q.Max = max(q.Max, 1)
	s := &search{x: x, q: q, aims: aims(q.Text), found: map[int64]*candidate{}}
	if strings.TrimSpace(q.Text) == "" {
		return nil, nil
	}
	if err := s.replaced(); err != nil {
		return nil, err
	}
	if q.Method != Vector {
		if err := s.text(); err != nil {
			return nil, err
		}
	}
	if q.Method != Text && x.embed != nil {
		if err := s.vector(ctx); err != nil {
			return nil, err
		}
	}
	return s.hits()
}

// A search is one query at work.
type search struct {
	x        *Index
	q        Query
	aims     []aim
	weights  []float64 // of the aims
	total    float64
	old      map[string]bool
	found    map[int64]*candidate
	textRan  bool
	vecRan   bool
	bestBM25 float64
}

type candidate struct {
	doc               Doc
	textRank, vecRank int // from 1; 0: not found by that leg
	bm25, cosine      float64
	score, shared     float64
}

// room is how many candidates a leg gives.
func (s *search) room() int { return max(4*s.q.Max, 40) }

// replaced reads the ids that later facts stand for.
func (s *search) replaced() error {
	s.old = map[string]bool{}
	if s.q.Replaced {
		return nil
	}
	return s.x.each("SELECT old FROM replaced", nil, func(st *sqlite3.Stmt) error {
		s.old[st.ColumnText(0)] = true
		return nil
	})
}

const docColumns = "d.id, d.kind, d.type, d.content, d.entities, d.confidence, d.time, d.session, d.origin, d.file"

// text asks FTS5.
func (s *search) text() error {
	s.textRan = true
	expr := match(s.aims)
	if expr == "" {
		return nil
	}
	if err := s.weigh(); err != nil {
		return err
	}
	rank := 0
	var last float64
	// The best first, and only those looked up: a common word is in thousands.
	sql := "SELECT d.doc, t.rank, " + docColumns + " FROM (SELECT rowid, rank FROM terms WHERE terms MATCH ? ORDER BY rank LIMIT ?) t JOIN docs d ON d.doc = t.rowid ORDER BY t.rank"
	return s.x.each(sql, []any{expr, int64(4 * s.room())}, func(st *sqlite3.Stmt) error {
		d := readDoc(st, 2)
		if rank >= s.room() || !s.wanted(d) {
			return nil
		}
		c := s.candidate(st.ColumnInt64(0), d)
		c.bm25 = -st.ColumnFloat(1)
		if rank == 0 || c.bm25 != last {
			rank++
		}
		last = c.bm25
		c.textRank = rank
		s.bestBM25 = max(s.bestBM25, c.bm25)
		return nil
	})
}

// weigh finds out how much each aim tells: the rarer, the more.
func (s *search) weigh() error {
	var all float64
	if err := s.x.each("SELECT count(*) FROM docs", nil, func(st *sqlite3.Stmt) error { all = float64(st.ColumnInt64(0)); return nil }); err != nil {
		return err
	}
	s.weights, s.total = make([]float64, len(s.aims)), 0
	for i, a := range s.aims {
		var most float64
		for _, way := range a.ways {
			rarest := math.Inf(1)
			for _, w := range way {
				n := 0.0
				err := s.x.each("SELECT doc FROM vocabulary WHERE term = ?", []any{w}, func(st *sqlite3.Stmt) error {
					n = float64(st.ColumnInt64(0))
					return nil
				})
				if err != nil {
					return err
				}
				rarest = min(rarest, n)
			}
			most = max(most, rarest)
		}
		s.weights[i] = math.Log(1 + (max(all-most, 0)+0.5)/(most+0.5))
		if most == 0 {
			s.weights[i] *= unknown
		}
		s.total += s.weights[i]
	}
	return nil
}

// vector compares the query with everything.
func (s *search) vector(ctx context.Context) error {
	vs, err := s.x.embed.Embed(ctx, []string{s.q.Text})
	if err != nil || len(vs) != 1 {
		return nil // the text leg stands alone
	}
	s.vecRan = true
	q := vs[0]
	type near struct {
		doc    int64
		cosine float32
	}
	room := s.room()
	best := make([]near, 0, 2*room)
	least := float32(leastCosine)
	err = s.x.each("SELECT doc, data FROM vectors", nil, func(st *sqlite3.Stmt) error {
		c := cosine(q, st.ColumnRawBlob(1))
		if c < least {
			return nil
		}
		best = append(best, near{st.ColumnInt64(0), c})
		if len(best) == cap(best) {
			slices.SortFunc(best, func(a, b near) int { return cmp.Compare(b.cosine, a.cosine) })
			best = best[:room]
			least = best[room-1].cosine
		}
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(best, func(a, b near) int { return cmp.Or(cmp.Compare(b.cosine, a.cosine), cmp.Compare(a.doc, b.doc)) })
	rank := 0
	for _, n := range best {
		if rank == room {
			break
		}
		c := s.found[n.doc]
		if c == nil {
			d, err := s.x.doc(n.doc)
			if err != nil {
				return err
			}
			if !s.wanted(d) {
				continue
			}
			c = s.candidate(n.doc, d)
		}
		rank++
		c.vecRank, c.cosine = rank, float64(n.cosine)
	}
	return nil
}

func (s *search) candidate(doc int64, d Doc) *candidate {
	c := s.found[doc]
	if c == nil {
		c = &candidate{doc: d}
		s.found[doc] = c
	}
	return c
}

// wanted applies the filters of a query.
func (s *search) wanted(d Doc) bool {
	q := s.q
	switch {
	case s.old[d.ID]:
		return false
	case len(q.Types) > 0 && !slices.Contains(q.Types, d.Type):
		return false
	case len(q.Types) == 0 && d.Type == "S" && !q.Stages:
		return false
	case (!q.From.IsZero() || !q.To.IsZero()) && d.Time.IsZero():
		return false
	case !q.From.IsZero() && d.Time.Before(q.From), !q.To.IsZero() && d.Time.After(q.To):
		return false
	}
	return len(q.Entities) == 0 || slices.ContainsFunc(q.Entities, func(e string) bool {
		return slices.ContainsFunc(d.Entities, func(have string) bool { return strings.EqualFold(e, have) })
	})
}

// hits puts the legs together.
func (s *search) hits() ([]Hit, error) {
	var list []*candidate
	for _, c := range s.found {
		if c.shared = s.share(c.doc); !c.fits() {
			continue
		}
		c.score = s.score(c)
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), b.doc.Time.Compare(a.doc.Time), cmp.Compare(a.doc.ID, b.doc.ID))
	})
	list = distinct(list)
	if s.q.Diverse {
		list = s.diverse(list)
	}
	var out []Hit
	for _, c := range list[:min(len(list), s.q.Max)] {
		out = append(out, Hit{c.doc, c.score})
	}
	return out, nil
}

// share is how much of what a query asks for a memory says, from 0 to 1.
func (s *search) share(d Doc) float64 {
	if s.total == 0 {
		return 0
	}
	in := map[string]bool{}
	for _, w := range words(text(d)) {
		in[w.text] = true
	}
	var sum float64
	for i, a := range s.aims {
		if a.said(in) {
			sum += s.weights[i]
		}
	}
	return sum / s.total
}

func (s *search) score(c *candidate) float64 {
	var sum, most float64
	if s.q.Weighted {
		if s.textRan {
			most += 0.3
			if s.bestBM25 > 0 {
				sum += 0.3 * c.bm25 / s.bestBM25
			}
		}
		if s.vecRan {
			most += 0.7
			sum += 0.7 * c.cosine
		}
	} else {
		if s.textRan {
			most += textWeight / (rankConstant + 1)
			if c.textRank > 0 {
				sum += textWeight / float64(rankConstant+c.textRank)
			}
		}
		if s.vecRan {
			most += vectorWeight / (rankConstant + 1)
			if c.vecRank > 0 {
				sum += vectorWeight / float64(rankConstant+c.vecRank)
			}
		}
	}
	if most == 0 {
		return 0
	}
	score := sum / most
	if s.q.HalfLife > 0 && !c.doc.Time.IsZero() {
		if age := s.q.Now.Sub(c.doc.Time); age > 0 {
			score *= math.Pow(0.5, float64(age)/float64(s.q.HalfLife))
		}
	}
	return score
}

// distinct leaves out what was found before under another file or id.
func distinct(list []*candidate) []*candidate {
	ids, texts := map[string]bool{}, map[string]bool{}
	return slices.DeleteFunc(list, func(c *candidate) bool {
		if ids[c.doc.Kind+c.doc.ID] || texts[c.doc.Content] {
			return true
		}
		ids[c.doc.Kind+c.doc.ID], texts[c.doc.Content] = true, true
		return false
	})
}

// diversity is how much being liked counts against being unlike (MMR).
const diversity = 0.7

// diverse picks hits one by one: the best of those that are least like the ones
// picked before.
func (s *search) diverse(list []*candidate) []*candidate {
	bags := map[*candidate]map[string]bool{}
	for _, c := range list {
		bag := map[string]bool{}
		for _, w := range words(c.doc.Content) {
			bag[w.text] = true
		}
		bags[c] = bag
	}
	var out []*candidate
	for len(list) > 0 && len(out) < s.q.Max {
		best, value := 0, math.Inf(-1)
		for i, c := range list {
			like := 0.0
			for _, o := range out {
				like = max(like, jaccard(bags[c], bags[o]))
			}
			if v := diversity*c.score - (1-diversity)*like; v > value {
				best, value = i, v
			}
		}
		out = append(out, list[best])
		list = slices.Delete(list, best, best+1)
	}
	return out
}

func jaccard(a, b map[string]bool) float64 {
	both := 0
	for w := range a {
		if b[w] {
			both++
		}
	}
	if all := len(a) + len(b) - both; all > 0 {
		return float64(both) / float64(all)
	}
	return 0
}

func (x *Index) doc(doc int64) (d Doc, err error) {
	err = x.each("SELECT "+docColumns+" FROM docs d WHERE doc = ?", []any{doc}, func(s *sqlite3.Stmt) error {
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
