package install

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/toml"
)

// A tomlTable is a table of a file by its lines: the header, and those up to the last
// one with content. Comments and blank lines after that belong to what follows.
type tomlTable struct {
	name       string // of a [[name]] table, "" for any other
	start, end int
}

// tomlTables are the tables of a file, in their order.
func tomlTables(lines []string) []tomlTable {
	var out []tomlTable
	var in tomlState
	for i, line := range lines {
		outside := in.outside()
		trimmed := strings.TrimSpace(line)
		in.read(line)
		switch {
		case outside && strings.HasPrefix(trimmed, "["):
			out = append(out, tomlTable{headerName(trimmed), i, i + 1})
		case len(out) > 0 && (!outside || trimmed != "" && trimmed[0] != '#'):
			out[len(out)-1].end = i + 1
		}
	}
	return out
}

// headerName is the name in a line "[[name]]", "" for any other.
func headerName(line string) string {
	if !strings.HasPrefix(line, "[[") {
		return ""
	}
	doc, err := toml.Parse(line)
	if err != nil {
		return ""
	}
	for name, v := range doc.Root {
		if _, ok := v.([]map[string]any); ok {
			return name
		}
	}
	return ""
}

// A tomlState says where in TOML a line begins: in a string of several lines, or
// in brackets.
type tomlState struct {
	quote string // `"""` or "'''"
	depth int
}

func (s *tomlState) outside() bool { return s.quote == "" && s.depth == 0 }

// read goes through a line.
func (s *tomlState) read(line string) {
	for i := 0; i < len(line); i++ {
		rest := line[i:]
		switch {
		case s.quote != "":
			if line[i] == '\\' && s.quote == `"""` {
				i++
			} else if strings.HasPrefix(rest, s.quote) {
				i += 2
				// Up to two quotes more belong to the string.
				for i+1 < len(line) && line[i+1] == s.quote[0] {
					i++
				}
				s.quote = ""
			}
		case strings.HasPrefix(rest, `"""`), strings.HasPrefix(rest, "'''"):
			s.quote = rest[:3]
			i += 2
		case line[i] == '"' || line[i] == '\'':
			i += stringEnd(rest)
		case line[i] == '#':
			return
		case line[i] == '[' || line[i] == '{':
			s.depth++
		case line[i] == ']' || line[i] == '}':
			s.depth = max(s.depth-1, 0)
		}
	}
}

// stringEnd is where the string ends that s begins with.
func stringEnd(s string) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && s[0] == '"':
			i++
		case s[i] == s[0]:
			return i
		}
	}
	return len(s) - 1
}

// drop removes tables, and the blank lines after them.
func (f *blockFile) drop(blocks []block) {
	for _, b := range blocks {
		for i := b.start; i < b.end; i++ {
			f.lines[i] = ""
		}
		for i := b.end; i < len(f.lines) && f.lines[i] != "" && strings.TrimSpace(f.lines[i]) == ""; i++ {
			f.lines[i] = ""
		}
	}
}

// insert appends tables between our marks, which are at the end of the file, and
// removes the marks if nothing is left between them, together with the line break
// before them that came with them.
func (f *blockFile) insert(tables []string) {
	f.lines = splitLines(strings.Join(f.lines, ""))
	begin, end := f.marks()
	nl := f.newline()
	text := strings.Join(tables, nl)
	switch {
	case begin >= 0 && text == "":
		if strings.TrimSpace(strings.Join(f.lines[begin+1:end], "")) != "" {
			return
		}
		f.lines[begin], f.lines[end] = "", ""
		for i := begin + 1; i < end; i++ {
			f.lines[i] = ""
		}
		behind := strings.Join(f.lines[end:], "") != ""
		if begin > 0 && !behind {
			prev := f.lines[begin-1]
			f.lines[begin-1] = strings.TrimSuffix(strings.TrimSuffix(prev, "\n"), "\r")
		}
		f.takeBack()
	case text == "":
		f.takeBack()
	case begin >= 0:
		// A blank line goes with the table before it, so it is put only behind one of ours.
		if have, _ := f.blocks(); slices.ContainsFunc(have, func(b block) bool { return b.end == end }) {
			text = nl + text
		}
		f.lines[end] = text + f.lines[end]
	default:
		f.giveWay()
		if len(f.lines) > 0 {
			f.lines = append(f.lines, nl)
		}
		f.lines = append(f.lines, entriesBegin+nl, text, entriesEnd+nl)
	}
	f.lines = splitLines(strings.Join(f.lines, ""))
}

// marks are the lines of our marks, -1 where there are not both.
func (f *blockFile) marks() (begin, end int) {
	begin = -1
	for i, line := range f.lines {
		switch strings.TrimSpace(line) {
		case entriesBegin:
			begin = i
		case entriesEnd:
			if begin >= 0 {
				return begin, i
			}
		}
	}
	return -1, -1
}

// giveWay turns an empty list on one line, which an agent writes for no entries, into a
// comment.
func (f *blockFile) giveWay() {
	var in tomlState
	for i, line := range f.lines {
		outside := in.outside()
		in.read(line)
		if outside && strings.HasPrefix(strings.TrimSpace(line), "[") {
			return // only the table at the top can hold it
		}
		if outside && f.emptyList(line) {
			f.lines[i] = givenWay + line
		}
	}
}

// takeBack undoes giveWay.
func (f *blockFile) takeBack() {
	for i, line := range f.lines {
		if rest, ok := strings.CutPrefix(line, givenWay); ok && f.emptyList(rest) {
			f.lines[i] = rest
		}
	}
}

// emptyList reports whether a line says that there are no entries.
func (f *blockFile) emptyList(line string) bool {
	if !strings.Contains(line, "=") {
		return false
	}
	doc, err := toml.Parse(line)
	if err != nil || len(doc.Root) != 1 {
		return false
	}
	list, ok := doc.Root[f.d.Config.Events].([]any)
	return ok && len(list) == 0
}
