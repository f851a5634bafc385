package redact

import (
	"math"
	"strings"
)

// reference is a value that stands for one: $TOKEN, ${X}, <token>, %s, ***, what
// a template or a program puts in.
func reference(v string) bool {
	switch v[0] {
	case '$', '<', '*', '{', '(', '[', '&', '@', '!', '~':
		return v[0] != '@' && v[0] != '!' && v[0] != '&' || len(v) < 4 || !hasDigit(v)
	case '%':
		return len(v) < 3 || !hexByte(v[1]) || !hexByte(v[2])
	case '.', '/':
		return true // a path
	}
	for _, p := range [...]string{"os.", "process.env", "env.", "env:", "file:", "vault:", "op://", "secrets.", "var.", "http://", "https://", "…"} {
		if strings.HasPrefix(v, p) {
			return true
		}
	}
	return address(v) || strings.Contains(v, "${") || strings.Contains(v, "{{") || strings.Contains(v, "...") || strings.Contains(v, "…") || strings.HasPrefix(v, "xxx") || strings.HasSuffix(v, "xxx") || strings.Contains(v, "***")
}

// plain is a word of a program, a description or an example and no secret.
func plain(v string) bool {
	v = strings.ToLower(strings.TrimRight(v, ".?!"))
	return strings.Contains(" string str text null none nil undefined true false bool boolean int integer number any bytes object required optional empty redacted hidden masked changeme example placeholder default missing invalid expired yes no on off func var const return unknown void char byte password passwd 1password secret token dummy fake obligatoire requis requise manquant obligatoria obligatorio requerida requerido obrigatoria erforderlich vergessen pflichtfeld verplicht fehlt md5 sha1 sha256 sha512 bcrypt scrypt pbkdf2 argon2 argon2i argon2id base64 ", " "+v+" ") ||
		!hasDigit(v) && (strings.HasPrefix(v, "your") || strings.HasPrefix(v, "my-") || strings.HasPrefix(v, "example"))
}

// code is a value that a program works out: a call, a member, a path, a constant.
func code(v string) bool {
	if strings.ContainsAny(v, "()[]{}") || strings.Contains(v, "::") || strings.Contains(v, "->") || strings.HasPrefix(v, "&") || strings.HasPrefix(v, "*") {
		return true
	}
	if strings.Contains(v, "/") && !hasDigit(v) {
		return true
	}
	// Names with dots between them: cfg.Token, r.Header.
	if i := strings.IndexByte(v, '.'); i > 0 && i+1 < len(v) && letterByte(v[0]) && letterByte(v[i+1]) {
		for i := range len(v) {
			if !wordByte(v[i]) && v[i] != '.' {
				return false
			}
		}
		return !digitByte(v[len(v)-1]) || !hasDigit(v[:i])
	}
	return false
}

// method is a word about passwords that has digits: how they are kept or sent.
func method(v string) bool {
	v = strings.ToLower(v)
	for _, m := range [...]string{"sha", "md5", "argon2", "pbkdf2", "bcrypt", "scrypt", "base64", "utf", "oauth", "x509", "http", "ipv", "win", "v1", "v2"} {
		if strings.HasPrefix(v, m) {
			return true
		}
	}
	return false
}

// prosaic is a text of several words or lines.
func prosaic(v string) bool { return strings.Contains(v, " ") || strings.Contains(v, "\\n") }

// capitals is a placeholder as usage texts have it: TOKEN, API_KEY.
func capitals(v string) bool {
	for i := range len(v) {
		if c := v[i]; !(c >= 'A' && c <= 'Z' || c == '_' || c == '-') {
			return false
		}
	}
	return true
}

func lower(v string) bool {
	for i := range len(v) {
		if v[i] < 'a' || v[i] > 'z' {
			return false
		}
	}
	return true
}

func mixedCase(v string) bool { return v != strings.ToLower(v) && v != strings.ToUpper(v) }

// mixed reports whether a value looks like no word: it has letters and digits, or
// is long.
func mixed(v string) bool {
	return len(v) >= 32 && entropy(v) >= 3 && ascii(v) || len(v) >= 8 && hasDigit(v) && hasLetter(v) || len(v) >= 16 && strings.Trim(v, "0123456789") == ""
}

// ascii reports whether a value is one word of signs as keyboards have them.
func ascii(v string) bool {
	return strings.IndexFunc(v, func(r rune) bool { return r <= ' ' || r >= 0x7f }) < 0
}

// drawnByLot reports whether a value has the variety of one that nobody made up:
// letters and digits, and none of them often.
func drawnByLot(v string) bool {
	digits, letters := 0, 0
	for i := range len(v) {
		switch {
		case digitByte(v[i]):
			digits++
		case letterByte(v[i]):
			letters++
		case v[i] <= ' ':
			return false
		}
	}
	return digits >= 2 && letters >= 2 && entropy(v) >= 3
}

// entropy is that of a text in bits a byte.
func entropy(v string) float64 {
	var count [256]int
	for i := range len(v) {
		count[v[i]]++
	}
	h := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(v))
			h -= p * math.Log2(p)
		}
	}
	return h
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

func hasLetter(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < 0x80 && letterByte(byte(r)) }) >= 0
}
