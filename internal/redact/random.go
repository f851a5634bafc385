package redact

import (
	"slices"
	"strings"
)

// drawn blots out long words that look drawn by lot: keys of services nobody has
// heard of. UUIDs stay, git's object names, and digests that say what they are.
func (p *rules) drawn(text string) string {
	var b strings.Builder
	kept := 0
	for i := 0; i < len(text); {
		if !lotByte(text[i]) {
			i++
			continue
		}
		end := i
		for end < len(text) && lotByte(text[end]) {
			end++
		}
		if end-i < minRandom || digest(text, i, end) {
			i = end
			continue
		}
		for _, part := range randomParts(text[i:end]) {
			if idName(nameBefore(text[max(0, i+part[0]-24) : i+part[0]])) {
				continue
			}
			b.WriteString(text[kept : i+part[0]])
			b.WriteString(p.mark(&wholes[lot]))
			kept = i + part[1]
		}
		i = end
	}
	if kept == 0 {
		return text
	}
	b.WriteString(text[kept:])
	return b.String()
}

func lotByte(c byte) bool { return alnum(c) || strings.IndexByte("_-+/=", c) >= 0 }

// digest reports whether the word text[from:to] is no secret but a sum of
// something, or something that is no text: sha256:…, sha512-…, a line of sha256sum
// or of go.sum, a picture in a page, the public half of a key of SSH.
func digest(text string, from, to int) bool {
	if name, _, ok := strings.Cut(text[from:to], "-"); ok && slices.Contains(digests, name) {
		return true
	}
	if n := strings.IndexAny(text[from:to], "_-"); n > 0 && slices.Contains(ids, text[from:from+n]) {
		return true
	}
	if strings.HasPrefix(text[from:to], "/nix/store/") || strings.HasPrefix(text[from:to], "/gnu/store/") {
		return true // what a package was built from, in 32 letters
	}
	before := text[max(0, from-24):from]
	if strings.HasPrefix(text[from:to], "AAAA") || strings.HasSuffix(before, ";base64,") || strings.HasSuffix(before, " h1:") {
		return true
	}
	if rest := text[to:]; hexadecimal(text[from:to]) && (strings.HasPrefix(rest, "  ") || strings.HasPrefix(rest, " *") || len(rest) > 1 && rest[0] == '.' && letterByte(rest[1])) {
		return true // a file's, or within its name
	}
	before = strings.ToLower(strings.TrimSuffix(before, ":"))
	return slices.ContainsFunc(digests, func(name string) bool { return strings.HasSuffix(before, name) })
}

// nameBefore is the name whose value begins where a text ends: of "sessionID": ".
func nameBefore(s string) string {
	s = strings.TrimRight(s, "\"'`\\")
	t := strings.TrimRight(s, " :=")
	if len(t) == len(s) {
		return ""
	}
	t = strings.TrimRight(t, "\"'`\\")
	return t[strings.LastIndexFunc(t, func(r rune) bool { return r >= 0x80 || !nameByte(byte(r)) })+1:]
}

// digests are names of ways to make one.
var digests = []string{"sha1", "sha256", "sha384", "sha512", "md5"}

// ids are how the ids begin that agents and their models give to what they do.
var ids = []string{"ses", "session", "msg", "prt", "part", "evt", "event", "per", "call", "toolu", "tool", "run", "thread", "req", "resp", "rs", "chatcmpl", "item", "step", "batch", "agent", "obs", "node", "ws"}

// randomParts are the parts of a word that look drawn by lot, as offsets: the
// word itself, where it cannot be a path, or segments of it.
func randomParts(word string) [][2]int {
	if len(word) < minRandom {
		return nil
	}
	if strings.ContainsAny(word, "/+") && !pathLike(word) && random(strings.NewReplacer("/", "", "+", "", "=", "").Replace(word)) {
		return [][2]int{{0, len(word)}}
	}
	var parts [][2]int
	from := 0
	for i := 0; i <= len(word); i++ {
		if i < len(word) && word[i] != '/' && word[i] != '=' && word[i] != '+' {
			continue
		}
		if random(word[from:i]) {
			parts = append(parts, [2]int{from, i})
		}
		from = i + 1
	}
	return parts
}

// pathLike reports whether a word has the look of a path: it begins as one, or a
// part of it is an ordinary word.
func pathLike(word string) bool {
	if word[0] == '/' {
		return true
	}
	for segment := range strings.SplitSeq(word, "/") {
		if len(segment) >= 3 && len(segment) < minRandom && classes(segment).changes <= 1 {
			return true
		}
	}
	return false
}

// The shortest word that is taken for random: one of letters of both cases and
// digits, and one of digits and one case.
const (
	minRandom      = 24
	minRandomLower = 32
)

// random reports whether a word looks drawn by lot: letters and digits come in
// turns far more often than where people make names of words and numbers.
func random(word string) bool {
	if len(word) < minRandom || uuid(word) || gitName(word) {
		return false
	}
	c := classes(word)
	letters := len(word) - c.signs
	switch {
	case letters < minRandom || c.digits < 2:
		return false // a name in camel case changes as often
	case c.lower > 0 && c.upper > 0:
		return c.changes*10 >= letters*3 && c.words*2 < letters
	}
	return letters >= minRandomLower && c.digits >= 3 && c.changes*10 >= letters*2
}

type classCount struct {
	lower, upper, digits, signs int
	changes                     int
	words                       int // letters in runs of three small ones and more, with the capital before
}

// classes counts what a word is made of, and how often a sort of sign follows
// another one. A sign between two words ends both.
func classes(word string) (c classCount) {
	last, run := byte(0), 0
	for i := range len(word) {
		if ch := word[i]; ch >= 'a' && ch <= 'z' {
			if run++; run == 3 {
				c.words += 4
			} else if run > 3 {
				c.words++
			}
		} else {
			run = 0
		}
		sort := byte(0)
		switch ch := word[i]; {
		case ch >= 'a' && ch <= 'z':
			sort = 'a'
			c.lower++
		case ch >= 'A' && ch <= 'Z':
			sort = 'A'
			c.upper++
		case ch >= '0' && ch <= '9':
			sort = '0'
			c.digits++
		default:
			c.signs++
		}
		if sort != 0 && last != 0 && sort != last {
			c.changes++
		}
		last = sort
	}
	return c
}

// uuid reports whether a word holds a UUID: 8-4-4-4-12 hexadecimal digits, maybe
// with a word and "_" in front.
func uuid(word string) bool {
	parts := strings.Split(word, "-")
	for i := 0; i+5 <= len(parts); i++ {
		ok := true
		for j, n := range []int{8, 4, 4, 4, 12} {
			part := parts[i+j]
			if j == 0 {
				part = part[strings.LastIndexByte(part, '_')+1:]
			}
			ok = ok && len(part) == n && hexadecimal(part)
		}
		if ok {
			return true
		}
	}
	return false
}

// gitName reports whether a word is a name of an object in git: 40 lower case
// hexadecimal digits.
func gitName(word string) bool { return len(word) == 40 && hexadecimal(word) }

func hexadecimal(s string) bool {
	for i := range len(s) {
		if c := s[i]; !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f') {
			return false
		}
	}
	return true
}
