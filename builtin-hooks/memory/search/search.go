package search

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"
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
}

// What a hit needs in order not to be weak: the part of the query that it says, the cosine, or
// the combined fit; and what it needs to be told unasked.
const (
	strongText = 0.55
	strongNear = 0.62
	strongFit  = 0.33
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
}

type candidate struct {
	n          int32
	text, near float32
	score      float64
	weak, sure bool
	doc        *Doc // set for a result
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

// byWords determines which part of the query each entry says: for each aim, the most certain
// way in which it does, by its frequency and the length of the text (as in BM25).
func (w *search) byWords() {
	var total float64
	for _, a := range w.aims {
		total += a.weight
	}
	if total == 0 {
		return
	}
	c := &counting{of: w.of, score: w.said, average: float32(w.of.words) / float32(w.of.count)}
	most, read, rest := w.most(saidMost), 0, 1.0
	for _, a := range w.rarestFirst() {
		c.add(a.aim, total, w.leads(c.all, most, read+a.rows, rest))
		read += a.rows
		rest -= a.weight / total
	}
	all := c.all
	if w.filters() {
		most = len(all)
	}
	least := w.least(all, most)
	for _, n := range all {
		if text := w.said.of(n); text >= least {
			w.found = append(w.found, candidate{n: n, text: text})
		}
	}
}

// rowsMost is how many rows of lists lead to entries, however little they score.
const rowsMost = 4 << 10

// leads reports whether a word leads to entries that have no rarer word of the query. By then so
// many rows will have been read, and no further word scores more than rest. If enough entries
// are known, those that only have words of thousands of entries do not matter: they cannot be
// among the best or, if somebody waits, are left to be found by their meaning.
func (w *search) leads(known []int32, most, read int, rest float64) bool {
	switch {
	case read <= rowsMost, len(known) <= most, w.filters():
		return true
	case w.q.rough, w.q.few:
		return false
	}
	return float32(rest) >= w.least(known, most)
}

// A listedAim is an aim, and how many rows its lists have.
type listedAim struct {
	aim
	rows int
}

// rarestFirst are the aims; those whose words the fewest entries have come first.
func (w *search) rarestFirst() []listedAim {
	out := make([]listedAim, len(w.aims))
	for i, a := range w.aims {
		out[i].aim = a
		for _, way := range a.ways {
			out[i].rows += w.of.base.many(way.words[0])
		}
	}
	slices.SortStableFunc(out, func(a, b listedAim) int { return a.rows - b.rows })
	return out
}

// A counting scores entries by the words that they share with the query.
type counting struct {
	of        *Snapshot
	score     *marks
	average   float32 // number of words of an entry
	said, all []int32 // entries with a score, for one aim and in all
}

// add counts one aim for the entries that have a score already and, if it leads to others, for
// those too.
func (c *counting) add(a aim, total float64, leads bool) {
	c.said = c.said[:0]
	for _, way := range a.ways {
		most := float32(a.weight * way.sure / total)
		put := func(n int32, times, size uint16) {
			t := float32(times)
			x := most * min(1, t*(saturation+1)/(t+saturation*(1-lengthPart+lengthPart*float32(size)/c.average)))
			at := c.score.at(n)
			if at.one == 0 {
				c.said = append(c.said, n)
			}
			at.one = max(at.one, x)
		}
		if !leads && len(way.words) == 1 {
			c.of.each(way.words[0], func(n int32) bool { return c.score.of(n) > 0 }, put)
			continue
		}
		for _, o := range c.of.having(way.words) {
			put(o.n, o.times, o.size)
		}
	}
	for _, n := range c.said {
		at := c.score.at(n)
		if at.all == 0 {
			c.all = append(c.all, n)
		}
		at.all += at.one
		at.one = 0
	}
}

// saidMost is how many of the entries that share words with the query are candidates: a common
// word is in thousands.
const saidMost = 512

// least is the score that at most so many of these entries reach, and a few more with the same
// score.
func (w *search) least(list []int32, most int) float32 {
	if len(list) <= most {
		return 0
	}
	const steps = 1 << 10
	var many [steps + 2]int
	for _, n := range list {
		many[int(min(1, w.said.of(n))*steps)]++
	}
	sum, at := 0, steps+1
	for at > 0 && sum < most {
		at--
		sum += many[at]
	}
	return float32(at) / steps
}

// The constants of BM25.
const (
	saturation = 1.2
	lengthPart = 0.75
)

// having are the entries that have all of some words, starting with the rarest.
func (s *Snapshot) having(words []string) []occurrence {
	in := s.use(words[0])
	for _, word := range words[1:] {
		other := s.use(word)
		if len(other) < len(in) {
			in, other = other, in
		}
		both := make([]occurrence, 0, len(in))
		for _, o := range in {
			if _, has := slices.BinarySearchFunc(other, o.n, func(a occurrence, n int32) int { return int(a.n - n) }); has {
				both = append(both, o)
			}
		}
		in = both
	}
	return in
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
	for _, n := range near.best(most) {
		if w.said.of(n) == 0 {
			if x := near.exact(n); x >= leastNear {
				w.found = append(w.found, candidate{n: n, near: x})
			}
		}
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
	case d.ID == "" || !q.Replaced && (w.ended[d.ID] || w.of.replaced(d.ID)):
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
			fit := byText*c.text*c.text + c.near + byTongue*w.tongue(asked, c.n)
			c.score = float64(max(0, fit) / (byText + 1 + byTongue))
			c.weak = c.score < strongFit
		}
		if w.of.lexicon == nil {
			c.weak, c.sure = c.text < strongText, c.text >= sureText
		}
	}
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
	first(w.found, proved, w.order)
	w.prove()
	list := w.distinct()
	if w.q.Diverse {
		list = diverse(list, w.q.Max)
	}
	var out []Hit
	for _, c := range list[:min(len(list), w.q.Max)] {
		out = append(out, Hit{*c.doc, min(1, c.score), c.weak, c.sure && !c.weak})
	}
	return out
}

