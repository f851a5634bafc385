package redact

import "strings"

// What stands between a name and its value, or before the name, and belongs to them.

// wordBefore is what the name "key" or "code" at s[i] is a part of, where two words
// make it: API key, recovery code.
func (sc *scan) wordBefore(i int, word string) string {
	if i == 0 || sc.s[i-1] != ' ' || len(word) > 5 {
		return ""
	}
	var first []string
	switch {
	case strings.EqualFold(word, "key"):
		first = []string{"api", "access", "secret", "private", "signing", "encryption", "unseal", "recovery", "account", "license", "licence", "product", "preshared", "pre-shared", "master", "storage"}
	case strings.EqualFold(word, "code"):
		first = []string{"recovery"}
	case strings.EqualFold(word, "passe"):
		if i >= 7 && foldPrefix(sc.s[i-7:], "mot de ") {
			return "mot_de_"
		}
	}
	for _, w := range first {
		if from := i - 1 - len(w); from >= 0 && foldPrefix(sc.s[from:], w) && (from == 0 || !nameByte(sc.s[from-1])) {
			return w + "_"
		}
	}
	return ""
}

var whoseWords = [...]string{"of ", "for ", "on ", "in ", "at ", "für ", "von ", "vom ", "des ", "du ", "de ", "del ", "pour ", "para ", "do ", "da ", "van "}

// whose is where a few words end that say what a name is of, and a value follows: the
// password of the office is x, the passphrase for Ann's laptop: x. It is i if there are
// none.
func whose(s string, i int) int {
	at := i
	if i == len(s) || strings.IndexByte("ofvdpia", s[i]) < 0 {
		return i // nearly all words
	}
	for _, word := range whoseWords {
		if strings.HasPrefix(s[i:], word) {
			at = i + len(word)
		}
	}
	for words := 0; at > i && words < 6; words++ {
		end := at
		for end < len(s) && (nameByte(s[end]) || s[end] == '\'') {
			end++
		}
		if end == at || end == len(s) {
			return i
		}
		if s[end] == ':' {
			return end
		}
		if at = skipBlanks(s, end); at == end {
			return i
		}
		if strings.HasPrefix(s[at:], "is ") || strings.HasPrefix(s[at:], "= ") || strings.HasPrefix(s[at:], "is: ") || strings.HasPrefix(s[at:], "was ") || strings.HasPrefix(s[at:], "to ") || toldIn(s[at:]) > 0 {
			return at
		}
	}
	return i
}

