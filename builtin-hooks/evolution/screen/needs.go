package screen

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// A phrase is a rule about words: the expression, the kind of finding, and the reason.
type phrase struct {
	re    *regexp.Regexp
	kind  string
	why   string
	needs []string // a text in lower case that contains none of these has no match
}

// rule makes a phrase. There are about two hundred, and a machine screens hundreds of
// genes when a session begins, so a text is searched only for those that it can match:
// looking for a word costs next to nothing compared with an expression.
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

// may reports whether a text can match; small is the same text in lower case.
func (p phrase) may(small string) bool {
	for _, n := range p.needs {
		if strings.Contains(small, n) {
			return true
		}
	}
	return len(p.needs) == 0
}

// needs are texts of which every match of an expression contains one; none if that
// cannot be told.
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

// telling is the length of the shortest of some texts: a single letter occurs
// everywhere.
func telling(list []string) int {
	least := 0
	for i, s := range list {
		if i == 0 || len(s) < least {
			least = len(s)
		}
	}
	return least
}
