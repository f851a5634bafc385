package match

import (
	_ "embed" // how common words are
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
)

// A message is a text prepared for comparison.
type message struct {
	terms   []string            // its words, without duplicates
	general []string            // those that are not names
	turns   []string            // the words in sequence, without names
	core    []string            // those words, not names, that hardly any message has
	worn    map[string]struct{} // words that only occur in phrases that many messages have
}

func messageOf(text string) (m message) {
	text = meantBy(text)
	general := failure.General(text)
	m.terms, m.general, m.turns = terms(text), terms(general), strings.Fields(general)
	m.worn = worn(m.turns)
	const rare = 0.7
	for _, w := range m.general {
		if _, worn := m.worn[w]; !worn && tells(w) >= rare {
			m.core = append(m.core, w)
		}
	}
	return m
}

// worn are the words that only occur in sequences of three words that many messages
// have.
func worn(turns []string) map[string]struct{} {
	seen, _ := common()
	often := make([]bool, len(turns))
	for i := range len(turns) - 2 {
		if seen[strings.Join(turns[i:i+3], " ")] > 0 {
			often[i], often[i+1], often[i+2] = true, true, true
		}
	}
	fresh, out := map[string]bool{}, map[string]struct{}{}
	for i, w := range turns {
		for _, t := range terms(w) {
			fresh[t] = fresh[t] || !often[i]
		}
	}
	for t, is := range fresh {
		if !is {
			out[t] = struct{}{}
		}
	}
	return out
}

// sentence reports whether two messages share four words in a row that are not a common
// phrase.
func sentence(a, b *message) bool {
	const long = 4
	telling := func(w string) bool {
		return slices.ContainsFunc(terms(w), func(t string) bool { _, worn := a.worn[t]; return !worn && tells(t) > 0.5 })
	}
	for i := range len(a.turns) - long + 1 {
		run := a.turns[i : i+long]
		if slices.ContainsFunc(run, func(w string) bool { return w == "file" || len(w) == 1 }) || !slices.ContainsFunc(run, telling) {
			continue
		}
		for k := range len(b.turns) - long + 1 {
			if slices.Equal(run, b.turns[k:k+long]) {
				return true
			}
		}
	}
	return false
}

// terms are the words of a message, without duplicates.
func terms(text string) (out []string) {
	for _, t := range search.Terms(text) {
		if !slices.Contains(out, t) && len(t) > 1 {
			out = append(out, t)
		}
	}
	return out
}

//go:embed common.txt
var commonText string

// common says in how many failure messages of the corpora a word, or a sequence of
// three, occurs, and how many messages there are.
var common = sync.OnceValues(func() (seen map[string]int, all int) {
	seen = make(map[string]int, 1024)
	head, rest, _ := strings.Cut(commonText, "\n")
	all, _ = strconv.Atoi(head) // the file is ours
	for line := range strings.Lines(rest) {
		n, word, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ") // or three of them
		seen[word], _ = strconv.Atoi(n)
	}
	return seen, all
})

// tells is how much a word says, from 0 to 1: the fewer messages have it, the more.
func tells(word string) float64 {
	seen, all := common()
	const rare = 3 // anything as rare says all
	return min(1, math.Log(float64(all+1)/float64(1+seen[word]))/math.Log(float64(all+1)/rare))
}
