package deed

import (
	"bytes"
	"strings"
)

// What editors run by commands of their own.

// sedRuns are the lines that GNU's sed is told to run: 1e LINE, s/x/LINE/e.
func sedRuns(args []string) (lines []string) {
	o := operands(args, "efl.", "--expression", "--file", "--line-length")
	texts := o.valuesOf("e", "--expression")
	if len(texts) == 0 && !o.has("f", "--file") {
		texts = o.rest[:min(1, len(o.rest))]
	}
	const addresses = " \t0123456789,$~+!I"
	for _, text := range texts {
		for _, command := range strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune("\n;{}", c) }) {
			if command = strings.TrimLeft(command, addresses); strings.HasPrefix(command, "/") {
				_, end := until(command, 1, '/')
				command = strings.TrimLeft(command[end:], addresses)
			}
			if line, ok := strings.CutPrefix(command, "e "); ok {
				lines = append(lines, line)
			}
		}
		lines = append(lines, substitutionsRun(text)...)
	}
	return lines
}

// substitutionsRun are the replacements whose result is run: with the flag e.
func substitutionsRun(text string) (lines []string) {
	for i := 0; i+1 < len(text); i++ {
		if mark := text[i+1]; text[i] == 's' && (i == 0 || !isLetter(text[i-1])) && strings.IndexByte("/|#,@!:%~_+=", mark) >= 0 {
			_, end := until(text, i+2, mark)
			put, end := until(text, end, mark)
			flags := text[end:]
			if at := strings.IndexAny(flags, " ;}\n"); at >= 0 {
				flags = flags[:at]
			}
			if strings.Contains(flags, "e") {
				lines = append(lines, put)
			}
			i = max(i, end-1)
		}
	}
	return lines
}

// quotedIn are the texts in double quotes.
func quotedIn(text string) (list []string) {
	for i, part := range strings.Split(text, `"`) {
		if i%2 == 1 {
			list = append(list, part)
		}
	}
	return list
}

// cells reads what a notebook gives to a shell, and leaves the Python: !LINE, x = !LINE, %sx LINE,
// and a cell that begins with %%bash.
func (r *reader) cells(text string, depth int) string {
	if !strings.ContainsAny(text, "!%") {
		return text
	}
	var rest strings.Builder
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		if magic, shell := strings.CutPrefix(bare, "%%"); shell && strings.TrimSpace(rest.String()) == "" {
			if words := strings.Fields(strings.TrimPrefix(magic, "script ")); len(words) > 0 && listed(" bash sh zsh sx system ! cmd ", program(words[0])) {
				_, body, _ := strings.Cut(text, line)
				r.line(body, depth+1)
				return ""
			}
		}
		if at := strings.Index(bare, "= !"); at > 0 && !strings.ContainsAny(bare[:at], "\"'(#") {
			bare = bare[at+2:]
		}
		run, is := strings.CutPrefix(bare, "!")
		for _, magic := range [...]string{"%sx ", "%system ", "%%!"} {
			if !is {
				run, is = strings.CutPrefix(bare, magic)
			}
		}
		if is {
			r.line(strings.TrimPrefix(run, "!"), depth+1)
		} else {
			rest.WriteString(line)
		}
	}
	return rest.String()
}

// erased is a text as a terminal takes it: without what a backspace, ^W or ^U takes back.
func erased(text string) string {
	if !strings.ContainsAny(text, "\b\x7f\x15\x17") {
		return text
	}
	var b []byte
	line := 0 // where it begins
	for _, c := range []byte(text) {
		switch {
		case c == '\b' || c == 0x7f:
			b = b[:max(line, len(b)-1)]
		case c == 0x15: // the line
			b = b[:line]
		case c == 0x17: // a word
			word := bytes.TrimRight(b[line:], " ")
			b = b[:line+bytes.LastIndexByte(word, ' ')+1]
		case c == '\n':
			b = append(b, c)
			line = len(b)
		default:
			b = append(b, c)
		}
	}
	return string(b)
}
