package redact

import (
	"iter"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// Text is a text without its secrets. What has been redacted stays as it is, by
// whatever policy: Text(Text(s)) is Text(s).
func (p Policy) Text(s string) string {
	if bland(s) {
		return s
	}
	return policies[p].text(s, nil)
}

// Bounds of what is bland.
const (
	shortWord = 14 // no token of the table is so short
	fewDigits = 3  // nor any number of a person
)

// bland reports whether a text is so plain that no row of any policy finds
// anything in it, which most of what hooks say is: short words of ASCII, hardly a
// digit, no sign that a password stands behind without a name (@ of addresses and
// data sources, options), and no name of a secret. A text that is not may hold
// nothing all the same: then the table is asked.
func bland(s string) bool {
	digits, word := 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == ' ' || c == '\t' || c == '\n':
			word = 0
			continue
		case c < ' ' || c > '~' || strings.IndexByte("@<%\\", c) >= 0:
			return false
		case (c == '-' || c == '/') && (i == 0 || strings.IndexByte(beforeOption, s[i-1]) >= 0):
			return false
		case c >= '0' && c <= '9':
			digits++
		}
		if word++; word > shortWord || digits > fewDigits {
			return false
		}
	}
	lower := strings.ToLower(s)
	for _, name := range telling {
		if strings.Contains(lower, name) {
			return false
		}
	}
	return true
}

// beforeOption are the signs that an option of a program may stand behind.
const beforeOption = " \t\"'`,=[("

// telling are parts of what tells of a secret by its name: each row of headers,
// schemes and homes has one of them, so has a key in PEM, and each row of names but
// those whose value is longer than a word may be here.
var telling = [...]string{"pass", "pw", "secret", "token", "key", "code", "cred", "auth", "otp", "recovery", "contribsys", "bearer", "basic", "cookie", "address", "adresse", "wohn", "kennwort", "wachtwoord", "senha", "contrasena", "psk", "login", "log in", "sign in", "zugangs", "anmeldung", "phrase", "mnemonic", "wifi:", "identified", "rabbitmq", "mc alias", "bw unlock", "snmp", "pin", "totp", "mfa", "2fa"}

// Without is a text without what stands in values, and without its secrets: whoever
// repeats an input in what they say is so kept from repeating it in what is kept.
// Whole values of four characters and more go, and words of theirs of eight and
// more; what is left may be a common word. What is own stays, though a value has it
// too: whoever says "do not push" did not take the word from a command that pushes.
func (p Policy) Without(s string, values iter.Seq[string], own func(string) bool) string {
	var hidden []bool
	hide := func(at, n int) {
		if hidden == nil {
			hidden = make([]bool, len(s))
		}
		for i := at; i < at+n; i++ {
			hidden[i] = true
		}
	}
	each := func(v string) {
		i := strings.Index(s, v)
		if i < 0 || own(v) {
			return
		}
		for ; i >= 0; i = after(s, v, i) {
			hide(i, len(v))
		}
	}
	words := wordsOf(s)
	for value := range values {
		value = strings.TrimSpace(value)
		if len(value) >= 4 && len(value) <= len(s) {
			each(value)
			if quoted := protocol.Quote(value); len(quoted) > len(value)+2 {
				each(string(quoted[1 : len(quoted)-1]))
			}
		}
		if len(words) == 0 {
			continue
		}
		for word := range strings.FieldsFuncSeq(value, notWord) {
			places := words[word]
			if len(places) > 0 && own(word) {
				continue
			}
			for _, at := range places {
				hide(at, len(word))
			}
		}
	}
	if hidden == nil {
		return p.Text(s)
	}
	var b strings.Builder
	for i := range len(s) {
		switch {
		case !hidden[i]:
			b.WriteByte(s[i])
		case i == 0 || !hidden[i-1]:
			b.WriteString("…")
		}
	}
	return p.Text(b.String())
}

// after is where v is found in a text behind a place where it was.
func after(s, v string, at int) int {
	i := strings.Index(s[at+1:], v)
	if i < 0 {
		return -1
	}
	return at + 1 + i
}

// wordsOf is the words of a text that are long enough to tell something, and
// where they are. A word behind a backslash may begin with the end of an escape:
// what follows that is a word too.
func wordsOf(s string) map[string][]int {
	words := map[string][]int{}
	add := func(word string, at int) {
		if len(word) >= 8 {
			words[word] = append(words[word], at)
		}
	}
	for i := 0; i < len(s); {
		word := wordAt(s[i:])
		if word == "" {
			i++ // what is no part of a word is one byte
			continue
		}
		add(word, i)
		if i > 0 && s[i-1] == '\\' {
			add(word[1:], i+1)
			if word[0] == 'u' && len(word) > 5 {
				add(word[5:], i+5)
			}
		}
		i += len(word)
	}
	return words
}

func wordAt(s string) string {
	if n := strings.IndexFunc(s, notWord); n >= 0 {
		return s[:n]
	}
	return s
}

func notWord(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r >= 0x80)
}
