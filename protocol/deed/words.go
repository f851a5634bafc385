package deed

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// words are a command's words as the shell would make them: quotes resolved, braces
// expanded; an unknown word is kept as written. loose is the command without its
// unknown parts, as it may turn out ("git pu${x}sh"), followed by the command with
// what the text itself sets; empty if everything is known.
func (s *script) words(list []*syntax.Word) (argv, loose []string) {
	unknown := slices.ContainsFunc(list, func(w *syntax.Word) bool { return expands(w.Parts) })
	if !unknown {
		argv = make([]string, 0, len(list))
		for _, w := range list {
			argv = append(argv, s.word(w)...)
		}
		return argv, nil
	}
	var without, with []string
	for _, w := range list {
		words := s.word(w)
		argv = append(argv, words...)
		if !expands(w.Parts) {
			without, with = append(without, words...), append(with, words...)
			continue
		}
		if text := s.parts(w.Parts, false, true); text != "" {
			without = append(without, text)
		}
		with = append(with, s.guessed(w))
	}
	for _, words := range [][]string{without, with} {
		loose = append(loose, strings.ReplaceAll(strings.Join(words, " "), ifs, " "))
	}
	return argv, loose
}

func expands(parts []syntax.WordPart) bool {
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.ParamExp, *syntax.CmdSubst:
			return true
		case *syntax.DblQuoted:
			if expands(p.Parts) {
				return true
			}
		}
	}
	return false
}

// word is what one word becomes: several if it contains braces or $IFS.
func (s *script) word(w *syntax.Word) []string {
	if text := w.Lit(); isPlain(text) {
		return []string{text}
	}
	var out []string
	for _, parts := range s.braces(w) {
		text := s.parts(parts, false, false)
		if fields := strings.Split(text, ifs); len(fields) > 1 {
			for _, f := range fields {
				if f != "" {
					out = append(out, f)
				}
			}
			continue
		}
		out = append(out, text)
	}
	return out
}

// isPlain reports whether a word is what it looks like: nothing in it is quoted, expanded, or
// special to any shell.
func isPlain(word string) bool {
	for i := range len(word) {
		if !plainByte(word[i]) {
			return false
		}
	}
	return word != ""
}

// document is the text of a here-document, as the command gets it.
func (s *script) document(r *syntax.Redirect) string {
	if literal := r.Hdoc.Lit(); literal != "" && !plain(r.Word) {
		return literal
	}
	return s.parts(r.Hdoc.Parts, true, false)
}

// plain reports whether a word has no quotes: a here-document with a quoted delimiter
// is taken literally.
func plain(w *syntax.Word) bool { lit := w.Lit(); return lit != "" && !strings.Contains(lit, "\\") }

// maxBraces limits what one word may expand to.
const maxBraces = 64

// braces are the parts of each word that a word with braces stands for.
func (s *script) braces(w *syntax.Word) [][]syntax.WordPart {
	original := w.Parts
	w = &syntax.Word{Parts: w.Parts} // the walk continues through the one that was parsed
	if !syntax.SplitBraces(w) {
		return [][]syntax.WordPart{w.Parts}
	}
	all := [][]syntax.WordPart{nil}
	for _, part := range w.Parts {
		var choices [][]syntax.WordPart
		switch b, ok := part.(*syntax.BraceExp); {
		case ok && b.Sequence:
			choices = sequence(b)
		case ok:
			for _, elem := range b.Elems {
				choices = append(choices, s.braces(elem)...)
			}
		default:
			choices = [][]syntax.WordPart{{part}}
		}
		var next [][]syntax.WordPart
		for _, head := range all {
			for _, tail := range choices {
				if len(next) == maxBraces {
					s.unread = "braces that stand for more than 64 words"
					return [][]syntax.WordPart{original}
				}
				next = append(next, append(head[:len(head):len(head)], tail...))
			}
		}
		all = next
	}
	return all
}

// sequence expands {1..3} or {a..c}.
func sequence(b *syntax.BraceExp) [][]syntax.WordPart {
	lit := func(text string) []syntax.WordPart { return []syntax.WordPart{&syntax.Lit{Value: text}} }
	first, last := b.Elems[0].Lit(), b.Elems[1].Lit()
	from, err1 := strconv.Atoi(first)
	to, err2 := strconv.Atoi(last)
	spell := strconv.Itoa
	if err1 != nil || err2 != nil {
		if len(first) != 1 || len(last) != 1 {
			return [][]syntax.WordPart{lit("{" + first + ".." + last + "}")}
		}
		from, to = int(first[0]), int(last[0])
		spell = func(n int) string { return string(rune(n)) }
	}
	step := 1
	if from > to {
		step = -1
	}
	var out [][]syntax.WordPart
	for n := from; len(out) <= maxBraces; n += step {
		out = append(out, lit(spell(n)))
		if n == to {
			break
		}
	}
	return out
}

