package search

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/text"
)

// A Method says how a search finds.
type Method string

const (
	Hybrid Method = "hybrid" // both
	Text   Method = "fts"    // only words
	Vector Method = "vector" // only meaning
)

// A Query is a request for a search.
type Query struct {
	Text     string
	Max      int // hits, at least 1
	Method   Method
	From, To time.Time // of the memory's own time; zero: any
	Types    []string  // W, B, O, S; none: all but S
	Entities []string  // one of these
	Stages   bool      // also S
	Replaced bool      // also facts that a later one replaced

	// HalfLife is the age at which a memory counts half; 0: age does not count. An entry
	// without a time does not age.
	HalfLife time.Duration
	Now      time.Time

	// Ranks uses the ranks of a memory by words and by meaning (reciprocal rank fusion),
	// instead of its scores.
	Ranks bool

	// Diverse prefers hits that differ from those before them.
	Diverse bool

	// rough examines fewer candidates, and none word by word, which changes the order of hits
	// but not which of them are weak: a prompt should not wait for that.
	rough bool
	// few looks at fewer candidates, but closely.
	few bool

	// Other returns vectors other than the lexicon's, if a folder has some; nil: none has.
	Other func(Folder) *Vectors
	other *Vectors
}

type Hit struct {
	Doc
	Score float64 // above 0, at most 1
	Weak  bool    // it is near, but may well be about something else
	Sure  bool    // it is so clearly about the query that it may be told unasked
	// ReplacedBy is the id of what took its place, "" for nothing: only where such facts are asked for.
	ReplacedBy string
}

// What a hit needs in order not to be weak: the part of the query that it says, the cosine, or
// the combined fit; and what it needs to be told unasked.
const (
	strongText = 0.55
	strongNear = 0.62
	strongFit  = 0.37
	strongCode = 0.4 // the part of the query that is codes which it says
	leastNear  = 0.15

	sureText = 0.50 // without a lexicon
)

// A search is one query in progress.
type search struct {
	of    *Snapshot
	q     Query
	aims  []aim
	ended map[string]bool // ids of entries
	said  *marks          // the part of the query that an entry says
	found []candidate

	coded   map[int32]float32 // the part of the query that is codes which an entry has
	uncoded float32           // the part that is no code which any entry has
}

type candidate struct {
	n          int32
	text, near float32
	score      float64
	weak, sure bool
	far        bool   // hardly related: a hit only where there is no other
	doc        *Doc   // set for a result
	by         string // the id of what took its place
}

// Search finds the memories that fit a query, the best first. Nothing is left out because it
// fits badly: that is marked.
func Search(s *Snapshot, q Query) []Hit {
	q.Max = max(q.Max, 1)
	if strings.TrimSpace(q.Text) == "" || s.count == 0 {
		return nil
	}
	w := &search{of: s, q: q, aims: s.aims(q.Text), said: newMarks(s.base.docs + len(s.fresh))}
	if !q.Replaced {
		w.ended = s.ended()
	}
	if q.Method != Vector {
		w.byWords()
	}
	if q.Method != Text {
		w.byMeaning()
	}
	return w.hits()
}

// nearMost is how many entries are compared by their vectors, preselected by their sketches;
// and how many of those that have the words.
const nearMost = 768

// byMeaning compares the query with the entries near it, and with those that have its words.
func (w *search) byMeaning() {
	near := w.of.nearness(w.of.meaning(w.of.asked(w.q.Text, w.aims)), w.q.other)
	if near == nil {
		return
	}
	most := w.most(nearMost)
	if w.filters() {
		most *= 8
	}
	if w.q.other != nil {
		most = w.of.base.docs + len(w.of.fresh)
	}
	if len(w.found) > most {
		first(w.found, most, func(a, b candidate) int { return cmp.Or(cmp.Compare(b.text, a.text), int(a.n-b.n)) })
	}
	for i := range w.found[:min(most, len(w.found))] {
		w.found[i].near = near.exact(w.found[i].n)
	}
	var far []candidate
	for _, n := range near.best(most) {
		if w.said.of(n) == 0 {
			if c := (candidate{n: n, near: near.exact(n)}); c.near >= leastNear {
				w.found = append(w.found, c)
			} else if c.near > 0 {
				c.far = true
				far = append(far, c)
			}
		}
	}
	// With a handful of memories, the right one may be that far away.
	if !w.q.rough && !w.q.few && len(w.found) < w.q.Max {
		w.found = append(w.found, far...)
	}
}

// most limits the candidates: to a third if a prompt waits, to two thirds if a save does.
func (w *search) most(usual int) int {
	switch {
	case w.q.rough:
		return usual / 3
	case w.q.few:
		return usual * 2 / 3
	}
	return usual
}

