package main

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
)

// What a word needs to get a vector.
const (
	dims      = 128    // numbers of a vector
	leastUses = 14     // in the corpus
	mostWords = 30_000 // the most common of these
	contexts  = 14_000 // those of them that describe the others
	tooCommon = 0.0035 // share of all words: those say nothing
)

// A vocabulary contains the words that count, the most common first.
type vocabulary struct {
	words  []string
	counts []int
	number map[string]int32
	total  int
}

// common reports whether a word says nothing because it is everywhere.
func (v *vocabulary) common(w string) bool {
	n, ok := v.number[w]
	return ok && float64(v.counts[n]) >= tooCommon*float64(v.total)
}

func (v *vocabulary) has(w string) bool { _, ok := v.number[w]; return ok }

// single is the number of a text that is a single word; -1 otherwise.
func (v *vocabulary) single(text string) int32 {
	if words := search.Terms(text); len(words) == 1 {
		if n, ok := v.number[words[0]]; ok {
			return n
		}
	}
	return -1
}

// english reports whether a word is one that gets a vector.
func english(w string) bool {
	letters := 0
	for _, r := range w {
		if r > 127 {
			return false
		}
		if r >= 'a' && r <= 'z' {
			letters++
		}
	}
	return len(w) >= 2 && len(w) <= 22 && letters*2 > len(w)
}

// count splits the paragraphs, and numbers their words: the most common, and some
// others however rare they are.
func count(paragraphs, others []string) (v vocabulary, texts [][]int32) {
	number := map[string]int32{}
	var names []string
	var counts []int
	for _, p := range paragraphs {
		var text []int32
		for _, w := range search.Terms(p) {
			if !english(w) {
				continue
			}
			n, ok := number[w]
			if !ok {
				w = strings.Clone(w)
				n = int32(len(names))
				number[w] = n
				names = append(names, w)
				counts = append(counts, 0)
			}
			counts[n]++
			v.total++
			text = append(text, n)
		}
		texts = append(texts, text)
	}
	order := make([]int32, len(names))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(names[a], names[b])
	})
	renamed := make([]int32, len(names))
	for i := range renamed {
		renamed[i] = -1
	}
	v.number = map[string]int32{}
	for i, n := range order {
		if _, wanted := slices.BinarySearch(others, names[n]); !wanted && (i >= mostWords || counts[n] < leastUses) {
			continue
		}
		renamed[n] = int32(len(v.words))
		v.number[names[n]] = int32(len(v.words))
		v.words = append(v.words, names[n])
		v.counts = append(v.counts, counts[n])
	}
	for i, text := range texts {
		kept := text[:0]
		for _, n := range text {
			if r := renamed[n]; r >= 0 && float64(v.counts[r]) < tooCommon*float64(v.total) {
				kept = append(kept, r)
			}
		}
		texts[i] = kept
	}
	return v, texts
}
