package reminder

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words are the keywords of the original (BW-TEL-02).
const Words = "工作区,workspace,任务,节点,node,继续,continue,进度,progress,tanmi,session_bind,workspace_"

// most is how many bytes of a prompt are looked at: who pastes a file means the
// words around it.
const most = 32 << 10

// Mentions reports whether a prompt has one of some words, in any case. A word
// that begins or ends with a letter or a digit is a whole word of the prompt, and
// no part of a name such as node.js, node-gyp or src/node; Chinese has no such
// borders.
func Mentions(prompt string, words []string) bool {
	prompt = strings.ToLower(prompt[:min(len(prompt), most)])
	for _, w := range words {
		if _, found := taken(prompt, w); found {
			return true
		}
	}
	return false
}

// About reports whether a prompt that mentions one of some words is about workspaces.
// By a word that other talk has as well (a node of a cluster, a progress bar) it is only
// where it says little else than that and the names of workspaces, or begins with going
// on; code and quotations do not count.
func About(prompt string, words, names []string) bool {
	text := unquoted(strings.ToLower(prose(prompt[:min(len(prompt), most)])))
	rest, common := text, false
	for _, w := range words {
		left, found := taken(rest, w)
		switch {
		case found && !slices.Contains(ambiguous[:], strings.ToLower(strings.TrimSpace(w))):
			return true
		case found:
			rest, common = left, true
		}
	}
	return common && (goesOn(text) || smallTalk(rest, names))
}

// taken is a text without a word, and whether it was there.
func taken(text, word string) (rest string, found bool) {
	word = strings.ToLower(strings.TrimSpace(word))
	var b strings.Builder
	from := 0
	for word != "" {
		i := strings.Index(text[from:], word)
		if i < 0 {
			break
		}
		at, end := from+i, from+i+len(word)
		if bordered(text[:at], word, text[end:]) {
			b.WriteString(text[from:at] + " ")
			found = true
		} else {
			b.WriteString(text[from:end])
		}
		from = end
	}
	return b.String() + text[from:], found
}

func bordered(before, word, after string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	last, _ := utf8.DecodeLastRuneInString(word)
	b, n := utf8.DecodeLastRuneInString(before)
	a, m := utf8.DecodeRuneInString(after)
	// A mark joins two words into a name; at the end of a sentence it does not.
	beyond, _ := utf8.DecodeLastRuneInString(before[:len(before)-n])
	further, _ := utf8.DecodeRuneInString(after[m:])
	if spelled(first) && n > 0 && (spelled(b) || strings.ContainsRune(`/\@#$`, b) || joins(b) && (spelled(beyond) || joins(beyond))) {
		return false
	}
	return last == '_' || !spelled(last) || m == 0 || !(spelled(a) || strings.ContainsRune(`/\`, a) || joins(a) && (spelled(further) || joins(further)))
}

func joins(r rune) bool { return r == '.' || r == '-' || r == ':' || r == '=' }

// spelled reports whether a character is one of those that words are spelled
// with, in a script that parts them.
func spelled(r rune) bool {
	return r == '_' || r < 0x2e80 && (unicode.IsLetter(r) || unicode.IsDigit(r))
}
