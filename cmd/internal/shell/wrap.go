package shell

import (
	"strings"
	"unicode/utf8"
)

// Wrap breaks a text into lines of at most width characters; every line but the
// first is indented. A word that is longer stays whole, so that a path can be
// copied.
func Wrap(text string, width int, indent string) string {
	var b strings.Builder
	for i, paragraph := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if i > 0 {
			b.WriteString("\n" + indent)
		}
		at := 0
		for _, word := range strings.Fields(paragraph) {
			n := utf8.RuneCountInString(word)
			switch {
			case at > 0 && at+1+n > width:
				b.WriteString("\n" + indent)
				at = 0
			case at > 0:
				b.WriteByte(' ')
				at++
			}
			b.WriteString(word)
			at += n
		}
	}
	return b.String()
}

// Clip shortens a text to at most width characters.
func Clip(text string, width int) string {
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	return string([]rune(text)[:max(0, width-1)]) + "…"
}
