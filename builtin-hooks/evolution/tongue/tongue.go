// Package tongue translates into English what programs print in the language of a
// locale: the messages of the C library, shells, coreutils, make, Git, apt, compilers
// and databases in Chinese, Japanese, Russian, German, French, Spanish and Portuguese.
// So the classification of failures needs to know only one language.
package tongue

import (
	_ "embed" // the messages
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// messages has "> MESSAGE" in English, and below it lines "LANGUAGE MESSAGE". A * stands for what is
// put in there, in the same order in all of them.
//
//go:embed messages.txt
var messages string

// A saying is a message in one language, cut where something is inserted.
type saying struct {
	parts   []string
	english []string
}

// sayings are the messages of each language, the longest first, since they are more
// specific.
var sayings = sync.OnceValue(func() map[string][]saying {
	all := make(map[string][]saying, 8)
	var english []string
	for line := range strings.Lines(messages) {
		line = strings.TrimSuffix(line, "\n")
		language, text, _ := strings.Cut(line, " ")
		switch {
		case language == "//":
		case language == ">":
			english = strings.Split(text, "*")
		default:
			all[language] = append(all[language], saying{strings.Split(plain(text), "*"), english})
			if other := turned(text); other != text {
				all[language] = append(all[language], saying{strings.Split(plain(other), "*"), english})
			}
		}
	}
	for _, list := range all {
		slices.SortStableFunc(list, func(a, b saying) int { return b.size() - a.size() })
	}
	return all
})

// turned is a text with the case of its first letter changed: releases differ in that.
func turned(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	if small := unicode.ToLower(r); small != r {
		return string(small) + text[n:]
	}
	return string(unicode.ToUpper(r)) + text[n:]
}

func (s *saying) size() (n int) {
	for _, p := range s.parts {
		n += len(p)
	}
	return n
}

// A Set is a set of languages.
type Set uint8

const (
	chinese Set = 1 << iota
	japanese
	russian
	german
	french
	spanish
	portuguese

	latin = german | french | spanish | portuguese
)

var names = [...]string{"zh", "ja", "ru", "de", "fr", "es", "pt"}

// A Marker is a word, in lower case, that shows that a line in plain letters is in some
// languages.
type Marker struct {
	Language Set
	Word     string
}

// Markers are the markers of all languages.
func Markers() (list []Marker) {
	for language, all := range map[Set]string{
		german:     "nicht|kein|fehl|zugriff|datei|verbindung|existiert|abbruch|abgelehnt|falsch|bereits|konflikt|schwerwiegend|verzeichnis|unerwartet|abgelaufen|bitte geben",
		french:     "erreur|fichier|aucun|introuvable|dossier|conflit|impossible d|inconnu|commande|trop d|n'existe pas|pas possible",
		spanish:    "denegad|encontr|no existe|no es |no se |no hay|demasiad|abortado|ya existe|fallo |espacio|recurso|error de |error al |no soporta|no pud|no aplica|incompatibles con",
		portuguese: "arquivo|acesso|falha|inexistente|sem regra|] erro |erro de",
	} {
		for w := range strings.SplitSeq(all, "|") {
			list = append(list, Marker{language, w})
		}
	}
	return list
}

// Script is the set of languages that a line's letters allow, none for plain ASCII.
// Only the first byte of each letter is read: the symbols and frames of tools begin
// with others.
func Script(line string) (set Set) {
	for i := range len(line) {
		switch c := line[i]; {
		case c < 0xc2:
		case c <= 0xc5:
			set |= latin
		case c == 0xd0 || c == 0xd1:
			set |= russian
		case c == 0xe3 && i+1 < len(line) && line[i+1] >= 0x81:
			return japanese // kana
		case c >= 0xe4 && c <= 0xe9:
			set |= chinese | japanese
		}
	}
	switch {
	case set&chinese != 0:
		return chinese | japanese
	case set&russian != 0:
		return russian
	}
	return set
}

// English translates the known messages in a line that may be in some languages; a line
// without any is returned unchanged.
func English(line string, set Set) string {
	text, found := strings.ReplaceAll(plain(line), ".  ", ". "), false
	for i, name := range names {
		if set&(1<<i) == 0 {
			continue
		}
		for _, s := range sayings()[name] {
			if said, ok := s.in(text); ok {
				text, found = said, true
			}
		}
	}
	if !found {
		return line
	}
	return strings.Join(strings.Fields(text), " ")
}

// in is a text with a message in English, if it contains it.
func (s *saying) in(text string) (string, bool) {
	const far = 160 // of what is inserted
	start, from := 0, 0
	var put []string
	for i, part := range s.parts {
		at := index(text[from:], part)
		switch {
		case at < 0 || i > 0 && at > far:
			return "", false
		case i == 0:
			start = at
		default:
			put = append(put, text[from:from+at])
		}
		from += at + len(part)
	}
	if last := len(s.parts) - 1; last > 0 && s.parts[last] == "" { // up to the reason: cannot open 'x': No such file
		put[last-1], _, _ = strings.Cut(text[from:], ": ")
		from += len(put[last-1])
	}
	var b strings.Builder
	b.WriteString(text[:start])
	if start > 0 && s.english[0] != "" && letter(s.english[0][0]) && strings.IndexByte(" '(\"[", text[start-1]) < 0 {
		b.WriteByte(' ')
	}
	for i, part := range s.english {
		b.WriteString(part)
		if i < len(put) {
			b.WriteString(put[i])
		}
	}
	if rest := text[from:]; rest != "" && (rest[0] >= utf8.RuneSelf || strings.HasSuffix(s.english[len(s.english)-1], ":")) {
		b.WriteByte(' ')
	}
	b.WriteString(text[from:])
	return b.String(), true
}

// index is where a part of a message begins, not within a longer word.
func index(text, part string) int {
	for from := 0; ; {
		i := strings.Index(text[from:], part)
		if i < 0 || part == "" {
			return i
		}
		i += from
		end := i + len(part)
		if (i == 0 || !letters(text[i-1], part[0])) && (end == len(text) || !letters(part[len(part)-1], text[end])) {
			return i
		}
		from = i + 1
	}
}

func letters(a, b byte) bool { return letter(a) && letter(b) }
func letter(c byte) bool     { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// plain is a text with English punctuation: catalogues and programs differ in theirs
// from one release to the next.
func plain(text string) string {
	if open, ok := strings.CutSuffix(text, " »"); ok {
		text = open + "»"
	}
	text = signs().Replace(text)
	if i := strings.IndexByte(text, ':'); i >= 0 {
		text = spaced(text)
	}
	return text
}

var signs = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("：", ": ", "，", ", ", "（", " (", "）", ") ", "。", ".", "“", "'", "”", "'", "‘", "'", "’", "'", "\u00ab\u00a0", "'", "\u00a0\u00bb", "'", " « ", " '", " » ", "' ", " »,", "',", " ».", "'.", " »:", "':", "«", "'", "»", "'", "„", "'", "「", "'", "」", "'", "`", "'", "\u202f:", ":", "\u00a0:", ":", " :", ":")
})

// spaced puts a space after a colon next to another script or a quoted name.
func spaced(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		b.WriteByte(text[i])
		if text[i] == ':' && i > 0 && i+1 < len(text) && text[i+1] != ' ' && text[i+1] != ':' && (text[i-1] >= utf8.RuneSelf || text[i-1] == '\'' || text[i+1] >= utf8.RuneSelf) {
			b.WriteByte(' ')
		}
	}
	return strings.ReplaceAll(b.String(), ":  ", ": ")
}
