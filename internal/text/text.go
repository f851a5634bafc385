// Package text shortens, breaks and quotes texts for people and for shells.
// All parts of the program use it before they show a text. It does not remove control
// characters; protocol.Plain does that first for text from outside.
//
// There are three units of length, and every function says which one it uses:
//
//	bytes       what is stored and sent has a limit in bytes    [HeadBytes]
//	characters  what a model or a person reads (runes)          [Clip] [Head] [Nearest]
//	columns     what a terminal shows: two for a wide           [Width] [Fit] [Wrap]
//	            character of East Asia, none for a mark that
//	            joins the character before it
//
// "…" marks a cut and is included in the length: the result of [Clip] and [Fit] is
// never longer than requested. [Head] and [HeadBytes] add no mark; they are for text
// that a program reads or that gets another mark.
//
//	one line    [OneLine] all of a text, [FirstLine] its beginning
//	shorter     [Clip] [Head] [HeadBytes] [Fit]
//	broken      [Wrap]
//	for a shell [SystemWord] [ShellWord] [ShellQuote]
//	misspelled  [Nearest]
//	compared    [Composed], and without its marks [Plain] [Written]
//	counted     [Count]
package text

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Count is a number of things: "1 call", "2 calls", "3 entries", "2 matches".
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	stem, y := strings.CutSuffix(what, "y")
	switch {
	case y && !strings.HasSuffix(stem, "a") && !strings.HasSuffix(stem, "e") && !strings.HasSuffix(stem, "o"):
		what = stem + "ies"
	case strings.HasSuffix(what, "s") || strings.HasSuffix(what, "ch") || strings.HasSuffix(what, "x"):
		what += "es"
	default:
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}

// OneLine is a text on one line: its words with one blank between them.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// FirstLine is the first line of a text with anything on it, without the blanks
// around it; "" if there is none.
func FirstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(line)
}

// Clip shortens a text to at most so many characters; the last one is "…" where
// something was cut, and no blank stands before it.
func Clip(s string, most int) string {
	if len(s) <= most || utf8.RuneCountInString(s) <= most {
		return s
	}
	if most <= 0 {
		return ""
	}
	return strings.TrimRightFunc(Head(s, most-1), unicode.IsSpace) + "…"
}

// Head is the beginning of a text, at most so many characters of it.
func Head(s string, most int) string {
	for i := range s {
		if most--; most < 0 {
			return s[:i]
		}
	}
	return s
}

// HeadBytes is the beginning of a text, at most so many bytes of it. What it cuts
// is valid UTF-8: no character is cut in two.
func HeadBytes(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:max(0, most)], "")
}

// Wrap breaks a text into lines of at most width columns; every line but the
// first is indented, which does not count. Its own line breaks stay. A word that
// is longer stays whole, so that a path can be copied.
func Wrap(s string, width int, indent string) string {
	var b strings.Builder
	for i, paragraph := range strings.Split(strings.TrimRight(s, "\n"), "\n") {
		if i > 0 {
			b.WriteString("\n" + indent)
		}
		at := 0
		for word := range strings.FieldsSeq(paragraph) {
			n := Width(word)
			switch {
			case at > 0 && at+1+n > width:
				b.WriteString("\n" + indent)
				at = 0
			case at > 0:
				b.WriteByte(' ')
				at++
			}
			b.WriteString(word)
			at += n
		}
	}
	return b.String()
}

// SystemWord is a word as a person can type it in a shell of an operating system.
func SystemWord(goos, word string) string {
	if goos == "windows" {
		return WindowsWord(word)
	}
	return ShellWord(word)
}

// ShellWord is a word for a POSIX shell: in single quotes if it needs them. An = stands
// as it is in an option alone: before a command A=b is a variable.
func ShellWord(word string) string {
	bare := word
	if strings.HasPrefix(word, "-") {
		bare = strings.ReplaceAll(word, "=", "")
	}
	if bare != "" && strings.IndexFunc(bare, special) < 0 {
		return word
	}
	return ShellQuote(word)
}

// WindowsWord is a word for the shells of Windows, cmd.exe and PowerShell: in quotes if
// one of them needs them. A $ or a ` stands for itself in PowerShell's own quotes alone,
// which cmd.exe does not know.
func WindowsWord(word string) string {
	switch {
	case strings.ContainsAny(word, "$`\""):
		return "'" + strings.ReplaceAll(word, "'", "''") + "'"
	case word == "" || strings.ContainsAny(word, " \t'&|<>()[]{};,=^!#@*?"):
		return `"` + word + `"`
	}
	return word
}

// special reports whether a character may mean something to a shell.
func special(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:@,+%", r))
}

// ShellQuote is a word in single quotes, in which a POSIX shell reads nothing.
func ShellQuote(word string) string {
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
