package main

import (
	"slices"
	"strings"
	"unicode"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// names are what the agents of a list are called by.
type names struct {
	words     []string   // that name an agent wherever they begin a word
	alone     []string   // whole names that are ordinary words: "cursor"
	rows      [][]string // names of several ordinary words: "vs", "code"
	variables []string   // of the environment; with a * at the end any that begin so
	folders   []string   // ".claude"

	identifiers map[string]string // what was found in those that were read: most come many times
}

func namesOf(list []*protocol.Dialect) names {
	n := names{identifiers: map[string]string{}}
	for _, d := range list {
		for _, name := range append(append([]string{d.ID, d.Name}, d.Aliases...), d.Programs...) {
			n.add(name)
		}
		n.variables = append(n.variables, d.Markers...)
		for _, file := range filesOf(d) {
			for _, step := range strings.Split(file, "/") {
				if strings.HasPrefix(step, ".") && !slices.Contains(notTheirs, step) {
					n.folders = append(n.folders, step)
				}
			}
		}
	}
	return n
}

func (n *names) add(name string) {
	words := runsOf(name)
	plain := true
	for _, w := range words {
		if !slices.Contains(ordinary, w) {
			n.words = append(n.words, w)
			plain = false
		}
	}
	switch {
	case !plain:
	case len(words) == 1:
		n.alone = append(n.alone, name)
	default:
		n.rows = append(n.rows, words)
	}
}

// filesOf are the files and folders of an agent.
func filesOf(d *protocol.Dialect) []string {
	var list []string
	for _, scope := range []protocol.Scope{protocol.UserScope, protocol.ProjectScope} {
		site := protocol.Site{Scope: scope, GOOS: "linux", Home: "/home/dev", Project: "/project"}
		if d.Folder != nil {
			list = append(list, d.Folder(site))
		}
		if d.Config != nil {
			list = append(list, d.Config.File(site))
		}
		if d.MCP != nil {
			list = append(list, d.MCP.File(site))
		}
		list = append(list, d.Skills.Dir(site))
	}
	return list
}

// runsOf splits a text into its runs of letters, in lower case.
func runsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
}

// wordsOf splits a name or a text into its words in lower case: at what is no
// letter, and where a capital begins a new one.
func wordsOf(text string) []string {
	var words []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
			word = nil
		}
	}
	runes := []rune(text)
	for i, r := range runes {
		if !unicode.IsLetter(r) {
			end()
			continue
		}
		if i > 0 && unicode.IsUpper(r) && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsUpper(runes[i-1]) && unicode.IsLower(runes[i+1])) {
			end()
		}
		word = append(word, r)
	}
	end()
	return words
}

// in is the name that stands in the text of an identifier or a string; aboutAgents
// says whether what surrounds it is about agents, and is asked where that decides.
func (n names) in(text string, isString bool, aboutAgents func() bool) string {
	if n.maybeIn(strings.ToLower(text)) {
		if name := n.inWords(text); name != "" {
			return name
		}
	}
	if !isString {
		return ""
	}
	for _, name := range n.alone {
		if text == name && (unicode.IsLower(rune(name[0])) && !slices.Contains(everyday, name) || aboutAgents()) || unicode.IsUpper(rune(name[0])) && strings.Contains(text, name) && inSentence(text, name) {
			return name
		}
	}
	for _, f := range n.folders {
		if at := strings.Index(text, f); at >= 0 && (at == 0 || !isWord(text[at-1])) && (at+len(f) == len(text) || !isWord(text[at+len(f)])) {
			return f
		}
	}
	for _, v := range n.variables {
		prefix, open := strings.CutSuffix(v, "*")
		if !strings.Contains(text, prefix) {
			continue
		}
		for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r > 127 || !isWord(byte(r)) }) {
			// A variable that is one ordinary word is a name only where nothing else stands.
			if word == v && (word == text || strings.Contains(v, "_")) || open && strings.HasPrefix(word, prefix) {
				return word
			}
		}
	}
	return ""
}

// maybeIn reports whether one of the names can be in a text in lower case: most texts
// have none, and to split one into words takes longer.
func (n names) maybeIn(lower string) bool {
	return slices.ContainsFunc(n.words, func(name string) bool { return strings.Contains(lower, name) }) ||
		slices.ContainsFunc(n.rows, func(row []string) bool {
			return !slices.ContainsFunc(row, func(w string) bool { return !strings.Contains(lower, w) })
		})
}

// inWords is the name that is a word of a text, or a row of its words.
func (n names) inWords(text string) string {
	words := wordsOf(text)
	for i, w := range append(words, runsOf(text)...) {
		for _, name := range n.words {
			// A name may be in the middle of a word too, if it is long enough to be no accident.
			if strings.HasPrefix(w, name) || len(name) >= 6 && strings.Contains(w, name) {
				return name
			}
		}
		for _, row := range n.rows {
			if i < len(words) && i+len(row) <= len(words) && slices.Equal(words[i:i+len(row)], row) {
				return strings.Join(row, " ")
			}
		}
	}
	return ""
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// inSentence reports whether a name stands in a sentence behind its first word,
// where no ordinary word has a capital.
func inSentence(text, name string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",:;()\"'`", r) })
	for i, w := range words {
		if strings.TrimSuffix(strings.TrimSuffix(w, "."), "'s") == name && i > 0 && !strings.HasSuffix(words[i-1], ".") {
			return true
		}
	}
	return false
}
