package match

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
)

// A likeness compares a failure with others.
type likeness struct {
	c        Case
	mine     message
	troubles []string // of the case
	words    *lexicon.Lexicon
	vectors  map[string][]float32
}

func newLikeness(c Case, causes string, genes []gene.Gene, words *lexicon.Lexicon) *likeness {
	l := &likeness{c: c, words: words, vectors: map[string][]float32{}}
	if !slices.ContainsFunc(genes, func(g gene.Gene) bool { return len(g.Cures) > 0 || len(g.When.Says) == 0 && !g.Platitude }) {
		return l // nothing to compare with
	}
	l.mine = messageOf(c.Failure.Text)
	l.troubles = troublesOf(&c.Failure, causes)
	return l
}

// bySaying is how similar a failure is to a gene's own words, for a gene that is not
// yet known to have cured anything.
func (l *likeness) bySaying(g *gene.Gene) float64 {
	if len(g.When.Says) > 0 || len(g.Cures) > 0 || !slices.ContainsFunc(gene.Types(g.SignalsMatch), func(t string) bool { return slices.Contains(l.c.Signals, t) && t != "error:generic" }) {
		return 0
	}
	own := terms(strings.Join(append([]string{g.Title, g.Description}, g.Preconditions...), " "))
	score := l.cover(&message{terms: own, general: own}, l.mine.terms)
	if slices.ContainsFunc(l.c.Failure.Symbols, func(s string) bool {
		kind, name, _ := strings.Cut(s, ":")
		return !slices.Contains(secondary, kind) && slices.Contains(own, strings.ToLower(name))
	}) {
		score += 0.3
	}
	return min(score, 0.9)
}

// About returns the indexes of the failures in a list that a gene's own words are
// about: the one that shares most with them, and those that share nearly as much. If
// none shares anything, it is the last.
func About(g *gene.Gene, list []failure.Failure) (at []int) {
	if len(list) == 0 {
		return nil
	}
	own := terms(strings.Join(append(append([]string{g.Title, g.Description}, g.Preconditions...), g.Strategy...), " "))
	shared, most := make([]int, len(list)), 0
	for i := range list {
		for _, t := range terms(list[i].Text + " " + strings.Join(list[i].Symbols, " ")) {
			if slices.Contains(own, t) && !search.IsCommon(t) {
				shared[i]++
			}
		}
		most = max(most, shared[i])
	}
	if most == 0 {
		return []int{len(list) - 1}
	}
	for i, n := range shared {
		if 4*n >= 3*most {
			at = append(at, i)
		}
	}
	return at
}

// cover is the share of a message's information that some words also have. A name that
// only one side has hardly counts against it, and one that both have does not decide
// it.
func (l *likeness) cover(a *message, b []string) float64 {
	var sum, all float64
	for _, x := range a.terms {
		w, shared := tells(x), slices.Contains(b, x)
		if _, worn := a.worn[x]; worn {
			w *= 0.5
		}
		if !slices.Contains(a.general, x) {
			if w *= 0.25; shared {
				w *= 2
			}
		}
		all += w
		if shared {
			sum += w
		} else {
			sum += w * l.nearest(x, b)
		}
	}
	if all == 0 {
		return 0
	}
	return sum / all
}

// nearest is how near the word is, of some, that means nearly the same as another.
func (l *likeness) nearest(x string, words []string) float64 {
	const near = 0.55 // below it two words only occur in similar places
	v := l.vector(x)
	if v == nil {
		return 0
	}
	best := float32(0)
	for _, y := range words {
		if u := l.vector(y); u != nil {
			best = max(best, dot(u, v))
		}
	}
	if best < near {
		return 0
	}
	return float64(best)
}

func (l *likeness) vector(word string) []float32 {
	if v, ok := l.vectors[word]; ok {
		return v
	}
	var v []float32
	if n, ok := l.words.Find(word); ok && !search.IsCommon(word) {
		v = make([]float32, l.words.Dims())
		if l.words.Add(n, 1, v) {
			search.Unit(v)
		} else {
			v = nil
		}
	}
	l.vectors[word] = v
	return v
}

func dot(a, b []float32) (sum float32) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}
