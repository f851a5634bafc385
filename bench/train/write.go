package main

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/find"
)

// What is kept of what was learned.
const (
	leastLink   = 0.035 // how sure a link is
	mostLinks   = 6     // of a word
	leastChars  = 3     // pairs that two characters are in
	tells       = 1e-3  // how common a word is that counts half
	mostChinese = 30_000
)

// centred makes the vectors of length 1 around the middle of all: what is common to
// all words tells nothing.
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

// An entry is one word of the lexicon.
type entry struct {
	text   string
	weight byte
	links  []written
	vector []float32
}

type written struct {
	to   string
	sure byte
}

// lexicon is the file: see package lexicon.
func lexicon(v vocabulary, vectors dense, d dictionary, single []entry) []byte {
	var zh []entry
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
	for i, text := range d.zh {
		links := best(d.zhTo[i], func(e int) bool { return v.has(d.en[e]) }, func(e int) string { return d.en[e] })
		if links == nil || d.zhUse[i] < leastChars {
			continue
		}
		sure := 0.0
		for _, l := range links {
			sure += float64(l.sure) / 255
		}
		zh = append(zh, entry{text: text, weight: weight(float64(d.zhUse[i])/float64(use), min(1, 2*sure)), links: links})
	}
	if len(zh) > mostChinese {
		slices.SortStableFunc(zh, func(a, b entry) int { return int(b.links[0].sure) - int(a.links[0].sure) })
		zh = zh[:mostChinese]
	}
	zh = append(zh, single...)
	slices.SortFunc(zh, func(a, b entry) int { return strings.Compare(a.text, b.text) })
	has := map[string]int{}
	for i, e := range zh {
		has[e.text] = i
	}
	links := map[string][]written{}
	for i, text := range d.en {
		links[text] = best(d.enTo[i], func(z int) bool { _, ok := has[d.zh[z]]; return ok }, func(z int) string { return d.zh[z] })
	}
	var en []entry
	for i, text := range v.words {
		en = append(en, entry{text, weight(float64(v.counts[i])/float64(v.total), 1), links[text], vectors.row(i)})
	}
	slices.SortFunc(en, func(a, b entry) int { return strings.Compare(a.text, b.text) })
	for i, e := range en {
		has[e.text] = i
	}
	return bytesOf(en, zh, has, vectors.wide)
}

func weight(part, sure float64) byte {
	return byte(math.Round(255 * sure * tells / (tells + part)))
}

func bytesOf(en, zh []entry, number map[string]int, dims int) []byte {
	var places, links, weights, linked, spelling, codes []byte
	put := func(b []byte, n int) []byte { return binary.LittleEndian.AppendUint32(b, uint32(n)) }
	all := slices.Concat(en, zh)
	for _, e := range all {
		places, links = put(places, len(spelling)), put(links, len(linked)/3)
		weights, spelling = append(weights, e.weight), append(spelling, e.text...)
		for _, l := range e.links {
			linked = append(binary.LittleEndian.AppendUint16(linked, uint16(number[l.to])), l.sure)
		}
		if e.vector != nil {
			codes = append(codes, coded(e.vector)...)
		}
	}
	places, links = put(places, len(spelling)), put(links, len(linked)/3)
	head := []byte("ahlexi1\n")
	for _, n := range []int{len(all), len(en), dims, len(linked) / 3} {
		head = put(head, n)
	}
	return slices.Concat(head, places, links, weights, linked, spelling, codes)
}

// coded is a vector at four bits a number. Numbers far out are cut: most lie near
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

// Of single characters: how many of the pairs' texts have one that is worth an
// entry, and how much it tells beside the two that it is a part of.
const (
	leastOfCharacter = 8
	characterTells   = 64 // of 255
)

// meanings are the characters of the pairs, by the words with which Unicode says
// what they mean, the first the surest. Two characters that nobody translated are
// about something all the same.
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
		if uses[g[0]] < leastOfCharacter {
			continue
		}
		e := entry{text: g[0], weight: characterTells}
		for _, w := range find.Terms(g[1]) {
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
