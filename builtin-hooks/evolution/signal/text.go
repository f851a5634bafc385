package signal

import "strings"

// Most is how much of an output is looked at: its first and its last half.
const Most = 64 << 10

// clean is a text as its lines are judged: what is looked at of it, without the
// colours of a terminal, what a progress bar wrote over itself as lines.
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

// asciiLower keeps the length, so that places in it are places in s.
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

// in reports whether a phrase is in a line. Where the phrase begins or ends with
// a letter or digit, a word has to.
func in(line, phrase string) bool { return at(line, phrase, 0) >= 0 }

// at is where a phrase is in a line, from some place on; -1 if it is not.
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

// plainly reports whether a word is in a line as a word of its own, not as a part
// of a path, an address or a longer name.
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

// number is the number that a text begins with, and how long it is; -1 if none.
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

// numberBefore is the number that a text ends with, but for spaces; -1 if none.
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
