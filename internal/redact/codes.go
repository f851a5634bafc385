package redact

import "strings"

// lists are words before a list of codes that let somebody in once each.
var lists = [...]kind{
	{"recovery-codes", "recovery codes", "recovery codes: 55c5c-ee908 b44ca-cef9e", "recovery codes are printed twice"},
	{"recovery-codes", "backup codes", "backup codes: 23314920, 21820749", "backup codes: print 2 of them"},
	{"recovery-codes", "恢复码", "恢复码：55c5c-ee908 b44ca-cef9e", "恢复码在保险箱里"},
	{"recovery-codes", "备用码", "备用码：23314920，21820749", "备用码共 10 个"},
}

// codes is the list behind a row's words at s[i]: two or more words of digits and letters, behind a
// few others (for the vault:).
func (sc *scan) codes(i int) cut {
	for k := range lists {
		head := lists[k].expr
		if fold(sc.s[i]) != head[0] || !foldPrefix(sc.s[i:], head) || !sc.has(&lists[k]) {
			continue
		}
		from, to, n, words := 0, 0, 0, 0
		for at := i + len(head); at-i < 600; {
			at += len(sc.s[at:]) - len(strings.TrimLeft(sc.s[at:], " \t\r\n:,;.*\"'`：，、有是"))
			end := at
			for end < len(sc.s) && (alnum(sc.s[end]) || sc.s[end] == '-') {
				end++
			}
			v := sc.s[at:end]
			if n == 0 && words < 5 && v != "" && lower(v) {
				words, at = words+1, end
				continue
			}
			letters := strings.Trim(v, "0123456789") != ""
			if len(v) < 6 || letters && len(v) < 8 || !hasDigit(v) || strings.Count(v, "-") > 3 {
				break
			}
			if n++; n == 1 {
				from = at
			}
			at, to = end, end
		}
		if n > 1 {
			return cut{from, to, &lists[k]}
		}
	}
	return cut{}
}

// below is a password on a line of its own below the name s[i:end], as programs print one: behind
// "initial-password" in a command, or a line that ends with a colon.
func (sc *scan) below(i, end int) cut {
	word, k := sc.s[i:end], &wholes[lineBelow]
	if len(word) < 8 || !strings.Contains(strings.ToLower(word), "password") || !sc.has(k) {
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

// ofKey reports whether the text has a key in JSON (JWK), of which one letter names the private part.
func (sc *scan) ofKey() bool {
	if sc.jwk == 0 {
		sc.jwk = -1
		if strings.Contains(sc.s, `"kty"`) {
			sc.jwk = 1
		}
	}
	return sc.jwk > 0
}
