package discovery

import (
	"strings"
	"unicode/utf8"
)

// regexp reads the text of a regular expression. It is compiled only when it is needed.
func (h *Hook) regexp(v field, name, fix string) string {
	switch v.kind {
	case absent, null:
		return ""
	case list, mapping:
		h.problem(fatal(v, name, fix, "is %s, not one regular expression", v.kind))
		return ""
	}
	if i := strings.IndexFunc(v.text, oddInRegexp); i >= 0 {
		r, _ := utf8.DecodeRuneInString(v.text[i:])
		h.problem(dubious(v, name, "write it in single quotes, where a backslash stays one", "holds the control character %U%s", r, madeBy(r)))
	}
	return v.text
}

// oddInRegexp reports characters that nobody puts into an expression on purpose. They
// come from escapes in double quotes.
func oddInRegexp(r rune) bool {
	switch r {
	case '\t', '\n', '\r':
		return false
	case 0x7f, 0x85, 0xa0, 0x2028, 0x2029:
		return true
	}
	return r < ' '
}

func madeBy(r rune) string {
	switch r {
	case '\b':
		return ` (a backspace), which "\b" is in double quotes, not the border of a word`
	case 0x2029:
		return `, which "\P" is in double quotes`
	case 0x2028:
		return `, which "\L" is in double quotes`
	case 0x85:
		return `, which "\N" is in double quotes`
	}
	return ""
}

// compile compiles all expressions. An error breaks the hook.
func (h *Hook) compile() {
	for k := keyTool; k <= keyContent; k++ {
		h.compiled(k)
	}
}

// compiled compiles one of the expressions, once.
func (h *Hook) compiled(k key) bool {
	source, e := *h.Matcher.at(k), &h.tried[k-keyTool]
	if *e != nil || source == "" {
		return true
	}
	if h.Tongue != nil && k == keyTool {
		if _, listed := h.Tongue.List(h.Trigger, source); listed {
			return true
		}
	}
	x, err := newExpression(source) // in a group, "a)|(b" would be one
	if whole := h.expression(k); err == nil && whole != source {
		x, err = newExpression(whole)
	}
	if err == nil {
		*e = x
		return true
	}
	fix := ""
	if rest, ok := strings.CutPrefix(source, "*"); ok { // as in a shell pattern
		fix = "write " + strings.ReplaceAll(rest, ".", `\.`) + "$"
	}
	h.breakWith(fatal(h.at[k-keyTool], keyNames[k], fix, "%s does not compile: %v", quoted(source), err))
	return false
}

// expression is what is searched for by a key of the matcher.
func (h *Hook) expression(k key) string {
	source := *h.Matcher.at(k)
	if h.Tongue != nil && h.Tongue.Whole && k == keyTool && source != "" {
		return "^(?:" + source + ")$"
	}
	return source
}

// checkUnused reports expressions that do not compile on an event that does not use
// them: they are wrong, but break nothing.
func (h *Hook) checkUnused() {
	for k := keyTool; k <= keyContent; k++ {
		source := *h.Matcher.at(k)
		if source == "" {
			continue
		}
		if _, err := newExpression(source); err != nil {
			p := wrong(h.at[k-keyTool], keyNames[k], "remove it", "%s does not compile: %v", quoted(source), err)
			p.File = h.File
			h.problem(p)
		}
	}
	sortProblems(h.Problems)
}
