package redact

import (
	"slices"
	"sort"
	"strings"
)

// A scan goes once through a text. Whatever it looks ahead for is either bounded
// or remembered, so that no text takes more than a time that is linear in its
// length.
type scan struct {
	s       string
	p       *rules
	without *kind // a row that is left out, for the tests

	out  strings.Builder
	last int // s up to here is in out

	named   int              // names up to here were looked at
	command int              // where the command began that an option belongs to
	pemEnd  int              // the next -----END, -1 if there is none
	dull    [len(shapes)]int // up to here a shape has no digit
	value   *kind            // what the next "value" is, by the "name" before it
	valueAt int              // where that name was

	access int // where the last id of an access key ended, whose secret may stand beside it
	cookie int // up to here go the values of a header
	jwk    int // 1 if the text has a key in JSON (JWK), -1 if it has none, 0 if nobody looked

	person   *kind // the word that said of the last number what it is
	personTo int   // where that number ended
	table    table // whose line is read
}

// A cut is a part of a text that goes: s[from:to].
type cut struct {
	from, to int
	kind     *kind
}

func (c cut) ok() bool { return c.kind != nil }

// run is the text without what is a secret by its form or by its surroundings.
func (sc *scan) run() string {
	for i := 0; i < len(sc.s); {
		if n := sc.p.markAt(sc.s[i:]); n > 0 {
			i += n
			continue
		}
		c := sc.at(i)
		if !c.ok() {
			i++
			continue
		}
		sc.cut(c)
		i = c.to
	}
	if sc.last == 0 {
		return sc.s
	}
	sc.out.WriteString(sc.s[sc.last:])
	return sc.out.String()
}

// cut leaves a part of the text out, and a mark in its place.
func (sc *scan) cut(c cut) {
	if sc.p.heard != nil && slices.ContainsFunc(fedTo[:], func(k kind) bool { return k == *c.kind }) {
		*sc.p.heard = append(*sc.p.heard, sc.s[c.from:c.to])
	}
	sc.out.WriteString(sc.s[sc.last:c.from])
	sc.out.WriteString(sc.p.mark(c.kind))
	sc.last = c.to
	if c.kind.name == "aws-key" {
		sc.access = c.to
	}
}

// at looks for a secret that, or whose telling sign, begins at s[i].
func (sc *scan) at(i int) cut {
	switch c := sc.s[i]; {
	case c == '\n' && (i == 0 || sc.s[i-1] != '\\') || c == ';' || c == '|' || c == '&':
		sc.command = i + 1
	case c == '-' && strings.HasPrefix(sc.s[i:], "-----"):
		return sc.pem(i)
	case c == '@':
		if c := sc.mail(i); c.ok() {
			return c
		}
		return sc.dsn(i)
	case c == ' ' && strings.HasPrefix(sc.s[i:], " is "):
		return sc.home(i, len(" is "))
	case c == ',' && i+2 < len(sc.s) && sc.s[i+1] == ' ' && digitByte(sc.s[i+2]):
		return sc.home(i, len(", "))
	case (c == '+' || c == '(') && i+1 < len(sc.s) && (digitByte(sc.s[i+1]) || sc.s[i+1] == '+'):
		return sc.figure(i)
	case c >= 0x80:
		return sc.word(i)
	}
	if sc.s[i] == ':' || sc.s[i] == '=' {
		if c := sc.home(i, 1); c.ok() {
			return c
		}
		if c := sc.login(i); c.ok() {
			return c
		}
	}
	switch sc.s[i] {
	case '$', '{':
		return sc.shape(i)
	case '|', '~', '_', '-', '.', ':':
		if c := sc.inner(i); c.ok() {
			return c
		}
		if strings.HasPrefix(sc.s[i:], "://") {
			return sc.userInfo(i)
		}
	}
	if (sc.s[i] == '-' || sc.s[i] == '/') && (i == 0 || strings.IndexByte(beforeOption, sc.s[i-1]) >= 0) {
		if c := sc.option(i); c.ok() {
			return c
		}
		if c := sc.input(i); c.ok() {
			return c
		}
	}
	if wordByte(sc.s[i]) && starts(sc.s, i) {
		if c := sc.shape(i); c.ok() {
			return c
		}
		if c := sc.secretOfKey(i); c.ok() {
			return c
		}
		if sc.s[i] == 'c' {
			if c := sc.input(i); c.ok() {
				return c
			}
		}
		if c := sc.place(i); c.ok() {
			return c
		}
		if c := sc.phrase(i); c.ok() {
			return c
		}
		if c := sc.scheme(i); c.ok() {
			return c
		}
		if c := sc.s[i]; c < 'a' && c != '_' || i+3 < len(sc.s) && digitByte(sc.s[i+2]) && digitByte(sc.s[i+3]) {
			if c := sc.figure(i); c.ok() {
				return c
			}
		}
	}
	if i >= sc.named && nameByte(sc.s[i]) {
		return sc.name(i)
	}
	return cut{}
}

