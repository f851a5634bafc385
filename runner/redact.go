package runner

import (
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

const redacted = "[redacted]"

// scrub takes what an event brought along out of a text that goes into the run
// log: a failing script often repeats its input. Whole values of four
// characters and more go, and words of eight and more; what is left may be a
// common word. The base members of the event are not touched: the line names the
// session anyway.
func scrub(text string, ev *protocol.Event) string {
	if text == "" {
		return ""
	}
	hidden := make([]bool, len(text))
	hide := func(at, n int) {
		for i := at; i < at+n; i++ {
			hidden[i] = true
		}
	}
	words := wordsOf(text)
	note := func(leaf string) bool {
		if leaf == "true" || leaf == "false" {
			return true
		}
		leaf = strings.TrimSpace(leaf)
		if len(leaf) >= 4 && len(leaf) <= len(text) {
			quoted := string(protocol.Quote(leaf))
			for _, v := range []string{leaf, quoted[1 : len(quoted)-1]} {
				for i := strings.Index(text, v); i >= 0; i = next(text, v, i) {
					hide(i, len(v))
				}
			}
		}
		for word := range strings.FieldsFuncSeq(leaf, notWord) {
			for _, at := range words[word] {
				hide(at, len(word))
			}
		}
		return true
	}
	for _, m := range ev.Fields {
		if m.Name != "tool_name" && m.Name != "tool_use_id" {
			protocol.Leaves(m.Value, note)
		}
	}
	if native := ev.Context.Get("native"); native != nil {
		protocol.Leaves(native, note)
	}
	var b strings.Builder
	for i := range len(text) {
		switch {
		case !hidden[i]:
			b.WriteByte(text[i])
		case i == 0 || !hidden[i-1]:
			b.WriteString("…")
		}
	}
	return redactText(b.String())
}

// next is where v is found in text after a place where it was.
func next(text, v string, at int) int {
	i := strings.Index(text[at+1:], v)
	if i < 0 {
		return -1
	}
	return at + 1 + i
}

// wordsOf is the words of a text that are long enough to tell something, and
// where they are. A word behind a backslash may begin with the end of an escape:
// what follows that is a word too.
func wordsOf(text string) map[string][]int {
	words := map[string][]int{}
	add := func(word string, at int) {
		if len(word) >= 8 {
			words[word] = append(words[word], at)
		}
	}
	for i := 0; i < len(text); {
		word := wordAt(text[i:])
		if word == "" {
			i++ // what is no part of a word is one byte
			continue
		}
		add(word, i)
		if i > 0 && text[i-1] == '\\' {
			add(word[1:], i+1)
			if word[0] == 'u' && len(word) > 5 {
				add(word[5:], i+5)
			}
		}
		i += len(word)
	}
	return words
}

func wordAt(text string) string {
	if n := strings.IndexFunc(text, notWord); n >= 0 {
		return text[:n]
	}
	return text
}

func notWord(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r >= 0x80)
}

// loggedInput is an event as the debug log keeps it: secrets blotted out, and
// only its size if it is large.
func loggedInput(raw protocol.Raw) protocol.Raw {
	if len(raw) > maxInput {
		return protocol.Raw(`{"omitted_bytes": ` + strconv.Itoa(len(raw)) + "}")
	}
	return redactValue("", raw)
}

// redactValue blots out the values of telling names, and what has the shape of
// a token in any text.
func redactValue(name string, raw protocol.Raw) protocol.Raw {
	if len(raw) == 0 {
		return raw
	}
	switch raw[0] {
	case '{':
		o := protocol.ObjectOf(raw)
		for i, m := range o {
			o[i].Value = redactValue(m.Name, m.Value)
		}
		return o.Raw()
	case '[':
		out := protocol.Raw{'['}
		for i, e := range protocol.ElementsOf(raw) {
			if i > 0 {
				out = append(out, ", "...)
			}
			out = append(out, redactValue(name, e)...)
		}
		return append(out, ']')
	case '"':
		if secretName(name) {
			return protocol.Quote(redacted)
		}
		return protocol.Quote(redactText(protocol.TextOf(raw)))
	}
	if secretName(name) && string(raw) != "null" {
		return protocol.Quote(redacted)
	}
	return raw
}

