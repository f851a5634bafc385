package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
)

// How vectors learn which texts belong together.
const (
	batch     = 256  // pairs of texts that belong together; each is told from all others
	inEnglish = 6    // of ten batches
	inGroups  = 25   // percent of the pairs from our own texts: two phrases of a group
	leastPull = 2e-3 // below it a text is surely another, and moves nothing
	mostText  = 48   // words of a text that are read
)

// A course is that many batches, with that percentage from our own texts.
type course struct {
	steps, own        int
	temperature, rate float64 // the learning rate is the initial one
}

// The texts of packages come first, then what people ask. More of the latter makes its
// words forget what they mean elsewhere.
var (
	general = course{steps: 14_000, temperature: 0.06, rate: 0.012}
	special = course{steps: 8_000, own: 70, temperature: 0.15, rate: 0.03}
)

// A teacher draws pairs of texts that belong together: a part of a paragraph and the
// rest of it without its words, a paragraph and the next, a sentence and its
// translation, a word and its synonym.
type teacher struct {
	random  *rand.Rand
	texts   [][]int32
	pairs   [][2][]int32
	glosses [][2][]int32
	words   [][2]int32
	matters [][]said // our own texts
	groups  [][]said
}

// lessons prepares what a teacher draws from.
func lessons(c *corpus, v vocabulary, texts [][]int32, en, zh []entry) *teacher {
	t := &teacher{random: rand.New(rand.NewPCG(18, 2))}
	number := map[string]int32{}
	for i, e := range slices.Concat(en, zh) {
		number[e.text] = int32(i)
	}
	for _, text := range texts {
		if len(text) >= 2 {
			t.texts = append(t.texts, text)
		}
	}
	of := func(text string, english bool) (out []int32) {
		for _, w := range search.Terms(text) {
			if n, ok := number[w]; ok && (int(n) < len(en)) == english && !v.common(w) {
				out = append(out, n)
			}
		}
		return out
	}
	for _, p := range c.pairs {
		if a, b := of(p[0], true), of(p[1], false); a != nil && b != nil {
			t.pairs = append(t.pairs, [2][]int32{a, b})
		}
	}
	for _, e := range zh {
		if utf8.RuneCountInString(e.text) == 1 {
			var said []int32
			for _, l := range e.links {
				said = append(said, number[l.to])
			}
			t.glosses = append(t.glosses, [2][]int32{{number[e.text]}, said})
		}
	}
	for _, s := range c.synsets {
		from := v.single(s[0])
		for _, word := range s[1:] {
			word, kind, _ := strings.Cut(word, " (")
			if to := v.single(word); from >= 0 && to >= 0 && from != to && kind != "generic term)" {
				t.words = append(t.words, [2]int32{from, to})
			}
		}
	}
	return t
}

// taught gives the entries the vectors from some courses.
func taught(t *teacher, en, zh []entry, courses ...course) {
	all := slices.Concat(en, zh)
	vectors := newDense(len(all), dims)
	for i := range all {
		copy(vectors.row(i), all[i].vector)
	}
	for _, c := range courses {
		contrast(t, c, vectors)
	}
	for i := range all {
		copy(all[i].vector, vectors.row(i))
	}
}

// A class is a batch being taught: both sides of the pairs, and how each is to move.
type class struct {
	temperature  float64
	texts        [2][][]int32
	sides, moved [2]dense
	lengths      [2][]float32
	like         dense
}

// contrast teaches vectors: the sum of a text's vectors should be near to the sum of
// what belongs to it, and far from everything else. Their lengths say how much a word
// tells.
func contrast(t *teacher, of course, vectors dense) {
	c := &class{temperature: of.temperature, like: newDense(batch, batch)}
	for s := range 2 {
		c.sides[s], c.moved[s] = newDense(batch, vectors.wide), newDense(batch, vectors.wide)
		c.lengths[s] = make([]float32, batch)
	}
	sums := make([]float32, vectors.rows) // of the squares of each word's moves
	for step := range of.steps {
		c.texts = [2][][]int32{}
		english, own := t.random.IntN(10) < inEnglish, t.random.IntN(100) < of.own
		for len(c.texts[0]) < batch {
			draw := t.draw
			if own {
				draw = t.ask
			}
			if a, b := draw(english); len(a) > 0 && len(b) > 0 {
				c.texts[0], c.texts[1] = append(c.texts[0], a), append(c.texts[1], b)
			}
		}
		c.read(vectors)
		c.compare()
		c.move(vectors, sums, float32(of.rate*(1-float64(step)/float64(of.steps))))
	}
}

// read makes one vector of length 1 from each text.
func (c *class) read(vectors dense) {
	each(2*batch, func(k int) {
		s, i := k%2, k/2
		to := c.sides[s].row(i)
		clear(to)
		for _, w := range c.texts[s][i] {
			for j, x := range vectors.row(int(w)) {
				to[j] += x
			}
		}
		c.lengths[s][i] = float32(math.Sqrt(float64(product(to, to)))) + 1e-9
		for j := range to {
			to[j] /= c.lengths[s][i]
		}
	})
}

