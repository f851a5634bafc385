package redact

import "strings"

// A figure is a number as people write it: with blanks or other signs between its
// groups.
type figure struct {
	b      [48]byte // its letters, as capitals, and digits
	n      int
	to     int // where it ends
	groups [16]int
	parts  int
	sep    byte // what stands between the groups, the first of it
	mixed  bool // not always the same
	near   bool // to the word that says what it is
}

func (f *figure) text() string { return string(f.b[:f.n]) }

// read reads an expression, as shapes have them, at the beginning of s, and passes
// over single separators. fold takes small letters for capitals.
func (f *figure) read(expr, s, seps string, fold bool) bool {
	*f = figure{parts: 1}
	for expr != "" {
		var item string
		var least, most int
		item, least, most, expr = next(expr)
		n := 0
		for ; n < most && f.n < len(f.b); n++ {
			at := f.to
			if f.n > 0 {
				at += separator(s[at:], seps)
			}
			if at >= len(s) {
				break
			}
			c := s[at]
			if fold && c >= 'a' && c <= 'z' {
				c -= 'a' - 'A'
			}
			if !holds(item, c) || at > f.to && !f.group(s[f.to]) {
				break
			}
			f.b[f.n] = c
			f.n++
			f.groups[f.parts-1]++
			f.to = at + 1
		}
		if n < least {
			return false
		}
	}
	return true
}

// group begins another group behind a separator; false if there are too many.
func (f *figure) group(sep byte) bool {
	if f.parts == len(f.groups) {
		return false
	}
	if f.parts == 1 {
		f.sep = sep
	}
	f.mixed = f.mixed || sep != f.sep
	f.parts++
	return true
}

// laid reports whether the groups are so long.
func (f *figure) laid(groups ...int) bool {
	if f.parts != len(groups) {
		return false
	}
	for i, n := range groups {
		if f.groups[i] != n {
			return false
		}
	}
	return true
}

// separator is the length of one sign between two groups; 0 if there is none.
func separator(s, seps string) int {
	switch {
	case s == "":
		return 0
	case strings.IndexByte(seps, s[0]) >= 0:
		return 1
	case s[0] < 0xc0 || strings.IndexByte(seps, ' ') < 0:
		return 0
	}
	for _, wide := range [...]string{"\u00a0", "\u2009", "\u202f", "\u2010", "\u2011", "\u2013"} {
		if strings.HasPrefix(s, wide) {
			return len(wide)
		}
	}
	return 0
}

// numeral reports whether what begins at s may be a number of a person: it has six
// digits near to each other, or four behind letters, and no small letters before
// them.
func numeral(s string) bool {
	need, gap := 6, 0
	if letterByte(s[0]) {
		need = 4
	}
	for i := 0; i < len(s) && i < 28; i++ {
		switch c := s[i]; {
		case digitByte(c):
			gap = 0
			if need--; need == 0 {
				return true
			}
		case c >= 'a' && c <= 'z' && i > 1 || c == '\n':
			return false
		default:
			if gap++; gap > 8 {
				return false
			}
		}
	}
	return false
}

// figure is a number of a person that begins at s[i]: one that a word before it
// says to be one, or that is told by its form.
func (sc *scan) figure(i int) cut {
	s := sc.s
	if !numeral(s[i:]) || i > 0 && !sc.apart(i) {
		return cut{}
	}
	k, to, other := sc.saidBefore(i)
	if to > i {
		sc.person, sc.personTo = k, to
		return cut{i, to, k}
	}
	bare := !other && !(i > 0 && strings.IndexByte("/#", s[i-1]) >= 0)
	for k := range numbers {
		if to := sc.number(&numbers[k], i, bare); to > i {
			return cut{i, to, &numbers[k]}
		}
	}
	if letterByte(s[i]) {
		for k := range ibans {
			if ibans[k].expr[0] != s[i] || ibans[k].expr[1] != s[i+1] {
				continue
			}
			var f figure
			if sc.has(&ibans[k]) && f.read(ibans[k].expr, s[i:], " -", false) && mod97(f.text()) && sc.closes(i+f.to) {
				return cut{i, i + f.to, &ibans[k]}
			}
		}
	}
	return cut{}
}

