package memory

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// short reports whether a stem is a word of two letters, such as ci or v3: one that a branch or a
// file has as a part by itself, and few facts.
func short(stem string) bool {
	first, _ := utf8.DecodeRuneInString(stem)
	return utf8.RuneCountInString(stem) == 2 && !unicode.Is(unicode.Han, first)
}

// IsVersion reports whether a stem is a version with dots, which is a code: it is found as a whole.
func IsVersion(stem string) bool { return strings.Contains(stem, ".") }

// HasStem reports whether a text has a stem.
func HasStem(text, stem string) bool { return slices.Contains(stems(text), stem) }

// version is the version with dots that a word in lower case begins with, without its v, and the
// rest of the word: 2.3 of v2.3.x, 1.x. What has one number is no version.
func version(word string) (v, rest string) {
	from := 0
	if strings.HasPrefix(word, "v") {
		from = 1
	}
	end, numbers := from, 0
	for at := from; ; {
		n := at
		for n < len(word) && isDigit(word[n]) {
			n++
		}
		if numbers == 1 && n == at && strings.HasPrefix(word[at:], "x") {
			n++ // 1.x
		}
		if n == at || n < len(word) && word[n] != '.' {
			break
		}
		if end, numbers = n, numbers+1; n == len(word) || word[n-1] == 'x' {
			break
		}
		at = n + 1
	}
	if numbers < 2 {
		return "", word
	}
	return word[from:end], strings.TrimLeft(word[end:], ".")
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// alone reports whether the bytes from one place to another of a line in JSON are a word, or a
// version, by themselves, which a stem that is taken as a whole must be.
func alone(line []byte, from, to int) bool {
	number := isDigit(line[from])
	if to < len(line) {
		c := line[to]
		if isLower(c) || isDigit(c) || isUpper(c) && !isLower(line[to-1]) || number && c == '.' && to+1 < len(line) && isDigit(line[to+1]) {
			return false
		}
	}
	if from == 0 {
		return true
	}
	c := line[from-1]
	escaped := from > 1 && line[from-2] == '\\'
	switch {
	case escaped:
		return true
	case number:
		return c != ':' && c != '.' && !isDigit(c) && (c|0x20 == 'v' || !isLower(c|0x20)) // after a colon it is how certain a fact is
	}
	return !isDigit(c) && !isUpper(c) && (!isLower(c) || isUpper(line[from]))
}
