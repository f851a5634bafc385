package runner

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/discovery"
)

// maxOwn is how much is read of each file that tells what a hook says by itself.
const maxOwn = 64 << 10

// own is what a hook can say without having read the event: its HOOK.md, its entry and
// its command. A reason such as "do not push; ask first" has words that the command has
// too, and would tell nobody anything without them. The files are read once somebody
// asks, which is when a text shares words with the event.
type own struct {
	hook *discovery.Hook
	read bool
	text string
}

// has reports whether the hook has these words, as whole words.
func (o *own) has(words string) bool {
	if o == nil || o.hook.Entry.Builtin {
		return false
	}
	if !o.read {
		o.read = true
		o.text = string(head(o.hook.Entry.Path, maxOwn)) + "\n" + string(head(o.hook.File, maxOwn)) + "\n" + o.hook.Command.String()
	}
	for rest := o.text; ; {
		before, after, found := strings.Cut(rest, words)
		if !found {
			return false
		}
		last, _ := utf8.DecodeLastRuneInString(before)
		next, _ := utf8.DecodeRuneInString(after)
		if !inWord(last) && !inWord(next) {
			return true
		}
		rest = rest[len(before)+1:]
	}
}

func inWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_')
}
