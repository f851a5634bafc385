package protocol

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Cut shortens a text to at most limit characters, on a line boundary where
// there is one, and says so in its last line; note, if not empty, tells where
// the whole text lies. A limit of 0 cuts nothing.
func Cut(text string, limit int, note string) (string, bool) {
	if limit <= 0 || utf8.RuneCountInString(text) <= limit {
		return text, false
	}
	tail := "\n[cut here by agents-hooks"
	if note != "" {
		tail += "; whole text: " + note
	}
	tail += "]"
	keep := limit - utf8.RuneCountInString(tail)
	if keep <= 0 {
		return string([]rune(text)[:limit]), true
	}
	head := string([]rune(text)[:keep])
	if i := strings.LastIndexByte(head, '\n'); i > len(head)/2 {
		head = head[:i]
	}
	return strings.TrimRight(head, "\n") + tail, true
}

// Plain removes from a text of somebody else's what a terminal obeys or does not
// show: escape sequences, control characters but for line break and tab, what
// changes the direction of text, and what has no width. [Visible] shows these
// where a person has to see them.
func Plain(s string) string { return clean(s, false) }

// Visible is a text with all that [Plain] removes written out: \u{202e} for a
// character, \x1b for a control, \xff for a byte that is no UTF-8.
func Visible(s string) string { return clean(s, true) }

func clean(s string, show bool) string {
	i := oddIndex(s)
	if i < 0 {
		return s
	}
	b := append(make([]byte, 0, len(s)+16), s[:i]...)
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case show && r == utf8.RuneError && n == 1:
			b = append(append(b, `\x`...), hexDigits[s[i]>>4], hexDigits[s[i]&15])
		case !Odd(r):
			b = utf8.AppendRune(b, r)
		case show && r < 0x80:
			b = append(append(b, `\x`...), hexDigits[r>>4], hexDigits[r&15])
		case show:
			b = append(strconv.AppendInt(append(b, `\u{`...), int64(r), 16), '}')
		case r == 0x1b:
			n = escapeLen(s[i:])
		case r >= 0x80 && r < 0xa0:
			n += escapeLen("\x1b"+string(r-0x40)+s[i+n:min(len(s), i+n+longestEscape)]) - 2
		}
		i += n
	}
	return string(b)
}

const hexDigits = "0123456789abcdef"

// oddIndex is the position of the first thing that [Plain] or [Visible] changes.
func oddIndex(s string) int {
	for i, r := range s {
		if r == utf8.RuneError || Odd(r) {
			return i
		}
	}
	return -1
}

// Odd reports whether a character does something to a text, or hides in it,
// rather than being a part of it: C0 and C1 controls but for line break and tab,
// marks of direction, characters without width, fillers that look like nothing,
// variation selectors, tags, separators of lines and paragraphs.
func Odd(r rune) bool {
	switch {
	case r < 0x20:
		return r != '\n' && r != '\t'
	case r < 0x7f:
		return false
	case r < 0xa0 || r == 0xad:
		return true
	case r < 0x34f:
		return false
	}
	for _, span := range oddSpans {
		if r <= span[1] {
			return r >= span[0]
		}
	}
	return false
}

// oddSpans are ordered.
var oddSpans = [...][2]rune{
	{0x034f, 0x034f}, {0x061c, 0x061c}, {0x115f, 0x1160}, {0x17b4, 0x17b5}, {0x180b, 0x180f},
	{0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f}, {0x2800, 0x2800}, {0x3164, 0x3164}, {0xfe00, 0xfe0f},
	{0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xfff0, 0xfffb}, {0x13430, 0x1345f}, {0x1bca0, 0x1bca3},
	{0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
}

// longestEscape bounds how far the end of an escape sequence is looked for.
const longestEscape = 1024

// escapeLen is the length of the terminal escape sequence that s starts with: CSI up to
// its final byte, OSC and the like up to their terminator, otherwise two bytes. One
// without an end counts as two bytes as well, so that it does not swallow what follows
// it.
func escapeLen(s string) int {
	if len(s) < 2 {
		return len(s)
	}
	s = s[:min(len(s), longestEscape)]
	switch s[1] {
	case '[':
		for i := 2; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
			if s[i] < 0x20 || s[i] > 0x7e {
				break
			}
		}
	case ']', 'P', 'X', '^', '_':
		for i := 2; i < len(s); i++ {
			switch {
			case s[i] == 0x07:
				return i + 1
			case s[i] == 0x1b && i+1 < len(s) && s[i+1] == '\\':
				return i + 2
			case s[i] == 0xc2 && i+1 < len(s) && s[i+1] == 0x9c:
				return i + 2
			case s[i] == '\n':
				return 2
			}
		}
	}
	return 2
}
