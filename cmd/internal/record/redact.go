package record

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// redacted stands where a secret was.
const redacted = "[redacted]"

// Redact blots out what may be a secret in a text. It is made to blot out rather
// too much than too little, and to do nothing the second time:
//
//   - tokens of widely used services, what follows Bearer, private keys, the
//     password of a URL (package runner);
//   - the value after a name that says so: DB_PASSWORD=x, api_key: "x",
//     --token x, Authorization: Basic x, curl -u name:x, 密码是 x;
//   - long words that look drawn by lot: keys of services nobody has heard of.
//
// References to a secret stay: $TOKEN, ${TOKEN} and $(pass show x) are what a
// guard may want to look at, and hold nothing. So do UUIDs, git's object names
// and digests that say what they are (sha256:…).
func Redact(text string) string {
	if len(text) < 4 {
		return text
	}
	return redactRandom(redactNamed(runner.RedactText(text)))
}

// A cleaner goes through a JSON value and remembers what it did.
type cleaner struct {
	whole         bool // long texts are not cut
	redacted, cut bool
}

func (c *cleaner) value(name string, raw protocol.Raw) protocol.Raw {
	if len(raw) == 0 {
		return raw
	}
	switch raw[0] {
	case '{':
		return c.object(raw)
	case '[':
		out := protocol.Raw{'['}
		flag := "" // --token before its value
		for i, e := range protocol.ElementsOf(raw) {
			if i > 0 {
				out = append(out, ", "...)
			}
			out = append(out, c.value(cmp.Or(flag, name), e)...)
			if flag = protocol.TextOf(e); !strings.HasPrefix(flag, "-") || !secretName(flag) || strings.Contains(flag, "=") {
				flag = ""
			}
		}
		return append(out, ']')
	case '"':
		return protocol.Quote(c.text(name, protocol.TextOf(raw)))
	}
	if secretName(name) && string(raw) != "null" {
		c.redacted = true
		return protocol.Quote(redacted)
	}
	return raw
}

// object cleans the members of an object. A secret may be the name of one; two
// that become the same are told apart by a number.
func (c *cleaner) object(raw protocol.Raw) protocol.Raw {
	o := protocol.ObjectOf(raw)
	out := make(protocol.Object, 0, len(o))
	pair := secretName(o.Text("name")) || secretName(o.Text("key")) // {"name": "Authorization", "value": x}
	for _, m := range o {
		if pair && m.Name == "value" {
			m.Value = c.value("secret", m.Value)
			out = append(out, m)
			continue
		}
		name := Redact(m.Name)
		if name != m.Name {
			c.redacted = true
			for i := 2; out.Has(name); i++ {
				name = redacted + " " + strconv.Itoa(i)
			}
		}
		out = append(out, protocol.Member{Name: name, Value: c.value(m.Name, m.Value)})
	}
	return out.Raw()
}

func (c *cleaner) text(name, s string) string {
	clean := s
	switch {
	case secretName(name) && s != "":
		clean = redacted
	case idName(name) && len(s) <= maxID:
		// What tells sessions and calls apart looks drawn by lot, and has to stay.
		clean = redactNamed(runner.RedactText(s))
	default:
		clean = Redact(s)
	}
	c.redacted = c.redacted || clean != s
	if len(clean) > MaxText && !c.whole {
		rest := len(clean) - MaxText
		clean = text.HeadBytes(clean, MaxText) + "… [" + strconv.Itoa(rest) + " more bytes]"
		c.cut = true
	}
	return clean
}

// maxID is how long an id may be, in bytes.
const maxID = 200

// idName reports whether a member's name says that its value is an id.
func idName(name string) bool {
	return name == "id" || strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "Id") || strings.HasSuffix(name, "ID") || strings.HasSuffix(name, "uuid")
}

func secretName(name string) bool {
	low := strings.ToLower(name)
	return runner.SecretName(name) || low == "pass" || strings.HasSuffix(low, "_pass") || strings.HasSuffix(low, "pwd") && len(low) > 3
}

// redactNamed blots out values behind names that say what they are.
func redactNamed(text string) string {
	var b strings.Builder
	kept := 0
	for i := 0; i < len(text); {
		from, to, next := namedValue(text, i)
		if to > from && text[from:to] != redacted && !strings.HasPrefix(text[from:], redacted) {
			b.WriteString(text[kept:from])
			b.WriteString(redacted)
			kept = to
		}
		i = next
	}
	if kept == 0 {
		return text
	}
	b.WriteString(text[kept:])
	return b.String()
}

