package approval

import (
	"strconv"
	"unicode"
)

// disguised is a name with the letters of other alphabets written out, if it mixes them
// with those of ours: n\u043e-force-push may look like a guard of the person's, and is
// none. "" for all others; a name in Chinese or Japanese may have Latin letters in it.
func disguised(name string) string {
	latin, other := false, false
	for _, c := range name {
		latin = latin || unicode.Is(unicode.Latin, c)
		other = other || foreign(c)
	}
	if !latin || !other {
		return ""
	}
	var b []byte
	for _, c := range name {
		if foreign(c) {
			b = append(b, strconv.QuoteRuneToASCII(c)[1:]...)
			b = b[:len(b)-1]
		} else {
			b = append(b, string(c)...)
		}
	}
	return string(b)
}

// foreign reports whether a letter is of an alphabet that is not ours, nor one that is
// written together with it.
func foreign(c rune) bool {
	return unicode.IsLetter(c) && !unicode.In(c, unicode.Latin, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo, unicode.Common, unicode.Inherited)
}
