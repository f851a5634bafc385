package match

import (
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/find"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon"
)

// A likeness compares a failure with others.
type likeness struct {
	c       Case
	terms   []string
	general []string       // of them those that are no names
	seen    map[string]int // in how many messages and phrases a word stands
	total   int
	words   *lexicon.Lexicon
	vectors map[string][]float32
	weights map[string]float64
}

func newLikeness(c Case, genes []gene.Gene, words *lexicon.Lexicon) *likeness {
	l := &likeness{c: c, seen: map[string]int{}, words: words, vectors: map[string][]float32{}, weights: map[string]float64{}}
	if !slices.ContainsFunc(genes, func(g gene.Gene) bool { return len(g.Cures) > 0 || len(g.When.Says) == 0 && !g.Platitude }) {
		return l // nothing to compare with
	}
	for i := range genes {
		for _, f := range genes[i].Cures {
			l.count(f.Text)
		}
	}
	l.terms, l.general = terms(c.Failure.Text), terms(failure.General(c.Failure.Text))
	return l
}

func (l *likeness) count(text string) {
	l.total++
	for _, t := range terms(text) {
		l.seen[t]++
	}
}

// terms are the words of a message, each once.
func terms(text string) (out []string) {
	for _, t := range find.Terms(text) {
		if !slices.Contains(out, t) && len(t) > 1 {
			out = append(out, t)
		}
	}
	return out
}

// to is how like a failure is to one that was cured, from 0 to less than 1.
func (l *likeness) to(f *failure.Failure) float64 {
	theirs := terms(f.Text)
	if len(theirs) == 0 || len(l.terms) == 0 {
		return 0
	}
	mine := l.c.Failure
	score := (l.cover(l.terms, theirs, l.general) + l.cover(theirs, l.terms, terms(failure.General(f.Text)))) / 2
	switch {
	case mine.Code != "" && f.Code != "" && mine.Code == f.Code:
		score += 0.2
	case mine.Code != "" && f.Code != "":
		score -= 0.15
	}
	if l.shareName(theirs) {
		score += 0.08
	}
	more := alike(mine.Symbols, f.Symbols)
	if more == -1 {
		return 0 // another module, library or port is another failure, in the same words
	}
	return min(max(score+more, 0), 0.98)
}

// likely is the likeness to a failure that was cured, surer where both have one cause, less
// sure where they have different ones and are not about the same thing. It is looked for only
// where it decides.
func (l *likeness) likely(cause string, cured *failure.Failure, genes []gene.Gene) float64 {
	const same, other = 0.28, 0.1
	s := l.to(cured)
	if cause == "" || s < Bar-same || s >= Bar+other {
		return s
	}
	theirs := cured.Cause
	if theirs == "" {
		theirs = Cause(*cured, genes)
	}
	switch {
	case theirs == cause:
		return s + same
	case theirs == "" || alike(l.c.Failure.Symbols, cured.Symbols) > 0 || l.shareName(terms(cured.Text)):
		return s
	}
	return s - other
}

// bySaying is how like a failure is to what a gene says of itself, for one of which
// nobody knows yet what it cured.
func (l *likeness) bySaying(g *gene.Gene) float64 {
	if len(g.When.Says) > 0 || len(g.Cures) > 0 || !slices.ContainsFunc(gene.Types(g.SignalsMatch), func(t string) bool { return slices.Contains(l.c.Signals, t) && t != "error:generic" }) {
		return 0
	}
	own := terms(strings.Join(append([]string{g.Title, g.Description}, g.Preconditions...), " "))
	return min(l.cover(own, l.terms, own)+max(0, alike(named(own, l.c.Failure.Symbols), l.c.Failure.Symbols)), 0.9)
}

// named are the symbols whose name is among some words.
func named(words, symbols []string) (out []string) {
	for _, s := range symbols {
		if _, name, _ := strings.Cut(s, ":"); slices.Contains(words, strings.ToLower(name)) {
			out = append(out, s)
		}
	}
	return out
}

// About are the failures of a list that a gene's own words are about, by their places:
// the one that shares most with them, and those that share nearly as much. Where none
// shares anything it is the last.
func About(g *gene.Gene, list []failure.Failure) (at []int) {
	if len(list) == 0 {
		return nil
	}
	own := terms(strings.Join(append(append([]string{g.Title, g.Description}, g.Preconditions...), g.Strategy...), " "))
	shared, most := make([]int, len(list)), 0
	for i := range list {
		for _, t := range terms(list[i].Text + " " + strings.Join(list[i].Symbols, " ")) {
			if slices.Contains(own, t) && !find.IsCommon(t) {
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

// alike is what symbols tell: the same module, port or header makes it surer; one that
// only the one failure is about, less so; of one kind different ones, -1, are another
// failure in the same words.
func alike(a, b []string) float64 {
	sum := 0.0
	for _, x := range a {
		kind, _, _ := strings.Cut(x, ":")
		if kind == "host" || kind == "file" || x == "module:own" {
			continue
		}
		if slices.Contains(b, x) {
			return 0.3
		}
		if slices.ContainsFunc(b, func(y string) bool { return strings.HasPrefix(y, kind+":") }) {
			sum = -1
		} else if sum == 0 {
			sum = -0.1
		}
	}
	return sum
}

// cover is which part of what some words tell others tell, too. A name that only one of
// them has is hardly held against it: general are those that are none.
func (l *likeness) cover(a, b, general []string) float64 {
	var sum, all float64
	for _, x := range a {
		w := l.tells(x)
		if slices.Contains(b, x) {
			sum, all = sum+w, all+w
			continue
		}
		if !slices.Contains(general, x) {
			w *= 0.25
		}
		all += w
		if v := l.vector(x); v != nil {
			best := float32(0)
			for _, y := range b {
				if u := l.vector(y); u != nil {
					best = max(best, dot(u, v))
				}
			}
			const near = 0.55 // below it two words only stand in like places
			if best >= near {
				sum += w * float64(best)
			}
		}
	}
	if all == 0 {
		return 0
	}
	return sum / all
}

// shareName reports whether others have a word of the message that no phrase has, and that
// is longer than most: the name of a library, a table, a setting.
func (l *likeness) shareName(theirs []string) bool {
	return slices.ContainsFunc(theirs, func(w string) bool {
		return len(w) >= 5 && slices.Contains(l.terms, w) && !strings.Contains(phrases().text, w) && !find.IsCommon(w)
	})
}

// tells is how much a word says: the rarer, the more, among what was cured and the phrases
// of the genes that come with the program.
func (l *likeness) tells(word string) float64 {
	n, ok := l.weights[word]
	if !ok {
		all := phrases()
		n = math.Log(1 + float64(l.total+all.n)/float64(1+l.seen[word]+strings.Count(all.text, word)))
		l.weights[word] = n
	}
	return n
}

// phrases are all phrases of the genes that come with the program, as one text.
var phrases = sync.OnceValue(func() (all struct {
	text string
	n    int
}) {
	seeds, _ := gene.Seeds() // without them every word is as rare
	var b strings.Builder
	for i := range seeds {
		for _, p := range seeds[i].When.Says {
			b.WriteString(p + "\n")
			all.n++
		}
	}
	all.text = b.String()
	return all
})

func (l *likeness) vector(word string) []float32 {
	if v, ok := l.vectors[word]; ok {
		return v
	}
	var v []float32
	if n, ok := l.words.Find(word); ok && !find.IsCommon(word) {
		v = make([]float32, l.words.Dims())
		if l.words.Add(n, 1, v) {
			find.Unit(v)
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
