package text

import (
	"testing"

	"golang.org/x/text/unicode/norm"
)

// What Unicode has as one character of these scripts, Composed makes of its parts, and of nothing else
// another one than Unicode's form C.
func TestComposedIsUnicodesFormC(t *testing.T) {
	t.Parallel()
	for r := rune(0xa0); r < 0xd7a4; r++ {
		if r >= 0x700 && r < 0x1100 || r >= 0x1b00 && r < 0x1d00 || r >= 0x2000 && r < 0x3041 || r >= 0x3100 && r < 0xac00 {
			continue // other scripts
		}
		apart := norm.NFD.String("x" + string(r) + "y")
		if r >= 0x600 && r < 0x660 || norm.NFC.IsNormalString(string(r)) {
			if got, want := Composed(apart), norm.NFC.String(apart); got != want {
				t.Errorf("%q (%U): %q, want %q", apart, r, got, want)
			}
		}
		if one := norm.NFC.String(string(r)); Composed(one) != one {
			t.Errorf("%q is changed: %q", one, Composed(one))
		}
	}
}

func TestPlain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ word, plain, written string }{
		{"müller", "muller", "mueller"}, {"zoë", "zoe", "zoe"}, {"łukasz", "lukasz", "lukasz"}, {"żak", "zak", "zak"},
		{"søren", "soren", "soeren"}, {"straße", "strasse", "strasse"}, {"nguyễn", "nguyen", "nguyen"}, {"åse", "ase", "aase"},
		{"ёлка", "елка", "елка"}, {"русский", "русский", "русский"}, {"μαρία", "μαρια", "μαρια"}, {"plain", "plain", "plain"}, {"数据", "数据", "数据"},
	} {
		if p, w := Plain(c.word), Written(c.word); p != c.plain || w != c.written {
			t.Errorf("%q: %q and %q, want %q and %q", c.word, p, w, c.plain, c.written)
		}
	}
}
