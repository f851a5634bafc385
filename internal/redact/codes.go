package redact

import "strings"

// lists are words before a list of codes that let somebody in once each.
var lists = [...]kind{
	{"recovery-codes", "recovery codes", "recovery codes: 55c5c-ee908 b44ca-cef9e", "recovery codes are printed twice"},
	{"recovery-codes", "backup codes", "backup codes: 23314920, 21820749", "backup codes: print 2 of them"},
	{"recovery-codes", "scratch codes", "scratch codes: 7684 6886, 3187 5528", "scratch codes are printed twice"},
	{"recovery-codes", "codes de secours", "codes de secours : 7684 6886, 3187 5528", "codes de secours : voir le coffre"},
	{"recovery-codes", "codes de récupération", "codes de récupération : 528d4-1ee88 84900-fab41", "codes de récupération : voir le coffre"},
	{"recovery-codes", "códigos de recuperación", "códigos de recuperación: 528d4-1ee88 84900-fab41", "códigos de recuperación: en la caja"},
	{"recovery-codes", "wiederherstellungscodes", "Wiederherstellungscodes: 528d4-1ee88 84900-fab41", "Wiederherstellungscodes liegen im Safe"},
	{"recovery-codes", "backup-codes", "Backup-Codes: 7684 6886, 3187 5528", "Backup-Codes liegen im Safe"},
	{"recovery-codes", "备用验证码", "备用验证码：7684 6886、3187 5528", "备用验证码在保险箱里"},
	{"recovery-codes", "恢复码", "恢复码：55c5c-ee908 b44ca-cef9e", "恢复码在保险箱里"},
	{"recovery-codes", "备用码", "备用码：23314920，21820749", "备用码共 10 个"},
}

// codes is the list behind a row's words at s[i]: two or more words of digits and letters, behind a
// few others (for the vault:).
func (sc *scan) codes(i int) cut {
	if c := fold(sc.s[i]); c < 0x80 && strings.IndexByte("rbscw", c) < 0 {
		return cut{} // nearly all words
	}
	for k := range lists {
		head := lists[k].expr
		if fold(sc.s[i]) != head[0] || !foldPrefix(sc.s[i:], head) || !sc.has(&lists[k]) {
			continue
		}
		from, to, n, words := 0, 0, 0, 0
		for at := i + len(head); at-i < 600; {
			at += len(sc.s[at:]) - len(strings.TrimLeft(sc.s[at:], " \t\r\n:,;.*\"'`：，、有是"))
			if n == 0 && words < 6 && at < len(sc.s) && (letterByte(sc.s[at]) || sc.s[at] >= 0x80) { // for the vault of the team:
				if m := strings.IndexAny(sc.s[at:min(len(sc.s), at+40)], " :\n"); m > 0 && !hasDigit(sc.s[at:at+m]) {
					words, at = words+1, at+m
					continue
				}
			}
			end := at
			for end < len(sc.s) && (alnum(sc.s[end]) || sc.s[end] == '-') {
				end++
			}
			if end-at == 4 && number(sc.s[at:end]) && end+5 <= len(sc.s) && sc.s[end] == ' ' && number(sc.s[end+1:end+5]) {
				end += 5 // in two halves
			}
			v := sc.s[at:end]
			letters := strings.Trim(v, "0123456789 ") != ""
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

// otps are words before the seed of one-time passwords, in base32.
var otps = [...]kind{
	{"otp-seed", "totp", "TOTP secret YP2Y UWVL P7WC DYJX", "TOTP codes have SIX DIGITS EACH TIME"},
	{"otp-seed", "mfa", "MFA seed YP2YUWVLP7WCDYJX", "MFA is required for ADMINISTRATORS AND OPERATORS"},
	{"otp-seed", "2fa", "2FA secret JBSWY3DPEHPK3PXP", "2FA is off"},
	{"otp-seed", "authenticator", "authenticator key: YP2Y UWVL P7WC DYJX", "authenticator app"},
	{"otp-seed", "setup key", "setup key: YP2YUWVLP7WCDYJX", "setup key is shown once"},
	{"otp-seed", "两步验证", "两步验证密钥：YP2YUWVLP7WCDYJX", "两步验证已开启"},
}

// otp is the seed behind a row's words at s[i]: sixteen signs and more with a digit, also in groups of four.
func (sc *scan) otp(i int) cut {
	if c := fold(sc.s[i]); c < 0x80 && strings.IndexByte("tm2as", c) < 0 {
		return cut{}
	}
	for k := range otps {
		head := otps[k].expr
		if fold(sc.s[i]) != head[0] || !foldPrefix(sc.s[i:], head) || !sc.has(&otps[k]) || i > 0 && nameByte(sc.s[i-1]) {
			continue
		}
		rest, _, _ := strings.Cut(sc.s[i+len(head):min(len(sc.s), i+len(head)+120)], "\n")
		for at := 0; at < len(rest); at++ {
			if !base32(rest[at]) || at > 0 && nameByte(rest[at-1]) {
				continue
			}
			to, n := at, 0
			for to < len(rest) && base32(rest[to]) {
				group := to
				for to < len(rest) && base32(rest[to]) {
					to++
				}
				if n += to - group; to == len(rest) || rest[to] != ' ' || to-group != 4 || to+1 == len(rest) || !base32(rest[to+1]) {
					break
				}
				to++
			}
			if v := rest[at:to]; n >= 16 && n%2 == 0 && hasDigit(v) && (to == len(rest) || !nameByte(rest[to])) {
				from := i + len(head) + at
				return cut{from, from + len(v), &otps[k]}
			}
		}
	}
	return cut{}
}

func base32(c byte) bool { return c >= 'A' && c <= 'Z' || c >= '2' && c <= '7' }

// pins are words of a number that opens something.
var pins = [...]kind{{"pin", "pin", "The PIN of the door is 739251", "pin: v1.2.3 of the library"}}

// pin is the number behind such a word at s[i].
func (sc *scan) pin(i int) cut {
	k, s := &pins[0], sc.s
	end := i + len("pin")
	if !foldPrefix(s[i:], "pin") || i > 0 && nameByte(s[i-1]) || end >= len(s) || nameByte(s[end]) || !sc.has(k) {
		return cut{}
	}
	at := skipBlanks(s, end)
	for _, more := range [...]string{"码", "code", "number"} {
		at = skipBlanks(s, len(s)-len(strings.TrimPrefix(s[at:], more)))
	}
	of := whose(s, at)
	linked := of > at
	at = of
	for _, link := range [...]string{"is ", "es ", "ist ", "lautet ", "est ", "是", "为", "：", ":", "="} {
		if rest, ok := strings.CutPrefix(s[at:], link); ok {
			at, linked = skipBlanks(s, len(s)-len(rest)), true
			break
		}
	}
	to := at
	for to < len(s) && digitByte(s[to]) {
		to++
	}
	if n := to - at; n < 4 || n > 8 || strings.Trim(s[at:to], s[at:at+1]) == "" || to < len(s) && (nameByte(s[to]) && s[to] != '.' || s[to] == '.' && to+1 < len(s) && digitByte(s[to+1])) || !linked && s[i:end] != "PIN" {
		return cut{}
	}
	return cut{at, to, k}
}
