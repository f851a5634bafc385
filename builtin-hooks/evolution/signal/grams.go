package signal

// A line is searched for some hundred phrases, of which it has nearly none. So its
// trigrams are first put into a hashed set: a phrase whose first trigram is not in the
// set cannot be in the line.

// grams is a set of trigrams that may report some it does not have.
type grams [32]uint64

func gram(a, b, c byte) uint {
	return (uint(a)*0x9e5 ^ uint(b)*0x1f3 ^ uint(c)*0x25) & 2047
}

// note adds the trigrams of a text, and reports whether it is plain ASCII.
func (g *grams) note(s string) bool {
	if len(s) < 3 {
		return true // too short to say anything in any language
	}
	all := s[0] | s[1]
	for i := 2; i < len(s); i++ {
		h := gram(s[i-2], s[i-1], s[i])
		g[h>>6] |= 1 << (h & 63)
		all |= s[i]
	}
	return all < 0x80
}

func (g *grams) has(h uint) bool { return g[h>>6]&(1<<(h&63)) != 0 }

// may reports whether a phrase may be in a line.
func (l *line) may(phrase string) bool {
	if len(phrase) < 3 {
		return true
	}
	h := gram(phrase[0], phrase[1], phrase[2])
	return l.grams[h>>6]&(1<<(h&63)) != 0
}

// anyIn reports whether one of some phrases is in s, which is the line in lower case,
// or a part of it.
func (l *line) anyIn(s string, phrases []string) bool {
	for _, p := range phrases {
		if l.may(p) && in(s, p) {
			return true
		}
	}
	return false
}

// anyPlainly is anyIn for words that stand alone.
func (l *line) anyPlainly(s string, words []string) bool {
	for _, w := range words {
		if l.may(w) && plainly(s, w) {
			return true
		}
	}
	return false
}
