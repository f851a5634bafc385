package discovery

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// scripted is [ValidName] for what is not plain ASCII. It is separate so that an event
// whose hooks have plain names never runs it.
func scripted(s string) bool {
	n := utf8.RuneCountInString(s)
	if n == 0 || n > maxName || !utf8.ValidString(s) || s != strings.ToLower(s) {
		return false
	}
	hyphen := true // none at the start, none after another
	for _, r := range s {
		switch {
		case r == '-' && !hyphen:
			hyphen = true
		case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) && !hyphen:
			hyphen = false
		default:
			return false
		}
	}
	return !hyphen
}

const maxName = 64 // characters
