package screen

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// A phrase is a rule about words: what it looks like, what it is, why it is a reason.
type phrase struct {
	re    *regexp.Regexp
	kind  string
	why   string
	needs []string // a text that has none of these, in small letters, has no match
}

// rule makes a phrase. There are some two hundred, and a machine screens hundreds of genes as a session begins, so a text is
// searched only for those that it can have: looking for a word costs next to nothing beside
// an expression.
func rule(kind, why, e string) phrase {
	p := phrase{re: regexp.MustCompile(`(?i)` + e), kind: kind, why: why}
	if tree, err := syntax.Parse(`(?i)`+e, syntax.Perl); err == nil {
		p.needs = needs(tree)
	}
	return p
}

func phrases(kind, why string, list ...string) (out []phrase) {
	for _, e := range list {
		out = append(out, rule(kind, why, e))
	}
	return out
}

// may reports whether a text, of which small is the same in small letters, can have a match.
func (p phrase) may(small string) bool {
	for _, n := range p.needs {
		if strings.Contains(small, n) {
			return true
		}
	}
	return len(p.needs) == 0
}

// needs are texts of which each match of an expression has one; none if nothing is sure.
func needs(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{strings.ToLower(string(re.Rune))}
	case syntax.OpCapture, syntax.OpPlus:
		return needs(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return needs(re.Sub[0])
		}
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if n := needs(sub); telling(n) > telling(best) {
				best = n
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			n := needs(sub)
			if len(n) == 0 {
				return nil
			}
			all = append(all, n...)
		}
		return all
	}
	return nil
}

// telling is the length of the shortest of some texts: a letter is in everything.
func telling(list []string) int {
	least := 0
	for i, s := range list {
		if i == 0 || len(s) < least {
			least = len(s)
		}
	}
	return least
}
