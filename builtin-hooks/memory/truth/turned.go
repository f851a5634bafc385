package truth

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/wording"
)

// How many words two things may have that change places, and how many stand between them.
const (
	turnedMost  = 4
	betweenMost = 8
)

// turned is how likely the two say something of two directions, or of two things whose parts have
// changed places: uploads from A to B and from B to A, the billing service of the search team and
// the search service of the billing team. The same words stand between the two in both.
func (c *comparison) turned() likelihood {
	older, newer := wording.Parts(c.old.text), wording.Parts(c.new.text)
	for i := range older {
		for j := i + 2; j < len(older) && j-i <= betweenMost+1; j++ {
			between := older[i+1 : j]
			if wording.IsMark(older[j-1]) || slices.Contains(ranking, older[j-1]) {
				break // another clause, or one of the two comes first
			}
			for k := 0; k+len(between) < len(newer); k++ {
				if slices.Equal(newer[k:k+len(between)], between) && changePlaces(older[:i+1], older[j:], newer[:k], newer[k+len(between):]) {
					if c.new.cue {
						return perhaps // it may be so the other way round now
					}
					return surely
				}
			}
		}
	}
	return hardly
}

// changePlaces reports whether what stands before some words, and behind them, has changed places in
// a newer text.
func changePlaces(before, behind, newBefore, newBehind []string) bool {
	for x := 1; x <= min(turnedMost, len(before), len(newBehind)); x++ {
		first := before[len(before)-x:]
		if !slices.Equal(first, newBehind[:x]) || !saysSomething(first) {
			continue
		}
		for y := 1; y <= min(turnedMost, len(behind), len(newBefore)); y++ {
			second := behind[:y]
			if slices.Equal(second, newBefore[len(newBefore)-y:]) && saysSomething(second) && !slices.Equal(first, second) {
				return true
			}
		}
	}
	return false
}

// saysSomething reports whether words name something: of Chinese two characters do, and neither
// words that join others nor numbers.
func saysSomething(words []string) bool {
	letters := 0
	for _, w := range words {
		switch {
		case wording.IsMark(w):
			return false
		case isCJK([]rune(w)[0]):
			letters++
		case len(w) > 1 && !isNumber(w) && !slices.Contains(joining, w) || len(w) == 1 && w[0] >= 'A' && w[0] <= 'Z':
			letters += 2
		}
	}
	return letters > 1
}

// ranking are words by which only one of two orders can be true: tabs over spaces.
var ranking = strings.Fields("over than instead rather before after above below beats not 优 先 胜 而")

// joining are words that name nothing.
var joining = strings.Fields("a an the of to from in on at by for with and or is are was were be it its this that not no as we our i my you your they their")
