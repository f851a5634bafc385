package find

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"
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
	leastShared = 0.25 // of what the query asks for, with half of the cosine
	moreShared  = 0.45 // where it has an English word that no memory has
	leastCosine = 0.28 // is enough where a word is shared
	aloneCosine = 0.30 // where none is
	nearCosine  = 0.19 // counts at all
	unknown     = 0.6  // how much a word counts that no memory has
)

// fits reports whether a candidate has enough in common with the query.
func (c *candidate) fits(least float64) bool {
	if c.shared == 0 {
		return c.cosine >= aloneCosine
	}
	return c.shared+c.cosine/2 >= least || c.cosine >= leastCosine
}

// A Store is what a search reads: an SQLite index, or a [Snapshot]. Its entries
// have numbers, which say nothing else.
type Store interface {
	// Count is how many entries there are.
	Count() (int, error)
	// Frequency is in how many entries a word is.
	Frequency(word string) (int, error)
	// Best are the entries in which most of the words are by BM25, the best
	// first.
	Best(words []string, most int) ([]Scored, error)
	// Vectors calls f with the packed vector of each entry that has one.
	Vectors(f func(n int64, packed []byte)) error
	Entry(n int64) (Doc, error)
	// Has reports whether an entry has a word.
	Has(n int64, word string) (bool, error)
	// Replaced are the ids that other entries stand for.
	Replaced() (map[string]bool, error)
}

// A Scored entry is one that has some of the words.
type Scored struct {
	N    int64
	BM25 float64 // above 0
}

// Search finds the memories that fit a query best. e may be nil: no vectors.
func Search(ctx context.Context, in Store, e Embedder, q Query) ([]Hit, error) {
	q.Max = max(q.Max, 1)
	s := &search{in: in, embed: e, q: q, aims: aims(q.Text), found: map[int64]*candidate{}}
	if strings.TrimSpace(q.Text) == "" {
		return nil, nil
	}
	var err error
	if !q.Replaced {
		if s.old, err = in.Replaced(); err != nil {
			return nil, err
		}
	}
	if q.Method != Vector {
		if err := s.text(); err != nil {
			return nil, err
		}
	}
	if q.Method != Text && e != nil {
		if err := s.vector(ctx); err != nil {
			return nil, err
		}
	}
	return s.hits()
}

// A search is one query at work.
type search struct {
	in       Store
	embed    Embedder
	q        Query
	aims     []aim
	weights  []float64 // of the aims
	total    float64
	strange  bool // an English word is in no memory
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

// text asks for words.
func (s *search) text() error {
	s.textRan = true
	if len(s.aims) == 0 {
		return nil
	}
	if err := s.weigh(); err != nil {
		return err
	}
	// Only the best are looked up: a common word is in thousands.
	best, err := s.in.Best(asked(s.aims), 4*s.room())
	if err != nil {
		return err
	}
	rank := 0
	var last float64
	for _, b := range best {
		if rank == s.room() {
			break
		}
		d, err := s.in.Entry(b.N)
		if err != nil {
			return err
		}
		if !s.wanted(d) {
			continue
		}
		c := s.candidate(b.N, d)
		c.bm25 = b.BM25
		if rank == 0 || c.bm25 != last {
			rank++
		}
		last = c.bm25
		c.textRank = rank
		s.bestBM25 = max(s.bestBM25, c.bm25)
	}
	return nil
}

// weigh finds out how much each aim tells: the rarer, the more.
func (s *search) weigh() error {
	n, err := s.in.Count()
	if err != nil {
		return err
	}
	all := float64(n)
	s.weights, s.total = make([]float64, len(s.aims)), 0
	for i, a := range s.aims {
		var most float64
		for _, way := range a.ways {
			rarest := math.Inf(1)
			for _, w := range way {
				n, err := s.in.Frequency(w)
				if err != nil {
					return err
				}
				rarest = min(rarest, float64(n))
			}
			most = max(most, rarest)
		}
		s.weights[i] = math.Log(1 + (max(all-most, 0)+0.5)/(most+0.5))
		if most == 0 {
			s.weights[i] *= unknown
			s.strange = s.strange || ascii(a.ways[0][0])
		}
		s.total += s.weights[i]
	}
	return nil
}

// vector compares the query with everything.
func (s *search) vector(ctx context.Context) error {
	vs, err := s.embed.Embed(ctx, []string{s.q.Text})
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
	least := float32(nearCosine)
	err = s.in.Vectors(func(n int64, packed []byte) {
		c := cosine(q, packed)
		if c < least {
			return
		}
		best = append(best, near{n, c})
		if len(best) == cap(best) {
			slices.SortFunc(best, func(a, b near) int { return cmp.Or(cmp.Compare(b.cosine, a.cosine), cmp.Compare(a.doc, b.doc)) })
			best = best[:room]
			least = best[room-1].cosine
		}
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
			d, err := s.in.Entry(n.doc)
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
	least := leastShared
	if s.strange {
		least = moreShared
	}
	var list []*candidate
	for n, c := range s.found {
		var err error
		if c.shared, err = s.share(n); err != nil {
			return nil, err
		}
		if !c.fits(least) {
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
func (s *search) share(n int64) (float64, error) {
	if s.total == 0 {
		return 0, nil
	}
	var sum float64
	for i, a := range s.aims {
		said, err := a.said(func(word string) (bool, error) { return s.in.Has(n, word) })
		if err != nil {
			return 0, err
		}
		if said {
			sum += s.weights[i]
		}
	}
	return sum / s.total, nil
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
