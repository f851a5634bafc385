package main

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
)

// How much of what was learned is kept.
const (
	leastLink   = 0.035 // probability of a link
	mostLinks   = 6     // per word
	leastChars  = 3     // pairs that contain two characters
	tells       = 1e-3  // share of a word that counts half
	mostChinese = 25_000
	topOf       = 98 // percent of the words that tell less than all
)

// centred makes the vectors of length 1 around their mean: what all words have in
// common says nothing.
func centred(v vocabulary, d dense) {
	unitRows(d)
	mean, all := make([]float64, d.wide), 0.0
	for i := range d.rows {
		by := math.Sqrt(float64(v.counts[i]))
		for j, x := range d.row(i) {
			mean[j] += float64(by * float64(x))
		}
		all += by
	}
	for i := range d.rows {
		row := d.row(i)
		for j := range row {
			row[j] -= float32(mean[j] / all)
		}
	}
	unitRows(d)
}

// An entry is one word of the lexicon. The length of its vector says how much it tells.
type entry struct {
	text   string
	links  []written
	vector []float32
}

type written struct {
	to   string
	sure byte
}

// entries are the words of both languages with their initial vectors: Chinese ones get
// those of their translations.
func entries(c *corpus, v vocabulary, vectors dense, d dictionary) (en, zh []entry) {
	use := 0
	for _, n := range d.zhUse {
		use += n
	}
	best := func(list []link, wanted func(int) bool, name func(int) string) (out []written) {
		for _, l := range list {
			if l.weight >= leastLink && len(out) < mostLinks && wanted(l.to) {
				out = append(out, written{name(l.to), byte(math.Round(min(1, l.weight) * 255))})
			}
		}
		return out
	}
	var often []int
	for i, text := range d.zh {
		if d.zhUse[i] >= leastChars && !search.IsCommon(text) && slices.ContainsFunc(d.zhTo[i], func(l link) bool { return v.has(d.en[l.to]) }) {
			often = append(often, i)
		}
	}
	slices.SortStableFunc(often, func(a, b int) int { return d.zhUse[b] - d.zhUse[a] })
	has := map[string]bool{}
	for _, i := range often[:min(len(often), mostChinese)] {
		sum, sure := make([]float32, vectors.wide), 0.0
		for _, l := range d.zhTo[i] {
			if n, ok := v.number[d.en[l.to]]; ok {
				addTo(sum, vectors.row(int(n)), float32(l.weight))
				sure += l.weight
			}
		}
		links := best(d.zhTo[i], func(e int) bool { return v.has(d.en[e]) }, func(e int) string { return d.en[e] })
		zh = append(zh, entry{d.zh[i], links, scaled(sum, tell(float64(d.zhUse[i])/float64(use))*min(1, 2*sure))})
		has[d.zh[i]] = true
	}
	for _, e := range meanings(c, v) {
		e.vector = make([]float32, vectors.wide)
		for i, l := range e.links {
			addTo(e.vector, vectors.row(int(v.number[l.to])), 1/float32(i+1))
		}
		scaled(e.vector, characterTells)
		zh = append(zh, e)
	}
	links := map[string][]written{}
	for i, text := range d.en {
		links[text] = best(d.enTo[i], func(z int) bool { return has[d.zh[z]] }, func(z int) string { return d.zh[z] })
	}
	for i, text := range v.words {
		en = append(en, entry{text, links[text], scaled(vectors.row(i), tell(float64(v.counts[i])/float64(v.total)))})
	}
	return en, zh
}

// tell is how much a word with that share of all words tells.
func tell(part float64) float64 { return tells / (tells + part) }

// scaled gives a vector a length, in place.
func scaled(v []float32, length float64) []float32 {
	by := float32(length)
	for i := range search.Unit(v) {
		v[i] *= by
	}
	return v
}

func addTo(sum, v []float32, times float32) {
	for i, x := range v {
		sum[i] += float32(times * x)
	}
}

// lexicon is the content of the file: see package lexicon.
func lexicon(en, zh []entry) []byte {
	number := map[string]int{}
	for _, list := range [][]entry{en, zh} {
		slices.SortFunc(list, func(a, b entry) int { return strings.Compare(a.text, b.text) })
		for i, e := range list {
			number[e.text] = i
		}
	}
	all := slices.Concat(en, zh)
	lengths := make([]float64, len(all))
	for i, e := range all {
		lengths[i] = math.Sqrt(float64(product(e.vector, e.vector)))
	}
	sorted := slices.Sorted(slices.Values(lengths))
	top := sorted[len(sorted)*topOf/100]
	var places, links, weights, linked, spelling, codes []byte
	put := func(b []byte, n int) []byte { return binary.LittleEndian.AppendUint32(b, uint32(n)) }
	for i, e := range all {
		places, links = put(places, len(spelling)), put(links, len(linked)/3)
		weights = append(weights, byte(math.Round(255*min(1, lengths[i]/top))))
		spelling = append(spelling, e.text...)
		for _, l := range e.links {
			linked = append(binary.LittleEndian.AppendUint16(linked, uint16(number[l.to])), l.sure)
		}
		codes = append(codes, coded(e.vector)...)
	}
	places, links = put(places, len(spelling)), put(links, len(linked)/3)
	head := []byte("ahlexi2\n")
	for _, n := range []int{len(all), len(en), dims, len(linked) / 3} {
		head = put(head, n)
	}
	return slices.Concat(head, places, links, weights, linked, spelling, codes)
}

// coded is a vector with four bits per number. Outliers are cut: most numbers lie near
// the middle, and would share few codes.
func coded(v []float32) []byte {
	var square float64
	for _, x := range v {
		square += float64(float64(x) * float64(x))
	}
	step := 2.6 * math.Sqrt(square/float64(len(v))) / 7
	code := func(x float32) byte { return byte(8 + max(-7, min(7, math.Round(float64(x)/step)))) }
	out := make([]byte, len(v)/2)
	for i := range out {
		out[i] = code(v[2*i]) | code(v[2*i+1])<<4
	}
	return out
}

// For single characters: how many of the pairs' texts must contain one to make an
// entry, and how much it tells compared with the two that it is part of.
const (
	leastOfCharacter = 8
	characterTells   = 0.25 // at first
)

// meanings are the characters of the pairs, by the words of their meanings in Unicode,
// the first the surest. So even two characters that nobody translated are about
// something.
func meanings(c *corpus, v vocabulary) (out []entry) {
	uses := map[string]int{}
	for _, p := range c.pairs {
		for _, r := range p[1] {
			if isHan(r) {
				uses[string(r)]++
			}
		}
	}
	for _, g := range c.glosses {
		if uses[g[0]] < leastOfCharacter || search.IsCommon(g[0]) {
			continue
		}
		e := entry{text: g[0]}
		for _, w := range search.Terms(g[1]) {
			twice := slices.ContainsFunc(e.links, func(l written) bool { return l.to == w })
			if v.has(w) && !v.common(w) && !twice && len(e.links) < mostLinks-2 {
				e.links = append(e.links, written{w, byte(160 / (len(e.links) + 1))})
			}
		}
		if e.links != nil {
			out = append(out, e)
		}
	}
	return out
}
