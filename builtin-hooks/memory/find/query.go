package find

import (
	"slices"
	"strings"
)

// An aim is one thing that a query asks for, and the ways to say it: each is a
// list of words that have to stand in a text.
type aim struct {
	ways [][]string
}

// aims takes a query apart. Words that say nothing are left out, unless there
// are no others.
func aims(query string) []aim {
	if u := aimsOf(query, false); len(u) > 0 {
		return u
	}
	return aimsOf(query, true)
}

func aimsOf(query string, all bool) []aim {
	syn := trade(query)
	var out []aim
	seen := map[string]bool{}
	add := func(w string, others [][]string) {
		if seen[w] || !all && isCommon(w) {
			return
		}
		seen[w] = true
		out = append(out, aim{append([][]string{{w}}, others...)})
	}
	for _, run := range runs(query) {
		if !run.cjk {
			for _, w := range words(run.text) {
				add(w.text, syn.latin[w.text])
			}
			continue
		}
		chars := []rune(run.text)
		if len(chars) == 1 {
			add(run.text, syn.cjk[run.text])
			continue
		}
		known := syn.within(chars)
		for i := 0; i+1 < len(chars); i++ {
			add(string(chars[i:i+2]), known[i])
		}
		for i, c := range chars {
			if others := syn.cjk[string(c)]; others != nil && known[i] == nil {
				add(string(c), others)
			}
		}
	}
	return out
}

// within finds the terms of the glossary in a run of characters, the longest
// first, and tells for each place the other ways to say the term that covers the
// two characters there.
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

// A run is a part of a text that is Chinese all through, or not at all.
type run struct {
	text string
	cjk  bool
}

func runs(text string) []run {
	var out []run
	var b strings.Builder
	last := false
	end := func() {
		if b.Len() > 0 {
			out = append(out, run{b.String(), last})
			b.Reset()
		}
	}
	for _, r := range fold(text) {
		if cjk := isCJK(r); cjk != last {
			end()
			last = cjk
		}
		b.WriteRune(r)
	}
	end()
	return out
}

// asked are all words of the aims, each once, sorted.
func asked(aims []aim) []string {
	var out []string
	for _, a := range aims {
		for _, way := range a.ways {
			out = append(out, way...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// said reports whether what has these words says what it asks for.
func (u aim) said(has func(word string) (bool, error)) (bool, error) {
ways:
	for _, way := range u.ways {
		for _, w := range way {
			if is, err := has(w); err != nil {
				return false, err
			} else if !is {
				continue ways
			}
		}
		return true, nil
	}
	return false, nil
}