// ifs stands for the separators at which the shell splits words, if a word contains
// $IFS.
const ifs = "\x00"

// parts is the text of a word's parts. With loose, expansions are left out.
func (s *script) parts(parts []syntax.WordPart, quoted, loose bool) string {
	if len(parts) == 1 && !quoted {
		if lit, ok := parts[0].(*syntax.Lit); ok && strings.IndexByte(lit.Value, '\\') < 0 {
			return lit.Value
		}
	}
	var b strings.Builder
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(unescape(p.Value, quoted))
		case *syntax.SglQuoted:
			if p.Dollar {
				b.WriteString(ansi(p.Value))
			} else {
				b.WriteString(p.Value)
			}
		case *syntax.DblQuoted:
			b.WriteString(s.parts(p.Parts, true, loose))
		case *syntax.ParamExp:
			switch name := p.Param; {
			case !quoted && name != nil && name.Value == "IFS" && !p.Length:
				b.WriteString(ifs)
			case !loose:
				b.WriteString(s.from(p))
			}
		default:
			b.WriteString(s.from(p))
		}
	}
	return b.String()
}

// unescape removes the backslashes from a text that has no other quotes.
func unescape(s string, quoted bool) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (!quoted || strings.IndexByte("$`\"\\\n", s[i+1]) >= 0) {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		b = append(b, s[i])
	}
	return string(b)
}

// ansi decodes the escapes of $'…'.
func ansi(s string) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b = append(b, s[i])
			continue
		}
		i++
		if at := strings.IndexByte("abefnrtvE", s[i]); at >= 0 {
			b = append(b, "\a\b\x1b\f\n\r\t\v\x1b"[at])
			continue
		}
		switch c := s[i]; {
		case c >= '0' && c <= '7':
			n := digits(s[i:], 3, 8)
			b = append(b, byte(number(s[i:i+n], 8)))
			i += n - 1
		case c == 'x' || c == 'u' || c == 'U':
			n := digits(s[i+1:], map[byte]int{'x': 2, 'u': 4, 'U': 8}[c], 16)
			switch v := number(s[i+1:i+1+n], 16); {
			case n == 0:
				b = append(b, '\\', c)
			case c == 'x':
				b = append(b, byte(v))
			default:
				b = utf8.AppendRune(b, rune(v))
			}
			i += n
		case c == 'c' && i+1 < len(s):
			i++
			b = append(b, s[i]&0x1f)
		case strings.IndexByte(`\'"?`, c) >= 0:
			b = append(b, c)
		default:
			b = append(b, '\\', c)
		}
	}
	return string(b)
}

// digits is how many of the first characters are digits, at most most.
func digits(s string, most, base int) int {
	n := 0
	for n < len(s) && n < most {
		if _, err := strconv.ParseUint(s[n:n+1], base, 8); err != nil {
			break
		}
		n++
	}
	return n
}

func number(s string, base int) uint64 {
	v, _ := strconv.ParseUint(s, base, 64)
	return v
}

// linesEnd is a text whose lines end where a shell ends them. After a backslash at
// the end of a comment, even with a carriage return after it, the parser continues
// the line and no shell does; where # may not begin a comment, the text is also read
// unchanged.
func linesEnd(text string) string {
	text = strings.ReplaceAll(text, "\\\r\n", "\n")
	if !strings.Contains(text, "\\\n") || !strings.Contains(text, "#") {
		return text
	}
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		if strings.Contains(line, "#") && strings.HasSuffix(line, "\\\n") {
			lines[i] = strings.TrimRight(line, "\\\n") + "\n"
		}
	}
	return strings.Join(lines, "")
}

// pieces cuts a text at everything that ends a command in any shell that we know of,
// and removes the quotes: for matchers, if no grammar accepts it.
func pieces(text string) []string {
	var out []string
	var b strings.Builder
	flush := func() {
		if piece := strings.Join(strings.Fields(b.String()), " "); piece != "" {
			out = append(out, piece)
		}
		b.Reset()
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case ';', '&', '|', '\n', '(', ')', '{', '}', '`':
			flush()
		case '"', '\'', '\\', '^':
		default:
			b.WriteByte(c)
		}
	}
	flush()
	return out
}