// compare computes how each text should move: towards what belongs to it, away from
// what else is taken for it.
func (c *class) compare() {
	each(batch, func(i int) {
		row := c.like.row(i)
		for j := range row {
			row[j] = float32(math.Exp(float64(product(c.sides[0].row(i), c.sides[1].row(j))-1) / c.temperature))
		}
	})
	across, down := make([]float32, batch), make([]float32, batch)
	for i := range batch {
		for j, x := range c.like.row(i) {
			across[i] += x
			down[j] += x
		}
	}
	each(2*batch, func(k int) {
		s, i := k%2, k/2
		to := c.moved[s].row(i)
		clear(to)
		for j := range batch {
			a, b := i, j
			if s == 1 {
				a, b = j, i
			}
			x := c.like.row(a)[b]
			g := float32(x/across[a]) + float32(x/down[b])
			if i == j {
				g -= 2
			}
			if math.Abs(float64(g)) < leastPull {
				continue
			}
			for d, y := range c.sides[1-s].row(j) {
				to[d] -= float32(g * y)
			}
		}
		along := product(to, c.sides[s].row(i))
		for d, u := range c.sides[s].row(i) {
			to[d] = (to[d] - float32(along*u)) / c.lengths[s][i]
		}
	})
}

// move moves the words of the texts: the less, the more they have moved already. Each
// worker moves its own words.
func (c *class) move(vectors dense, sums []float32, by float32) {
	each(workers, func(worker int) {
		for s := range 2 {
			for i, text := range c.texts[s] {
				g := c.moved[s].row(i)
				square := product(g, g) / float32(vectors.wide)
				for _, w := range text {
					if int(w)%workers != worker {
						continue
					}
					sums[w] += square
					x := by / float32(math.Sqrt(float64(sums[w]))+1e-8)
					row := vectors.row(int(w))
					for d, y := range row {
						row[d] = y + float32(x*g[d])
					}
				}
			}
		}
	})
}

func product(a, b []float32) float32 {
	var s, t, u, v float32
	b = b[:len(a)]
	i := 0
	for ; i+3 < len(a); i += 4 {
		s += float32(a[i] * b[i])
		t += float32(a[i+1] * b[i+1])
		u += float32(a[i+2] * b[i+2])
		v += float32(a[i+3] * b[i+3])
	}
	return s + t + u + v
}

// draw draws a pair: only English, or with Chinese in it. A batch has only one of the
// two kinds, or texts would be told from each other by their language.
func (t *teacher) draw(english bool) (a, b []int32) {
	r := t.random
	kind := r.IntN(100)
	switch {
	case english && kind < 70:
		n := r.IntN(len(t.texts) - 1)
		return t.apart(t.texts[n], t.texts[n+1])
	case english && kind < 85:
		n := r.IntN(len(t.texts) - 1)
		a = t.window(t.texts[n], 12)
		return a, without(t.part(t.texts[n+1]), a)
	case english:
		w := t.words[r.IntN(len(t.words))]
		return []int32{w[0]}, []int32{w[1]}
	case kind < 72:
		p := t.pairs[r.IntN(len(t.pairs))]
		in := r.IntN(2)
		return t.part(p[in]), t.part(p[1-in])
	case kind < 92:
		n := r.IntN(len(t.pairs) - 1)
		return t.apart(t.pairs[n][1], t.pairs[n+1][1])
	}
	p := t.glosses[r.IntN(len(t.glosses))]
	return p[0], p[1]
}

// ask draws two texts on one subject, or two phrases of a group.
func (t *teacher) ask(english bool) (a, b []int32) {
	if len(t.groups) > 0 && t.random.IntN(100) < inGroups {
		return asked(t.random, t.groups, english)
	}
	return asked(t.random, t.matters, english)
}

// apart takes a few words out of a text, which belong to the rest of it or, if it is
// short, to what comes next.
func (t *teacher) apart(text, next []int32) (a, b []int32) {
	if len(text) < 8 {
		return t.part(text), without(t.part(next), text)
	}
	text = t.window(text, mostText)
	long := 2 + t.random.IntN(min(9, len(text)/2))
	from := t.random.IntN(len(text) - long + 1)
	a = text[from : from+long]
	return a, without(slices.Concat(text[:from], text[from+long:]), a)
}

// window is a random part of a text.
func (t *teacher) window(text []int32, most int) []int32 {
	if len(text) <= most {
		return text
	}
	from := t.random.IntN(len(text) - most + 1)
	return text[from : from+most]
}

func (t *teacher) part(text []int32) []int32 { return t.window(text, mostText) }

func without(text, words []int32) (out []int32) {
	for _, w := range text {
		if !slices.Contains(words, w) {
			out = append(out, w)
		}
	}
	return out
}
