package redact

import "strings"

// Secrets that no name stands right before: in sentences, in pairs, in cookies, in several words.

// A filler is a word that may stand between the name of a secret and its value: the password for
// it was changed from x to y, the token we use is x.
type filler int

const (
	noFiller filler = iota
	other           // says nothing of what follows
	verb            // may have the value behind it
	change          // so that "from" may, too
	fromWhat
)

func fills(s string) filler {
	var b [12]byte
	if len(s) > len(b) {
		return noFiller
	}
	for i := range len(s) {
		b[i] = fold(s[i])
	}
	switch string(b[:len(s)]) {
	case "is", "was", "to", "now", "are", "be", "became", "remains", "still", "currently", "just", "again":
		return verb
	case "changed", "set", "reset", "rotated", "updated", "switched":
		return change
	case "from":
		return fromWhat
	case "a", "an", "the", "my", "our", "your", "their", "his", "her", "its", "new", "old", "current", "default",
		"temporary", "temp", "we", "i", "you", "they", "it", "for", "of", "on", "in", "at", "been", "being", "will",
		"should", "has", "have", "had", "got", "gets", "here", "use", "uses", "used", "using", "that", "which",
		"who", "works", "replaced", "generated", "created", "assigned", "issued", "then", "there", "prod", "production", "staging", "dev":
		return other
	}
	return noFiller
}

// told is where the value begins that a sentence tells of a name, which ends before s[i]; 0 if the
// words there tell none. The last of them is a verb, "to", "from" or "now", or a colon.
func (sc *scan) told(i int) int {
	s, says, changed, forWhat := sc.s, false, false, false
	for words := 0; words < 9; words++ {
		end := i
		for end < len(s) && end-i < 12 && letterByte(s[end]) {
			end++
		}
		what := noFiller
		if end > i && end < len(s) && (s[end] == ' ' || s[end] == ':') {
			what = fills(s[i:end])
		}
		if what == noFiller {
			if word, _, _ := strings.Cut(s[i:min(len(s), i+longest)], " "); forWhat && strings.HasSuffix(word, ":") { // for root@localhost: x
				if at := skipBlanks(s, i+len(word)); sc.tellsOne(at) {
					return at
				}
			}
			if changed && i < len(s) && s[i] == '[' { // what it was before
				if n := sc.p.markAt(s[i:]); n > 0 && strings.HasPrefix(s[i+n:], " to ") {
					return i + n + len(" to ")
				}
			}
			if says && sc.tellsOne(i) {
				return i
			}
			if changed { // from x to y
				word, _, _ := strings.Cut(s[i:min(len(s), i+40)], " ")
				if at := i + len(word) + len(" to "); len(word) > 0 && at < len(s) && s[at-4:at] == " to " && sc.tellsOne(at) {
					return at
				}
			}
			return 0
		}
		changed = changed || what == change
		forWhat = what == other && listedIn(" for of on ", s[i:end])
		says = what == verb || changed && what == fromWhat
		if s[end] == ':' && end+1 < len(s) && s[end+1] == ' ' {
			if at := skipBlanks(s, end+1); sc.tellsOne(at) {
				return at
			}
			return 0
		}
		if i = skipBlanks(s, end); i == end {
			return 0
		}
	}
	return 0
}

// tellsOne reports whether what stands at s[i] is a value that nobody says of a password but as one:
// no day, no number with a unit, no method, and no name with a number (prod-12).
func (sc *scan) tellsOne(i int) bool {
	from, to, _ := sc.valueRange(i, said)
	v := sc.s[from:to]
	if len(v) < 6 || !hasDigit(v) || !hasLetter(v) || method(v) || reference(v) || code(v) {
		return false
	}
	if ticket, number, _ := strings.Cut(v, "-"); capitals(ticket) && number != "" && strings.Trim(number, "0123456789") == "" {
		return false // PR-1022
	}
	rest := strings.TrimLeft(v, "0123456789.,")
	if len(rest) < len(v) && lower(strings.Trim(rest, "-")) || len(v) > 5 && number(v[:4]) && v[4] == '-' {
		return false
	}
	if variety(v) > 3 || !strings.ContainsAny(v, "-_.") {
		return true
	}
	word := false
	for part := range strings.FieldsFuncSeq(v, func(r rune) bool { return strings.ContainsRune("-_.", r) }) {
		if strings.ToLower(part) != part {
			return true
		}
		word = word || lower(part) && len(part) > 2
	}
	return !word
}

