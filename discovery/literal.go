package discovery

import "strings"

// A literal is one alternative of an expression that is plain text, possibly tied to
// the start or the end of what is searched.
type literal struct {
	text       string
	start, end bool
}

// literals splits an expression that is an alternation of texts, as most matchers are,
// or a group around one: ^(A|B)$. These need no compiling. ok is false for every other
// expression.
func literals(source string) (alts []literal, ok bool) {
	var around literal
	if inner, start, end, grouped := group(source); grouped {
		source, around = inner, literal{start: start, end: end}
	}
	for _, alt := range alternatives(source) {
		l, ok := literalOf(alt)
		if !ok {
			return nil, false
		}
		l.start, l.end = l.start || around.start, l.end || around.end
		alts = append(alts, l)
	}
	return alts, true
}

// group is the inside of an expression that is one group, and whether the group is tied
// to the start and the end. Parentheses inside are not literal text, so two groups are
// never taken for one.
func group(source string) (inner string, start, end, ok bool) {
	inner, start = strings.CutPrefix(source, "^")
	inner, end = strings.CutSuffix(inner, "$")
	if !strings.HasPrefix(inner, "(") || !strings.HasSuffix(inner, ")") {
		return "", false, false, false
	}
	return strings.TrimPrefix(inner[1:len(inner)-1], "?:"), start, end, true
}

// alternatives cuts an expression at each | without a backslash in front.
func alternatives(s string) []string {
	var parts []string
	from := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '|':
			parts = append(parts, s[from:i])
			from = i + 1
		}
	}
	return append(parts, s[from:])
}

// tied reports whether each alternative of an expression begins with ^, after options
// such as (?i): whether it is about the beginning of a text.
func tied(source string) bool {
	source = behindOptions(source)
	depth, set, first := 0, false, true
	for i := 0; i < len(source); i++ {
		c := source[i]
		if first && c != '^' {
			return false
		}
		first = false
		switch {
		case c == '\\':
			i++
		case set:
			set = c != ']'
		case c == '[':
			set = true
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == '|' && depth == 0:
			first = true
		}
	}
	return !first
}

func literalOf(s string) (l literal, ok bool) {
	if l.start = strings.HasPrefix(s, "^"); l.start {
		s = s[1:]
	}
	if strings.HasSuffix(s, "$") && !strings.HasSuffix(s, `\$`) {
		l.end = true
		s = s[:len(s)-1]
	}
	if l.text, ok = literalText(s); !ok {
		return l, false
	}
	return l, true
}

// literalText is the text that an expression without operators matches.
func literalText(s string) (string, bool) {
	escapes := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '\\' {
			i++
			if i == len(s) || strings.IndexByte(`.-/+*?()[]{}^$|\`, s[i]) < 0 {
				return "", false
			}
			escapes = true
			continue
		}
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte(`_ -/:@=,;"'~!%&<>`, c) >= 0) {
			return "", false
		}
	}
	if escapes {
		s = unescape(s)
	}
	return s, true
}

// in reports whether the literal is found in a text. A text also ends before a final
// line break, as in the regular expressions.
func (l literal) in(s string) bool {
	switch {
	case l.start && l.end:
		return s == l.text || len(s) == len(l.text)+1 && s[len(s)-1] == '\n' && s[:len(l.text)] == l.text
	case l.start:
		return strings.HasPrefix(s, l.text)
	case l.end:
		return strings.HasSuffix(s, l.text) || strings.HasSuffix(s, l.text+"\n")
	}
	return strings.Contains(s, l.text)
}

// behindOptions is an expression without options such as (?i) at its start.
func behindOptions(source string) string {
	if strings.HasPrefix(source, "(?") {
		if end := strings.IndexByte(source, ')'); end > 0 && strings.Trim(source[2:end], "insx-") == "" {
			return source[end+1:]
		}
	}
	return source
}
