package discovery

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// A tomlPlace is where a key and its value stand in a TOML text, in bytes. The
// TOML package tells no places but that of its first error.
type tomlPlace struct {
	path       string // "hooks.disable[0].name"
	key        int    // where its key (or the header of its table) begins
	start, end int    // the value; of a table with a header, the header's line
	header     bool
	inline     bool // inside an inline table or an array
}

// tomlPlaces finds all keys and values of a text that is valid TOML.
func tomlPlaces(s string) []tomlPlace {
	p := placer{text: s, elements: map[string]int{}}
	if strings.HasPrefix(s, "\ufeff") {
		p.i = len("\ufeff")
	}
	for p.space(true); p.i < len(p.text); p.space(true) {
		before := p.i
		if p.text[p.i] == '[' {
			p.header()
		} else {
			p.entry(p.table, false)
		}
		if p.i == before {
			break // no TOML after all
		}
	}
	return p.places
}

type placer struct {
	text     string
	i        int
	table    string
	elements map[string]int // how many tables an array of tables has so far
	places   []tomlPlace
}

func (p *placer) at(c byte) bool { return p.i < len(p.text) && p.text[p.i] == c }

// space passes over blanks, and over comments and line breaks if lines is set.
func (p *placer) space(lines bool) {
	for p.i < len(p.text) {
		switch c := p.text[p.i]; {
		case c == ' ' || c == '\t':
		case lines && (c == '\n' || c == '\r'):
		case lines && c == '#':
			p.i += lineLen(p.text[p.i:])
			continue
		default:
			return
		}
		p.i++
	}
}

// lineLen is the length of the first line of s, without its end.
func lineLen(s string) int {
	if n := strings.IndexByte(s, '\n'); n >= 0 {
		return n
	}
	return len(s)
}

// header reads [table] or [[array of tables]].
func (p *placer) header() {
	begin := p.i
	array := strings.HasPrefix(p.text[p.i:], "[[")
	p.i++
	if array {
		p.i++
	}
	words := p.key()
	path := ""
	for n, w := range words {
		path = dotted(path, w)
		if array && n == len(words)-1 {
			p.elements[path]++
		}
		if count := p.elements[path]; count > 0 {
			path += "[" + strconv.Itoa(count-1) + "]"
		}
	}
	p.table = path
	p.i += lineLen(p.text[p.i:])
	p.places = append(p.places, tomlPlace{path: path, key: begin, start: begin, end: p.i, header: true})
}

func dotted(path, word string) string {
	if path == "" {
		return word
	}
	return path + "." + word
}

// entry reads key = value.
func (p *placer) entry(table string, inline bool) {
	begin := p.i
	path := table
	for _, w := range p.key() {
		path = dotted(path, w)
	}
	p.space(false)
	if !p.at('=') {
		return
	}
	p.i++
	p.space(false)
	n := len(p.places)
	p.places = append(p.places, tomlPlace{path: path, key: begin, start: p.i, inline: inline})
	p.value(path)
	p.places[n].end = p.i
}

// key reads a dotted key.
func (p *placer) key() (words []string) {
	for {
		p.space(false)
		begin := p.i
		switch {
		case p.at('"') || p.at('\''):
			p.str()
			words = append(words, unquoteKey(p.text[begin:p.i]))
		default:
			for p.i < len(p.text) && strings.IndexByte(" \t\r\n.=]#[{},", p.text[p.i]) < 0 {
				p.i++
			}
			if p.i == begin {
				return words
			}
			words = append(words, p.text[begin:p.i])
		}
		p.space(false)
		if !p.at('.') {
			return words
		}
		p.i++
	}
}

func unquoteKey(s string) string {
	if s[0] == '"' {
		if u, err := strconv.Unquote(s); err == nil {
			return u
		}
	}
	return strings.Trim(s, s[:1])
}

// value passes over a value, and notes the keys inside it.
func (p *placer) value(path string) {
	switch {
	case p.at('"') || p.at('\''):
		p.str()
	case p.at('['):
		p.i++
		for n := 0; ; n++ {
			p.space(true)
			if p.i >= len(p.text) || p.at(']') {
				p.i++
				break
			}
			begin, at := p.i, len(p.places)
			element := path + "[" + strconv.Itoa(n) + "]"
			p.places = append(p.places, tomlPlace{path: element, key: begin, start: begin, inline: true})
			p.value(element)
			p.places[at].end = p.i
			p.space(true)
			if p.at(',') {
				p.i++
			} else if p.i == begin {
				return
			}
		}
	case p.at('{'):
		p.i++
		for {
			p.space(true)
			if p.i >= len(p.text) || p.at('}') {
				p.i++
				break
			}
			begin := p.i
			p.entry(path, true)
			p.space(true)
			if p.at(',') {
				p.i++
			} else if p.i == begin {
				return
			}
		}
	default:
		for p.i < len(p.text) && strings.IndexByte(",]}#\r\n", p.text[p.i]) < 0 {
			p.i++
		}
		for p.i > 0 && (p.text[p.i-1] == ' ' || p.text[p.i-1] == '\t') {
			p.i--
		}
	}
	p.i = min(p.i, len(p.text))
}

// str passes over a string in any of TOML's four kinds of quotes.
func (p *placer) str() {
	quote := p.text[p.i]
	long := strings.Repeat(string(quote), 3)
	if strings.HasPrefix(p.text[p.i:], long) {
		for p.i += 3; p.i < len(p.text); p.i++ {
			if quote == '"' && p.at('\\') {
				p.i++
				continue
			}
			if strings.HasPrefix(p.text[p.i:], long) {
				// Up to two more quotes belong to the text.
				for p.i += 3; p.at(quote); p.i++ {
				}
				return
			}
		}
		return
	}
	for p.i++; p.i < len(p.text); p.i++ {
		switch c := p.text[p.i]; {
		case quote == '"' && c == '\\':
			p.i++
		case c == quote:
			p.i++
			return
		case c == '\n':
			return
		}
	}
}

// lineCol is a place in a text as line and column, the column in characters.
func lineCol(s string, at int) (line, col int) {
	at = min(max(at, 0), len(s))
	before := s[:at]
	line = 1 + strings.Count(before, "\n")
	begin := strings.LastIndexByte(before, '\n') + 1
	return line, 1 + utf8.RuneCountInString(before[begin:])
}
