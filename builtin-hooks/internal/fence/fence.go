// Package fence prepares stored texts for a model: it puts a fence around them, with a
// label that says whose they are, and neutralises everything inside that a model or its
// harness could take for its own markup.
//
//	fence.Around(tag, note, fence.Harmless(text))              the user's
//	fence.Around(fence.RepositoryTag, note, fence.Quoted(text)) a repository's
//
// # What is neutralised
//
// The tags with which agents address their models (system reminders, function calls and
// their results, outputs of hooks and commands), the markers that separate the turns of
// a conversation, role headers at the beginning of a paragraph, and the tags of our own
// fences. A tag loses its brackets and keeps its words: <name> becomes ‹name›; all
// other text stays byte for byte. Names are recognised as a model would read them: in
// any case, with spaces or other characters between their words, in full-width or
// look-alike letters, with invisible characters in between, and spelled as entities or
// escapes.
//
// Invisible characters (tag characters, changes of direction) are removed.
//
// A repository's text ([Foreign], [Quoted]) keeps less. In the user's own note "User:
// ada" in the middle of a list is an item of a list; in somebody else's it may be a
// turn of a conversation. So there a header is recognised at the beginning of any line,
// even after an escaped line break (\n, &#10;, <br>), and by more names. And any
// closing tag without an opening one in this text loses its brackets, whatever its
// name, since the fences that an agent puts around a hook's output are not known.
package fence

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// RepositoryTag is the tag around what is a repository's.
const RepositoryTag = "from-repository"

// Around puts a fence and a label around a text that was made harmless.
func Around(tag, note, text string) string {
	return "<" + tag + ">\n" + note + "\n\n" + text + "\n</" + tag + ">"
}

// Quoted is a text of somebody else: harmless, and each line of it marked, so that
// none of them looks like the beginning of something new.
func Quoted(text string) string {
	lines := strings.Split(Foreign(text), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight("> "+line, " ")
	}
	return strings.Join(lines, "\n")
}

// Harmless is a text without what a model could take for words of its harness.
func Harmless(text string) string { return harmless(text, false) }

// Foreign is a text of somebody else without what a model could take for words of
// its harness, of the person or of itself, or for the end of any fence.
func Foreign(text string) string { return harmless(breaks().Replace(text), true) }

// breaks are the signs that a terminal or a model takes for the end of a line.
var breaks = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")
})

func harmless(text string, foreign bool) string {
	s := scanner{text: text, closing: -1, foreign: foreign}
	for at := 0; at < len(text); {
		if at == s.closing {
			_, size := decode(text[at:])
			s.replace(at, at+size, "›")
			at += size
			continue
		}
		if s.begins(at) {
			if n, out := s.header(at); n > 0 {
				s.replace(at, at+n, out)
				at += n
				continue
			}
		}
		c := text[at]
		if c < utf8.RuneSelf && c != '<' && c != '[' && c != '&' && c != '\\' && c != '%' {
			at++
			continue
		}
		raw, size := utf8.DecodeRuneInString(text[at:])
		if smuggles(raw) {
			s.replace(at, at+size, "")
			at += size
			continue
		}
		if c < utf8.RuneSelf || opens(raw) {
			if end, out := s.tag(at); end > 0 {
				s.replace(at, end, out)
				at = end
				continue
			}
		}
		at += size
	}
	return s.done()
}

// smuggles reports whether a sign is there for machines alone: tag characters, in
// which a text can hide, and changes of direction.
func smuggles(r rune) bool {
	return r >= 0xe0000 && r <= 0xe007f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// opens reports whether a sign beyond ASCII looks like a bracket that opens a tag.
func opens(r rune) bool {
	if r < 0x2c2 || r >= 0x4e00 && r < 0xfe64 {
		return false
	}
	to := fold(r)
	return to == '<' || to == '['
}

// A scanner copies a text with what is replaced in it.
type scanner struct {
	text    string
	out     strings.Builder
	copied  int
	closing int // the bracket that closes the tag before; -1: none does
	foreign bool
	open    map[string]int // tags of a foreign text that are still open, by name
}

func (s *scanner) replace(from, to int, with string) {
	s.out.WriteString(s.text[s.copied:from] + with)
	s.copied = to
}

func (s *scanner) done() string {
	if s.copied == 0 {
		return s.text
	}
	return s.out.String() + s.text[s.copied:]
}