// spokenOf are verbs of other languages between the name of a secret and its value.
var spokenOf = [...]string{"ist ", "lautet ", "war ", "est ", "es ", "era ", "è ", "é ", "está ", "je ", "to jest ", "är "}

// toldIn is where the value begins behind such a verb, or behind a colon with a narrow blank before.
func toldIn(s string) int {
	if s == "" || strings.IndexByte("ilwejt\xc2\xc3\xe2", s[0]) < 0 {
		return 0
	}
	for _, verb := range spokenOf {
		if rest, ok := strings.CutPrefix(s, verb); ok {
			for _, more := range [...]string{"jetzt ", "nun ", "maintenant ", "ahora ", "desormais ", ": "} {
				rest = strings.TrimPrefix(rest, more)
			}
			return len(s) - len(rest)
		}
	}
	for _, blank := range [...]string{"\u00a0:", "\u202f:"} {
		if strings.HasPrefix(s, blank) {
			return len(blank) + skipWide(s[len(blank):])
		}
	}
	return 0
}

func skipWide(s string) int {
	n := skipBlanks(s, 0)
	for _, blank := range [...]string{"\u00a0", "\u202f"} {
		if strings.HasPrefix(s[n:], blank) {
			n += len(blank)
		}
	}
	return n
}

// inWords is where a value begins of which a sentence says what it is, behind its name.
func (sc *scan) inWords(i int) (int, form) {
	s := sc.s
	if at := whose(s, i); at > i {
		i = at
		if s[i] == ':' || s[i] == '=' {
			return skipBlanks(s, i+1), said
		}
		if strings.HasPrefix(s[i:], "to ") && !sc.tellsOne(skipBlanks(s, i+len("to "))) {
			return i, bare // the password for the way to x
		}
	}
	if at := forWhom(s, i); at > i {
		return at, spaced
	}
	if at := sc.told(i); at > 0 {
		return at, said
	}
	for _, word := range [...]string{"is ", "was ", "to ", "is: "} {
		if strings.HasPrefix(s[i:], word) {
			return skipBlanks(s, i+len(word)), said
		}
	}
	if n := toldIn(s[i:]); n > 0 {
		return i + n, said
	}
	for _, arrow := range [...]string{"→", "->", "⇒"} {
		if rest, ok := strings.CutPrefix(s[i:], arrow); ok {
			if at := skipBlanks(s, len(s)-len(rest)); sc.tellsOne(at) {
				return at, spaced
			}
		}
	}
	if n := linkAt(s[i:]); n > 0 {
		return skipBlanks(s, i+n), said
	}
	return i, bare
}

// pairs are words before a name and a password: creds are admin:x, login admin / x.
var pairs = [...]kind{
	{"password", "credentials", "credentials: admin / hunter2X!", "credentials: aws / gcp"},
	{"password", "creds", "creds are admin:hunter2", "creds are in vault"},
	{"password", "login", "login admin/Hunter2!x", "login page/v2 is slow"},
	{"password", "log in", "log in with admin / Hunter2!x", "log in with oauth2"},
	{"password", "basic auth", "basic auth: bo / Hunter2!x", "basic auth is off"},
	{"password", "sign in", "sign in with admin:Hunter2!x", "sign in with sso"},
	{"password", "zugangsdaten", "Zugangsdaten: admin / Hunter2!x", "Zugangsdaten im Safe"},
	{"password", "anmeldung", "Anmeldung mit admin / Hunter2!x", "Anmeldung mit SSO"},
	{"password", "user/pass", "user/pass: admin/Hunter2!x", "user/pass is not supported"},
	{"password", "user/password", "user/password = admin/Hunter2!x", "user/password login"},
	{"password", "username/password", "username/password: admin / Hunter2!x", "username/password login"},
}

// pair is the password of the name that stands behind a row's word at s[i].
func (sc *scan) pair(i int) cut {
	if c := fold(sc.s[i]); strings.IndexByte("clsazub", c) < 0 || i > 0 && nameByte(sc.s[i-1]) {
		return cut{}
	}
	for k := range pairs {
		word := pairs[k].expr
		end := i + len(word)
		if word[0] != fold(sc.s[i]) || !foldPrefix(sc.s[i:], word) || end >= len(sc.s) || wordByte(sc.s[end]) || !sc.has(&pairs[k]) {
			continue
		}
		if from, to := sc.pairBehind(end); to > from {
			return cut{from, to, &pairs[k]}
		}
		// To log in to the router use admin / x.
		rest, _, _ := strings.Cut(sc.s[end:min(len(sc.s), end+longest)], "\n")
		for _, by := range [...]string{" use ", " with "} {
			n := strings.Index(rest, by)
			if n < 0 || strings.Contains(rest[:n], ". ") {
				continue
			}
			if from, to := sc.pairBehind(end + n + len(by)); to > from && variety(sc.s[from:to]) > 2 {
				return cut{from, to, &pairs[k]}
			}
		}
	}
	return cut{}
}