// ownSign reports whether the sign at s[i], which may end a value, is one of its own: fish&chips2024.
// It ends the value before the next parameter or assignment, a command, a tag, and words.
func ownSign(s string, i int) bool {
	if strings.IndexByte(";&|,<>\\", s[i]) < 0 {
		return false
	}
	rest := s[i+1 : min(len(s), i+65)]
	end := strings.IndexAny(rest, " \t\r\n\"'`")
	if end < 0 {
		end = len(rest)
	}
	rest = rest[:end]
	said := strings.TrimRight(rest, ".,;:!?)]}>")
	name := len(rest) - len(strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.%[]"))
	switch {
	case said == "", lower(said), strings.HasPrefix(rest, "amp;"):
		return false
	case name > 0 && name < len(rest) && (rest[name] == '=' || rest[name] == ':'):
		return false
	case s[i] == '\\':
		return strings.IndexByte("nrtu\"'\\/", rest[0]) < 0
	case s[i] == '<':
		return rest[0] != '/' && rest[0] != '<' && !strings.Contains(rest, ">")
	case s[i] == '>':
		return s[i-1] != '-' && s[i-1] != '=' && rest[0] != '>' && rest[0] != '&'
	case rest[0] == s[i], rest[0] == '$', rest[0] == '/':
		return false
	}
	return hasDigit(said) || mixedCase(said)
}

// aside is where a few words in parentheses end that begin at s[i], i if there are none.
func aside(s string, i int) int {
	if i < len(s) && s[i] == '(' {
		if n := strings.IndexByte(s[i:min(len(s), i+32)], ')'); n > 0 {
			return skipBlanks(s, i+n+1)
		}
	}
	return i
}

// assigned reports whether the name at s[i] is that of a variable that a command or a file sets:
// ENV JWT_SECRET x, setx API_KEY x.
func (sc *scan) assigned(i int, word string) bool {
	if i < 4 || sc.s[i-1] != ' ' || !strings.Contains(word, "_") || !capitals(strings.Trim(word, "0123456789")) {
		return false
	}
	before := strings.TrimRight(sc.s[max(0, i-16):i], " ")
	n := strings.LastIndexAny(before, " \n\t") + 1
	return listedIn(" ENV env ARG setx SETX setenv set add put store-secret ", before[n:])
}

// forWhom is where the quotes of a password begin that SQL sets for somebody, if s[i:] says for whom;
// else 0.
func forWhom(s string, i int) int {
	if !foldPrefix(s[i:], "for '") {
		return 0
	}
	line, _, _ := strings.Cut(s[i:min(len(s), i+120)], "\n")
	for _, is := range [...]string{"= '", "='", "= PASSWORD('", "=PASSWORD('"} {
		if n := strings.Index(line, is); n > 0 {
			return i + n + len(is) - 1
		}
	}
	return 0
}

// below is a password on a line of its own below the name s[i:end], as programs print one: behind
// "initial-password" in a command, or a line that ends with a colon.
func (sc *scan) below(i, end int) cut {
	word, k := sc.s[i:end], &wholes[lineBelow]
	if len(word) < len("password") || !strings.Contains(word, "assword") && !strings.Contains(word, "PASSWORD") || !sc.has(k) {
		return cut{}
	}
	n := strings.IndexByte(sc.s[end:min(len(sc.s), end+120)], '\n')
	if n < 0 {
		return cut{}
	}
	line := strings.TrimRight(sc.s[end:end+n], " \r")
	if !strings.HasSuffix(line, ":") && !strings.Contains(word, "initial") {
		return cut{}
	}
	from := end + n
	for from < len(sc.s) && from-end-n < 4 && strings.IndexByte("\r\n", sc.s[from]) >= 0 {
		from++
	}
	v, _, _ := strings.Cut(sc.s[from:min(len(sc.s), from+longest)], "\n")
	v = strings.TrimRight(v, "\r")
	if len(v) < 8 || !ascii(v) || !hasDigit(v) || !hasLetter(v) || reference(v) || method(v) || code(v) || sc.p.markAt(v) > 0 {
		return cut{}
	}
	return cut{from, from + len(v), k}
}

// before is what a sentence says to be a password or a token, before the name s[i:end] with which it
// ends: use x as the password, x is the token.
func (sc *scan) before(i, end int) cut {
	const least = len(" as ")
	if i-sc.last < least || sc.s[i-1] != ' ' || end < len(sc.s) && strings.IndexByte(".,;:!?)\n\r\"'", sc.s[end]) < 0 && !strings.HasPrefix(sc.s[end:], " for ") && !strings.HasPrefix(sc.s[end:], " of ") && !strings.HasPrefix(sc.s[end:], " on ") {
		return cut{}
	}
	s := sc.s[max(sc.last, i-longest):i]
	for _, link := range [...]string{" as the ", " as ", " is the ", " is our ", " is my ", " as a "} {
		value, ok := strings.CutSuffix(s, link)
		if !ok {
			continue
		}
		value = strings.TrimRight(value, "\"'`")
		from := i - len(link) - (len(strings.TrimSuffix(s, link)) - len(value))
		to := from
		for from > sc.last && strings.IndexByte(" \t\n\"'`", sc.s[from-1]) < 0 {
			from--
		}
		var buf [2 * longest]byte
		k := sc.kindOf(normal(buf[:0], sc.s[i:end]))
		if k == nil || k.expr[0] == '?' || to-from < 6 || !sc.tellsOne(from) || variety(sc.s[from:to]) < 3 || sc.p.markAt(sc.s[from:]) > 0 {
			return cut{}
		}
		return cut{from, to, k}
	}
	return cut{}
}
