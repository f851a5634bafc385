package shell

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Disguised warns of a text that may pass for another one, with what hides in it written
// out; "" for all others. what is whose text it is: "its name".
//
// n\u043e-force-push may look like a guard of the person's, and is none; guard\u{200b} is
// shown as guard. A word in Chinese or Japanese may have Latin letters in it.
func Disguised(what, s string) string {
	if shown := protocol.Visible(s); shown != s {
		return what + " has characters that are not shown: " + text.OneLine(mixed(shown))
	}
	if shown := mixed(s); shown != s {
		return what + " has letters of another alphabet: " + text.OneLine(shown)
	}
	return ""
}

// DisguisedLine is Disguised for a line of commands, each word of which is for itself.
func DisguisedLine(what, line string) string {
	if protocol.Visible(line) != line {
		return Disguised(what, line)
	}
	for word := range strings.FieldsFuncSeq(line, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !unicode.IsMark(c) }) {
		if w := Disguised(what, word); w != "" {
			return w
		}
	}
	return ""
}

// mixed is a text with the letters of other alphabets written out, if they stand among
// Latin ones, or if each of them looks like one.
func mixed(s string) string {
	latin, other, alike := false, false, true
	for _, c := range s {
		latin = latin || unicode.Is(unicode.Latin, c)
		if foreign(c) {
			other, alike = true, alike && strings.ContainsRune(lookalikes, c)
		}
	}
	if !other || !latin && !alike {
		return s
	}
	var b strings.Builder
	for _, c := range s {
		if foreign(c) {
			q := strconv.QuoteRuneToASCII(c)
			b.WriteString(q[1 : len(q)-1])
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}

// lookalikes are letters of other alphabets that most fonts draw as Latin ones.
const lookalikes = "авсԁеһіјкӏорԛѕтѵԝхуАВСЕНІЈКМОРЅТХУαιορυνκχΑΒΕΖΗΙΚΜΝΟΡΤΥΧοցհոսօ"

// foreign reports whether a letter is of an alphabet that is not ours, nor one that is
// written together with it.
func foreign(c rune) bool {
	return unicode.IsLetter(c) && !unicode.In(c, unicode.Latin, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo, unicode.Common, unicode.Inherited)
}
