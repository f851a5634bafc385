package search

import "slices"

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
