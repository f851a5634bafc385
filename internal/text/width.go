package text

import "strings"

// Width is how many columns a text takes in a terminal. The ranges are those of
// Unicode's East Asian Width that are wide or full; what is ambiguous is narrow,
// as terminals have it outside of East Asian locales.
func Width(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

// Fit shortens a text to at most so many columns; the last is "…" where something
// was cut, and no blank stands before it.
func Fit(s string, width int) string {
	if len(s) <= width || Width(s) <= width {
		return s
	}
	n := 0
	for i, r := range s {
		w := runeWidth(r)
		if n+w > width-1 {
			return strings.TrimRight(s[:i], " ") + "…"
		}
		n += w
	}
	return s
}

// Pad lengthens a text to so many columns, with blanks.
func Pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-Width(s)))
}

func runeWidth(r rune) int {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0, r >= 0x300 && r <= 0x36f, r >= 0x200b && r <= 0x200f, r >= 0xfe00 && r <= 0xfe0f:
		return 0
	case r >= 0x1100 && r <= 0x115f, r >= 0x2e80 && r <= 0x303e, r >= 0x3041 && r <= 0xa4cf, r >= 0xac00 && r <= 0xd7a3,
		r >= 0xf900 && r <= 0xfaff, r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60, r >= 0xffe0 && r <= 0xffe6,
		r >= 0x1f300 && r <= 0x1f64f, r >= 0x1f680 && r <= 0x1f6ff, r >= 0x1f900 && r <= 0x1f9ff, r >= 0x20000 && r <= 0x3fffd:
		return 2
	}
	return 1
}
