package redact

import (
	"strings"
	"unicode/utf8"
)

// The walk back from a number goes so far.
const (
	wordsBack = 64
	tableBack = 4096
)

// saidBefore is the row of the word before a number at s[i] that says what it is,
// and where the number ends. other tells that the word says it to be no number of
// a person.
func (sc *scan) saidBefore(i int) (k *kind, to int, other bool) {
	if sc.person != nil && sc.personTo <= i && joins(sc.s[sc.personTo:i]) {
		if to := sc.said(sc.person, i, true); to > i {
			return sc.person, to, false
		}
	}
	s := sc.s[max(0, i-wordsBack):i]
	near := true
	for range 12 { // words
		t, ok := sc.between(s)
		if !ok || t == "" {
			break
		}
		if k := sc.endsIn(t); k != nil {
			if to := sc.said(k, i, near); to > i {
				return k, to, false
			}
		} else if near && anotherThing(t) {
			return nil, 0, true
		}
		word := lastWord(t)
		near = near && joining(word)
		s = t[:len(t)-len(word)]
	}
	if k := sc.saidAbove(i); k != nil {
		return k, sc.said(k, i, true), false
	}
	return nil, 0, false
}

// joins reports whether a text does no more than to join a number to another one.
func joins(s string) bool {
	if len(s) == 0 || len(s) > 12 {
		return false
	}
	switch strings.Trim(s, " \t\r\n\"',/、，-") {
	case "":
		return strings.Trim(s, " ") != "" && strings.Count(s, "\n") < 2
	case "or", "and", "und", "oder", "和", "或", "及":
		return true
	}
	return false
}

// between takes signs from the end of a text that may stand between a word and
// its number; false where a sentence, a line or another value ends there.
func (sc *scan) between(s string) (string, bool) {
	for s != "" {
		c := s[len(s)-1]
		switch {
		case wordByte(c) && !digitByte(c) && c != '_':
			return s, true
		case digitByte(c): // the second of them
			if len(s) < 2 || !letterByte(s[len(s)-2]) && s[len(s)-2] < 0x80 && s[len(s)-2] != '_' && s[len(s)-2] != ' ' {
				return s, false
			}
		case c == '\n':
			t := strings.TrimRight(s, " \r\n")
			if t == "" || strings.IndexByte(":>", t[len(t)-1]) < 0 {
				return s, false
			}
		case c == ']':
			if sc.markBefore(s) {
				return s, false
			}
		case c == '.':
			if len(lastWord(s[:len(s)-1])) > 4 {
				return s, false
			}
		case c == ')': // an aside
			if n := strings.LastIndexByte(s[max(0, len(s)-16):], '('); n >= 0 {
				s = s[:max(0, len(s)-16)+n+1]
			}
		case c == ';' || c == '!':
			return s, false
		case c >= 0x80:
			n := strings.LastIndexAny(s, "：，、（）“”＝＃") // of three bytes
			if n < 0 || n != len(s)-3 {
				return s, !strings.HasSuffix(s, "。") && !strings.HasSuffix(s, "；")
			}
			if open := strings.LastIndex(s[:n], "（"); strings.HasSuffix(s, "）") && open >= 0 && n-open < 24 {
				n = open
			}
			s = s[:n]
			continue
		}
		s = s[:len(s)-1]
	}
	return s, true
}

func (sc *scan) markBefore(s string) bool {
	n := strings.LastIndexByte(s, '[')
	return n >= 0 && sc.p.markAt(s[n:]) > 0
}

// lastWord is the word that a text ends with: letters, as far as a capital begins
// one, or one sign of another script.
func lastWord(s string) string {
	if s == "" {
		return ""
	}
	i := len(s) - 1
	if s[i] >= 0x80 {
		for i > 0 && s[i] < 0xc0 {
			i--
		}
		return s[i:]
	}
	if !letterByte(s[i]) {
		return s[i:]
	}
	for i > 0 && letterByte(s[i-1]) && !(s[i] < 'a' && s[i-1] >= 'a') {
		i--
	}
	return s[i:]
}

// joining reports whether a word joins one to its number.
func joining(word string) bool {
	if word[0] >= 0x80 {
		return strings.Contains("号码是为号改成设就的：码了叫一您你我他她请拨打", word)
	}
	var buf [16]byte
	if len(word) > len(buf) {
		return false
	}
	b := buf[:len(word)]
	for i := range b {
		b[i] = fold(word[i])
	}
	return listedIn(" number numbers num no nr nummer numero nbr is was are ist lautet now at on the my his her our their your home work office cell private main new a to reads says value under est es ", string(b)) || word == "#"
}

// anotherThing reports whether a text ends in a word that says the number behind it
// to be that of something else.
func anotherThing(s string) bool {
	for _, word := range others {
		if word[len(word)-1] == fold(s[len(s)-1]) && endsWith(s, word) {
			return true
		}
	}
	return false
}

