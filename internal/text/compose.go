package text

import (
	_ "embed"
	"strings"
	"unicode/utf8"
)

// composed has a line for each combining mark: the mark, and pairs of a letter and of that letter
// with the mark, by Unicode. It is searched as it is, so that a program does nothing with it at its start.
//
//go:embed composed.txt
var composed string

// Composed is a text with its letters and the marks after them as one character each, where Unicode
// has one: "Mu\u0308ller" as "Müller", as keyboards write it. macOS takes names of files apart.
// It is Unicode's form C of Latin, Greek, Cyrillic, Arabic, kana and Hangul.
func Composed(s string) string {
	if strings.IndexFunc(s, combines) < 0 {
		return s
	}
	out := make([]rune, 0, len(s))
	for _, r := range s {
		if n := len(out); n > 0 && combines(r) {
			if one := joined(out[n-1], r); one > 0 {
				out[n-1] = one
				continue
			}
		}
		out = append(out, r)
	}
	return string(out)
}

// Narrow is a text as [Composed] has it, with full-width forms of ASCII as ASCII.
func Narrow(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0xff01 && r <= 0xff5e:
			return r - 0xfee0
		case r == 0x3000:
			return ' '
		}
		return r
	}, Composed(s))
}

// combines reports whether a character may become one with that before it.
func combines(r rune) bool {
	return r >= 0x300 && (r <= 0x345 || r >= 0x653 && r <= 0x655 || r >= vowels && r < tails+28 || r == voiced || r == voiced+1)
}

// The marks of kana, and the parts of Hangul, which are joined by counting.
const (
	voiced    = 0x3099 // か to が; the next turns は to ぱ
	leads     = 0x1100
	vowels    = 0x1161
	tails     = 0x11a7 // the one before the first
	syllable  = 0xac00
	syllables = 19 * 21 * 28
)

// joined is a letter with a mark as one character; 0 if there is none.
func joined(letter, mark rune) rune {
	switch {
	case mark == voiced || mark == voiced+1:
		return kana(letter, mark-voiced)
	case mark >= vowels && mark < vowels+21 && letter >= leads && letter < leads+19:
		return syllable + ((letter-leads)*21+mark-vowels)*28
	case mark > tails && letter >= syllable && letter < syllable+syllables && (letter-syllable)%28 == 0:
		return letter + mark - tails
	}
	_, line, _ := strings.Cut(composed, "\n"+string(mark))
	if mark == 0x300 { // the first line
		line = strings.TrimPrefix(composed, string(mark))
	}
	line, _, _ = strings.Cut(line, "\n")
	for line != "" {
		base, n := utf8.DecodeRuneInString(line)
		one, m := utf8.DecodeRuneInString(line[n:])
		if base == letter {
			return one
		}
		line = line[n+m:]
	}
	return 0
}

func kana(letter, half rune) rune {
	const katakana = 0x60 // from hiragana
	r := letter
	if r >= 'ァ' && r <= 'ヾ' {
		r -= katakana
	}
	switch {
	case half == 0 && r == 'う':
		return letter + 'ゔ' - 'う'
	case half == 0 && (strings.ContainsRune("かきくけこさしすせそたちつてとゝ", r)), strings.ContainsRune("はひふへほ", r):
		return letter + 1 + half
	case half == 0 && letter >= 'ワ' && letter <= 'ヲ' && letter != 'ヮ':
		return letter + 'ヷ' - 'ワ'
	}
	return 0
}

// Plain is a text in small letters without the marks of its letters, as it is typed where the keyboard
// lacks them: "zoe" for "zoë", "lukasz" for "łukasz". A letter that is another one, й, stays.
func Plain(s string) string { return spelt(s, false) }

// Written is a text as [Plain], with two letters for those of which Germanic languages write two:
// "mueller" for "müller", "soeren" for "søren".
func Written(s string) string { return spelt(s, true) }

func spelt(s string, two bool) string {
	var b strings.Builder
	for _, r := range s {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
			continue
		}
		if i := strings.IndexRune("äöüøå", r); two && i >= 0 {
			b.WriteString([...]string{"ae", "", "oe", "", "ue", "", "oe", "", "aa"}[i])
			continue
		}
		if other := another(r); other != "" {
			b.WriteString(other)
			continue
		}
		b.WriteRune(bare(r))
	}
	return b.String()
}

// another is how a letter without a mark is typed that English has not; "" for others.
func another(r rune) string {
	switch r {
	case 'ß':
		return "ss"
	case 'æ':
		return "ae"
	case 'œ':
		return "oe"
	case 'ø':
		return "o"
	case 'ł':
		return "l"
	case 'đ', 'ð':
		return "d"
	case 'þ':
		return "th"
	case 'ħ':
		return "h"
	case 'ı':
		return "i"
	}
	return ""
}

// bare is a letter without its marks.
func bare(r rune) rune {
	for marked(r) {
		base := without(r)
		if base == 0 {
			break
		}
		r = base
	}
	return r
}

// marked reports whether a letter is among those that may be typed without a mark: of Latin, with all
// that Greek has, and ё. Other letters need not be looked up.
func marked(r rune) bool {
	return r >= 0xc0 && r < 0x250 || r >= 0x3ac && r < 0x3b1 || r >= 0x3ca && r < 0x3cf || r == 'ё' || r >= 0x1e00 && r < 0x2000
}

// without is a letter without its last mark; 0 if it has none.
func without(letter rune) rune {
	last, second := rune(0), false
	for _, r := range composed {
		switch {
		case r == '\n':
			second = false
			last = r
			continue
		case last == '\n' || last == 0: // the mark of a line
			last = 1
			continue
		case second && r == letter:
			return last
		}
		last, second = r, !second
	}
	return 0
}
