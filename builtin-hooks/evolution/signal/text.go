package signal

import "strings"

// Most is how much of an output is read: a half from its beginning and a half from its
// end.
const Most = 64 << 10

// clean is the part of a text that is read, without terminal colours, and with a line
// for each state of a progress bar.
func clean(text string) string {
	if len(text) > Most {
		head, tail := text[:Most/2], text[len(text)-Most/2:]
		if i := strings.LastIndexByte(head, '\n'); i > 0 {
			head = head[:i]
		}
		if i := strings.IndexByte(tail, '\n'); i >= 0 {
			tail = tail[i+1:]
		}
		text = head + "\n" + tail
	}
	if strings.IndexByte(text, '\x1b') < 0 && strings.IndexByte(text, '\r') < 0 {
		return text
	}
	b := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\x1b' && i+1 < len(text) && text[i+1] == '[':
			for i += 2; i < len(text) && (text[i] < '@' || text[i] > '~'); i++ {
			}
		case c == '\x1b':
		case c == '\r':
			b = append(b, '\n')
		default:
			b = append(b, c)
		}
	}
	return string(b)
}

// asciiLower keeps the length, so that offsets in the result are offsets in s.
func asciiLower(s string) string {
	for i := range len(s) {
		if s[i] >= 'A' && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if b[i] >= 'A' && b[i] <= 'Z' {
					b[i] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }
func inWord(c byte) bool { return letter(c) || digit(c) || c == '_' }

// in reports whether a phrase is in a line. If the phrase begins or ends with a letter
// or digit, so must a word.
func in(line, phrase string) bool { return at(line, phrase, 0) >= 0 }

// at is the offset of a phrase in a line, from an offset on; -1 if it is not there.
func at(line, phrase string, from int) int {
	for from <= len(line)-len(phrase) {
		i := strings.Index(line[from:], phrase)
		if i < 0 {
			return -1
		}
		i += from
		end := i + len(phrase)
		if (i == 0 || !inWord(phrase[0]) || !inWord(line[i-1])) && (end == len(line) || !inWord(phrase[len(phrase)-1]) || !inWord(line[end])) {
			return i
		}
		from = i + 1
	}
	return -1
}

// plainly reports whether a word stands alone in a line, not as a part of a path, a URL
// or a longer name.
func plainly(line, word string) bool {
	const joints = `/\._-@=+`
	for from := 0; ; {
		i := at(line, word, from)
		if i < 0 {
			return false
		}
		end := i + len(word)
		if (i == 0 || strings.IndexByte(joints, line[i-1]) < 0) && (end == len(line) || strings.IndexByte(`/\_-@=+`, line[end]) < 0 && !(line[end] == '.' && end+1 < len(line) && inWord(line[end+1]))) {
			return true
		}
		from = i + 1
	}
}

func anyPrefix(line string, prefixes []string) bool {
	if line == "" {
		return false
	}
	for _, p := range prefixes {
		if line[0] == p[0] && strings.HasPrefix(line, p) {
			return true
		}
	}
	return false
}

// number is the number at the beginning of a text, and its length; -1 if there is none.
func number(s string) (n, size int) {
	for size < len(s) && size < 9 && digit(s[size]) {
		n = n*10 + int(s[size]-'0')
		size++
	}
	if size == 0 {
		return -1, 0
	}
	return n, size
}

// numberBefore is the number at the end of a text, before any spaces; -1 if there is
// none.
func numberBefore(s string) int {
	s = strings.TrimRight(s, " ")
	from := len(s)
	for from > 0 && digit(s[from-1]) && len(s)-from < 9 {
		from--
	}
	if from > 0 && (inWord(s[from-1]) || strings.IndexByte(".-:/,#", s[from-1]) >= 0) {
		return -1
	}
	n, _ := number(s[from:])
	return n
}
