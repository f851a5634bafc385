package sample

import (
	"regexp/syntax"
	"slices"
	"strings"
)

// examples are texts that a regular expression should find something in, the
// likeliest first. They are guesses: whoever needs a match tries them. An
// expression that only .NET has (a back reference) gives none.
func examples(expression string) []string {
	re, err := syntax.Parse(withoutLooks(expression), syntax.Perl)
	if err != nil {
		return nil
	}
	var list []string
	for variant := range 12 {
		var b strings.Builder
		e := exampler{variant: variant, out: &b}
		if !e.write(re) {
			continue
		}
		if s := b.String(); !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// withoutLooks takes lookahead and lookbehind groups out of an expression.
func withoutLooks(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		skip := false
		for _, open := range []string{"(?=", "(?!", "(?<=", "(?<!"} {
			skip = skip || strings.HasPrefix(s[i:], open)
		}
		switch {
		case skip:
			i += groupLen(s[i:])
		case s[i] == '\\' && i+1 < len(s):
			b.WriteString(s[i : i+2])
			i += 2
		default:
			b.WriteByte(s[i])
			i++
		}
	}
	return b.String()
}

// groupLen is the length of the group that s begins with.
func groupLen(s string) int {
	depth, class := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

// An exampler writes one text. Its variant chooses among alternatives, and
// whether what may be left out is.
type exampler struct {
	variant int
	out     *strings.Builder
}

// maxExample bounds what a{1000}{1000} becomes.
const maxExample = 4 << 10

func (e exampler) write(re *syntax.Regexp) bool {
	if e.out.Len() > maxExample {
		return false
	}
	switch re.Op {
	case syntax.OpNoMatch:
		return false
	case syntax.OpLiteral:
		e.out.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		r, ok := likely(re.Rune)
		if !ok {
			return false
		}
		e.out.WriteRune(r)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		e.out.WriteByte('x')
	case syntax.OpCapture:
		return e.write(re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if !e.write(sub) {
				return false
			}
		}
	case syntax.OpAlternate:
		return e.write(re.Sub[e.variant%len(re.Sub)])
	case syntax.OpStar, syntax.OpQuest:
		// Between two words .* stands for a blank at least, if for anything.
		if any := re.Sub[0].Op; any == syntax.OpAnyChar || any == syntax.OpAnyCharNotNL {
			e.out.WriteByte(' ')
		} else if e.variant%2 == 1 {
			return e.write(re.Sub[0])
		}
	case syntax.OpPlus:
		return e.write(re.Sub[0])
	case syntax.OpRepeat:
		for range re.Min {
			if !e.write(re.Sub[0]) {
				return false
			}
		}
	}
	return true // anchors and borders of words take no room
}

// likely is the character of a class that a person would have typed: a letter
// rather than a control character, a space rather than a tab.
func likely(class []rune) (rune, bool) {
	in := func(r rune) bool {
		for i := 0; i+1 < len(class); i += 2 {
			if class[i] <= r && r <= class[i+1] {
				return true
			}
		}
		return false
	}
	for _, r := range "abcdefghijklmnopqrstuvwxyz019 /-_.:=ABCDEFGHIJKLMNOPQRSTUVWXYZ" {
		if in(r) {
			return r, true
		}
	}
	if len(class) == 0 {
		return 0, false
	}
	return class[0], true
}