// order puts the best first, and weak ones last.
func (w *search) order(a, b candidate) int {
	if a.weak != b.weak {
		if b.weak {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(w.of.time(int(b.n)), w.of.time(int(a.n))), cmp.Compare(a.n, b.n))
}

// rankConstant is the constant of reciprocal rank fusion.
const rankConstant = 60

// rank scores by the ranks of a memory by words and by meaning.
func (w *search) rank() {
	for i := range w.found {
		w.found[i].score = 0
	}
	for _, by := range []func(candidate) float32{func(c candidate) float32 { return c.text }, func(c candidate) float32 { return c.near }} {
		slices.SortFunc(w.found, func(a, b candidate) int { return cmp.Or(cmp.Compare(by(b), by(a)), int(a.n-b.n)) })
		rank := 0
		for i := range w.found {
			if by(w.found[i]) <= 0 {
				break
			}
			if i == 0 || by(w.found[i]) != by(w.found[i-1]) {
				rank++
			}
			w.found[i].score += (rankConstant + 1) / 2.0 / float64(rankConstant+rank)
		}
	}
}

// distinct are the best wanted candidates, without those that were already found in another
// file or under another id.
func (w *search) distinct() (out []candidate) {
	most := w.q.Max
	if w.q.Diverse {
		most *= 4
	}
	ids, texts := map[string]bool{}, map[string]bool{}
	inOrder(w.found, w.order, func(c candidate) bool {
		d := w.of.Entry(int(c.n))
		if w.wanted(d) && !ids[d.Kind+d.ID] && !texts[d.Content] {
			ids[d.Kind+d.ID], texts[d.Content] = true, true
			c.doc = &d
			out = append(out, c)
		}
		return len(out) < most
	})
	return out
}

// diversity is the weight of the score against the similarity (MMR).
const diversity = 0.7

// diverse picks hits one by one: the best of those that are least like the ones picked before.
func diverse(list []candidate, most int) []candidate {
	bags := map[int32]map[string]bool{}
	for _, c := range list {
		bag := map[string]bool{}
		for _, w := range words(c.doc.Content) {
			bag[w.text] = true
		}
		bags[c.n] = bag
	}
	var out []candidate
	for len(list) > 0 && len(out) < most {
		best, value := 0, math.Inf(-1)
		for i, c := range list {
			like := 0.0
			for _, o := range out {
				like = max(like, jaccard(bags[c.n], bags[o.n]))
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
