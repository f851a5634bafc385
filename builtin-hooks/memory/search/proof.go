package search

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// What proves that a memory is about a prompt, which makes several statements and no query:
// shared words that few memories have, and the similarity of the whole. On prompts by other
// people, either alone found two thirds as many as both together.
const (
	sureProof = 3.7 // in words that only one memory has
	nearProof = 4   // such words that an entry proves by similar meaning
	nameProof = 3   // what the name of a thing proves besides
	proved    = 8   // the number of candidates

	// A prompt in Chinese is short, and its names are of several characters that are not
	// separated, so its words are fewer: a row of them counts, and the part of the prompt
	// that an entry says.
	rowProof  = 4.3
	rowNear   = 3
	saidProof = 3
	inChinese = 0.6 // of the bytes of a prompt
)

// prove marks the certain ones among the best.
func (w *search) prove() {
	if w.of.lexicon == nil || w.q.Method == Vector || w.q.Method == Text {
		return
	}
	inRows := chinese(w.q.Text) > inChinese
	for i := range w.found[:min(len(w.found), proved)] {
		c := &w.found[i]
		words, row := w.proof(c.n)
		c.sure = words+nearProof*float64(c.near) >= sureProof ||
			inRows && words+row+rowNear*float64(c.near)+saidProof*float64(c.text) >= rowProof
		c.weak = c.weak && !c.sure
	}
}

// proof is the total significance of the words that an entry shares with a query. A word and
// its parts, and two overlapping pairs of characters, count once; row is what more of the latter
// count where each two characters in a row are a word.
func (w *search) proof(n int32) (sum, row float64) {
	type proof struct {
		word string
		by   float64
	}
	var list []proof
	most, before := math.Log(1+w.of.many()), ""
	entry := has{of: w.of, n: n}
	for _, a := range w.aims {
		sure := 0.0
		for _, way := range a.ways {
			if way.sure > max(sure, leastProof) && entry.has(way.words) {
				sure = way.sure
			}
		}
		if sure == 0 {
			before = ""
			continue
		}
		by := a.weight * sure / most
		if a.alone && sure == 1 {
			by += nameProof
		}
		if overlap(before, a.word) {
			row += by / 2
		} else {
			for len(list) > 0 && strings.Contains(a.word, list[len(list)-1].word) { // its parts come first
				by = max(by, list[len(list)-1].by)
				list = list[:len(list)-1]
			}
			list = append(list, proof{a.word, by})
		}
		before = a.word
	}
	for _, p := range list {
		sum += p.by
	}
	return sum, row
}

// leastProof is how certainly a word has to mean another one to prove something.
const leastProof = 0.8

// A has tells which words an entry has.
type has struct {
	of    *Snapshot
	n     int32
	words map[string]bool // nil: nobody asked
}

// has reports whether the entry has all of some words. Whether it has one that thousands have, it
// says itself.
func (h *has) has(words []string) bool {
	for _, word := range words {
		if h.of.isLong(word) {
			if h.words == nil {
				h.words = map[string]bool{}
				for _, w := range Terms(h.of.Entry(int(h.n)).Text()) {
					h.words[w] = true
				}
			}
			if !h.words[word] {
				return false
			}
		} else if _, has := slices.BinarySearchFunc(h.of.use(word), h.n, func(o occurrence, n int32) int { return int(o.n - n) }); !has {
			return false
		}
	}
	return true
}

// overlap reports whether a pair of Chinese characters begins with the end of another one.
func overlap(before, word string) bool {
	r, size := utf8.DecodeLastRuneInString(before)
	return size > 1 && isCJK(r) && strings.HasPrefix(word, string(r))
}
