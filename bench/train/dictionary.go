package main

import (
	"math"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
)

// Constants of the dictionary.
const (
	candidates = 40 // tried for each word
	learning   = 8  // rounds
	leastPairs = 2  // that must contain both words
)

// A link is a possible translation of a word, and its probability.
type link struct {
	to     int
	weight float64
}

// A dictionary contains the words of the pairs and their possible translations.
type dictionary struct {
	en, zh       []string
	enTo, zhTo   [][]link
	enUse, zhUse []int
}

// side are the words of one language in a pair, without duplicates.
func side(text string, number map[string]int, names *[]string, uses *[]int, wanted func(string) bool) (out []int) {
	for _, w := range search.Terms(text) {
		if !wanted(w) {
			continue
		}
		n, ok := number[w]
		if !ok {
			w = strings.Clone(w)
			n = len(*names)
			number[w] = n
			*names = append(*names, w)
			*uses = append(*uses, 0)
		}
		if !slices.Contains(out, n) {
			out = append(out, n)
			(*uses)[n]++
		}
	}
	return out
}

func han(w string) bool {
	r := []rune(w)
	return len(r) == 2 && isHan(r[0]) && isHan(r[1])
}

// translate learns from pairs of texts which words translate which: IBM's model 1 in
// both directions, among the words that most often occur together.
func translate(pairs [][2]string, common func(string) bool) dictionary {
	var d dictionary
	enNumber, zhNumber := map[string]int{}, map[string]int{}
	type sides struct{ en, zh []int }
	var texts []sides
	for _, p := range pairs {
		s := sides{
			side(p[0], enNumber, &d.en, &d.enUse, func(w string) bool { return english(w) && !common(w) }),
			side(p[1], zhNumber, &d.zh, &d.zhUse, han),
		}
		if len(s.en) > 0 && len(s.zh) > 0 && len(s.en) < 60 && len(s.zh) < 120 {
			texts = append(texts, s)
		}
	}
	var t tally
	for _, s := range texts {
		for _, z := range s.zh {
			for _, e := range s.en {
				t.add(uint64(z+1)<<32|uint64(e), 1)
			}
		}
	}
	type cell struct {
		z, e int
		dice float64
	}
	byZ, byE := make([][]cell, len(d.zh)), make([][]cell, len(d.en))
	for i, k := range t.keys {
		if k == 0 || t.counts[i] < leastPairs {
			continue
		}
		z, e := int(k>>32)-1, int(uint32(k))
		c := cell{z, e, 2 * float64(t.counts[i]) / float64(d.zhUse[z]+d.enUse[e])}
		byZ[z], byE[e] = append(byZ[z], c), append(byE[e], c)
	}
	keep := map[uint64]bool{}
	for _, lists := range [][][]cell{byZ, byE} {
		for _, list := range lists {
			slices.SortFunc(list, func(a, b cell) int {
				if a.dice != b.dice {
					if a.dice > b.dice {
						return -1
					}
					return 1
				}
				return (a.z-b.z)*1_000_000 + a.e - b.e
			})
			for _, c := range list[:min(candidates, len(list))] {
				keep[uint64(c.z)<<32|uint64(c.e)] = true
			}
		}
	}
	// forward is from Chinese to English, back the other way.
	forward := learn(len(texts), func(i int) ([]int, []int) { return texts[i].zh, texts[i].en }, keep, false)
	back := learn(len(texts), func(i int) ([]int, []int) { return texts[i].en, texts[i].zh }, keep, true)
	d.zhTo, d.enTo = make([][]link, len(d.zh)), make([][]link, len(d.en))
	for k := range keep {
		z, e := int(k>>32), int(uint32(k))
		w := math.Sqrt(forward[k] * back[k])
		if w < 0.01 {
			continue
		}
		d.zhTo[z] = append(d.zhTo[z], link{e, w})
		d.enTo[e] = append(d.enTo[e], link{z, w})
	}
	for _, lists := range [][][]link{d.zhTo, d.enTo} {
		for i := range lists {
			sortLinks(lists[i])
		}
	}
	return d
}

func sortLinks(list []link) {
	slices.SortFunc(list, func(a, b link) int {
		if a.weight != b.weight {
			if a.weight > b.weight {
				return -1
			}
			return 1
		}
		return a.to - b.to
	})
}

// learn is the model: the words "from" explain the words "to", one word each.
func learn(n int, at func(int) (from, to []int), keep map[uint64]bool, swapped bool) map[uint64]float64 {
	key := func(f, t int) uint64 {
		if swapped {
			f, t = t, f
		}
		return uint64(f)<<32 | uint64(t)
	}
	// The set of links does not change: they are numbered once.
	number := make(map[uint64]int32, len(keep))
	type row struct{ cells, froms []int32 }
	var rows []row
	for i := range n {
		from, to := at(i)
		for _, t := range to {
			var r row
			for _, f := range from {
				k := key(f, t)
				if !keep[k] {
					continue
				}
				c, ok := number[k]
				if !ok {
					c = int32(len(number))
					number[k] = c
				}
				r.cells, r.froms = append(r.cells, c), append(r.froms, int32(f))
			}
			if r.cells != nil {
				rows = append(rows, r)
			}
		}
	}
	p := make([]float64, len(number))
	for i := range p {
		p[i] = 1
	}
	most := int32(0)
	for _, r := range rows {
		most = max(most, slices.Max(r.froms)+1)
	}
	for range learning {
		sums, totals := make([]float64, len(p)), make([]float64, most)
		for _, r := range rows {
			all := 1e-9
			for _, c := range r.cells {
				all += p[c]
			}
			for i, c := range r.cells {
				x := p[c] / all
				sums[c] += x
				totals[r.froms[i]] += x
			}
		}
		for _, r := range rows {
			for i, c := range r.cells {
				p[c] = sums[c] / (totals[r.froms[i]] + 0.5)
			}
		}
	}
	out := make(map[uint64]float64, len(number))
	for k, c := range number {
		out[k] = p[c]
	}
	return out
}
