package search

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"
)

// A Method says by what a search finds.
type Method string

const (
	Hybrid Method = "hybrid" // both
	Text   Method = "fts"    // words alone
	Vector Method = "vector" // meaning alone
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

	// Ranks adds what the places count that a memory has by words and by meaning
	// (reciprocal rank fusion), in place of how well it fits.
	Ranks bool

	// Diverse prefers hits that are unlike those before them.
	Diverse bool

	// rough looks at fewer candidates, and at none word by word, which changes the order
	// of hits and not which of them are weak: a prompt should not wait for it.
	rough bool
	// few looks at fewer candidates, but closely.
	few bool

	// Other gives other vectors than those of the lexicon, if a folder has some; nil:
	// none has.
	Other func(Folder) *Vectors
	other *Vectors
}

// A Hit is a memory that was found.
type Hit struct {
	Doc
	Score float64 // above 0, at most 1
	Weak  bool    // it stands near, and may well be about something else
	Sure  bool    // it is about what was asked so clearly that it may be told unasked
}

// What a hit has to have in common with a query for not to be weak: the part of what
// is asked for that it says, the cosine, or how well it fits by both; and for being told
// to somebody who asked for nothing.
const (
	strongText = 0.55
	strongNear = 0.62
	strongFit  = 0.33
	leastNear  = 0.15

	sureText = 0.50 // without a lexicon
)

// A search is one query at work.
type search struct {
	of    *Snapshot
	q     Query
	aims  []aim
	old   map[string]bool
	text  []float32 // of each entry: the part of what is asked for that it says
	found []candidate
}

type candidate struct {
	n          int32
	text, near float32
	score      float64
	weak, sure bool
	doc        *Doc // of one that is given
}

// Search finds the memories that fit a query, the best first. Nothing is left out
// because it fits badly: that is marked.
func Search(s *Snapshot, q Query) []Hit {
	q.Max = max(q.Max, 1)
	if strings.TrimSpace(q.Text) == "" || s.count == 0 {
		return nil
	}
	w := &search{of: s, q: q, aims: s.aims(q.Text), text: make([]float32, s.base.docs+len(s.fresh))}
	if !q.Replaced {
		w.old = s.replaced()
	}
	if q.Method != Vector {
		w.byWords()
	}
	if q.Method != Text {
		w.byMeaning()
	}
	return w.hits()
}

// byWords finds out what part of what is asked for each entry says: of each aim
// the surest way in which it does, as often as it does, in a text as long as it is
// (as BM25 counts).
func (w *search) byWords() {
	var total float64
	for _, a := range w.aims {
		total += a.weight
	}
	if total == 0 {
		return
	}
	c := &counting{of: w.of, text: w.text, best: make([]float32, len(w.text)), average: float32(w.of.words) / float32(w.of.count)}
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
		if w.text[n] >= least {
			w.found = append(w.found, candidate{n: n, text: w.text[n]})
		}
	}
}

// rowsMost is how many rows of lists lead to entries, whatever they say.
const rowsMost = 4 << 10

// leads reports whether a word leads to entries that say nothing rarer, once so many rows will
// have been read, and no word says more than rest from now on. Where enough entries are
// known, those that only have words that thousands have do not matter: they cannot be among
// the best or, if somebody waits, are left to be found by what they mean.
func (w *search) leads(known []int32, most, read int, rest float64) bool {
	switch {
	case read <= rowsMost, len(known) <= most, w.filters():
		return true
	case w.q.rough, w.q.few:
		return false
	}
	return float32(rest) >= w.least(known, most)
}

// A listed aim has lists of so many rows.
type listedAim struct {
	aim
	rows int
}

// rarestFirst are the aims, those first whose words the fewest entries have.
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

// A counting finds out what entries say.
type counting struct {
	of         *Snapshot
	text, best []float32 // of each entry, in all and of one aim
	average    float32   // words of an entry
	said, all  []int32   // entries that say something
}

// add counts one aim, for entries that say something already and, if it leads to others, for
// those as well.
func (c *counting) add(a aim, total float64, leads bool) {
	c.said = c.said[:0]
	for _, way := range a.ways {
		most := float32(a.weight * way.sure / total)
		put := func(n int32, times, size uint16) {
			t := float32(times)
			x := most * min(1, t*(saturation+1)/(t+saturation*(1-lengthPart+lengthPart*float32(size)/c.average)))
			if c.best[n] == 0 {
				c.said = append(c.said, n)
			}
			c.best[n] = max(c.best[n], x)
		}
		if !leads && len(way.words) == 1 {
			c.of.each(way.words[0], func(n int32) bool { return c.text[n] > 0 }, put)
			continue
		}
		for _, o := range c.of.having(way.words) {
			put(o.n, o.times, o.size)
		}
	}
	for _, n := range c.said {
		if c.text[n] == 0 {
			c.all = append(c.all, n)
		}
		c.text[n] += c.best[n]
		c.best[n] = 0
	}
}

// saidMost is how many of the entries that say something of what is asked for are
// candidates: a common word is in thousands.
const saidMost = 512

// least is what at most so many of these entries say of what is asked for, and a few
// more that say as much.
func (w *search) least(list []int32, most int) float32 {
	if len(list) <= most {
		return 0
	}
	const steps = 1 << 10
	var many [steps + 2]int
	for _, n := range list {
		many[int(min(1, w.text[n])*steps)]++
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

// having are the entries that have all of some words, by the rarest of them.
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

// nearMost is how many entries are compared by their vectors, chosen by their
// sketches; and how many of those that have the words.
const nearMost = 768

// byMeaning compares the query with what is near it, and with what has its words.
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
		most = len(w.text)
	}
	if len(w.found) > most {
		first(w.found, most, func(a, b candidate) int { return cmp.Or(cmp.Compare(b.text, a.text), int(a.n-b.n)) })
	}
	for i := range w.found[:min(most, len(w.found))] {
		w.found[i].near = near.exact(w.found[i].n)
	}
	for _, n := range near.best(most) {
		if w.text[n] == 0 {
			if x := near.exact(n); x >= leastNear {
				w.found = append(w.found, candidate{n: n, near: x})
			}
		}
	}
}

// most is how many candidates there may be: a third if a prompt waits, two if a save does.
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
	case d.ID == "" || w.old[d.ID]:
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

// How words and meaning are put together. What an entry says of a query in its very
// words counts by its square: much of it decides, and a word that happens to be in both
// does not. A text in the language of the query is the likelier one.
const (
	byText   = 1.5
	byTongue = 0.05
)

// tongue is how far an entry is in the language of a query, of which so much is Chinese.
func (w *search) tongue(asked float32, n int32) float32 {
	apart := asked - w.of.chinese(int(n))
	return 1 - max(apart, -apart)
}

// fit puts words and meaning together.
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

// hits gives the best.
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

// order is the best first: what is weak behind what is not.
func (w *search) order(a, b candidate) int {
	if a.weak != b.weak {
		if b.weak {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(w.of.time(int(b.n)), w.of.time(int(a.n))), cmp.Compare(a.n, b.n))
}

// rankConstant is that of reciprocal rank fusion.
const rankConstant = 60

// rank scores by the places that a memory has by words and by meaning.
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

// distinct are the best that are wanted, without what was found before under
// another file or id.
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

// diversity is how much being liked counts against being unlike (MMR).
const diversity = 0.7

// diverse picks hits one by one: the best of those that are least like the ones
// picked before.
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