// namedValue looks for a name at i and, if it is that of a secret, for the value
// behind it. next is where to look on.
func namedValue(text string, i int) (from, to, next int) {
	if !nameByte(text[i]) {
		if text[i] < 0x80 {
			return 0, 0, i + 1
		}
		for _, word := range secretWords {
			if strings.HasPrefix(text[i:], word) {
				end := i + len(word)
				from, to = afterWord(text, end)
				return from, to, max(end, to)
			}
		}
		return 0, 0, i + 1
	}
	end := i
	for end < len(text) && nameByte(text[end]) {
		end++
	}
	name := strings.Trim(text[i:end], "-.")
	switch {
	case secretName(name):
		from, to = afterName(text, i, end, name)
	case name == "u" || name == "user" || name == "proxy-user":
		from, to = afterUser(text, i, end)
	}
	return from, to, max(end, to)
}

func nameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.'
}

// afterName is the value behind NAME=, NAME:, "NAME": and --NAME.
func afterName(text string, start, end int, name string) (from, to int) {
	at := end
	for at < len(text) && (text[at] == '"' || text[at] == '\'' || text[at] == '\\') {
		at++
	}
	at = skipSpaces(text, at)
	separated := at
	for separated < len(text) && strings.IndexByte(":=>", text[separated]) >= 0 && separated-at < 3 {
		separated++
	}
	flag := strings.HasPrefix(text[start:], "--")
	if separated == at {
		if !flag || at == end {
			return 0, 0
		}
	} else {
		at = skipSpaces(text, separated)
	}
	low := strings.ToLower(name)
	header := strings.HasSuffix(low, "authorization") || strings.HasSuffix(low, "cookie")
	return valueAt(text, at, header && text[separated-1] == ':')
}

// afterUser is the password of curl -u name:password.
func afterUser(text string, start, end int) (from, to int) {
	if text[start] != '-' || !strings.Contains(text[max(0, start-1024):start], "curl") {
		return 0, 0
	}
	at := skipSpaces(text, end)
	if at < len(text) && text[at] == '=' {
		at++
	}
	from, to = valueAt(text, at, false)
	colon := strings.IndexByte(text[from:to], ':')
	if colon < 0 {
		return 0, 0
	}
	return from + colon + 1, to
}

func skipSpaces(text string, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
		at++
	}
	return at
}

// valueAt is the value that begins at a place: in quotes, or to where a word of a
// shell, a URL or a program ends; a header's to the end of its line.
func valueAt(text string, at int, header bool) (from, to int) {
	for at < len(text) && text[at] == '\\' {
		at++
	}
	if at == len(text) {
		return 0, 0
	}
	stop := " \t\r\n;&|,()[]{}<>\"'`\\"
	if header {
		stop = "\r\n\"'`\\"
	}
	if q := text[at]; q == '"' || q == '\'' || q == '`' {
		at++
		stop = "\r\n\\" + string(rune(q))
	}
	if strings.HasPrefix(text[at:], redacted) {
		return at, at + len(redacted)
	}
	end := at
	for end < len(text) && strings.IndexByte(stop, text[end]) < 0 {
		end++
	}
	if value := text[at:end]; value == "" || value[0] == '$' || value[0] == '%' || plainValue(value) {
		return 0, 0
	}
	return at, end
}

// plainValue reports whether a value is a word of a program and no secret.
func plainValue(value string) bool {
	switch strings.ToLower(strings.TrimRight(value, ".?!")) {
	case "string", "str", "text", "null", "none", "nil", "undefined", "true", "false", "bool", "boolean", "int", "integer", "number", "any", "bytes", "object":
		return true
	}
	return false
}

// secretWords are what a secret is called where no name is in Latin letters.
var secretWords = [...]string{"密码", "口令", "密钥", "秘钥", "私钥", "令牌", "凭证", "凭据", "授权码"}

// afterWord is the value behind one of them: "密码：x", "密码是 x", "密码 x". Only
// what is written in Latin letters, digits and signs counts as one, and not a
// short word of a sentence.
func afterWord(text string, at int) (from, to int) {
	at = skipSpaces(text, at)
	for _, sep := range []string{"是", "为", "：", ":", "=", "＝"} {
		if strings.HasPrefix(text[at:], sep) {
			at = skipSpaces(text, at+len(sep))
			break
		}
	}
	for at < len(text) && strings.IndexByte("\"'`", text[at]) >= 0 {
		at++
	}
	end := at
	for end < len(text) && text[end] > ' ' && text[end] < 0x7f && strings.IndexByte("\"'`,;)", text[end]) < 0 {
		end++
	}
	if end-at < 4 || text[at] == '$' {
		return 0, 0
	}
	return at, end
}
