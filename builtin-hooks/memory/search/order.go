package search

import (
	"cmp"
	"math"
	"slices"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
)

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
		said := d.Content
		if d.Since.After(w.of.now) { // it does not stand for what holds until then
			said += "\n" + memory.Stamp(d.Since)
		}
		if w.wanted(d) && !ids[d.Kind+d.ID] && !texts[said] {
			ids[d.Kind+d.ID], texts[said] = true, true
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
