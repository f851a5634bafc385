package truth

import (
	_ "embed"
	"encoding/binary"
	"slices"
	"strings"
)

// learned is how much each of some turns of phrase says for or against an update: its hash, in
// ascending order, and its weight in sixtieths of the logarithm of the odds. TestForest makes it
// of what many teams say.
//
//go:embed phrases.bin
var learned []byte

const (
	phraseSize   = 5 // bytes: a hash and a weight
	weightParts  = 60
	hashOffset   = 2166136261 // FNV-1a
	hashMultiple = 16777619
)

// phrasing is what the turns of phrase of the two say together.
func phrasing(phrases []uint32) (sum float64) {
	for _, p := range phrases {
		sum += weightOf(p)
	}
	return sum
}

func weightOf(phrase uint32) float64 {
	least, most := 0, len(learned)/phraseSize
	for least < most {
		at := (least + most) / 2
		entry := learned[at*phraseSize:]
		switch h := binary.LittleEndian.Uint32(entry); {
		case h == phrase:
			return float64(int8(entry[4])) / weightParts
		case h < phrase:
			least = at + 1
		default:
			most = at
		}
	}
	return 0
}

// phrases are the hashes of the turns of phrase: up to three words of the newer in a row and up to
// two of the older, with signs for amounts, values and what both are about, since these are others in
// each memory: "moved to Friday" and "moved to Redis" are one.
func (c *comparison) phrases() []uint32 {
	newer, older := framed(c.new.all, c.old.all), framed(c.old.all, c.new.all)
	out := make([]uint32, 0, 3*len(newer)+2*len(older))
	for i := range newer {
		h := uint32(hashOffset)
		for k := i; k < min(i+3, len(newer)); k++ {
			h = hashed(h, newer[k])
			out = append(out, h)
		}
	}
	for i := range older {
		h := hashed(hashOffset, "-")
		for k := i; k < min(i+2, len(older)); k++ {
			h = hashed(h, older[k])
			out = append(out, h)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func hashed(h uint32, word string) uint32 {
	for i := range len(word) {
		h = (h ^ uint32(word[i])) * hashMultiple
	}
	return (h ^ ' ') * hashMultiple
}

// framed are the words of a statement between signs for its begin and its end, with signs for an
// amount, for another value (a day, a database), and for what the other statement has, too.
func framed(list, other []token) []string {
	out := make([]string, 0, len(list)+2)
	out = append(out, "^")
	for _, t := range list {
		has := slices.ContainsFunc(other, func(o token) bool { return o.text == t.text })
		word := t.raw
		switch {
		case t.class == value && strings.ContainsAny(t.raw, "0123456789"):
			word = "#"
		case t.class == value:
			word = "@"
		case has && t.class == open:
			word = ""
		}
		if has && (t.class == value || t.class == open) {
			word = "=" + word
		}
		out = append(out, word)
	}
	return append(out, "$")
}