// shape is a token that begins at s[i].
func (sc *scan) shape(i int) cut {
	s := sc.s[i:]
	if len(s) <= shortWord || strings.IndexByte(s[:shortWord+1], ' ') >= 0 || strings.IndexByte(s[:shortWord+1], '\n') >= 0 {
		return cut{}
	}
	first := sort.Search(len(shapes), func(k int) bool { return shapes[k].literal() >= s[:2] })
	for k := first; k < len(shapes) && shapes[k].literal() == s[:2]; k++ {
		if i < sc.dull[k] || !sc.has(&shapes[k]) {
			continue
		}
		from, to, ok := match(shapes[k].expr, s)
		if ok && sc.p.samples && sample(s[from:to]) {
			return cut{}
		}
		if ok {
			return cut{i + from, i + to, &shapes[k]}
		}
		sc.dull[k] = i + to
	}
	return cut{}
}

// secretOfKey is the secret of an access key whose id stands a few words before s[i].
func (sc *scan) secretOfKey(i int) cut {
	const near, length = 64, 40
	if sc.access == 0 || i-sc.access > near || len(sc.s)-i < length || !sc.has(&wholes[keySecret]) {
		return cut{}
	}
	to := i
	for to < len(sc.s) && to-i <= length && (alnum(sc.s[to]) || sc.s[to] == '+' || sc.s[to] == '/') {
		to++
	}
	if v := sc.s[i:to]; to-i != length || !hasDigit(v) || !mixedCase(v) {
		return cut{}
	}
	return cut{i, to, &wholes[keySecret]}
}

// literal are the first two bytes of a shape.
func (k *kind) literal() string {
	if k.expr[0] == '!' {
		return k.expr[1:3]
	}
	return k.expr[:2]
}

// inner is a token around s[i].
func (sc *scan) inner(i int) cut {
	for k := range inners {
		head, rest, _ := strings.Cut(inners[k].expr, "<")
		if rest[0] != sc.s[i] || len(rest) > 1 && letterByte(rest[1]) && i+1 < len(sc.s) && rest[1] != sc.s[i+1] {
			continue
		}
		item, least, most, _ := next(head)
		from := i
		for from > sc.last && i-from < most && holds(item, sc.s[from-1]) {
			from--
		}
		if i-from < least || from > 0 && holds(item, sc.s[from-1]) {
			continue
		}
		if _, n, ok := match(rest, sc.s[i:]); ok && sc.has(&inners[k]) {
			return cut{from, i + n, &inners[k]}
		}
	}
	return cut{}
}

// scheme is what stands behind Bearer or Basic.
func (sc *scan) scheme(i int) cut {
	for k := range schemes {
		w := schemes[k].expr
		if !foldPrefix(sc.s[i:], w) || !sc.has(&schemes[k]) {
			continue
		}
		from := skipBlanks(sc.s, i+len(w))
		to := from
		for to < len(sc.s) && (nameByte(sc.s[to]) || strings.IndexByte("+/=~", sc.s[to]) >= 0) {
			to++
		}
		if v := sc.s[from:to]; from > i+len(w) && len(v) >= 8 && (hasDigit(v) || len(v) >= 20 && mixedCase(v)) {
			if !sc.p.scheme {
				from = i
			}
			return cut{from, to, &schemes[k]}
		}
	}
	return cut{}
}

func (sc *scan) has(k *kind) bool { return k != sc.without && sc.p.takes(k) }

func skipBlanks(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	return i
}

func fold(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// foldPrefix reports whether s begins with an ASCII word, whatever its case.
func foldPrefix(s, lower string) bool {
	if len(s) < len(lower) {
		return false
	}
	for i := range len(lower) {
		if fold(s[i]) != lower[i] {
			return false
		}
	}
	return true
}
