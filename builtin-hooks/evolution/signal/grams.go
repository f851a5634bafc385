package signal

// A line is asked for some hundred phrases, and has nearly none of them. So the
// groups of three bytes that it has are noted first, by a hash: a phrase whose
// first three are not among them cannot be in it.

// grams is a set of groups of three bytes; what it does not have is not there.
type grams [32]uint64

func gram(a, b, c byte) uint {
	return (uint(a)*0x9e5 ^ uint(b)*0x1f3 ^ uint(c)*0x25) & 2047
}

// note takes in the groups of a text, and reports whether all of it is plain letters.
func (g *grams) note(s string) bool {
	if len(s) < 3 {
		return true // says nothing in any language
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

// anyIn reports whether one of some phrases is in s, which is the line in lower
// case or a part of it.
func (l *line) anyIn(s string, phrases []string) bool {
	for _, p := range phrases {
		if l.may(p) && in(s, p) {
			return true
		}
	}
	return false
}

// anyPlainly is anyIn for words that stand by themselves.
func (l *line) anyPlainly(s string, words []string) bool {
	for _, w := range words {
		if l.may(w) && plainly(s, w) {
			return true
		}
	}
	return false
}
