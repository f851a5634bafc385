package fence

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// decode is the first sign of a text as a model reads it: small, narrow, in Latin
// letters, what stands for it taken for it; -1 for what is not seen.
func decode(text string) (r rune, size int) {
	switch c := text[0]; {
	case c == '&':
		if r, size := entity(text); size > 0 {
			return fold(r), size
		}
	case c == '\\':
		if r, size := escape(text); size > 0 {
			return fold(r), size
		}
	case c == '%' && len(text) >= 3:
		if n, err := strconv.ParseUint(text[1:3], 16, 8); err == nil && strings.ContainsRune("<>/[]|", rune(n)) {
			return rune(n), 3
		}
	case c >= 'A' && c <= 'Z':
		return rune(c) + 'a' - 'A', 1
	case c < utf8.RuneSelf:
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' || c == 0x7f {
			return -1, 1
		}
		return rune(c), 1
	}
	r, size = utf8.DecodeRuneInString(text)
	return fold(r), size
}

// entity reads a sign that is spelled as in HTML, also where its "&" is spelled so
// once more; size is 0 if there is none.
func entity(text string) (r rune, size int) {
	rest := text[1:]
	for strings.HasPrefix(strings.ToLower(rest[:min(4, len(rest))]), "amp;") {
		rest = rest[4:]
	}
	read := len(text) - len(rest)
	if strings.HasPrefix(rest, "#") {
		digits, base := rest[1:], 10
		if strings.HasPrefix(digits, "x") || strings.HasPrefix(digits, "X") {
			digits, base = digits[1:], 16
		}
		n := 0
		for n < len(digits) && n < 10 && strings.IndexByte("0123456789abcdefABCDEF"[:10+(base-10)*2], digits[n]) >= 0 {
			n++
		}
		v, err := strconv.ParseUint(digits[:n], base, 32)
		if err != nil || v == 0 || v > unicode.MaxRune {
			return 0, 0
		}
		size = len(text) - len(digits) + n
		if size < len(text) && text[size] == ';' {
			size++
		}
		return rune(v), size
	}
	n := 0
	for n < len(rest) && n < 12 && (rest[n] >= 'a' && rest[n] <= 'z' || rest[n] >= 'A' && rest[n] <= 'Z') {
		n++
	}
	closed := n < len(rest) && rest[n] == ';'
	if v := named(strings.ToLower(rest[:n])); v != 0 && closed {
		return v, read + n + 1
	}
	for _, short := range []string{"lt", "gt"} { // a browser reads them without the end
		if len(rest) >= 2 && strings.EqualFold(rest[:2], short) {
			return named(short), read + 2
		}
	}
	return 0, 0
}

// named is the sign of an entity, 0 if it is none that matters here.
func named(name string) rune {
	switch name {
	case "lt", "lang", "langle":
		return '<'
	case "gt", "rang", "rangle":
		return '>'
	case "sol":
		return '/'
	case "bsol":
		return '\\'
	case "lsqb", "lbrack":
		return '['
	case "rsqb", "rbrack":
		return ']'
	case "vert", "verbar":
		return '|'
	case "colon":
		return ':'
	case "hyphen", "dash":
		return '-'
	case "lowbar":
		return '_'
	case "nbsp":
		return ' '
	case "tab":
		return '\t'
	case "newline":
		return '\n'
	case "shy":
		return 0xad
	case "zwj":
		return 0x200d
	case "zwnj":
		return 0x200c
	case "quot":
		return '"'
	case "apos":
		return '\''
	}
	return 0
}

// escape reads a sign that is spelled as in a string of a program.
func escape(text string) (r rune, size int) {
	for _, form := range []struct {
		head   string
		digits int
	}{{`\u`, 4}, {`\U`, 8}, {`\x`, 2}} {
		if !strings.HasPrefix(text, form.head) {
			continue
		}
		rest := text[2:]
		if inner, ok := strings.CutPrefix(rest, "{"); ok {
			if digits, _, ok := strings.Cut(inner[:min(len(inner), 9)], "}"); ok {
				if v, err := strconv.ParseUint(digits, 16, 32); err == nil && v > 0 && v <= unicode.MaxRune {
					return rune(v), 2 + 1 + len(digits) + 1
				}
			}
			return 0, 0
		}
		if len(rest) < form.digits {
			return 0, 0
		}
		if v, err := strconv.ParseUint(rest[:form.digits], 16, 32); err == nil && v > 0 && v <= unicode.MaxRune {
			return rune(v), 2 + form.digits
		}
	}
	return 0, 0
}

