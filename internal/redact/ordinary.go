package redact

import (
	"slices"
	"strings"
)

// What stands where a secret may, and is known to be none.

// address reports whether a value says where something is: a URL without a password in it, what a
// manager of secrets calls one of its own by (sm://, arn:, ssm:), the name of a machine's resource.
func address(v string) bool {
	for _, p := range [...]string{"arn:", "ssm:", "sm:", "kms:", "secretsmanager:", "keyvault:", "keychain:", "keyring:", "projects/"} {
		if strings.HasPrefix(v, p) {
			return true
		}
	}
	n := strings.Index(v[:min(len(v), 32)], "://")
	if n < 2 || !letterByte(v[0]) || strings.Contains(v, "@") {
		return false
	}
	for i := range n {
		if !alnum(v[i]) && strings.IndexByte("+.-", v[i]) < 0 {
			return false
		}
	}
	return true
}

// resource reports whether a name at s[i] is a part of what a cloud calls something:
// arn:aws:secretsmanager:eu-west-1:1234:secret:shop/db.
func (sc *scan) resource(i int) bool {
	if i < 8 || sc.s[i-1] != ':' {
		return false
	}
	from := i
	for from > 0 && i-from < 160 && sc.s[from-1] > ' ' && strings.IndexByte("\"'`<>(,=", sc.s[from-1]) < 0 {
		from--
	}
	return strings.HasPrefix(sc.s[from:i], "arn:")
}

// session reports whether a name in its normal form is that of a session, which has an id more
// often than it is a secret.
func session(name string) bool {
	return strings.HasSuffix(name, "session") || strings.HasSuffix(name, "sessionid") || name == "sid"
}

// id reports whether a value is that of something rather than a secret: a UUID, what agents and
// this program call what they do (log-20261130032448289-t2wukf, toolu_…), a day and a count.
func id(v string) bool {
	if uuid(v) || ulid(v) {
		return true
	}
	if n := strings.IndexAny(v, "_-"); n > 0 && slices.Contains(ids, v[:n]) {
		return true
	}
	for part := range strings.FieldsFuncSeq(v, func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
		if len(part) >= 8 && number(part) && date(part[:8]) {
			return true
		}
	}
	return false
}

// ulid reports whether a value is an id that is sorted by its time: 26 letters and digits of Crockford's.
func ulid(v string) bool {
	return len(v) == 26 && v[0] <= '7' && strings.Trim(v, "0123456789ABCDEFGHJKMNPQRSTVWXYZ") == ""
}

// count reports whether a value behind the name "pass" says how many tests did: it has no letter,
// and is a share of them, or something of tests stands beside it.
func (sc *scan) count(i, from, to int) bool {
	v := sc.s[from:to]
	if strings.Trim(v, "0123456789.,%/") != "" {
		return false
	}
	if strings.ContainsAny(v, "%/") {
		return true
	}
	line := sc.s[max(0, i-48):min(len(sc.s), to+48)]
	if n := strings.LastIndexByte(line[:min(i, 48)], '\n'); n >= 0 {
		line = line[n+1:]
	}
	line, _, _ = strings.Cut(line, "\n")
	line = strings.ToLower(line)
	for _, word := range [...]string{"fail", "skip", "test", "total", "error", "warn", "flak", "pending", "todo", "suite", "spec", "checks", "cases", "xpass", "失败", "跳过", "测试"} {
		if strings.Contains(line, word) {
			return true
		}
	}
	return false
}

// madeUp reports whether a value stands in an example for a password: user:password, USER:PASS.
func madeUp(v string) bool {
	return capitals(v) || plain(v) || strings.Trim(v, "xX*.") == "" || strings.EqualFold(v, "pass") || strings.EqualFold(v, "pwd")
}

// sample reports whether a token says itself to be none: AKIA…EXAMPLE, sk-your-key-1.
func sample(v string) bool {
	if strings.HasSuffix(v, "EXAMPLE") || strings.HasSuffix(v, "EXAMPLEKEY") {
		return true
	}
	for _, word := range [...]string{"xxxxxx", "XXXXXX", "example-", "example_", "-example", "_example", "your-", "your_", "YOUR_", "-here", "_here", "_HERE", "placeholder", "PLACEHOLDER"} {
		if strings.Contains(v, word) {
			return true
		}
	}
	return false
}
