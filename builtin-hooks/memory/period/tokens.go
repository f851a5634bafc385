package period

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token is a word, a number or a mark of a text.
type token struct {
	text   string // lower case
	number int    // of digits alone; -1: it is none
	digits int    // how many
	gap    bool   // a space precedes it
	small  bool   // it begins with a small letter
	from   int    // where in the text it is
	to     int
}

// tokens are those of a text. Chinese is one token a run, which no English word is beside.
func tokens(text string) (out []token) {
	kind := func(r rune) int {
		switch {
		case r >= '0' && r <= '9':
			return 1
		case unicode.Is(unicode.Han, r):
			return 3
		case unicode.IsLetter(r):
			return 2
		}
		return 0
	}
	gap, last := true, -1
	for at, r := range text {
		if unicode.IsSpace(r) {
			if r == '\n' {
				out = append(out, token{text: "\n", number: -1, from: at, to: at + 1})
			}
			gap, last = true, -1
			continue
		}
		k := kind(r)
		_, size := utf8.DecodeRuneInString(text[at:]) // a byte that is no character is one of three

		if n := len(out) - 1; k > 0 && k == last {
			out[n].text, out[n].to = text[out[n].from:at+size], at+size
		} else {
			out = append(out, token{text: text[at : at+size], from: at, to: at + size, gap: gap})
		}
		gap, last = false, k
	}
	for i := range out {
		t := &out[i]
		t.small = t.text[0] >= 'a' && t.text[0] <= 'z'
		t.text, t.number = strings.ToLower(t.text), -1
		if t.text[0] >= '0' && t.text[0] <= '9' && len(t.text) <= 4 {
			t.number, _ = strconv.Atoi(t.text)
			t.digits = len(t.text)
		}
	}
	return out
}

// is reports whether the tokens from i on are these words.
func is(list []token, i int, words ...string) bool {
	if i < 0 || i+len(words) > len(list) {
		return false
	}
	for k, w := range words {
		if list[i+k].text != w {
			return false
		}
	}
	return true
}

func word(list []token, i int) string {
	if i < 0 || i >= len(list) {
		return ""
	}
	return list[i].text
}

// ends reports whether a part of a sentence ends before a token.
func ends(list []token, i int) bool {
	switch word(list, i) {
	case "", ",", ".", ";", ":", "!", "?", "\n", ")", "—", "–", "，", "。", "；", "：", "、", "（", "(":
		return true
	}
	return false
}

// begins reports whether a part of a sentence begins with a token.
func begins(list []token, i int) bool {
	if i == 0 || ends(list, i-1) {
		return true
	}
	switch list[i-1].text {
	case "and", "but", "then", "-", "\"", "'", "“":
		return true
	}
	return false
}

// sentence are the words of the sentence with a token.
func sentence(list []token, i int) []string {
	from, to := bounds(list, i)
	return wordsOf(list[from:to])
}

// bounds are where the sentence with a token begins and ends: a full stop in a date or after the name of
// a month is none.
func bounds(list []token, i int) (from, to int) {
	stop := func(k int) bool {
		switch list[k].text {
		case ";", "!", "?", "\n", "。", "；", "！", "？":
			return true
		case ".":
			return k+1 == len(list) || list[k+1].gap && list[k+1].number < 0 && month(word(list, k-1)) == 0
		}
		return false
	}
	from, to = i, i
	for from > 0 && !stop(from-1) {
		from--
	}
	for to < len(list) && !stop(to) {
		to++
	}
	return from, to
}
