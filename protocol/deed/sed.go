package deed

import "strings"

// What the expressions of sed, vi and others put into a text.

// scripted are the texts that a program is told to make of its input.
func scripted(name string, args []string) (texts []string) {
	switch name {
	case "sed", "gsed", "perl", "ex", "vi", "vim", "nvim":
		for _, arg := range args {
			texts = append(texts, replacements(arg)...)
		}
	case "sd":
		if rest := operands(args, "nf", "--max-replacements", "--flags").rest; len(rest) > 1 {
			texts = rest[1:2]
		}
	case "awk", "gawk", "mawk", "jq", "yq", "ruby", "node", "python", "python3", "php":
		texts = []string{strings.Join(args, " ")}
	}
	return texts
}

// replacements are what an expression of sed or ed inserts: after the second
// delimiter of an s, and after a, i and c.
func replacements(text string) (puts []string) {
	for i := 0; i < len(text); i++ {
		begins := i == 0 || !isLetter(text[i-1])
		switch c := text[i]; {
		case !begins || i+1 == len(text):
		case c == 's' && strings.IndexByte("/|#,@!:%~_+=;{", text[i+1]) >= 0:
			mark := text[i+1]
			_, end := until(text, i+2, mark)
			if mark == '{' {
				if next := strings.IndexByte(text[min(end, len(text)):], '{'); next >= 0 {
					end += next + 1
				}
			}
			put, end := until(text, end, mark)
			puts, i = append(puts, put), max(i, end-1)
		case (c == 'a' || c == 'i' || c == 'c') && strings.IndexByte(" \\\n\t", text[i+1]) >= 0:
			put := text[i+1:]
			if put[0] == '\n' {
				put, _, _ = strings.Cut(put, "\n.")
			} else {
				put = put[:lineEnd(put)]
			}
			puts = append(puts, strings.TrimSpace(strings.ReplaceAll(put, "\\\n", "\n")))
			i += len(put)
		}
	}
	return puts
}

// lineEnd is where a line ends that goes on behind a backslash at its end.
func lineEnd(text string) int {
	for i := range len(text) {
		if text[i] == '\n' && (i == 0 || text[i-1] != '\\') {
			return i
		}
	}
	return len(text)
}

// until is what precedes the next delimiter, and the position to continue at.
func until(text string, from int, mark byte) (string, int) {
	if mark == '{' {
		mark = '}'
	}
	for i := min(from, len(text)); i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case mark:
			return text[from:i], i + 1
		}
	}
	return text[min(from, len(text)):], len(text)
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
