package redact

import "strings"

// mail is the address of e-mail around the "@" at s[i], where words say that it is
// the name for a password, or a person's own.
func (sc *scan) mail(i int) cut {
	if !sc.p.mails {
		return cut{}
	}
	s := sc.s
	from := i
	for from > sc.last && i-from < 64 && (nameByte(s[from-1]) || s[from-1] == '+' || s[from-1] == '%') {
		from--
	}
	to, dot := i+1, false
	for to < len(s) && to-i < 128 && (alnum(s[to]) || s[to] == '-' || s[to] == '.' && to+1 < len(s) && alnum(s[to+1])) {
		dot = dot || s[to] == '.'
		to++
	}
	if from == i || !dot || strings.HasSuffix(s[i:to], ".gserviceaccount.com") { // a service's name, of no person
		return cut{}
	}
	for k := range mailboxes {
		if sc.has(&mailboxes[k]) && sc.mailbox(mailboxes[k].expr, from, to) {
			return cut{from, to, &mailboxes[k]}
		}
	}
	return cut{}
}

// mailbox reports whether words stand around the address s[from:to].
func (sc *scan) mailbox(expr string, from, to int) bool {
	if word, ok := strings.CutPrefix(expr, "* "); ok {
		rest := strings.TrimLeft(sc.s[to:min(len(sc.s), to+40)], " \t\"'`,:/|)>")
		for _, and := range [...]string{"and ", "with ", "the ", "your ", "，", "、", "的"} {
			rest = strings.TrimLeft(strings.TrimPrefix(rest, and), " \"'")
		}
		return foldPrefix(rest, word) && (len(rest) == len(word) || !letterByte(rest[len(word)])) || strings.HasPrefix(rest, word) && word[0] >= 0x80
	}
	word := strings.TrimSuffix(expr, " *")
	s := strings.TrimRight(sc.s[max(0, from-48):from], " \t\"'`:=<(|")
	for _, link := range [...]string{"：", "是", "为", " is", " was"} {
		s = strings.TrimRight(strings.TrimSuffix(s, link), " \t\"'`:=<(|")
	}
	if s == "" || endsWith(s, word) {
		return s != ""
	}
	// Of a place: credentials for staging: …
	if n := strings.LastIndexByte(s, ' '); n > 0 && strings.HasSuffix(word, " for") && sc.s[from-1] == ' ' && from > 1 && sc.s[from-2] == ':' {
		return endsWith(s[:n], word)
	}
	return false
}

// home is the postal address behind the words that end at s[i], a colon or what
// stands for one. It goes up to the end of its quotes, cell or line.
func (sc *scan) home(i, n int) cut {
	s := sc.s
	before := strings.TrimRight(s[max(0, i-40):i], " \"'`*")
	if before == "" {
		return cut{}
	}
	for k := range homes {
		if !endsWith(before, homes[k].expr) || !sc.has(&homes[k]) {
			continue
		}
		from := skipBlanks(s, i+n)
		stop := "\r\n|<"
		if from < len(s) && strings.IndexByte("\"'`", s[from]) >= 0 {
			stop = s[from:from+1] + stop
			from++
		}
		to := from
		for to < len(s) && to-from < 160 && strings.IndexByte(stop, s[to]) < 0 && s[to] != ';' && s[to] != '\\' && !strings.HasPrefix(s[to:], "。") && !strings.HasPrefix(s[to:], ". ") {
			to++
		}
		for to < len(s) && to > from && s[to] >= 0x80 && s[to] < 0xc0 {
			to-- // not within a sign
		}
		v := strings.TrimRight(s[from:to], " .,")
		if len(v) < 8 || !numbered(v) || reference(v) || strings.Contains(v, "[") || strings.Contains(v, "0x") || !strings.ContainsAny(v, " ") && v[0] < 0x80 {
			return cut{}
		}
		return cut{from, from + len(v), &homes[k]}
	}
	return cut{}
}

// numbered reports whether a text has a number that is no part of a name.
func numbered(s string) bool {
	for i := range len(s) {
		if digitByte(s[i]) && (i == 0 || !wordByte(s[i-1])) {
			return true
		}
	}
	return false
}