// apart reports whether a number may begin at s[i], which is no part of another
// one, of a version or of a word before it.
func (sc *scan) apart(i int) bool {
	if sc.s[i] == '+' && (wordByte(sc.s[i-1]) || sc.s[i-1] == ')') {
		return false
	}
	switch c := sc.s[i-1]; c {
	case '+':
		return sc.s[i] == '(' // the digits of +49 belong to their sign
	case '.', '-', ',':
		return i == 1 || !alnum(sc.s[i-2]) || c == ',' && !digitByte(sc.s[i-2]) || c == ',' && sc.cell(i)
	}
	return true
}

// cell reports whether the comma before s[i] stands between the cells of a line
// and not between thousands: more than three digits stand on a side of it.
func (sc *scan) cell(i int) bool {
	n := i
	for n < len(sc.s) && n < i+4 && digitByte(sc.s[n]) {
		n++
	}
	return n != i+3
}

// closes reports whether a number may end before s[to].
func (sc *scan) closes(to int) bool {
	s := sc.s
	if to == len(s) {
		return true
	}
	if wordByte(s[to]) || s[to] == '@' {
		return false
	}
	return to+1 == len(s) || strings.IndexByte(".-:", s[to]) < 0 || !alnum(s[to+1])
}

// number is where the number ends that a row tells by its form; 0 if there is none
// of it. A bare one, without signs between its groups, may be the number of
// anything where a word before it says so.
func (sc *scan) number(k *kind, i int, bare bool) int {
	check, expr, _ := strings.Cut(k.expr, " ")
	s := sc.s[i:]
	if check == "e164" {
		if s[0] != '+' || !sc.has(k) {
			return 0
		}
		return sc.e164(expr, i)
	}
	var f figure
	seps := " -"
	switch check {
	case "cpf":
		seps = ".-"
	case "hkid":
		seps = "()"
	}
	if !f.read(expr, s, seps, false) || !sc.has(k) || f.parts == 1 && !bare {
		return 0
	}
	v := f.text()
	ok := false
	switch check {
	case "luhn":
		ok = luhn(v) && !placeholder(v) && (f.parts == 1 || !f.mixed && (f.groups[0] == 4 && f.parts <= 5 || f.laid(6, len(v)-6))) && !sc.listed(i, i+f.to, &f)
	case "resident":
		ok = resident(v) && (f.parts == 1 || f.laid(6, 8, 4) || f.laid(6, 4, 4, 4) || f.laid(3, 3, 4, 4, 4))
	case "cpf":
		ok = cpf(v) && f.laid(3, 3, 3, 2) && f.sep == '.' && s[f.to-3] == '-'
	case "hkid":
		ok = f.parts == 2 && f.groups[1] == 1 && f.to < len(s) && s[f.to] == ')' && hkid(v)
		f.to++
	case "fiscal":
		ok = f.parts == 1 && fiscal(v)
	}
	if !ok || !sc.closes(i+f.to) {
		return 0
	}
	return i + f.to
}

// listed reports whether groups of four digits go on before or behind a number: it
// is a part of a list, or of a dump.
func (sc *scan) listed(from, to int, f *figure) bool {
	if f.parts == 1 {
		return false
	}
	four := func(s string) bool {
		return len(s) >= 4 && hexadecimal(s[:4]) && (len(s) == 4 || !wordByte(s[4]))
	}
	s := sc.s
	return to < len(s) && s[to] == f.sep && four(s[to+1:]) ||
		from >= 5 && s[from-1] == f.sep && four(s[from-5:from-1]) && (from == 5 || !wordByte(s[from-6]))
}

// said is where the number ends that a word says to be one; 0 if there is none. A
// number that is not near to the word has to look like what it says.
func (sc *scan) said(k *kind, i int, near bool) int {
	if !sc.has(k) {
		return 0
	}
	name, _, _ := strings.Cut(k.expr, " ")
	switch {
	case name == "phone":
		return sc.phone(i, near)
	case name == "sin" && i > 0 && sc.s[i-1] == '(':
		return 0 // what is called
	}
	for n := range saidForms {
		form := &saidForms[n]
		if form.name != name || !near && !form.sure {
			continue
		}
		var f figure
		if !f.read(form.expr, sc.s[i:], form.seps, near) || !sc.closes(i+f.to) {
			continue
		}
		if f.near = near; form.check(&f) {
			return i + f.to
		}
	}
	return 0
}
