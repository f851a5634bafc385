package screen

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// readings are other meanings of a text: to a shell, which removes quotes, escapes and
// separators before it runs something, and to whoever decodes its encoded parts.
func readings(t string) (out []string) {
	for _, r := range append([]string{shellSees(t)}, decoded(t)...) {
		if r != t && !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	return out
}

// disguises are what a model, but no shell, reads in a text: spaced letters, digits for
// letters, rot13, reversed lines. They are searched only for words addressed to the
// model.
func disguises(t string) (out []string) {
	for _, r := range []string{joined(t), leet(t)} {
		if r != t {
			out = append(out, r)
		}
	}
	// Every text can be transformed; only one that then contains such words is read
	// again.
	for _, r := range []string{rot13(t), backwards(t)} {
		if turnedWords().MatchString(r) {
			out = append(out, r)
		}
	}
	return out
}

var turnedWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)instruction|previous|ignore|disregard|忽略|指令`)
})

var tricks = sync.OnceValue(func() []func(string) string {
	replace := func(e, by string) func(string) string {
		re := regexp.MustCompile(e)
		return func(t string) string { return re.ReplaceAllString(t, by) }
	}
	decode := func(e string, char func(string) (rune, bool)) func(string) string {
		re, one := regexp.MustCompile(`(?:`+e+`){2,}`), regexp.MustCompile(e)
		return func(t string) string {
			return re.ReplaceAllStringFunc(t, func(run string) string {
				var b strings.Builder
				for _, m := range one.FindAllStringSubmatch(run, -1) {
					c, ok := char(m[1])
					if !ok {
						return run
					}
					b.WriteRune(c)
				}
				return b.String()
			})
		}
	}
	in := func(base int) func(string) (rune, bool) {
		return func(s string) (rune, bool) {
			n, err := strconv.ParseUint(s, base, 8)
			return rune(n), err == nil && n >= ' ' && n < 0x7f
		}
	}
	return []func(string) string{
		replace(`\$(?:IFS\b(?:\$\d)?|\{IFS[^}]{0,12}\})`, " "),
		decode(`\\x([0-9a-fA-F]{2})`, in(16)), decode(`\\0?([0-7]{3})`, in(8)), decode(`(?:chr|Chr|fromCharCode)\((\d{2,3})\)[ +.]*`, in(10)),
		replace(`(\w)["'] -`, "$1 -"), replace(`\$'([^']*)'`, "$1"), replace(`\$\((?:printf|echo) '?([^$()'|]+)'?\)`, "$1"),
		replace(`/\*[^*]{0,40}\*/`, ""),
		replace(`(\w|^|\s)(?:""|'')([\w-])`, "$1$2"),
		replace(`["']\s*,\s*["']`, " "),
		func(t string) string {
			words := strings.Split(t, " ")
			for i, w := range words {
				if strings.HasPrefix(strings.TrimPrefix(w, "-"), `\`) {
					words[i] = strings.ReplaceAll(w, `\`, "")
				}
			}
			return strings.Join(words, " ")
		},
	}
})

var braces = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|\s)\{([\w./~$-]+(?:,[^\s{},]+)+)\}`)
})

// shellSees is a text without whatever only hides a command in it from readers.
func shellSees(t string) string {
	t = braces().ReplaceAllStringFunc(t, func(m string) string {
		return " " + strings.ReplaceAll(strings.Trim(strings.TrimSpace(m), "{}"), ",", " ")
	})
	for _, trick := range tricks() {
		t = trick(t)
	}
	return t
}

var encoded = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[A-Za-z0-9+/_-]{12,}={0,6}`)
})

// mostEncoded bounds how many parts of a text are decoded.
const mostEncoded = 16

// decoded are the encoded parts of a text, decoded: base64, base32 or hexadecimal, also
// with two bytes per letter, as PowerShell expects.
func decoded(t string) (out []string) {
	for _, m := range encoded().FindAllString(t, mostEncoded) {
		bare := strings.TrimRight(m, "=")
		for _, decode := range []func(string) ([]byte, error){hex.DecodeString, base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString, base64.RawStdEncoding.DecodeString, base64.RawURLEncoding.DecodeString} {
			b, err := decode(bare)
			if err != nil {
				continue
			}
			if s, ok := legible(b); ok {
				out = append(out, s)
				break
			}
		}
	}
	return out
}

// legible is the text in some bytes, if it is text: a word that only looks encoded
// yields none.
func legible(b []byte) (string, bool) {
	s := strings.TrimSpace(strings.ReplaceAll(string(b), "\x00", ""))
	if len(s) < 6 || !utf8.ValidString(s) {
		return "", false
	}
	return s, !strings.ContainsFunc(s, func(c rune) bool { return c != '\n' && c != '\t' && !unicode.IsPrint(c) })
}

var apart = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:\b\w[ .·_-]){4,}\w\b|(?:\p{Han} ){3,}\p{Han}`)
})

// joined is a text in which spaced letters are joined to words; the wider gaps are
// between words.
func joined(t string) string {
	t = strings.NewReplacer("   ", "\x00", "  ", "\x00").Replace(t)
	parts := strings.Split(t, "\x00")
	for i, p := range parts {
		parts[i] = apart().ReplaceAllStringFunc(p, func(m string) string {
			return strings.NewReplacer(" ", "", ".", "", "·", "", "_", "", "-", "").Replace(m)
		})
	}
	return strings.Join(parts, " ")
}

var digits = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "@", "a", "$", "s", "!", "i")

// leet is a text with letters in place of digits inside words.
func leet(t string) string {
	words := strings.Split(t, " ")
	for i, w := range words {
		if strings.ContainsFunc(w, unicode.IsLetter) && strings.ContainsAny(w, "013457@$!") {
			words[i] = digits.Replace(w)
		}
	}
	return strings.Join(words, " ")
}

func rot13(t string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z':
			return 'a' + (c-'a'+13)%26
		case c >= 'A' && c <= 'Z':
			return 'A' + (c-'A'+13)%26
		}
		return c
	}, t)
}

func backwards(t string) string {
	r := []rune(t)
	slices.Reverse(r)
	return string(r)
}
