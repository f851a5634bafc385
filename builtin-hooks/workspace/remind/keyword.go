package remind

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words are the keywords of the original (BW-TEL-02).
const Words = "工作区,workspace,任务,节点,node,继续,continue,进度,progress,tanmi,session_bind,workspace_"

// most is how many bytes of a prompt are looked at: who pastes a file means the
// words around it.
const most = 32 << 10

// Keywords reports whether a prompt has one of some words, in any case. A word
// that begins or ends with a letter or a digit is a whole word of the prompt, and
// no part of a name such as node.js, node-gyp or src/node; Chinese has no such
// borders.
func Keywords(prompt string, words []string) bool {
	prompt = strings.ToLower(prompt[:min(len(prompt), most)])
	for _, w := range words {
		w = strings.ToLower(strings.TrimSpace(w))
		for from := 0; w != ""; {
			i := strings.Index(prompt[from:], w)
			if i < 0 {
				break
			}
			if bordered(prompt[:from+i], w, prompt[from+i+len(w):]) {
				return true
			}
			from += i + len(w)
		}
	}
	return false
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

func joins(r rune) bool { return r == '.' || r == '-' }

// spelled reports whether a character is one of those that words are spelled
// with, in a script that parts them.
func spelled(r rune) bool {
	return r == '_' || r < 0x2e80 && (unicode.IsLetter(r) || unicode.IsDigit(r))
}