// endsIn is the row of the longest word that a text ends with, or of its plural;
// nil if there is none.
func (sc *scan) endsIn(s string) (found *kind) {
	last, longest := fold(s[len(s)-1]), 0
	for k := range spoken {
		_, word, _ := strings.Cut(spoken[k].expr, " ")
		if end := word[len(word)-1]; end != last && last != 's' || len(word) <= longest || &spoken[k] == sc.without {
			continue
		}
		if endsWith(s, word) || last == 's' && len(s) > 1 && endsWith(s[:len(s)-1], word) {
			found, longest = &spoken[k], len(word)
		}
	}
	return found
}

// endsWith reports whether a text ends with a phrase: its words apart, joined by
// signs or by capitals.
func endsWith(s, phrase string) bool {
	i, p := len(s), len(phrase)
	for p > 0 {
		p--
		for p < len(phrase)-1 && i > 0 && strings.IndexByte("_-.'", s[i-1]) >= 0 && phrase[p] != s[i-1] {
			i--
		}
		if phrase[p] == ' ' {
			if i > 0 && s[i-1] == ' ' {
				i--
			}
			for _, whose := range [...]string{"'s", "’s"} {
				if strings.HasSuffix(s[:i], whose) && (p == 0 || phrase[p-1] != 's') {
					i -= len(whose)
				}
			}
			continue
		}
		if i == 0 || fold(s[i-1]) != phrase[p] {
			return false
		}
		i--
	}
	if i == 0 || phrase[0] >= 0x80 {
		return true
	}
	if r, _ := utf8.DecodeLastRuneInString(s[:i]); r >= 0x250 || r < 0x80 && !letterByte(byte(r)) {
		return true
	}
	return s[i] < 'a' && s[i-1] >= 'a' && s[i-1] < 0x80 && !(s[i-1] == 'i' && (i == 1 || !letterByte(s[i-2])))
}

// saidAbove is what the head of a table says of the cell that begins at s[i]: of
// lines of CSV, or with "|" between the cells.
func (sc *scan) saidAbove(i int) *kind {
	s := sc.s
	at := i
	for at > 0 && strings.IndexByte(" \"'", s[at-1]) >= 0 {
		at--
	}
	from := strings.LastIndexByte(s[max(0, i-1024):i], '\n')
	if from < 0 {
		return nil
	}
	from += max(0, i-1024) + 1
	sep := byte(0)
	if at > from {
		sep = s[at-1]
	} else {
		end := i
		for end < len(s) && end-i < 48 && strings.IndexByte(",|\t;\n", s[end]) < 0 {
			end++
		}
		if end < len(s) {
			sep = s[end]
		}
	}
	if strings.IndexByte(",|\t;", sep) < 0 || sep == 0 {
		return nil
	}
	column := strings.Count(s[from:at], string(rune(sep)))
	if strings.Contains(s[from:at], `"`) {
		column = cells(s[from:at], sep)
	}
	head := sc.head(from, sep)
	for ; column > 0; column-- {
		n := strings.IndexByte(head, sep)
		if n < 0 {
			return nil
		}
		head = head[n+1:]
	}
	if n := strings.IndexByte(head, sep); n >= 0 {
		head = head[:n]
	}
	head = strings.Trim(head, " \"'\r*`")
	for range 3 {
		if head == "" {
			return nil
		}
		if k := sc.endsIn(head); k != nil {
			return k
		}
		word := lastWord(head)
		if !joining(word) && word != "_" && word != " " {
			return nil
		}
		head = strings.TrimRight(head[:len(head)-len(word)], " _-")
	}
	return nil
}

// cells counts separators that stand in no quotes.
func cells(s string, sep byte) (n int) {
	open := false
	for i := range len(s) {
		if s[i] == '"' {
			open = !open
		} else if s[i] == sep && !open {
			n++
		}
	}
	return n
}

// A table is the head of the lines that are read.
type table struct {
	sep             byte
	from, to        int // its head
	line, following int // where the line begins that it was found for, and the next one
}

// head is the first of the lines before s[from] that have a separator, without
// one between them that has none.
func (sc *scan) head(from int, sep byte) string {
	t := &sc.table
	switch {
	case t.sep == sep && t.line == from:
		return sc.s[t.from:t.to]
	case t.sep != sep || t.following != from || t.to == 0:
		*t = table{sep: sep}
		least := max(0, from-tableBack)
		for at := from; at > least; {
			begin := least + strings.LastIndexByte(sc.s[least:at-1], '\n') + 1
			if strings.IndexByte(sc.s[begin:at-1], sep) < 0 {
				break
			}
			t.from, t.to = begin, at-1
			at = begin
		}
	}
	t.line, t.following = from, from+strings.IndexByte(sc.s[from:], '\n')+1
	return sc.s[t.from:t.to]
}
