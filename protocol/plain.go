package protocol

import (
	"strings"
	"unicode/utf8"
)

// Plain removes control characters and terminal escape sequences from a text
// that came from a repository before it is shown (RULINGS 1). Line breaks and
// tabs stay.
func Plain(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] == 0x1b {
			i += escapeLen(s[i:])
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if keepRune(r) {
			b.WriteRune(r)
		}
		i += n
	}
	return b.String()
}

// keepRune leaves out what moves a cursor or reorders text: C0 and C1 controls
// but for line break and tab, and the bidirectional controls.
func keepRune(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return true
	case r < ' ' || r >= 0x7f && r < 0xa0:
		return false
	case r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069:
		return false
	}
	return true
}

// escapeLen is the length of the terminal escape sequence that s starts with:
// CSI up to its final byte, OSC and the like up to their terminator, else two
// bytes.
func escapeLen(s string) int {
	if len(s) < 2 {
		return len(s)
	}
	switch s[1] {
	case '[':
		for i := 2; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
		}
		return len(s)
	case ']', 'P', 'X', '^', '_':
		for i := 2; i < len(s); i++ {
			if s[i] == 0x07 {
				return i + 1
			}
			if s[i] == 0x1b && i+1 < len(s) && s[i+1] == '\\' {
				return i + 2
			}
		}
		return len(s)
	}
	return 2
}
