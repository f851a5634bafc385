package pack

import (
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Two characters are the same to a case-insensitive file system if the Unicode tables
// say so, and no others are.
func TestFoldIsThatOfUnicode(t *testing.T) {
	ours, theirs := map[string]string{}, map[string]string{}
	for r := rune(0); r < 0x20000; r++ { // only ideographs follow
		// The library's table has no small letters of Cherokee.
		if !utf8.ValidRune(r) || unicode.In(r, unicode.Han, unicode.Hangul, unicode.Cherokee) {
			continue
		}
		full := norm.NFKD.String(cases.Fold().String(norm.NFKD.String(string(r))))
		fold := Fold(string(r))
		if other, ok := ours[full]; ok && other != fold {
			t.Errorf("%q (%U) is %q, and another of the same is %q", r, r, fold, other)
		}
		if other, ok := theirs[fold]; ok && other != full {
			t.Errorf("%q (%U) is %q, as something else is: %q and %q", r, r, fold, full, other)
		}
		ours[full], theirs[fold] = fold, full
		if again := Fold(fold); again != fold {
			t.Errorf("%q becomes %q, then %q", r, fold, again)
		}
	}
	for a, b := range map[string]string{"Straße": "STRASSE", "ΌΣΟΣ": "όσος", "ﬁle": "FILE", "Ångström": "A\u030angstro\u0308m", "ᾳ": "ΑΙ", "ᏸ": "Ᏸ"} {
		t.Run(a, func(t *testing.T) {
			if Fold(a) != Fold(b) {
				t.Errorf("%q and %q are two files", a, b)
			}
		})
	}
}