func (w *search) filters() bool {
	q := w.q
	return len(q.Types) > 0 || len(q.Entities) > 0 || !q.From.IsZero() || !q.To.IsZero()
}

// wanted applies the filters of a query.
func (w *search) wanted(d Doc) bool {
	q := w.q
	switch {
	case d.ID == "" || !q.Replaced && (w.ended[d.ID] || w.of.replaced(d)):
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
		return slices.ContainsFunc(d.Entities, func(have string) bool { return SameName(e, have) })
	})
}

// SameName reports whether two names differ in nothing but their letters' case, and the form of their accents.
func SameName(a, b string) bool { return strings.EqualFold(text.Composed(a), text.Composed(b)) }

// How words and meaning are combined. The part of a query that an entry says literally is
// squared: a large part decides, and a word that happens to be in both does not. A text in the
// query's language is more likely.
const (
	byText   = 1.5
	byTongue = 0.05
)

// tongue is how closely an entry's language matches the query's, given the share of Chinese.
func (w *search) tongue(asked float32, n int32) float32 {
	apart := asked - w.of.chinese(int(n))
	return 1 - max(apart, -apart)
}

// fit combines words and meaning.
func (w *search) fit() {
	asked := chinese(w.q.Text)
	w.codes()
	for i := range w.found {
		c := &w.found[i]
		switch w.q.Method {
		case Text:
			c.score = float64(c.text)
			c.weak = c.text < strongText
		case Vector:
			c.score = float64(max(0, c.near))
			c.weak = c.near < strongNear
		default:
			fit := byText*c.text*c.text + c.near*w.uncoded + w.coded[c.n] + byTongue*w.tongue(asked, c.n)
			c.score = float64(max(0, fit) / (byText + 1 + byTongue))
			c.weak = c.score < strongFit && w.coded[c.n] < strongCode
		}
		if w.of.lexicon == nil {
			c.weak, c.sure = c.text < strongText, c.text >= sureText
		}
	}
}

// codes finds the parts of a query that are codes which some entries have, such as the number of an
// invoice, or the name of a test. A vector does not tell one code from another, and would let the words
// beside it decide. A save asks what is like a text, and not for what is in it.
func (w *search) codes() {
	w.coded, w.uncoded = map[int32]float32{}, 1
	if w.q.few {
		return
	}
	var total float64
	for _, a := range w.aims {
		total += a.weight
	}
	for _, a := range w.aims {
		if !a.coded && !a.alone || w.of.isLong(a.word) {
			continue
		}
		in, part := w.of.use(a.word), float32(a.weight/total)
		for _, o := range in {
			w.coded[o.n] += part
		}
		if len(in) > 0 {
			w.uncoded -= part
		}
	}
}

// notNow is what the score of an entry counts that does not hold yet, or that another took the place of.
const notNow = 0.8

// markReplaced marks those that others took the place of: what holds comes first.
func (w *search) markReplaced(list []candidate) {
	for i := range list {
		if by := w.of.standsForNow(*list[i].doc); by != "" {
			list[i].by, list[i].sure, list[i].score = by, false, list[i].score*notNow
		}
	}
	slices.SortStableFunc(list, w.order)
}

// hits are the best entries.
func (w *search) hits() []Hit {
	w.fit()
	w.closely()
	if w.q.Ranks {
		w.rank()
	}
	if w.q.HalfLife > 0 {
		for i := range w.found {
			if at := w.of.time(int(w.found[i].n)); at != 0 {
				if age := w.q.Now.Sub(time.Unix(0, at)); age > 0 {
					w.found[i].score *= math.Pow(0.5, float64(age)/float64(w.q.HalfLife))
				}
			}
		}
	}
	if later := w.of.later(); len(later) > 0 && !w.q.few {
		for i := range w.found {
			if later[w.found[i].n] { // what holds until then comes first
				w.found[i].score *= notNow
			}
		}
	}
	first(w.found, proved, w.order)
	w.prove()
	if slices.ContainsFunc(w.found, func(c candidate) bool { return !c.weak }) {
		w.found = slices.DeleteFunc(w.found, func(c candidate) bool { return c.far })
	}
	list := w.distinct()
	if w.q.Replaced {
		w.markReplaced(list)
	}
	if w.q.Diverse {
		list = diverse(list, w.q.Max)
	}
	var out []Hit
	for _, c := range list[:min(len(list), w.q.Max)] {
		out = append(out, Hit{*c.doc, min(1, c.score), c.weak, c.sure && !c.weak, c.by})
	}
	return out
}
