package search

import (
	"cmp"
	"math"
	"slices"
)

// If words do not decide, the best candidates are compared word by word.
const (
	decided   = 0.7 // by words, in that case
	closeMost = 64  // the number of candidates

	// Weights besides the language: the part of the query that an entry says literally, the
	// similarity of the whole texts, how near its words are to those of the query, and how rare
	// that is among the candidates.
	closeText = 0.3
	closeNear = 1.2
	closeWord = 1.2
	closeRare = 0.8

	leastWord = 0.1 // how near a word has to be to another to be significant
)

// closely compares the words of the best candidates with those of the query, unless an entry
// contains it literally.
func (w *search) closely() {
	if w.of.lexicon == nil || w.q.Method == Text || w.q.Method == Vector || w.q.rough {
		return
	}
	first(w.found, closeMost, func(a, b candidate) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.n, b.n)) })
	if slices.ContainsFunc(w.found, func(c candidate) bool { return c.text >= decided }) {
		return
	}
	best := w.found[:min(len(w.found), closeMost)]
	texts := make([][]count, len(best))
	for i, c := range best {
		texts[i] = w.of.about(w.of.Entry(int(c.n)).Text())
	}
	words, rare := w.of.closeness(w.of.asked(w.q.Text, w.aims), texts)
	asked := chinese(w.q.Text)
	for i := range w.found {
		c := &w.found[i]
		c.score = float64(closeText*c.text + closeNear*max(0, c.near) + byTongue*w.tongue(asked, c.n))
		if i < len(best) {
			c.score += float64(float32(closeWord*words[i] + closeRare*rare[i])) // rounded: the order of the words does not show
		}
		c.score = c.score/(closeText+closeNear+byTongue+closeWord+closeRare)*float64(w.uncoded) + float64(w.coded[c.n])
	}
}

// closeness is, for each of some texts, how near each word of the query is to the nearest and
// second nearest word of the text, weighted by significance; and how unlikely it is that so
// many words of all the texts are as near: a long text has a word near to anything, and a word
// that is near to everything is not significant.
func (s *Snapshot) closeness(asked []count, texts [][]count) (near, rare []float64) {
	near, rare = make([]float64, len(texts)), make([]float64, len(texts))
	times, total := map[int32]float64{}, 0.0
	for _, text := range texts {
		for _, c := range text {
			times[c.word]++
			total++
		}
	}
	var all float64
	for _, a := range asked {
		v, tells := s.known(a.word)
		if v == nil && (times[a.word] == 0 || isCommon(s.spelt[a.word])) {
			continue
		} else if v == nil {
			tells = 1 // a name, which is not in the lexicon
		}
		all += float64(tells)
		like, tail := s.likeness(a.word, v, times, total)
		for i, text := range texts {
			var best, next float32
			for _, c := range text {
				if x := like[c.word]; x > best {
					best, next = x, best
				} else {
					next = max(next, x)
				}
			}
			near[i] += float64(tells * (best + next/2) / 1.5)
			if best > leastWord {
				chance := 1 - math.Pow(1-tail[best], float64(len(text)))
				rare[i] += float64(tells*(best-leastWord)/(1-leastWord)) * -math.Log(chance+1e-9) / math.Log(total+1)
			}
		}
	}
	for i := range texts {
		near[i], rare[i] = near[i]/max(all, 1e-9), min(1, rare[i]/max(all, 1e-9))
	}
	return near, rare
}

// likeness is how near each of some words is to one, and for each of these values the share of
// all words that are as near.
func (s *Snapshot) likeness(word int32, v []float32, times map[int32]float64, total float64) (like map[int32]float32, tail map[float32]float64) {
	like, tail = make(map[int32]float32, len(times)), make(map[float32]float64, len(times))
	for other, n := range times {
		x := float32(0) //
		if other == word {
			x = 1
		} else if u, tells := s.known(other); v != nil && u != nil {
			x = max(0, dot(v, u)*(1+tells)/2)
		}
		like[other] = x
		tail[x] += n / total
	}
	figures := make([]float32, 0, len(tail))
	for x := range tail {
		figures = append(figures, x)
	}
	slices.Sort(figures)
	sum := 0.0
	for _, x := range slices.Backward(figures) {
		sum += tail[x]
		tail[x] = min(1, sum)
	}
	return like, tail
}
