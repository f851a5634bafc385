package search

import (
	"slices"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon"
)

// A Sense compares words by the lexicon.
type Sense struct {
	words   *Snapshot
	lexicon *lexicon.Lexicon
	made    map[string]wordVector
}

// Sense opens the lexicon that the folder's searches use.
func (s Folder) Sense() *Sense {
	l, _ := lexicon.Open(lexicon.Path(s.Cache))
	return NewSense(l)
}

// NewSense makes a Sense of a lexicon.
func NewSense(l *lexicon.Lexicon) *Sense {
	return &Sense{words: New("", l), lexicon: l, made: map[string]wordVector{}}
}

// Has reports whether there is a lexicon. s may be nil.
func (s *Sense) Has() bool { return s != nil && s.lexicon != nil }

// Close closes the lexicon.
func (s *Sense) Close() { s.lexicon.Close() }

// of is the vector of a word or a phrase, computed once.
func (s *Sense) of(text string) wordVector {
	w, have := s.made[text]
	if !have {
		words := s.words.about(text)
		w.vector = s.words.meaning(words)
		for _, c := range words {
			_, tells := s.words.known(c.word)
			w.weight = max(w.weight, tells)
		}
		s.made[text] = w
	}
	return w
}

// Like is the similarity of two words or phrases, from 0 to 1.
func (s *Sense) Like(a, b string) float32 {
	if v, w := s.of(a).vector, s.of(b).vector; v != nil && w != nil {
		return max(0, dot(v, w))
	}
	return 0
}

// Knows reports whether a word is in the lexicon.
func (s *Sense) Knows(word string) bool { return s.of(word).vector != nil }

// Tells is the significance of a word, from 0 to 1: the rarer, the more.
func (s *Sense) Tells(word string) float32 { return s.of(word).weight }

// Cut splits a run of Chinese characters into words, as far as the lexicon knows them: a pair
// that is linked to an English word is certainly one, and any pair in the lexicon is preferred
// to single characters.
func (s *Sense) Cut(run string) (out []string) {
	chars := []rune(run)
	least, pair := make([]float32, len(chars)+1), make([]bool, len(chars)+1)
	for i := range chars {
		least[i+1] = least[i] + costSingle
		if i == 0 {
			continue
		}
		if cost, is := s.pairCost(string(chars[i-1 : i+1])); is && least[i-1]+cost < least[i+1] {
			least[i+1], pair[i+1] = least[i-1]+cost, true
		}
	}
	for i := len(chars); i > 0; {
		from := i - 1
		if pair[i] {
			from--
		}
		out = append(out, string(chars[from:i]))
		i = from
	}
	slices.Reverse(out)
	return out
}

// The costs of a segmentation, which is the cheapest one.
const (
	costSingle = 0.3
	costPair   = 0.58
	costLinked = 0.4
)

// pairCost is the cost of two characters as a word, if the lexicon has it.
func (s *Sense) pairCost(word string) (float32, bool) {
	n, is := s.lexicon.Find(word)
	if !is {
		return 0, false
	}
	var most float32
	s.lexicon.Links(n, func(_ int, sure float32) { most = max(most, sure) })
	if most < leastLink {
		return costPair, true
	}
	return costLinked - 0.2*min(most, 0.5), true
}

// leastLink is the least certainty with which an English word means two characters.
const leastLink = 0.1
