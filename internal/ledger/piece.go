package ledger

import (
	"bytes"
	"crypto/sha256"
	"strings"
)

// A Piece is a part of a text that is known or not as a whole.
type Piece struct {
	Text  string // one or more lines, without the ends of the first and the last
	Key   Key
	Start int // where it begins in the text
	level int // of a heading; 0: it is none
	form  bool
}

// LineKey stands for a line of a file of lines.
func LineKey(line []byte) (k Key) {
	var most [512]byte // nearly every line fits
	sum := sha256.Sum256(append(append(most[:0], "line\x00"...), bytes.TrimSpace(line)...))
	copy(k[:], sum[:])
	return k
}

func pageKey(headings []string, under, text string) (k Key) {
	var most [512]byte
	said := append(most[:0], "page"...)
	for _, heading := range headings {
		if heading != "" {
			said = append(append(said, 0), heading...)
		}
	}
	said = append(append(said, 0), under...)
	said = append(append(said, 0), text...)
	sum := sha256.Sum256(said)
	copy(k[:], sum[:])
	return k
}

// Pieces parts a page of Markdown. What says nothing (empty lines, rulers, the
// marks around front matter) belongs to the piece before it.
func Pieces(page string) []Piece {
	s := splitter{text: page}
	s.front()
	for s.at < len(s.text) {
		s.line()
	}
	s.end()
	return s.pieces
}

// PageKeys are the keys of the pieces of a page.
func PageKeys(page string) (keys []Key) {
	for _, p := range Pieces(page) {
		keys = append(keys, p.Key)
	}
	return keys
}

// A splitter reads a page line by line.
type splitter struct {
	text     string
	at       int
	pieces   []Piece
	headings [6]string
	lead     string // the last paragraph under the last heading
	last     string // the last piece there, whatever it is

	start int // of the open piece; -1: none is open
	kind  kind
	fence string // that ends the open piece
}

type kind int

const (
	none kind = iota
	paragraph
	item
)

// front takes the lines of front matter, each by itself.
func (s *splitter) front() {
	s.start = -1
	skipped := len(s.text) - len(strings.TrimLeft(strings.TrimPrefix(s.text, "\ufeff"), " \t\r\n"))
	line, rest, more := strings.Cut(s.text[skipped:], "\n")
	if !more || strings.TrimRight(line, " \t\r") != "---" {
		return
	}
	var found []Piece
	for at := len(s.text) - len(rest); at < len(s.text); {
		line, rest, _ := strings.Cut(s.text[at:], "\n")
		trimmed := strings.TrimRight(line, " \t\r")
		if trimmed == "---" {
			s.pieces, s.at = found, len(s.text)-len(rest)
			return
		}
		if trimmed != "" {
			found = append(found, Piece{Text: trimmed, Key: pageKey([]string{"---"}, "", trimmed), Start: at, form: stamp(trimmed)})
		}
		at = len(s.text) - len(rest)
	}
}

// stamp reports whether a line of front matter names what programs keep there and
// no model is told: ids, states and times, in the letters that these have.
func stamp(line string) bool {
	name, value, _ := strings.Cut(line, ":")
	switch strings.TrimSpace(name) {
	case "id", "type", "status", "createdAt", "updatedAt":
		return Token(strings.Trim(strings.TrimSpace(value), `"'`))
	}
	return false
}

// Token reports whether a text is short, and in the letters of ids, states and
// times: it says nothing to a model.
func Token(text string) bool {
	return len(text) <= 64 && !strings.ContainsFunc(text, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.:+", r))
	})
}

func (s *splitter) line() {
	from := s.at
	line, rest, _ := strings.Cut(s.text[s.at:], "\n")
	s.at = len(s.text) - len(rest)
	bare := strings.TrimSpace(line)
	indent := len(line) - len(strings.TrimLeft(line, " \t"))
	switch {
	case s.fence != "":
		if strings.HasPrefix(bare, s.fence) && strings.Trim(bare, s.fence[:1]) == "" {
			s.fence = ""
			s.endAt(s.at)
		}
	case bare == "":
		s.endAt(from)
	case fenceOf(bare) != "" && indent < 4:
		s.endAt(from)
		s.start, s.kind, s.fence = from, paragraph, fenceOf(bare)
	case levelOf(line) > 0:
		s.endAt(from)
		s.heading(from, levelOf(line), bare)
	case strings.Trim(bare, "-*_ =") == "" && s.start < 0:
		// a ruler, which says nothing
	case strings.HasPrefix(bare, "|"):
		s.endAt(from)
		s.start, s.kind = from, item
		s.endAt(s.at)
	case isItem(bare) && indent < 2:
		s.endAt(from)
		s.start, s.kind = from, item
	case s.start < 0:
		s.start, s.kind = from, paragraph
		if indent >= 2 && s.last != "" {
			s.kind = none // it goes on with what stood before
		}
	}
}

func levelOf(line string) int {
	n := len(line) - len(strings.TrimLeft(line, "#"))
	if n > 6 || n < len(line) && line[n] != ' ' && line[n] != '\t' && line[n] != '\r' {
		return 0
	}
	return n
}

func fenceOf(bare string) string {
	for _, mark := range []string{"`", "~"} {
		if n := len(bare) - len(strings.TrimLeft(bare, mark)); n >= 3 {
			return strings.Repeat(mark, n)
		}
	}
	return ""
}

func isItem(bare string) bool {
	mark, rest, ok := strings.Cut(bare, " ")
	if !ok && rest == "" {
		return mark == "-" || mark == "*" || mark == "+"
	}
	if mark == "-" || mark == "*" || mark == "+" {
		return true
	}
	number := strings.TrimRight(mark, ".)")
	return len(number) == len(mark)-1 && number != "" && len(number) < 10 && strings.Trim(number, "0123456789") == ""
}

func (s *splitter) heading(from, level int, text string) {
	s.headings[level-1] = text
	clear(s.headings[level:])
	s.lead, s.last = "", ""
	s.pieces = append(s.pieces, Piece{Text: text, Key: pageKey(s.above(level-1), "", text), Start: from, level: level})
}

// above are the headings that something stands under.
func (s *splitter) above(level int) []string { return s.headings[:level] }

func (s *splitter) end() { s.endAt(len(s.text)) }

// endAt ends the open piece.
func (s *splitter) endAt(at int) {
	if s.start < 0 {
		return
	}
	var lines []string
	for line := range strings.Lines(s.text[s.start:at]) {
		lines = append(lines, strings.TrimRight(line, " \t\r\n"))
	}
	text := strings.Trim(strings.Join(lines, "\n"), "\n")
	under := s.lead
	if s.kind == none {
		under = s.last
	}
	if s.kind == paragraph {
		under, s.lead = "", text
	}
	s.last = text
	s.pieces = append(s.pieces, Piece{Text: text, Key: pageKey(s.above(6), under, text), Start: s.start})
	s.start, s.kind = -1, none
}
