package runner

import (
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/protocol"
)

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
	return redact.Log.Text(b.String())
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
	clean, _ := redact.Log.JSON(raw, nil)
	return clean
}
