package store

import (
	"cmp"
	"slices"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/truth"
)

// contradicted are pairs that hold and contradict each other, or say the same: from two machines, or
// undetected when they were saved.
func (r *review) contradicted(living []Entry) {
	replaced := map[string]int{} // an id, and which of the facts replaced it
	for i, e := range living {
		for _, id := range e.Supersedes {
			if j, have := replaced[id]; have && Together(living[j].Fact, e.Fact, r.k.Now) {
				if relate(r.k.read(&living[j]), r.k.read(&e)) == truth.Same {
					r.pair(Repeated, living[j], e)
				} else {
					r.pair(Contradicted, living[j], e)
				}
			}
			replaced[id] = i
		}
	}
	words := wordsOf(living)
	readings := make([]*reading, len(living))
	of := func(i int) *reading {
		if readings[i] == nil {
			readings[i] = r.k.read(&living[i])
		}
		return readings[i]
	}
	left := compareMost
	for rank := range rareWords {
		for i := len(living) - 1; i >= 0 && left > 0; i-- {
			if rank >= len(words.of[i]) {
				continue
			}
			in := words.in[words.of[i][rank]]
			at, _ := slices.BinarySearch(in, int32(i))
			for _, j := range in[max(0, at-besideMost):at] {
				left--
				r.compare(of(int(j)), of(i))
			}
		}
	}
}

// compare judges two facts that share a rare word.
func (r *review) compare(old, newer *reading) {
	if newer.Time.Before(old.Time) {
		old, newer = newer, old
	}
	if old.File == memory.CoreFile {
		if newer.File != memory.CoreFile && r.k.otherwise(old.Content, newer) {
			r.onPage(old.Content, *newer.Entry)
		}
		return
	}
	if !Together(old.Fact, newer.Fact, r.k.Now) || apartBySomebody(old.Fact, newer.Fact) {
		return
	}
	switch relate(old, newer) {
	case truth.Same:
		if !memory.Shared(old.Origin) && !memory.Shared(newer.Origin) { // what two people know, both say
			r.pair(Repeated, *old.Entry, *newer.Entry)
		}
	case truth.Update, truth.Conflict:
		if !r.paired[pairOf(*old.Entry, *newer.Entry)] && r.alike(old, newer) {
			r.pair(Contradicted, *old.Entry, *newer.Entry)
		}
	}
}

// apartBySomebody reports whether somebody said of two facts that they hold beside each other.
func apartBySomebody(a, b memory.Fact) bool {
	return slices.Contains(a.Beside, b.ID) || slices.Contains(b.Beside, a.ID)
}

// alike reports whether a save of the newer of two facts would have named the older one, too: rules alone
// take some for a contradiction that only share words. Where that is not known, they count.
func (r *review) alike(old, newer *reading) bool {
	near, have := r.near[newer.ID]
	if !have {
		if len(r.near) >= askedMost {
			return true
		}
		near = r.k.judgements(newer)
		r.near[newer.ID] = near
	}
	j, known := near[old.ID]
	return !known || j.Verdict != truth.Distinct || j.Ask || j.Name
}

// asked are the facts that a save asks about.
func (s Saved) asked() (ids []string) {
	for _, b := range slices.Concat(s.Conflicts, s.Near) {
		ids = append(ids, b.ID)
	}
	return ids
}

// undecided are the pairs of which a save asked whether one replaces or contradicts the other: nobody
// said so, and nobody changed either of them since.
func (r *review) undecided(living []Entry) {
	of := map[string]int{}
	for i, e := range living {
		of[e.ID] = i
	}
	for _, e := range living {
		for _, id := range e.Asked {
			i, holds := of[id]
			if !holds || !e.Updated.IsZero() || living[i].Updated.After(e.Time) {
				continue
			}
			if old := living[i]; Together(old.Fact, e.Fact, r.k.Now) && !apartBySomebody(old.Fact, e.Fact) {
				r.pair(Undecided, old, e)
			}
		}
	}
}

func pairOf(a, b Entry) [2]string { return [2]string{min(a.ID, b.ID), max(a.ID, b.ID)} }

// pair records two facts, once, whichever is found first.
func (r *review) pair(why string, old, newer Entry) {
	if newer.Time.Before(old.Time) {
		old, newer = newer, old
	}
	of := pairOf(old, newer)
	if r.paired[of] {
		return
	}
	r.paired[of] = true
	if r.of[why] >= r.most { // before anything is computed for it
		r.add(why, newer)
		return
	}
	const memory = "agents-hooks memory "
	both, one := memory+"confirm "+newer.ID+" --beside "+old.ID, memory+"merge "+old.ID+" "+newer.ID+" --content TEXT"
	proposed := []string{memory + "delete " + old.ID, memory + "delete " + newer.ID, both, one}
	switch why {
	case Undecided:
		proposed = []string{memory + "confirm " + newer.ID + " --replaces " + old.ID, both, memory + "delete " + newer.ID, one}
	case Repeated:
		proposed = []string{memory + "delete " + newer.ID, one, both}
	}
	r.add(why, newer, proposed...).beside(old)
}

// Limits of a review's search for contradictions: each fact is compared by its rarest words,
// with so many of the earlier facts that share one, and with so many comparisons in total, the
// rarest word of each fact first. A save compares with all, so this only has to find what git
// brought together, and what was left.
const (
	rareWords   = 4
	besideMost  = 24
	compareMost = 16_000
	askedMost   = 60 // facts of which the neighbours are searched, as a save does
)

// A concordance says which facts have which words: for each fact its rarest.
type concordance struct {
	of [][]int32 // words of a fact
	in [][]int32 // facts of a word, in order
}

func wordsOf(list []Entry) (c concordance) {
	numbers := map[string]int32{}
	c.of = make([][]int32, len(list))
	for i, e := range list {
		if e.Kind == "S" {
			continue
		}
		for _, term := range search.Terms(e.Content) {
			w, have := numbers[term]
			if !have {
				w = int32(len(numbers))
				numbers[term] = w
				c.in = append(c.in, nil)
			}
			if in := c.in[w]; len(in) == 0 || in[len(in)-1] != int32(i) {
				c.in[w] = append(in, int32(i))
				c.of[i] = append(c.of[i], w)
			}
		}
	}
	for i, words := range c.of {
		words = slices.DeleteFunc(words, func(w int32) bool { return len(c.in[w]) < 2 || len(c.in[w]) > commonWord })
		slices.SortFunc(words, func(a, b int32) int { return cmp.Or(len(c.in[a])-len(c.in[b]), int(a-b)) })
		c.of[i] = words[:min(rareWords, len(words))]
	}
	return c
}

// commonWord is the number of facts from which a word is not significant.
const commonWord = 200
