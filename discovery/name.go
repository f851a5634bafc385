package discovery

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// ValidName reports whether a text may name a hook: 1 to 64 small letters and
// digits, of any script, in groups joined by single hyphens. A mark counts as a part
// of its letter: whether the two should be one character is for a validator to say,
// since the tables for that would cost every event.
func ValidName(s string) bool { return protocol.ValidName(s) || scripted(s) }

// scripted is ValidName of what is not plain ASCII.
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