// secretName reports whether a member's name says that its value is a secret.
func secretName(name string) bool {
	name = strings.NewReplacer("_", "", "-", "", ".", "").Replace(strings.ToLower(name))
	for _, word := range []string{"password", "passwd", "passphrase", "secret", "apikey", "accesskey", "privatekey", "authorization", "credential", "cookie"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return strings.HasSuffix(name, "token")
}

// tokenPrefixes are how the tokens of widely used services begin; the number is
// how many characters must follow at least.
var tokenPrefixes = [...]struct {
	text string
	more int
}{
	{"sk-", 16}, {"sk_live_", 10}, {"rk_live_", 10}, {"pk_live_", 10},
	{"ghp_", 20}, {"gho_", 20}, {"ghu_", 20}, {"ghs_", 20}, {"ghr_", 20}, {"github_pat_", 20}, {"glpat-", 16},
	{"xoxb-", 10}, {"xoxp-", 10}, {"xoxa-", 10}, {"xoxr-", 10}, {"xoxs-", 10}, {"xapp-", 10},
	{"AKIA", 16}, {"ASIA", 16}, {"AIza", 30}, {"ya29.", 20}, {"npm_", 30}, {"pypi-", 30}, {"hf_", 20}, {"SG.", 20},
	{"eyJ", 30}, // a JSON Web Token
	{"dop_v1_", 20}, {"shpat_", 20}, {"AGE-SECRET-KEY-", 20},
}

// RedactText blots out what has the shape of a secret in a text that is to be
// kept: tokens of widely used services, what follows Bearer, private keys, the
// password of a URL. What the text is a value of does not count; see [SecretName].
func RedactText(text string) string { return redactText(text) }

// SecretName reports whether a name (of a member, a variable, a header) says that
// its value is a secret.
func SecretName(name string) bool { return secretName(name) }

// redactText blots out what has the shape of a token, the password of a URL, the
// value after Bearer, and private keys.
func redactText(text string) string {
	if len(text) < 8 {
		return text
	}
	text = redactKeys(text)
	var b strings.Builder
	start := 0
	for i := 0; i < len(text); {
		n := 0
		if i == 0 || notWord(rune(text[i-1])) {
			n = tokenAt(text[i:])
		}
		if n == 0 {
			i++
			continue
		}
		b.WriteString(text[start:i])
		b.WriteString(redacted)
		i += n
		start = i
	}
	if start == 0 {
		return redactURLs(text)
	}
	b.WriteString(text[start:])
	return redactURLs(b.String())
}

// tokenAt is the length of the token that s starts with, 0 if it is none.
func tokenAt(s string) int {
	for _, p := range tokenPrefixes {
		if !strings.HasPrefix(s, p.text) {
			continue
		}
		n := len(p.text)
		for n < len(s) && tokenByte(s[n]) {
			n++
		}
		if n-len(p.text) >= p.more {
			return n
		}
	}
	if len(s) > 7 && strings.EqualFold(s[:7], "bearer ") {
		n := 7
		for n < len(s) && tokenByte(s[n]) {
			n++
		}
		if n-7 >= 8 {
			return n
		}
	}
	return 0
}

func tokenByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("_-.+/=~", c) >= 0
}

// redactKeys blots out private keys in PEM form, up to their end or, if that is
// missing, to the end of the text.
func redactKeys(text string) string {
	const mark = "PRIVATE KEY-----"
	var b strings.Builder
	for {
		i := strings.Index(text, mark)
		if i < 0 {
			b.WriteString(text)
			return b.String()
		}
		// What sort of key it is stands between, in a word or two.
		line := text[max(0, i-64):i]
		begin := strings.LastIndex(line, "-----BEGIN ")
		if begin < 0 {
			b.WriteString(text[:i+len(mark)])
			text = text[i+len(mark):]
			continue
		}
		b.WriteString(text[:i-len(line)+begin])
		b.WriteString(redacted)
		_, text, _ = strings.Cut(text[i+len(mark):], mark)
	}
}

// redactURLs blots out the password in scheme://user:password@host.
func redactURLs(text string) string {
	var b strings.Builder
	for {
		i := strings.Index(text, "://")
		if i < 0 {
			b.WriteString(text)
			return b.String()
		}
		start := i + 3
		end := start
		for end < len(text) && strings.IndexByte("/?# \t\r\n\"'", text[end]) < 0 {
			end++
		}
		at := strings.LastIndexByte(text[start:end], '@')
		colon := strings.IndexByte(text[start:start+max(at, 0)], ':')
		if colon < 0 {
			b.WriteString(text[:end])
		} else {
			b.WriteString(text[:start+colon+1])
			b.WriteString(redacted)
			b.WriteString(text[start+at : end])
		}
		text = text[end:]
	}
}
