package find

import (
	"slices"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon"
)

// A Sense compares words by what the lexicon knows of them.
type Sense struct {
	words   *Snapshot
	lexicon *lexicon.Lexicon
	made    map[string][]float32
}

// Sense opens the lexicon that a shelf's searches read.
func (s Shelf) Sense() *Sense {
	l, _ := lexicon.Open(lexicon.Path(s.Cache))
	return NewSense(l)
}

// NewSense compares by a lexicon.
func NewSense(l *lexicon.Lexicon) *Sense {
	return &Sense{words: New("", l), lexicon: l, made: map[string][]float32{}}
}

// Has reports whether there is a lexicon at all. No sense has none.
func (s *Sense) Has() bool { return s != nil && s.lexicon != nil }

// Close ends its use.
func (s *Sense) Close() { s.lexicon.Close() }

// vector is what a word or a phrase is about; nil if nothing is known of it.
func (s *Sense) vector(text string) []float32 {
	v, have := s.made[text]
	if !have {
		v = s.words.meaning(s.words.about(text))
		s.made[text] = v
	}
	return v
}

// Like is how near two words or phrases are, from 0 to 1.
func (s *Sense) Like(a, b string) float32 {
	if v, w := s.vector(a), s.vector(b); v != nil && w != nil {
		return max(0, dot(v, w))
	}
	return 0
}

// Knows reports whether a word is in the lexicon.
func (s *Sense) Knows(word string) bool { return s.vector(word) != nil }

// Tells is how much a word says, from 0 to 1: the rarer, the more.
func (s *Sense) Tells(word string) (most float32) {
	for _, c := range s.words.about(word) {
		if _, weight := s.words.known(c.word); weight > most {
			most = weight
		}
	}
	return most
}

// Cut parts a run of Chinese characters into words, as far as the lexicon knows them.
func (s *Sense) Cut(run string) (out []string) {
	s.words.cut([]rune(run), func(word string) { out = append(out, word) })
	slices.Reverse(out) // the last comes first
	return out
}
