package search

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/agents-hooks/agents-hooks/internal/text"
)

// An aim is one thing that a query asks for, and the ways to say it.
type aim struct {
	word   string
	as     string  // how it was written, with its ending
	weight float64 // its significance: the rarer, the more
	ways   []way
	coded  bool   // a number or a code of three characters or more, of which its vector says nothing
	alone  bool   // a code or the name of a function, that hardly another memory has
	name   string // how memories have the name of which it is a part, in the other script
}

// A way to say something: words that must all be in a text, and how certainly they mean it.
type way struct {
	words []string
	sure  float64
}

// How certainly another word means what was asked.
const (
	ofTrade  = 0.85 // by the glossary
	mostSure = 0.9  // by the lexicon
	plainly  = 0.95 // without its accents
	slipped  = 0.75 // if a letter is wrong
	slipped2 = 0.6  // if two are
	maybe    = 0.5  // if one is, in what may be another word as well
	unknown  = 0.6  // the significance of a word that no memory has
)

// A known word with an ending, in a query of few words, may be a misspelling too.
const (
	fewAims    = 6
	leastMaybe = 6 // letters of it
)

// fewHave is how many memories at most have a code, or the name of a function or a test, that tells
// which one is meant. In a project or a service, which any word may be the name of, much happens.
const fewHave = 2

// identifiers are the names in a query that are written as in a program, as words are made of them.
func identifiers(query string) (out []string) {
	for _, w := range strings.FieldsFunc(query, func(r rune) bool { return !isWord(r) && r != '_' }) {
		humps := strings.IndexFunc(w, unicode.IsLower)
		if strings.Contains(strings.Trim(w, "_"), "_") || humps >= 0 && strings.IndexFunc(w[humps:], unicode.IsUpper) > 0 {
			out = append(out, strings.ToLower(strings.ReplaceAll(w, "_", "")))
		}
	}
	return out
}

// aims splits a query. Common words are left out, unless there are no others.
func (s *Snapshot) aims(query string) []aim {
	if list := s.aimsOf(query, false); len(list) > 0 {
		return list
	}
	return s.aimsOf(query, true)
}

func (s *Snapshot) aimsOf(query string, all bool) []aim {
	syn := trade(query)
	var out []aim
	add := func(w, as string, others [][]string, names []name) {
		if !all && isCommon(w) || slices.ContainsFunc(out, func(a aim) bool { return a.word == w }) {
			return
		}
		a := aim{word: w, as: as, ways: []way{{[]string{w}, 1}}}
		for _, words := range others {
			a.ways = append(a.ways, way{words, ofTrade})
		}
		for _, name := range names {
			a.ways, a.name = append(a.ways, name.way), name.text
			a.weight = max(a.weight, s.rarity(len(s.having(name.words))))
		}
		out = append(out, a)
	}
	for _, run := range runs(query) {
		if !run.cjk {
			names := s.latinNames(run.text)
			for _, w := range words(run.text) {
				add(w.text, w.as, syn.latin[w.text], names[w.text])
			}
			continue
		}
		chars := []rune(run.text)
		if len(chars) == 1 {
			add(run.text, "", syn.cjk[run.text], nil)
			continue
		}
		known := syn.within(chars)
		names, across := s.hanNames(chars)
		for i := 0; i+1 < len(chars); i++ {
			if across[i] && names[i] == nil {
				continue
			}
			add(string(chars[i:i+2]), "", known[i], names[i])
		}
		for i, c := range chars {
			if others := syn.cjk[string(c)]; others != nil && known[i] == nil {
				add(string(c), "", others, nil)
			}
		}
	}
	names := identifiers(query)
	for i := range out {
		s.widen(&out[i], len(out) <= fewAims, slices.Contains(names, out[i].word))
	}
	return out
}

// widen weighs an aim, and adds the words of the other language that it may mean, and those
// that it may be a misspelling of.
func (s *Snapshot) widen(a *aim, few, named bool) {
	tells := 1.0
	n, known := s.lexicon.Find(a.word)
	a.coded = len(a.word) > 2 && ascii(a.word) && strings.ContainsAny(a.word, "0123456789") && (!known || a.word[0] <= '9')
	if known {
		tells = min(1, 1.1*float64(s.lexicon.Weight(n)))
		s.lexicon.Links(n, func(other int, sure float32) {
			a.ways = append(a.ways, way{[]string{s.lexicon.Word(other)}, mostSure * math.Sqrt(float64(sure))})
		})
	}
	plain := s.unaccented(a)
	if in := s.spread(a.word); in > 0 {
		a.weight = max(a.weight, s.rarity(in))
		a.alone = in <= fewHave && !known && (a.coded && strings.Trim(a.word, "0123456789") != "" || named)
		return
	}
	if a.weight > 0 {
		return // a name, or memories have it without accents
	}
	a.weight = unknown * tells * math.Log(1+s.many())
	switch {
	case plain != "" && ascii(plain):
		a.ways = append(a.ways, s.slips(plain, "")...)
	case !ascii(a.word):
	case !known:
		a.ways = append(a.ways, s.slips(a.word, a.as)...)
	case few && a.as != a.word && len(a.as) >= leastMaybe: // "customes" has the stem of custom
		for _, w := range s.slips(a.word, a.as) {
			if w.sure == slipped {
				a.ways = append(a.ways, way{w.words, maybe})
			}
		}
	}
}

// unaccented adds the spellings of a word with accents that memories have, and returns the first.
func (s *Snapshot) unaccented(a *aim) (first string) {
	for _, plain := range (word{text: a.word, as: a.as}).spellings() {
		first = cmp.Or(first, plain)
		if in := s.spread(plain); in > 0 {
			a.ways = append(a.ways, way{[]string{plain}, plainly})
			a.weight = max(a.weight, s.rarity(in))
		}
	}
	return first
}

// rarity is the significance of a word that so many entries have.
func (s *Snapshot) rarity(in int) float64 {
	return math.Log(1 + (s.many()-float64(in)+0.5)/(float64(in)+0.5))
}

// many is the number of entries that words are weighed by. Among one or two every word that is
// there would be in most of them, and none would tell anything.
func (s *Snapshot) many() float64 { return float64(max(s.count, fewest)) }

const fewest = 4

// within finds the terms of the glossary in a run of characters, the longest first, and
// returns, for each position, the other ways to say the term that covers the two characters
// there.
func (s synonyms) within(chars []rune) map[int][][]string {
	out := map[int][][]string{}
	for i := 0; i < len(chars); {
		n := min(s.most, len(chars)-i)
		for ; n >= 2; n-- {
			if others := s.cjk[string(chars[i:i+n])]; others != nil {
				for j := i; j < i+n-1; j++ {
					out[j] = others
				}
				break
			}
		}
		i += max(n-1, 1)
	}
	return out
}

// A run is a part of a text that is entirely Chinese, or not at all.
type run struct {
	text string
	cjk  bool
}

func runs(of string) []run {
	var out []run
	var b strings.Builder
	last := false
	end := func() {
		if b.Len() > 0 {
			out = append(out, run{b.String(), last})
			b.Reset()
		}
	}
	for _, r := range text.Narrow(of) {
		if cjk := isCJK(r); cjk != last {
			end()
			last = cjk
		}
		b.WriteRune(r)
	}
	end()
	return out
}
