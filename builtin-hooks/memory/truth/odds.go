package truth

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// told is how much each of some words says for or against an update, if the newer statement has
// it and the older does not: the logarithm of the odds, as the memories of many teams show it.
// TestForest makes it.
//
//go:embed odds.txt
var told string

var oddsOf = sync.OnceValue(func() map[string]float64 {
	out := map[string]float64{}
	for line := range strings.Lines(told) {
		word, odds, _ := strings.Cut(strings.TrimSpace(line), " ")
		out[word], _ = strconv.ParseFloat(odds, 64)
	}
	return out
})

// newWords are the words of the newer that the older has not, and that are no values.
func (c *comparison) newWords() (out []string) {
	for _, t := range c.new.all {
		if t.class == value || slices.Contains(out, t.raw) || slices.ContainsFunc(c.old.all, func(o token) bool { return o.raw == t.raw }) {
			continue
		}
		out = append(out, t.raw)
	}
	return out
}

// wordOdds is what the new words say together, and the one that says most for an update.
func wordOdds(words []string, odds map[string]float64) (sum, most float64) {
	for _, w := range words {
		sum += odds[w]
		most = max(most, odds[w])
	}
	return sum, most
}
