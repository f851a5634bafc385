package redact

import "strings"

// header is the value of an HTTP header, which begins at s[from], behind the name
// that ends at s[end].
func (sc *scan) header(name string, end, from int) cut {
	if strings.IndexByte(sc.s[end:from], ':') < 0 {
		return cut{}
	}
	var k *kind
	for h := range headers {
		if len(headers[h].expr) == len(name) && strings.EqualFold(headers[h].expr, name) {
			k = &headers[h]
		}
	}
	if k != nil && k.name == "cookie" && !sc.p.cookies { // the random ones of its values go, see name
		line := sc.s[from:min(len(sc.s), from+4096)]
		if n := strings.IndexAny(line, "\r\n"); n >= 0 {
			line = line[:n]
		}
		sc.cookie = from + len(line)
	}
	if k == nil || !sc.has(k) {
		return cut{}
	}
	start := end - len(name)
	open := start > 0 && strings.IndexByte("\"'`", sc.s[start-1]) >= 0
	for from < len(sc.s) && strings.IndexByte("\"'\\", sc.s[from]) >= 0 {
		from++
		open = true
	}
	to := from
	within := false // the quotes of a parameter: response="x"
	for to < len(sc.s) && to-from < 2048 && strings.IndexByte("\r\n'`\\|", sc.s[to]) < 0 && !strings.HasPrefix(sc.s[to:], "</") {
		if sc.s[to] == '"' {
			if open || !within && (to == from || sc.s[to-1] != '=') {
				break
			}
			within = !within
		}
		to++
	}
	v := strings.TrimRight(sc.s[from:to], " ")
	scheme, rest, two := strings.Cut(v, " ")
	known := two && strings.Contains(" bearer basic token api-token digest apikey negotiate ntlm aws4-hmac-sha256 ", " "+strings.ToLower(scheme)+" ")
	switch {
	case v == "" || reference(v) || plain(v) || sc.p.markAt(v) > 0:
		return cut{}
	case known && (reference(rest) || capitals(rest) || sc.p.markAt(rest) > 0 || strings.Contains(rest, " ") && !strings.Contains(rest, "=")):
		return cut{}
	case known && sc.p.scheme:
		from += len(scheme) + 1
	case k.name == "cookie" && !strings.Contains(v, "="), two && !known && !strings.Contains(v, "="), len(v) < 3:
		return cut{}
	}
	return cut{from, from + len(strings.TrimRight(sc.s[from:to], " ")), k}
}

// word is a name in other letters than Latin, and its value.
func (sc *scan) word(i int) cut {
	if sc.s[i] < 0xc0 {
		return cut{}
	}
	for _, link := range [...]string{"：", "是", "为"} {
		if strings.HasPrefix(sc.s[i:], link) {
			return sc.home(i, len(link))
		}
	}
	for _, list := range [...]func(int) cut{sc.seed, sc.codes, sc.otp} {
		if c := list(i); c.ok() {
			return c
		}
	}
	for k := range words {
		if words[k].expr[0] != sc.s[i] && words[k].expr[0] >= 0x80 {
			continue
		}
		head, tail, latin := strings.Cut(words[k].expr, "|")
		if !latin {
			head, tail = "", head
		}
		rest, ok := strings.CutPrefix(sc.s[i:], tail)
		if !ok || latin && !endsWith(sc.s[max(0, i-12):i], head) || !sc.has(&words[k]) {
			continue
		}
		from := skipBlanks(sc.s, len(sc.s)-len(rest))
		if latin {
			from = whose(sc.s, from)
		}
		n := linkAt(sc.s[from:])
		from = skipBlanks(sc.s, from+n)
		for from < len(sc.s) && strings.IndexByte("\"'`", sc.s[from]) >= 0 {
			from++
		}
		for _, quote := range [...]string{"“", "‘", "「", "『"} {
			from = len(sc.s) - len(strings.TrimPrefix(sc.s[from:], quote))
		}
		to := from
		for to < len(sc.s) && sc.s[to] > ' ' && sc.s[to] < 0x7f && strings.IndexByte("\"'`,;)\\", sc.s[to]) < 0 {
			to++
		}
		v := sc.s[from:to]
		if (latin || tail[0] < 0xe4) && !hasDigit(v) && !strings.ContainsAny(v, "!@#$%^&*") { // a word of the language
			return cut{}
		}
		if len(v) < 3 || reference(v) || plain(v) || code(v) || sc.p.markAt(v) > 0 || !hasDigit(v) && (n == 0 || capitals(v)) {
			return cut{}
		}
		return cut{from, to, &words[k]}
	}
	return cut{}
}

