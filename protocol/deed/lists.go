package deed

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Lists of the shell: the arguments of a text or a function, and variables that have
// several elements. They are kept as one text each, beside the variables.

// between separates the elements of a list, which may contain blanks.
const between = "\x01"

func (s *script) list(at, star string, words []string) {
	all := make([]string, len(words))
	for i, word := range words {
		all[i] = unlisted(word)
	}
	s.keep(at, strings.Join(all, between))
	s.set(star, strings.Join(all, " "))
}

// listOf is a list with these elements.
func listOf(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, between)
}

func (s *script) arguments(words []string) {
	s.list("@", "*", words)
	for i := range 9 {
		if i < len(words) {
			s.set(strconv.Itoa(i+1), words[i])
		} else {
			delete(s.known, strconv.Itoa(i+1))
		}
	}
}

// shift removes leading arguments.
func (s *script) shift(argv []string) {
	n := 1
	if len(argv) > 1 {
		n, _ = strconv.Atoi(argv[1])
	}
	if list := listOf(s.known["@"]); n > 0 && n <= len(list) {
		s.arguments(list[n:])
	}
}

// spaced is a text in which lists appear as the shell prints them.
func spaced(text string) string { return strings.ReplaceAll(text, between, " ") }

// spread are the words that one word becomes: each element of a list; for an unquoted
// variable, the parts between blanks.
func (s *script) spread(w *syntax.Word) []string {
	loose := slices.ContainsFunc(w.Parts, func(p syntax.WordPart) bool {
		switch p.(type) {
		case *syntax.ParamExp, *syntax.CmdSubst:
			return true
		}
		return false
	})
	var out []string
	for _, parts := range s.braces(w) {
		text := s.guess(parts, false)
		switch {
		case loose:
			out = append(out, strings.Fields(spaced(text))...)
		case text == "" && !quotesList(w):
			out = append(out, "")
		default:
			out = append(out, listOf(text)...)
		}
	}
	return out
}

// quotesList reports whether a word contains a quoted list, which makes no word at
// all if it is empty.
func quotesList(w *syntax.Word) bool {
	return slices.ContainsFunc(w.Parts, func(p syntax.WordPart) bool {
		quoted, ok := p.(*syntax.DblQuoted)
		return ok && slices.ContainsFunc(quoted.Parts, func(p syntax.WordPart) bool {
			v, ok := p.(*syntax.ParamExp)
			return ok && (v.Index != nil || v.Param != nil && v.Param.Value == "@")
		})
	})
}

// unlisted is a text that is not a list, whatever it contains.
func unlisted(text string) string { return strings.ReplaceAll(text, between, "") }

// sliced are the elements of a list from a plain number on, at most as many as a
// second one says; the first argument of a text is number 1. If a number is not
// plain, it is all elements.
func sliced(list []string, slice *syntax.Slice, args bool) string {
	from, ok := plainNumber(slice.Offset)
	if args {
		from--
	}
	if ok && from >= 0 && from <= len(list) {
		list = list[from:]
		if slice.Length != nil {
			if n, ok := plainNumber(slice.Length); ok {
				list = list[:min(n, len(list))]
			}
		}
	}
	return strings.Join(list, between)
}

func plainNumber(e syntax.ArithmExpr) (int, bool) {
	w, ok := e.(*syntax.Word)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(w.Lit())
	return n, err == nil && n >= 0
}
