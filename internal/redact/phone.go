package redact

import "strings"

// A dial is a telephone number as far as it is read: where each of its groups
// ends, and how many digits stand up to there.
type dial struct {
	b      [16]byte
	ends   [10]int
	digits [10]int
	dots   int // groups that a dot stands before
	n      int // groups
}

// read reads groups of digits with at most three signs between them.
func (d *dial) read(s string) {
	at := 0
	for at < len(s) && (s[at] == '+' || s[at] == '(') {
		at++
	}
	total := 0
	for d.n < len(d.ends) {
		from := at
		for at < len(s) && digitByte(s[at]) {
			if total == 15 {
				return
			}
			d.b[total] = s[at]
			total++
			at++
		}
		if at == from || d.n > 1 && at-from == 1 && s[from-1] == ' ' {
			return
		}
		if at < len(s) && s[at] == ')' {
			at++
		}
		d.ends[d.n], d.digits[d.n] = at, total
		d.n++
		gap := at
		for gap < len(s) && gap-at < 3 {
			n := separator(s[gap:], " -./(")
			if n == 0 {
				break
			}
			gap += n
		}
		if gap > at && s[gap-1] == '.' {
			d.dots++
		}
		at = gap
	}
}

// e164 is where a number ends that begins with its country's: "+" at s[i]. 0 if
// it is none.
func (sc *scan) e164(expr string, i int) int {
	var d dial
	if d.read(sc.s[i:]); d.n == 0 || !digitByte(sc.s[i+1]) || d.n == 1 && sc.added(i) {
		return 0
	}
	for g := d.n - 1; g >= 0; g-- {
		digits := string(d.b[:d.digits[g]])
		var f figure
		if f.read(expr, digits, "", false) && f.to == len(digits) && sc.closes(i+d.ends[g]) {
			return i + d.ends[g]
		}
	}
	return 0
}

// added reports whether the "+" at s[i] is that of a line which a diff adds.
func (sc *scan) added(i int) bool {
	if i == 0 || sc.s[i-1] != '\n' {
		return false
	}
	line := sc.s[max(0, i-200) : i-1]
	n := strings.LastIndexByte(line, '\n') + 1
	return n < len(line) && strings.IndexByte("+- @", line[n]) >= 0
}

// phone is where a number ends that a word says to be that of a telephone; 0 if it
// is none.
func (sc *scan) phone(i int, near bool) int {
	var d dial
	d.read(sc.s[i:])
	for g := d.n - 1; g >= 0; g-- {
		n := d.digits[g]
		v := string(d.b[:n])
		if n < 7 || !sc.closes(i+d.ends[g]) || sc.s[i] == '(' && !strings.Contains(sc.s[i:i+d.ends[g]], ")") {
			continue
		}
		mobile := n == 11 && v[0] == '1' && v[1] >= '3'
		formed := g >= 1 && n >= 9 && (v[0] == '0' || sc.s[i] == '+' || sc.s[i] == '(') || g == 2 && d.digits[0] == 3 && d.digits[1] == 6 && n == 10
		switch {
		case d.dots == g && g == 3 && n <= 12 && sc.s[i] != '+': // an address of the network
		case g == 0 && n <= 8 && !mobile && (sc.prose(i+d.ends[g]) || strings.HasSuffix(v, "000")): // how many there are of something
		case date(v), g == 2 && n <= 8 && d.digits[0] == 4 && (v[:2] == "19" || v[:2] == "20"):
		case near || mobile || formed:
			return i + d.ends[g]
		}
	}
	return 0
}