// pairBehind is the second part of a name and a password behind s[i].
func (sc *scan) pairBehind(i int) (from, to int) {
	s := sc.s
	i = aside(s, skipBlanks(s, i)) // creds (staging): x
	for words := 0; ; words++ {
		for i < len(s) && strings.IndexByte(" \t:=\"'`", s[i]) >= 0 {
			i++
		}
		end := i
		for end < len(s) && end-i < 40 && (nameByte(s[end]) || s[end] == '@') {
			end++
		}
		if end == i || end == len(s) || !letterByte(s[i]) {
			return 0, 0
		}
		if word := strings.ToLower(s[i:end]); words < 4 && (fills(word) != noFiller || listedIn(" with as mit sind ", word)) {
			i = end
			continue
		} else if s[end] == ':' && words < 4 && end+1 < len(s) && s[end+1] == ' ' { // credentials for shop: admin / x
			i = end + 1
			continue
		}
		at := skipBlanks(s, end)
		if words > 0 && words < 4 && (strings.HasPrefix(s[at:], "is ") || strings.HasPrefix(s[at:], "are ")) { // for the sandbox are
			i = at
			continue
		}
		if at == len(s) || s[at] != '/' && (s[at] != ':' || at > end) {
			return 0, 0
		}
		spaced := at > end
		from = skipBlanks(s, at+1)
		from, to, _ = sc.valueRange(from, said)
		v := s[from:to]
		kinds := variety(v)
		switch {
		case len(v) < 6 || !hasDigit(v) || kinds < 2 || reference(v) || madeUp(v) || method(v) || code(v) || strings.Contains(v, "/") || sc.p.markAt(s[from:]) > 0:
			return 0, 0
		case kinds == 2 && !spaced && (s[at] == '/' || !listedIn(someone, strings.ToLower(s[i:end]))):
			return 0, 0 // a path, or a part of something
		case kinds == 2 && len(strings.TrimLeft(v, "abcdefghijklmnopqrstuvwxyz")) < 2 && !listedIn(someone, strings.ToLower(s[i:end])):
			return 0, 0 // a word with a digit: webauthn2
		case strings.IndexByte(v, '-') > 0 && kinds == 2 && lower(v[:strings.IndexByte(v, '-')]):
			return 0, 0 // a name with a number: prod-12
		}
		return from, to
	}
}

// someone are names under which many log in.
const someone = " admin root user test demo guest sa administrator "

// variety is of how many kinds the signs of a value are: small and large letters, digits, others.
func variety(v string) (n int) {
	var seen [4]bool
	for i := range len(v) {
		switch c := v[i]; {
		case c >= 'a' && c <= 'z':
			seen[0] = true
		case c >= 'A' && c <= 'Z':
			seen[1] = true
		case digitByte(c):
			seen[2] = true
		default:
			seen[3] = true
		}
	}
	for _, is := range seen {
		if is {
			n++
		}
	}
	return n
}

// seeds are words before the words that a wallet is restored from.
var seeds = [...]kind{
	{"seed-phrase", "phrase", "seed phrase: copper violin harvest meadow lantern spiral walnut garden pepper rocket saddle timber", "seed phrase: ask the team that has it in the safe of the office"},
	{"seed-phrase", "mnemonic", "mnemonic = \"copper violin harvest meadow lantern spiral walnut garden pepper rocket saddle timber\"", "mnemonic: every good boy does fine"},
	{"seed-phrase", "助记词", "助记词：copper violin harvest meadow lantern spiral walnut garden pepper rocket saddle timber", "助记词：twelve words"},
}

// leastSeed is of how many words a phrase is at least, as BIP 39 has them.
const leastSeed = 12

