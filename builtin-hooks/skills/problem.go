package skills

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Severity is how bad a problem is.
type Severity string

const (
	Error   Severity = "error"   // the entry, or the whole file, is left out
	Warning Severity = "warning" // it is used all the same
)

// A Problem is one thing wrong with a skill's hooks, at a place. Its JSON form is
// that of the problems of hooks.
type Problem struct {
	File     string   `json:"file"`
	Line     int      `json:"line"`   // from 1; 0 if the place is the whole file
	Column   int      `json:"column"` // from 1, in characters
	Field    string   `json:"field"`  // "hooks[2].timing"
	Severity Severity `json:"severity"`
	Message  string   `json:"message"` // names the skill and the entry
	Value    string   `json:"value"`
	Fix      string   `json:"fix"`
}

// String is "file:line:col: field: message; fix", without the parts that are not
// known.
func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		b.WriteString(":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column))
	}
	b.WriteString(": ")
	if p.Field != "" {
		b.WriteString(p.Field + ": ")
	}
	b.WriteString(p.Message)
	if p.Fix != "" {
		b.WriteString("; " + p.Fix)
	}
	return b.String()
}

// place is the line and column of an offset, both from 1, the column in characters. A
// byte order mark does not count.
func place(text []byte, offset int) (line, column int) {
	offset = min(offset, len(text))
	before := bytes.TrimPrefix(text[:offset], []byte("\xef\xbb\xbf"))
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte{'\n'}) + 1, utf8.RuneCount(before[start:]) + 1
}

// find is the offset of a value in a JSON object that parsed well, by names and
// indexes; of the last value on the way that is there. Nothing but a problem
// needs it.
func find(text []byte, path ...any) int {
	f := finder{b: text}
	if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		f.i = 3
	}
	f.space()
	for _, step := range path {
		at := f.i
		if !f.step(step) {
			return at
		}
	}
	return f.i
}

// A finder walks over valid JSON.
type finder struct {
	b []byte
	i int
}

func (f *finder) space() {
	for f.i < len(f.b) && strings.IndexByte(" \t\r\n,:", f.b[f.i]) >= 0 {
		f.i++
	}
}

// step goes from an object or an array to one of its values.
func (f *finder) step(to any) bool {
	open := f.b[f.i]
	if open != '{' && open != '[' {
		return false
	}
	f.i++
	for n := 0; ; n++ {
		f.space()
		if f.b[f.i] == '}' || f.b[f.i] == ']' {
			return false
		}
		if open == '{' {
			start := f.i
			f.pass()
			name := protocol.TextOf(f.b[start:f.i])
			if f.space(); name == to {
				return true
			}
		} else if n == to {
			return true
		}
		f.pass()
	}
}

// pass skips a value.
func (f *finder) pass() {
	depth := 0
	for f.i < len(f.b) {
		switch c := f.b[f.i]; c {
		case '"':
			for f.i++; f.b[f.i] != '"'; f.i++ {
				if f.b[f.i] == '\\' {
					f.i++
				}
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return // of what the value lies in
			}
			depth--
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return
			}
			f.i++
			continue
		case ':':
			if depth == 0 {
				return
			}
		}
		c := f.b[f.i]
		f.i++
		if depth == 0 && (c == '"' || c == '}' || c == ']') {
			return
		}
	}
}
