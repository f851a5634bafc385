package period

import (
	"slices"
	"strings"
	"unicode"
)

// without is the text without the words that say when.
func (r *reader) without() string {
	slices.SortFunc(r.when, func(a, b [2]int) int { return a[0] - b[0] })
	var b strings.Builder
	from := 0
	for _, w := range r.when {
		b.WriteString(r.text[from:max(from, w[0])])
		from = max(from, w[1])
	}
	b.WriteString(r.text[from:])
	rest := strings.Trim(strings.Join(strings.Fields(b.String()), " "), ",，、;；:： ")
	if words := strings.FieldsFunc(rest, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }); len(words) < 2 && len([]rune(rest)) < 6 {
		return r.text
	}
	for _, mark := range [...]string{",", ".", "，", "。"} {
		rest = strings.ReplaceAll(rest, " "+mark, mark)
	}
	return rest
}