// seed is the phrase behind a row's word at s[i].
func (sc *scan) seed(i int) cut {
	for k := range seeds {
		word := seeds[k].expr
		if fold(sc.s[i]) != word[0] || !foldPrefix(sc.s[i:], word) || !sc.has(&seeds[k]) {
			continue
		}
		from := i + len(word)
		if of := skipBlanks(sc.s, from); of > from {
			if is := whose(sc.s, of); is > of { // phrase for the wallet of the office: …
				from = of + len(strings.TrimRight(sc.s[of:is], " "))
			}
		}
		rest := sc.s[from:min(len(sc.s), from+400)]
		at := 0
		for _, link := range [...]string{"s", "\"", "'", " is", " are", "是", "为", "：", " =", ":", "=", " ", "\n", "\"", "'", "`"} {
			if strings.HasPrefix(rest[at:], link) {
				at += len(link)
			}
		}
		if to := seedWords(rest[at:]); to > 0 {
			return cut{from + at, from + at + to, &seeds[k]}
		}
	}
	return cut{}
}

// seedWords is where the words of a phrase end that s begins with; 0 if they are none.
func seedWords(s string) int {
	n, to := 0, 0
	for i := 0; i < len(s); {
		for i < len(s) && strings.IndexByte(" ,\n\t.)", s[i]) >= 0 || i < len(s) && digitByte(s[i]) {
			i++ // 1. word
		}
		end := i
		for end < len(s) && s[end] >= 'a' && s[end] <= 'z' {
			end++
		}
		if end-i < 3 || end-i > 8 || end < len(s) && wordByte(s[end]) || listedIn(" the and for are was were not you your from with that have has its but when who our them then they these those into must every does ", s[i:end]) {
			break
		}
		n, to, i = n+1, end, end
	}
	if n < leastSeed {
		return 0
	}
	return to
}

// counter reports whether a name in a cookie is that of something that counts visits.
func counter(name string) bool {
	return strings.HasPrefix(name, "_ga") || strings.HasPrefix(name, "_gid") || strings.HasPrefix(name, "_gcl") || strings.HasPrefix(name, "_fbp") || strings.HasPrefix(name, "_pk_") || strings.HasPrefix(name, "__utm")
}

// wifi is the password of a network in the form that is drawn as a picture: WIFI:T:WPA;S:net;P:x;;.
func (sc *scan) wifi(i int) cut {
	k := &wholes[wifiCode]
	if !foldPrefix(sc.s[i:], "wifi:") || !sc.has(k) {
		return cut{}
	}
	line, _, _ := strings.Cut(sc.s[i:min(len(sc.s), i+200)], "\n")
	n := strings.Index(line, ";P:")
	if n < 0 {
		if n = strings.Index(line, ":P:"); n < 0 {
			return cut{}
		}
	}
	from := i + n + len(";P:")
	to := from
	for to < i+len(line) && sc.s[to] != ';' {
		if sc.s[to] == '\\' {
			to++
		}
		to++
	}
	if to = min(to, i+len(line)); to-from < 3 || reference(sc.s[from:to]) || sc.p.markAt(sc.s[from:]) > 0 {
		return cut{}
	}
	return cut{from, to, k}
}

// putty are the lines of a private key as PuTTY writes it, behind "Private-Lines: n" at s[i].
func (sc *scan) putty(i int) cut {
	k, s := &wholes[puttyKey], sc.s
	const head = "Private-Lines:"
	if !strings.HasPrefix(s[i:], head) || !sc.has(k) {
		return cut{}
	}
	at := skipBlanks(s, i+len(head))
	for at < len(s) && digitByte(s[at]) {
		at++
	}
	for at < len(s) && strings.IndexByte("\r\n\\", s[at]) >= 0 {
		if s[at] == '\\' {
			at++ // \n
		}
		at++
	}
	to := at
	for to < len(s) && to-at < 16<<10 && (alnum(s[to]) || strings.IndexByte("+/=\r\n", s[to]) >= 0) {
		to++
	}
	if n := strings.Index(s[at:to], "\nPrivate"); n >= 0 {
		to = at + n
	}
	to = at + len(strings.TrimRight(s[at:to], "\r\n"))
	if to-at < 16 {
		return cut{}
	}
	return cut{at, to, k}
}

// phrase is what begins with a word at s[i] and is none of the others.
func (sc *scan) phrase(i int) cut {
	for _, other := range [...]func(int) cut{sc.otp, sc.handed} {
		if c := other(i); c.ok() {
			return c
		}
	}
	switch sc.s[i] {
	case 'w', 'W':
		if c := sc.codes(i); c.ok() {
			return c
		}
		return sc.wifi(i)
	case 'P', 'p', 'm', 'M':
		for _, other := range [...]func(int) cut{sc.putty, sc.pin} {
			if c := other(i); c.ok() {
				return c
			}
		}
		return sc.seed(i)
	}
	if c := sc.codes(i); c.ok() {
		return c
	}
	return sc.pair(i)
}
