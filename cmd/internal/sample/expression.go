package sample

import (
	"regexp/syntax"
	"slices"
	"strings"
)

// examples are texts in which a regular expression should match, the most likely
// first. They are guesses: a caller that needs a match tries them. An expression that
// only .NET supports (a back reference) yields none.
func examples(expression string) (list []string) {
	without, ahead := withoutLooks(expression)
	add := func(s string) {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	plain := written(without)
	for _, s := range plain {
		add(s)
	}
	for _, look := range ahead { // ^(?=.*prod)deploy needs both
		for _, more := range examples(look) {
			for _, s := range plain {
				add(s + " " + strings.TrimSpace(more))
			}
		}
	}
	// Add a word at the ends: '^rm ' matches no command of one word, '^/etc/' no
	// folder.
	for _, s := range list {
		for _, form := range []string{s + "x", s + " x", "x" + s, "x " + s, "x" + s + "x", "x " + s + " x"} {
			add(form)
		}
	}
	return list
}

// written are the texts generated from an expression without lookarounds.
func written(expression string) (list []string) {
	re, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return nil
	}
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

// withoutLooks removes lookahead and lookbehind groups from an expression. The
// content of a lookahead is returned; that of a lookbehind becomes an ordinary part.
func withoutLooks(s string) (without string, ahead []string) {
	var b strings.Builder
	for i := 0; i < len(s); {
		group := ""
		for _, open := range []string{"(?=", "(?!", "(?<=", "(?<!", "(?>"} {
			if strings.HasPrefix(s[i:], open) {
				group = open
			}
		}
		switch {
		case group == "(?<=" || group == "(?>":
			b.WriteString("(?:")
			i += len(group)
		case group != "":
			n := groupLen(s[i:])
			if group == "(?=" && n > len(group) {
				ahead = append(ahead, s[i+len(group):i+n-1])
			}
			i += n
		case s[i] == '\\' && i+1 < len(s):
			b.WriteString(s[i : i+2])
			i += 2
		default:
			b.WriteByte(s[i])
			i++
		}
	}
	return b.String(), ahead
}

// groupLen is the length of the group at the start of s.
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

// An exampler writes one text. Its variant chooses among alternatives, and whether
// optional parts are included.
type exampler struct {
	variant int
	out     *strings.Builder
}

// maxExample limits what a{1000}{1000} becomes.
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
		// Between two words .* becomes at least a blank.
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
	return true // anchors and word boundaries take no room
}

// likely is the character of a class that a user would type: a letter rather than a
// control character, a space rather than a tab.
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
