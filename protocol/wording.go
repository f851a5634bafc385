package protocol

import "strings"

// inShape is a hook's command in the shape that the agent's own has, so that a tool
// that takes a list of words is not given a line, nor one that takes a line a list.
// Anything else stays as it is.
func inShape(own, given Raw) Raw {
	words, isList := wordList(own)
	switch {
	case isList && len(given) > 0 && given[0] == '"':
		line := TextOf(given)
		if runsLine(words) {
			return TextList(append(words[:2:2], line))
		}
		return TextList([]string{"sh", "-c", line})
	case len(own) > 0 && own[0] == '"':
		if line, ok := Line(given); ok {
			return Quote(line)
		}
	}
	return given
}

// Line is the line of a shell that a list of words is: what a shell in it is given to
// run, or the words, quoted. ok is false for all but lists of texts.
func Line(list Raw) (line string, ok bool) {
	words, ok := wordList(list)
	if !ok || len(words) == 0 {
		return "", false
	}
	if runsLine(words) {
		return words[2], true
	}
	for i, w := range words {
		words[i] = shellWord(w)
	}
	return strings.Join(words, " "), true
}

// runsLine reports whether words are a shell and a line for it, and nothing else.
func runsLine(words []string) bool {
	if len(words) != 3 || !strings.HasPrefix(words[1], "-") || !strings.HasSuffix(words[1], "c") {
		return false
	}
	switch words[0][strings.LastIndexByte(words[0], '/')+1:] {
	case "sh", "bash", "dash", "ksh", "zsh":
		return strings.Trim(words[1], "-celi") == ""
	}
	return false
}

func wordList(v Raw) (words []string, ok bool) {
	if len(v) == 0 || v[0] != '[' {
		return nil, false
	}
	for _, e := range ElementsOf(v) {
		if e[0] != '"' {
			return nil, false
		}
		words = append(words, TextOf(e))
	}
	return words, true
}

// shellWord is a word as it is written in a line.
func shellWord(w string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@%+,"
	if w != "" && strings.Trim(w, plain) == "" {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}