// option is the password behind an option of a program, which begins at s[i].
func (sc *scan) option(i int) cut {
	for k := range options {
		at := strings.Index(options[k].expr, " "+sc.s[i:i+1]) + 1
		if at == 0 || i+1 == len(sc.s) || options[k].expr[at+1] != sc.s[i+1] && options[k].expr[0] != 'c' { // curl has several letters
			continue
		}
		program, opt := options[k].expr[:at], options[k].expr[at:]
		flag, where, apart := strings.Cut(opt, " ")
		if !apart {
			star := strings.IndexByte(flag, '*')
			flag, where = flag[:star], flag[star:]
		}
		n := flagAt(sc.s[i:], program, flag)
		if n == 0 || !sc.has(&options[k]) || !sc.runs(program, i) {
			continue
		}
		from := i + n
		if apart {
			blank := from
			for from < len(sc.s) && strings.IndexByte("\"', \t=", sc.s[from]) >= 0 {
				from++
			}
			if from == blank {
				continue
			}
		} else if from < len(sc.s) && strings.IndexByte("\"'", sc.s[from]) >= 0 {
			from++
		}
		to := from
		for to < len(sc.s) && strings.IndexByte(" \t\r\n;&|\"'`<>\\", sc.s[to]) < 0 {
			to++
		}
		if q := sc.s[from-1]; (q == '"' || q == '\'') && to > from && to < len(sc.s) && sc.s[to] == ' ' {
			line, _, _ := strings.Cut(sc.s[from:min(len(sc.s), from+longest)], "\n")
			if n := strings.IndexByte(line, q); n > 0 {
				to = from + n // a password of several words
			}
		}
		if sep := strings.Trim(where, "*"); sep != "" {
			skip := 0 // what stands in a mark separates nothing
			if from < to {
				skip = min(sc.p.markAt(sc.s[from:]), to-from)
			}
			n := strings.Index(sc.s[from+skip:to], sep)
			if n >= 0 {
				n += skip
			}
			switch {
			case n < 0:
				continue
			case from+n+len(sep) < to:
				from += n + len(sep)
			case to < len(sc.s) && strings.IndexByte("\"'", sc.s[to]) >= 0 && from+n+len(sep) == to && to+1 < len(sc.s) && sc.s[to+1] > ' ':
				from = to + 1 // name:'password'
				for to = from; to < len(sc.s) && strings.IndexByte("\r\n\"'`", sc.s[to]) < 0; to++ {
				}
			default:
				to = from + n // a token that is the name, without a password
			}
		}
		v := sc.s[from:to]
		least := 3
		if where[len(where)-1] == '*' && len(where) > 1 {
			least = 2 // behind a name and a colon there is nothing else
		}
		if len(v) < least || v[0] == '-' || port(v) || reference(v) || sc.p.samples && madeUp(v) || sc.p.markAt(v) > 0 || sc.p.markAt(sc.s[from:]) > 0 {
			continue
		}
		return cut{from, to, &options[k]}
	}
	return cut{}
}

// flagAt is how long an option is that s begins with, 0 if it is another one. curl
// takes others of one letter in front of it: -sSu.
func flagAt(s, program, flag string) int {
	if strings.HasPrefix(s, flag) {
		return len(flag)
	}
	if program != "curl " || len(flag) != 2 || s[0] != '-' {
		return 0
	}
	rest := strings.TrimLeft(s[1:], "sSfkLiIvgGNaj")
	if rest != "" && rest[0] == flag[1] {
		return len(s) - len(rest) + 1
	}
	return 0
}

// port reports whether a value is a number that no password is.
func port(v string) bool { return len(v) <= 5 && strings.Trim(v, "0123456789") == "" }

// runs reports whether all words stand in the command that an option at s[i]
// belongs to.
func (sc *scan) runs(program string, i int) bool {
	command := sc.s[max(sc.command, sc.last, i-512):i]
	for word := range strings.FieldsSeq(program) {
		rest, found := command, false
		for !found {
			n := strings.Index(rest, word)
			if n < 0 {
				return false
			}
			after := n + len(word)
			found = (n == 0 || !nameByte(rest[n-1])) && after < len(rest) && !nameByte(rest[after])
			rest = rest[after:]
		}
	}
	return true
}
