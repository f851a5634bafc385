package discovery

import (
	"strings"
	"unicode/utf8"
)

// A spot is one scalar in the text of a front matter.
type spot struct {
	start, end int    // byte offsets in the block, quotes included
	line, col  int    // of the start, from 1
	source     string // as written there
	escape     string // the first escape that YAML does not know
	told       bool   // the mistake is the author's, not only the parser's
	inserts    []int  // columns before which a byte was added
	key        string // the key of this value, if known
}

// insertedBefore is how many characters were added before a column of the repaired
// line.
func (s spot) insertedBefore(col int) int {
	n := 0
	for _, c := range s.inserts {
		if c+n < col {
			n++
		}
	}
	return n
}

// single is the scalar in single quotes, where no escapes exist.
func (s spot) single() string {
	value := s.source
	if strings.HasPrefix(value, `"`) {
		value = literally(value[1 : len(value)-1])
	}
	return "'" + strings.ReplaceAll(value, "'", "''") + "'"
}

// literally reads the inside of a double-quoted scalar with its backslashes kept,
// except those before a quote or a backslash.
func literally(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\\') {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// badEscape reports whether the YAML parser stopped at an escape.
func badEscape(err error) bool {
	msg := err.Error()
	return strings.Contains(msg, "unknown escape character") || strings.Contains(msg, "hexdecimal number") ||
		strings.Contains(msg, "invalid Unicode character escape")
}

// repairEscapes rewrites the double-quoted scalars with an escape unknown to YAML, so
// that the parser reads them literally.
func repairEscapes(block string) (string, []spot) {
	var b strings.Builder
	var spots []spot
	last := 0
	for _, s := range doubleQuotedScalars(block) {
		inside := s.source[1 : len(s.source)-1]
		bad, slash := unknownEscape(inside)
		if bad == "" && !slash {
			continue
		}
		b.WriteString(block[last : s.start+1])
		last = s.end - 1
		s.escape, s.told = bad, bad != ""
		if s.told {
			b.WriteString(s.doubled(inside))
		} else {
			// YAML has \/ for a slash, but the parser does not know it.
			b.WriteString(s.unslashed(inside))
		}
		spots = append(spots, s)
	}
	b.WriteString(block[last:])
	return b.String(), spots
}

// doubled adds a backslash to each that YAML would take for an escape, except for those
// that must remain one.
func (s *spot) doubled(inside string) string {
	var b strings.Builder
	col := s.col + 1
	for i := 0; i < len(inside); i++ {
		c := inside[i]
		b.WriteByte(c)
		if c == '\\' {
			if i+1 < len(inside) && (inside[i+1] == '"' || inside[i+1] == '\\') {
				i++
				col++
				b.WriteByte(inside[i])
			} else {
				b.WriteByte('\\')
				s.inserts = append(s.inserts, col)
			}
		}
		if utf8.RuneStart(c) {
			col++
		}
	}
	return b.String()
}

// unslashed spells each \/ so that the parser knows it too.
func (s *spot) unslashed(inside string) string {
	var b strings.Builder
	col := s.col + 1
	for i := 0; i < len(inside); i++ {
		switch {
		case strings.HasPrefix(inside[i:], `\/`):
			b.WriteString(`\x2f`)
			s.inserts = append(s.inserts, col+1, col+1)
			i++
			col++
		case inside[i] == '\\' && i+1 < len(inside):
			b.WriteString(inside[i : i+2])
			i++
			col++
		default:
			b.WriteByte(inside[i])
		}
		if utf8.RuneStart(inside[i]) {
			col++
		}
	}
	return b.String()
}

// unknownEscape is the first escape in a double-quoted text that YAML does not know.
// slash reports \/, which YAML knows but our parser does not.
func unknownEscape(s string) (bad string, slash bool) {
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			continue
		}
		i++
		if i == len(s) {
			return `\`, slash
		}
		digits := 0
		switch c := s[i]; c {
		case '0', 'a', 'b', 't', '\t', 'n', 'v', 'f', 'r', 'e', ' ', '"', '\'', '\\', 'N', '_', 'L', 'P', '\n', '\r':
		case '/':
			slash = true
		case 'x':
			digits = 2
		case 'u':
			digits = 4
		case 'U':
			digits = 8
		default:
			_, n := utf8.DecodeRuneInString(s[i:])
			return s[i-1 : i+n], slash
		}
		if digits > 0 && !codePoint(s[i+1:], digits) {
			return s[i-1 : i+1], slash
		}
	}
	return "", slash
}

// codePoint reports whether s begins with that many hexadecimal digits that name a
// character.
func codePoint(s string, digits int) bool {
	if len(s) < digits {
		return false
	}
	var r rune
	for i := 0; i < digits; i++ {
		d := strings.IndexByte("0123456789abcdef", s[i]|0x20)
		if d < 0 || s[i] < '0' {
			return false
		}
		r = r<<4 | rune(d)
		if r > utf8.MaxRune {
			return false
		}
	}
	return r < 0xd800 || r > 0xdfff
}

// doubleQuotedScalars finds the double-quoted scalars of a YAML text. It need not
// understand the text, only where a value may begin and what hides quotes (comments,
// single quotes, block scalars).
func doubleQuotedScalars(block string) []spot {
	s := quoteScanner{text: block, line: 1, col: 1}
	for s.i < len(s.text) {
		s.scanLine()
	}
	return s.spots
}

type quoteScanner struct {
	text      string
	i         int
	line, col int
	flow      int // depth of [ and {
	spots     []spot
}

// next skips one byte.
func (s *quoteScanner) next() {
	switch c := s.text[s.i]; {
	case c == '\n':
		s.line, s.col = s.line+1, 1
	case utf8.RuneStart(c):
		s.col++
	}
	s.i++
}

func (s *quoteScanner) skip(n int) {
	for ; n > 0 && s.i < len(s.text); n-- {
		s.next()
	}
}

// scanLine skips one line, or the several lines of one value.
func (s *quoteScanner) scanLine() {
	indent := 0
	for s.i < len(s.text) && s.text[s.i] == ' ' {
		s.next()
		indent++
	}
	start := true // a value may begin here
	for s.i < len(s.text) {
		c := s.text[s.i]
		switch {
		case c == '\n':
			s.next()
			return
		case c == '#' && (s.i == 0 || strings.IndexByte(" \t\n", s.text[s.i-1]) >= 0):
			s.restOfLine()
			return
		case c == '"' && start:
			s.doubleQuoted()
			start = false
			continue
		case c == '\'' && start:
			s.singleQuoted()
			start = false
			continue
		case (c == '|' || c == '>') && start && s.flow == 0:
			s.restOfLine()
			s.blockScalar(indent)
			return
		case (c == '&' || c == '!' || c == '*') && start:
			for s.i < len(s.text) && strings.IndexByte(" \t\r\n", s.text[s.i]) < 0 {
				s.next()
			}
			continue
		}
		start = s.startsValue(c, start)
		s.next()
	}
}

// startsValue reports whether a value may begin after the byte c, and counts brackets.
func (s *quoteScanner) startsValue(c byte, start bool) bool {
	blank := s.i+1 == len(s.text) || strings.IndexByte(" \t\r\n", s.text[s.i+1]) >= 0
	switch c {
	case ' ', '\t', '\r':
		return start
	case '[', '{':
		if start || s.flow > 0 {
			s.flow++
			return true
		}
	case ']', '}':
		if s.flow > 0 {
			s.flow--
		}
	case ',':
		return s.flow > 0
	case ':':
		return blank || s.flow > 0
	case '-', '?':
		return start && blank
	}
	return false
}

func (s *quoteScanner) restOfLine() {
	if n := strings.IndexByte(s.text[s.i:], '\n'); n >= 0 {
		s.skip(n + 1)
	} else {
		s.skip(len(s.text) - s.i)
	}
}

// blockScalar skips the lines of a | or > value: those that are blank or indented
// deeper than the line where it began.
func (s *quoteScanner) blockScalar(indent int) {
	for s.i < len(s.text) {
		line, _, _ := strings.Cut(s.text[s.i:], "\n")
		deeper := len(line) - len(strings.TrimLeft(line, " "))
		if strings.TrimSpace(line) != "" && deeper <= indent {
			return
		}
		s.restOfLine()
	}
}

func (s *quoteScanner) singleQuoted() {
	for s.next(); s.i < len(s.text); s.next() {
		if s.text[s.i] != '\'' {
			continue
		}
		if s.i+1 < len(s.text) && s.text[s.i+1] == '\'' {
			s.next()
			continue
		}
		s.next()
		return
	}
}

func (s *quoteScanner) doubleQuoted() {
	found := spot{start: s.i, line: s.line, col: s.col}
	for s.next(); s.i < len(s.text); s.next() {
		switch s.text[s.i] {
		case '\\':
			s.next()
			if s.i == len(s.text) {
				return
			}
		case '"':
			s.next()
			found.end = s.i
			found.source = s.text[found.start:found.end]
			s.spots = append(s.spots, found)
			return
		}
	}
}

// bareText finds the first entry whose plain value contains ": ", the usual reason for
// "mapping values are not allowed": a description with a colon in it.
func bareText(block string) (spot, bool) {
	start := 0
	for i, line := range strings.SplitAfter(block, "\n") {
		text := strings.TrimRight(line, " \r\n")
		indent := len(text) - len(strings.TrimLeft(text, " "))
		name, value, ok := strings.Cut(text[indent:], ":")
		if ok && plainName(name) && strings.HasPrefix(value, " ") {
			value = strings.TrimLeft(value, " ")
			at := len(text) - len(value)
			if value != "" && strings.IndexByte("\"'|>[{&*!#%@`,?-", value[0]) < 0 && strings.Contains(value, ": ") {
				return spot{start: start + at, end: start + len(text), line: i + 1, col: utf8.RuneCountInString(text[:at]) + 1,
					source: value, key: fullName(name, indent)}, true
			}
		}
		start += len(line)
	}
	return spot{}, false
}

// fullName is the name in problems of a key at an indentation.
func fullName(name string, indent int) string {
	if _, ok := matcherKey(name); ok && indent > 0 {
		return "matcher." + name
	}
	return name
}
