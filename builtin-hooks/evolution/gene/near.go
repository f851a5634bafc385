package gene

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/agents-hooks/agents-hooks/internal/order"
)

// From these values on, two genes say the same.
const (
	sameSignals = 0.8
	sameSteps   = 0.7
)

// A Neighbour is a gene that says the same as another.
type Neighbour struct {
	ID         string  `json:"id"`
	Title      string  `json:"title"`
	Coverage   float64 `json:"coverage"`   // of the signals
	Similarity float64 `json:"similarity"` // of the steps
}

// Near are the genes of a list that cover at least 0.8 of the signals of g and whose
// steps are at least 0.7 similar: merge with one of them instead of adding g. The
// nearest comes first. A gene that g was distilled from is left out if g says more: it
// is similar by nature, and g is meant to replace it.
func Near(g *Gene, list []Gene) []Neighbour {
	var out []Neighbour
	for i := range list {
		other := &list[i]
		if other.ID == g.ID && g.ID != "" {
			continue
		}
		if slices.Contains(g.DistilledFrom, other.ID) && len(g.Strategy) > len(other.Strategy) {
			continue
		}
		cover, _ := Coverage(g.SignalsMatch, other.SignalsMatch)
		if cover < sameSignals {
			continue
		}
		like := Similarity(g.Strategy, other.Strategy)
		for _, t := range other.Translations {
			like = max(like, Similarity(g.Strategy, t.Strategy))
		}
		if like >= sameSteps {
			out = append(out, Neighbour{other.ID, other.Title, cover, like})
		}
	}
	order.By(out, func(a, b Neighbour) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(b.Coverage, a.Coverage), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// Merge adds to a gene the signals, preconditions and steps of another that it lacks;
// its own steps stay first and unchanged.
func Merge(into *Gene, from *Gene) {
	for _, s := range from.SignalsMatch {
		if !slices.Contains(into.SignalsMatch, s) {
			into.SignalsMatch = append(into.SignalsMatch, s)
		}
	}
	for _, p := range from.Preconditions {
		if !slices.Contains(into.Preconditions, p) {
			into.Preconditions = append(into.Preconditions, p)
		}
	}
	into.Strategy = Join(into.Strategy, from.Strategy)
}

// Join adds to steps those of more that none of them says already.
func Join(steps, more []string) []string {
	for _, s := range more {
		if len(steps) < maxSteps && !slices.ContainsFunc(steps, func(t string) bool { return dice(wordsOf(s), wordsOf(t)) >= sameSteps }) {
			steps = append(steps, s)
		}
	}
	return steps
}

// Similarity is how similar two lists of steps are, from 0 to 1: each step counts with
// the one in the other list that shares most words with it, in both directions, so that
// a list does not equal a part of it.
func Similarity(a, b []string) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	wa, wb := make([][]string, len(a)), make([][]string, len(b))
	for i, s := range a {
		wa[i] = wordsOf(s)
	}
	for i, s := range b {
		wb[i] = wordsOf(s)
	}
	return (best(wa, wb) + best(wb, wa)) / float64(len(a)+len(b))
}

// best is the sum, over the steps of a, of the similarity to the nearest of b.
func best(a, b [][]string) (sum float64) {
	for _, x := range a {
		most := 0.0
		for _, y := range b {
			most = max(most, dice(x, y))
		}
		sum += most
	}
	return sum
}

// dice is the Dice coefficient of two sets of words.
func dice(a, b []string) float64 {
	if len(a)+len(b) == 0 {
		return 0
	}
	shared := 0
	for _, w := range a {
		if _, ok := slices.BinarySearch(b, w); ok {
			shared++
		}
	}
	return 2 * float64(shared) / float64(len(a)+len(b))
}

// wordsOf are the words of a text, sorted, without duplicates: runs of letters and
// digits in lower case, and in Chinese each pair of neighbouring characters.
func wordsOf(text string) []string {
	var out []string
	var last rune
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }) {
		start := -1
		for i, r := range w {
			if !unicode.Is(unicode.Han, r) {
				if start < 0 {
					start = i
				}
				last = 0
				continue
			}
			if start >= 0 {
				out, start = append(out, w[start:i]), -1
			}
			if last != 0 {
				out = append(out, string([]rune{last, r}))
			}
			last = r
		}
		if start >= 0 {
			out = append(out, w[start:])
		}
		last = 0
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Words are those words that tell what a text is about: longer than two letters, or
// Chinese.
func Words(text string) []string {
	return slices.DeleteFunc(wordsOf(text), func(w string) bool { return len(w) < 3 || slices.Contains(empty, w) })
}

var empty = []string{"and", "are", "error", "for", "from", "has", "not", "the", "that", "this", "with", "was", "you"}
