package deed

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// shaped is what an expansion makes of a variable's value: ${x#a}, ${x%.*}, ${x:1},
// ${x/a/b}, ${x,,}, ${#x}, ${!x}. ok is false if that cannot be known from the text
// alone.
func (s *script) shaped(p *syntax.ParamExp, value string) (_ string, ok bool) {
	switch {
	case p.Excl:
		value, ok = s.known[value]
		return value, ok && p.Exp == nil && p.Repl == nil && p.Slice == nil
	case p.Length:
		return strconv.Itoa(len([]rune(value))), true
	case p.Slice != nil:
		return part(value, p.Slice)
	case p.Repl != nil:
		return s.replaced(value, p.Repl)
	case p.Exp != nil:
		return s.trimmed(value, p.Exp)
	}
	return value, !p.Width
}

// part is a piece of a text, by plain numbers.
func part(value string, slice *syntax.Slice) (string, bool) {
	text := []rune(value)
	from, ok := plainNumber(slice.Offset)
	if !ok || from > len(text) {
		return value, false
	}
	text = text[from:]
	if slice.Length != nil {
		n, ok := plainNumber(slice.Length)
		if !ok {
			return value, false
		}
		text = text[:min(n, len(text))]
	}
	return string(text), true
}

// pattern is the word of an expansion, if it is plain text but for a star.
func (s *script) pattern(w *syntax.Word) (string, bool) {
	if w == nil {
		return "", true
	}
	outer := s.missing
	text, ok := s.sure(w)
	s.missing = outer
	return text, ok && !strings.ContainsAny(text, "?[(\\")
}

// replaced is a text with one other in place of the first, or of all.
func (s *script) replaced(value string, r *syntax.Replace) (string, bool) {
	old, ok := s.pattern(r.Orig)
	if !ok || old == "" || strings.ContainsAny(old[:1], "#%") || strings.Contains(old, "*") {
		return value, false
	}
	with, ok := "", true
	if r.With != nil && len(r.With.Parts) > 0 {
		with, ok = s.pattern(r.With)
	}
	n := 1
	if r.All {
		n = -1
	}
	return strings.Replace(value, old, with, n), ok
}

// trimmed is a text without its beginning or its end, or in the other case. A star is
// known at the far side of a pattern: ##*/ and %.*.
func (s *script) trimmed(value string, e *syntax.Expansion) (string, bool) {
	switch e.Op {
	case syntax.UpperAll, syntax.LowerAll, syntax.UpperFirst, syntax.LowerFirst:
		return cased(value, e.Op), e.Word == nil || len(e.Word.Parts) == 0
	case syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix:
	default:
		return value, true // a default, which the caller knows
	}
	pattern, ok := s.pattern(e.Word)
	if !ok {
		return value, false
	}
	front := e.Op == syntax.RemSmallPrefix || e.Op == syntax.RemLargePrefix
	mark, star := strings.CutPrefix(pattern, "*")
	if !front {
		mark, star = strings.CutSuffix(pattern, "*")
	}
	if mark == "" || strings.Contains(mark, "*") {
		return value, false
	}
	first, last := strings.Index(value, mark), strings.LastIndex(value, mark)
	switch {
	case !star && front:
		return strings.TrimPrefix(value, mark), true
	case !star:
		return strings.TrimSuffix(value, mark), true
	case first < 0:
		return value, true
	case e.Op == syntax.RemSmallPrefix:
		return value[first+len(mark):], true
	case e.Op == syntax.RemLargePrefix:
		return value[last+len(mark):], true
	case e.Op == syntax.RemSmallSuffix:
		return value[:last], true
	}
	return value[:first], true
}

func cased(value string, op syntax.ParExpOperator) string {
	_, letter := utf8.DecodeRuneInString(value)
	switch {
	case value == "":
	case op == syntax.UpperAll:
		return strings.ToUpper(value)
	case op == syntax.LowerAll:
		return strings.ToLower(value)
	case op == syntax.UpperFirst:
		return strings.ToUpper(value[:letter]) + value[letter:]
	case op == syntax.LowerFirst:
		return strings.ToLower(value[:letter]) + value[letter:]
	}
	return value
}
