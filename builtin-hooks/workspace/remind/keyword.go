package remind

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words are the keywords of the original (WS-12).
const Words = "工作区,workspace,任务,节点,node,继续,continue,进度,progress,tanmi,session_bind,workspace_"

// most is how many bytes of a prompt are looked at: who pastes a file means the
// words around it.
const most = 32 << 10

// Keywords reports whether a prompt has one of some words, in any case. A word
// that begins or ends with a letter or a digit does so at the border of a word of
// the prompt; Chinese has no such borders. What Node.js is called is never meant.
func Keywords(prompt string, words []string) bool {
	prompt = strings.ToLower(prompt[:min(len(prompt), most)])
	for _, w := range words {
		w = strings.ToLower(strings.TrimSpace(w))
		for from := 0; w != ""; {
			i := strings.Index(prompt[from:], w)
			if i < 0 {
				break
			}
			before, after := prompt[:from+i], prompt[from+i+len(w):]
			if bordered(before, w, after) && !(strings.HasSuffix(w, "node") && nodeJS(after)) {
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
	b, _ := utf8.DecodeLastRuneInString(before)
	a, _ := utf8.DecodeRuneInString(after)
	return !(spelled(first) && before != "" && spelled(b)) && !(last != '_' && spelled(last) && after != "" && spelled(a))
}

// spelled reports whether a character is one of those that words are spelled
// with, in a script that parts them.
func spelled(r rune) bool {
	return r == '_' || r < 0x2e80 && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// nodeJS reports whether "node" goes on as the name of that program.
func nodeJS(after string) bool {
	rest, ok := strings.CutPrefix(after, ".js")
	next, _ := utf8.DecodeRuneInString(rest)
	return ok && (rest == "" || !spelled(next))
}
