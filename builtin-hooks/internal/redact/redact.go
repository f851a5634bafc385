// Package redact takes out of a text what must not be kept or sent (COM-11):
// what its author marked as private, and what looks like a secret.
//
// It is a filter, no proof: a password that looks like a word stays. It errs on
// the side of cutting, so texts about keys may lose a harmless value.
//
//	[Text] "<private>…</private>" is removed, several, nested and unclosed ones too;
//	       secrets become [REDACTED:kind]
//
// The kinds: aws-key, google-key, github-token, gitlab-token, slack-token,
// npm-token, stripe-key, api-key (the sk-… of model vendors), jwt, pem,
// authorization, password, url-password, secret (a value with much entropy
// after a name like a key's).
package redact

import (
	"math"
	"strings"
)

// Text is s without its private parts and secrets. Redacted text stays as it is:
// Text(Text(s)) is Text(s).
func Text(s string) string { return Secrets(Private(s)) }

const opening, closing = "<private>", "</private>"

// Private removes <private> parts: those that are nested as one, one that is
// not closed up to the end. A closing tag without an opening one is no more than
// text that its author thought hidden, so all before it goes too.
func Private(s string) string {
	if !hasFold(s, "private>") {
		return s
	}
	var out strings.Builder
	depth, from := 0, 0
	for i := 0; i < len(s); {
		switch {
		case s[i] != '<':
			i++
		case foldPrefix(s[i:], opening):
			if depth == 0 {
				out.WriteString(s[from:i])
			}
			depth++
			i += len(opening)
			from = i
		case foldPrefix(s[i:], closing):
			if depth == 0 {
				out.Reset()
			} else {
				depth--
			}
			i += len(closing)
			from = i
		default:
			i++
		}
	}
	if depth == 0 {
		out.WriteString(s[from:])
	}
	return out.String()
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

func hasFold(s, lower string) bool {
	for i := 0; i+len(lower) <= len(s); i++ {
		if foldPrefix(s[i:], lower) {
			return true
		}
	}
	return false
}

func fold(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// A cut is a part of a text that is a secret: s[from:to].
type cut struct {
	from, to int
	kind     string
}

// Secrets replaces what looks like a secret by [REDACTED:kind].
func Secrets(s string) string {
	var out strings.Builder
	last := 0
	for i := 0; i < len(s); {
		c, ok := secretAt(s, i)
		if !ok {
			i++
			continue
		}
		out.WriteString(s[last:c.from])
		out.WriteString("[REDACTED:")
		out.WriteString(c.kind)
		out.WriteByte(']')
		last, i = c.to, c.to
	}
	if last == 0 {
		return s
	}
	out.WriteString(s[last:])
	return out.String()
}

// secretAt looks for a secret whose telling sign begins at s[i].
func secretAt(s string, i int) (cut, bool) {
	if s[i] == '-' && strings.HasPrefix(s[i:], "-----BEGIN ") {
		return pem(s, i)
	}
	if s[i] == ':' && strings.HasPrefix(s[i:], "://") {
		return userInfo(s, i)
	}
	if !word(s[i]) || i > 0 && word(s[i-1]) {
		return cut{}, false
	}
	if c, ok := token(s, i); ok {
		return c, true
	}
	return named(s, i)
}

// A shape is a token that is known by how it begins.
type shape struct {
	prefix string
	least  int // characters after the prefix
	kind   string
}

var shapes = [...]shape{
	{"AKIA", 16, "aws-key"}, {"ASIA", 16, "aws-key"}, {"AROA", 16, "aws-key"},
	{"AIza", 30, "google-key"}, {"ya29.", 20, "google-key"},
	{"ghp_", 20, "github-token"}, {"gho_", 20, "github-token"}, {"ghu_", 20, "github-token"}, {"ghs_", 20, "github-token"}, {"ghr_", 20, "github-token"}, {"github_pat_", 20, "github-token"},
	{"glpat-", 16, "gitlab-token"}, {"gldt-", 16, "gitlab-token"}, {"glrt-", 16, "gitlab-token"},
	{"xoxb-", 10, "slack-token"}, {"xoxp-", 10, "slack-token"}, {"xoxa-", 10, "slack-token"}, {"xoxr-", 10, "slack-token"}, {"xoxs-", 10, "slack-token"}, {"xapp-", 10, "slack-token"},
	{"npm_", 30, "npm-token"},
	{"sk_live_", 16, "stripe-key"}, {"sk_test_", 16, "stripe-key"}, {"rk_live_", 16, "stripe-key"}, {"rk_test_", 16, "stripe-key"},
	{"sk-", 20, "api-key"}, {"pypi-", 30, "api-key"}, {"hf_", 30, "api-key"}, {"dop_v1_", 30, "api-key"},
	{"eyJ", 20, "jwt"},
}

func token(s string, i int) (cut, bool) {
	for _, sh := range &shapes {
		if !strings.HasPrefix(s[i:], sh.prefix) {
			continue
		}
		end := tokenEnd(s, i+len(sh.prefix), sh.kind == "jwt" || sh.kind == "google-key")
		body := s[i+len(sh.prefix) : end]
		if len(body) < sh.least {
			continue
		}
		if sh.kind == "jwt" && strings.Count(body, ".") < 2 {
			continue
		}
		if sh.kind == "api-key" && !digit(body) {
			continue // sk-learn-some-hyphenated-words
		}
		return cut{i, end, sh.kind}, true
	}
	return cut{}, false
}

func tokenEnd(s string, i int, dots bool) int {
	for i < len(s) && (word(s[i]) || s[i] == '-' || dots && s[i] == '.' && i+1 < len(s) && word(s[i+1])) {
		i++
	}
	return i
}

func pem(s string, i int) (cut, bool) {
	line := s[i:]
	if end := strings.IndexByte(line, '\n'); end >= 0 {
		line = line[:end]
	}
	if !strings.Contains(line, "PRIVATE KEY") && !strings.Contains(line, "CERTIFICATE") {
		return cut{}, false
	}
	// Unclosed, because somebody cut the text: all of it.
	end := len(s)
	if at := strings.Index(s[i:], "-----END "); at >= 0 {
		end = i + at + len("-----END ")
		if dashes := strings.Index(s[end:], "-----"); dashes >= 0 {
			end += dashes + len("-----")
		} else {
			end = len(s)
		}
	}
	return cut{i, end, "pem"}, true
}

// userInfo is the name:password of a URL whose "://" is at s[i].
func userInfo(s string, i int) (cut, bool) {
	from := i + len("://")
	for end := from; end < len(s); end++ {
		switch c := s[end]; {
		case c == '@':
			if info := s[from:end]; strings.HasPrefix(info, "[REDACTED:") || info == "git" || info == "" {
				return cut{}, false
			}
			return cut{from, end, "url-password"}, true
		case c == '/' || c == '?' || c == '#' || c <= ' ' || c == '"' || c == '\'' || c == '`' || c == '<' || c == '>':
			return cut{}, false
		}
	}
	return cut{}, false
}

// keyWords are names whose values are secrets, alone or as part of a longer
// name: DB_PASSWORD, aws_secret_access_key.
var keyWords = [...]string{"password", "passwd", "passphrase", "pwd", "secret", "token", "apikey", "api_key", "api-key", "access_key", "access-key", "accesskey", "private_key", "private-key", "credential", "auth_key", "authkey", "client_secret", "密码", "口令", "密钥"}

// named is a value after a name: Authorization: …, password=…, API_KEY: "…".
func named(s string, i int) (cut, bool) {
	end := i
	for end < len(s) && !strings.HasPrefix(s[end:], "：") && (word(s[end]) || s[end] == '-' || s[end] == '.' && end+1 < len(s) && word(s[end+1])) {
		end++
	}
	name := s[i:end]
	if end-i > 80 {
		return cut{}, false
	}
	from, ok := valueStart(s, end)
	if !ok {
		return cut{}, false
	}
	if foldPrefix(name, "authorization") || foldPrefix(name, "proxy-authorization") || foldPrefix(name, "x-api-key") {
		return authorization(s, from)
	}
	kind := keyKind(name)
	if kind == "" {
		return cut{}, false
	}
	from, to := valueRange(s, from)
	value := s[from:to]
	switch {
	case len(value) < 3 || strings.HasPrefix(value, "[REDACTED:") || placeholder(value):
		return cut{}, false
	case kind == "password":
		return cut{from, to, kind}, true
	case len(value) >= 32 && entropy(value) >= 3 || len(value) >= 8 && digit(value) && letter(value) && !spaceFollowsWord(s, from):
		return cut{from, to, "secret"}, true
	}
	return cut{}, false
}

// keyKind is "password" for names of passwords, "secret" for those of other
// secrets, "" for all others.
func keyKind(name string) string {
	for n, w := range &keyWords {
		if hasFold(name, w) {
			if n < 4 || n >= len(keyWords)-3 {
				return "password"
			}
			return "secret"
		}
	}
	return ""
}

// valueStart is where the value begins after a name that ends at s[i]: behind
// "=" or ":" and spaces, a quote of the name before it left out.
func valueStart(s string, i int) (int, bool) {
	if i < len(s) && (s[i] == '"' || s[i] == '\'') {
		i++
	}
	for i < len(s) && s[i] == ' ' {
		i++
	}
	switch {
	case strings.HasPrefix(s[i:], ":="), strings.HasPrefix(s[i:], "=>"), strings.HasPrefix(s[i:], "=="):
		i += 2
	case strings.HasPrefix(s[i:], "："):
		i += len("：")
	case i < len(s) && (s[i] == '=' || s[i] == ':'):
		i++
	default:
		return 0, false
	}
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	return i, i < len(s)
}

// valueRange is a value: up to the closing quote, or up to where a word ends.
func valueRange(s string, i int) (from, to int) {
	if q := s[i]; q == '"' || q == '\'' || q == '`' {
		if end := strings.IndexByte(s[i+1:], q); end >= 0 {
			return i + 1, i + 1 + end
		}
		i++
	}
	to = i
	for to < len(s) && s[to] > ' ' && !strings.ContainsRune("\"'`,;&<>|)}", rune(s[to])) {
		to++
	}
	return i, to
}

// authorization is the credentials after a header's name: the scheme stays.
func authorization(s string, i int) (cut, bool) {
	from, to := i, i
	if s[i] == '"' || s[i] == '\'' {
		from++
	}
	for _, scheme := range [...]string{"bearer ", "basic ", "token ", "digest ", "apikey "} {
		if foldPrefix(s[from:], scheme) {
			from += len(scheme)
			break
		}
	}
	for to = from; to < len(s) && s[to] > ' ' && !strings.ContainsRune("\"'`<>|", rune(s[to])); to++ {
	}
	if to-from < 3 || strings.HasPrefix(s[from:to], "[REDACTED:") || placeholder(s[from:to]) {
		return cut{}, false
	}
	return cut{from, to, "authorization"}, true
}

// placeholder is a value that stands for one: $TOKEN, ${X}, <token>, %s, ***.
func placeholder(v string) bool {
	switch v[0] {
	case '$', '<', '%', '*', '{', '(', '[':
		return true
	}
	switch strings.ToLower(strings.TrimRight(v, ".")) {
	case "null", "nil", "none", "true", "false", "string", "undefined", "xxx", "xxxx", "required", "optional", "empty":
		return true
	}
	return strings.HasPrefix(v, "os.") || strings.HasPrefix(v, "process.env") || strings.HasPrefix(v, "env.") || strings.HasSuffix(v, "()")
}

// spaceFollowsWord reports whether the value is the first word of a sentence
// ("token: v2 tokens are …"): prose, not a value.
func spaceFollowsWord(s string, i int) bool {
	if i > 0 && (s[i-1] == '"' || s[i-1] == '\'') {
		return false
	}
	_, to := valueRange(s, i)
	return to-i < 16 && to+1 < len(s) && s[to] == ' ' && letter(s[to+1:to+2])
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

func word(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}

func digit(s string) bool { return strings.ContainsAny(s, "0123456789") }

func letter(s string) bool {
	return strings.ContainsAny(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
}
