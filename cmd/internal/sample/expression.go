package sample

import (
	"regexp/syntax"
	"slices"
	"strings"
)

// examples are texts that a regular expression should find something in, the
// likeliest first. They are guesses: whoever needs a match tries them. An
// expression that only .NET has (a back reference) gives none.
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
	for _, look := range ahead { // ^(?=.*prod)deploy wants both
		for _, more := range examples(look) {
			for _, s := range plain {
				add(s + " " + strings.TrimSpace(more))
			}
		}
	}
	// A word at its ends: '^rm ' finds no command of one word, '^/etc/' no folder.
	for _, s := range list {
		for _, form := range []string{s + "x", s + " x", "x" + s, "x " + s, "x" + s + "x", "x " + s + " x"} {
			add(form)
		}
	}
	return list
}

// written are the texts that an expression without looks is read backwards to.
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

// withoutLooks takes lookahead and lookbehind groups out of an expression. What has to
// stand ahead is told; what has to stand before is a part of it like any other.
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