// fold is a sign as the small Latin one that it looks like.
func fold(r rune) rune {
	switch {
	case r == '\n' || r == '\t' || r == '\r':
		return r
	case r >= 'A' && r <= 'Z':
		return r + 'a' - 'A'
	case r < utf8.RuneSelf:
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	case r == '‹' || r == '›':
		return r
	case r >= 0xff01 && r <= 0xff5e:
		return fold(r - 0xfee0)
	case r >= 0x1d400 && r <= 0x1d6a3: // mathematical letters, in alphabets of 52
		if r = (r - 0x1d400) % 52; r >= 26 {
			r -= 26
		}
		return 'a' + r
	case r >= 0x24b6 && r <= 0x24e9: // in circles
		return 'a' + (r-0x24b6)%26
	case r >= 0x1f130 && r <= 0x1f149 || r >= 0x1f150 && r <= 0x1f169 || r >= 0x1f170 && r <= 0x1f189: // in squares
		return 'a' + (r-0x1f130)%32
	case hidden(r):
		return -1
	}
	if unicode.IsSpace(r) {
		return ' '
	}
	return alike(unicode.ToLower(r))
}

// hidden reports whether a sign takes no place.
func hidden(r rune) bool {
	switch r {
	case 0x115f, 0x1160, 0x3164, 0xffa0, 0x2800:
		return true
	}
	return unicode.In(r, unicode.Cf, unicode.Mn, unicode.Me, unicode.Cc, unicode.Co, unicode.Variation_Selector)
}

// alike is the sign that another one looks like, else that itself.
func alike(r rune) rune {
	switch r {
	case 0x3008, 0x27e8, 0xfe64, 0x2c2, 0x1438, 0x276e, 0x227a, 0x300a, 0x27ea: // 〈 ⟨ ﹤ ˂ ᐸ ❮ ≺ 《 ⟪
		return '<'
	case 0x3009, 0x27e9, 0xfe65, 0x2c3, 0x1433, 0x276f, 0x227b, 0x300b, 0x27eb: // 〉 ⟩ ﹥ ˃ ᐳ ❯ ≻ 》 ⟫
		return '>'
	case 0x3010, 0x27e6, 0x3014: // 【 ⟦ 〔
		return '['
	case 0x3011, 0x27e7, 0x3015: // 】 ⟧ 〕
		return ']'
	case 0x2223, 0x2758, 0x1c0, 0x23d0, 0xfe31, 0xffe8: // ∣ ❘ ǀ ⏐ ︱ ￨
		return '|'
	case 0x2215, 0x2044, 0x29f8: // ∕ ⁄ ⧸
		return '/'
	case 0x2236, 0xa789, 0x2d0: // ∶ ꞉ ː
		return ':'
	case 0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2212, 0xfe58, 0xfe63, 0x2043: // ‐ ‑ ‒ – — ― − ﹘ ﹣ ⁃
		return '-'
	case 0x2581, 0x203f: // ▁ ‿
		return '_'
	case 0x430, 0x3b1, 0x251: // а α ɑ
		return 'a'
	case 0x44c, 0x185: // ь ƅ
		return 'b'
	case 0x441, 0x3f2, 0x217d: // с ϲ ⅽ
		return 'c'
	case 0x501, 0x217e: // ԁ ⅾ
		return 'd'
	case 0x435, 0x454, 0x4bd: // е є ҽ
		return 'e'
	case 0x261, 0x581: // ɡ ց
		return 'g'
	case 0x4bb, 0x570: // һ հ
		return 'h'
	case 0x456, 0x3b9, 0x131, 0x2170: // і ι ı ⅰ
		return 'i'
	case 0x458, 0x3f3: // ј ϳ
		return 'j'
	case 0x43a, 0x3ba: // к κ
		return 'k'
	case 0x4cf, 0x217c: // ӏ ⅼ
		return 'l'
	case 0x43c, 0x217f: // м ⅿ
		return 'm'
	case 0x578, 0x43f, 0x3b7: // ո п η
		return 'n'
	case 0x43e, 0x3bf, 0x585: // о ο օ
		return 'o'
	case 0x440, 0x3c1: // р ρ
		return 'p'
	case 0x51b: // ԛ
		return 'q'
	case 0x433, 0x1d26: // г ᴦ
		return 'r'
	case 0x455, 0xa731: // ѕ ꜱ
		return 's'
	case 0x442, 0x3c4: // т τ
		return 't'
	case 0x3c5, 0x57d, 0x446: // υ ս ц
		return 'u'
	case 0x3bd, 0x475: // ν ѵ
		return 'v'
	case 0x51d, 0x461: // ԝ ѡ
		return 'w'
	case 0x445, 0x3c7: // х χ
		return 'x'
	case 0x443, 0x4af, 0x3b3: // у ү γ
		return 'y'
	case 0x1d22: // ᴢ
		return 'z'
	}
	return r
}
