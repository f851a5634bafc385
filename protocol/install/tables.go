package install

import (
	"bytes"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// tables is a ledger as lines, of which only the tables that record entries are
// understood.
type tables struct {
	l       *ledger
	lines   []string // with their ends
	found   []table
	gone    map[int]bool // lines to leave out
	dropped map[string]bool
	added   []string
}

// A table records one entry: a header line, and lines up to the next header.
type table struct {
	name       string
	start, end int
	seal       int  // the line of the seal, 0 if there is none
	marked     bool // the seal is ours
	foreign    bool // holds more than what we know
}

func parseLedger(l *ledger) *tables {
	t := &tables{l: l, lines: strings.SplitAfter(string(l.before), "\n"), gone: map[int]bool{}, dropped: map[string]bool{}}
	if last := len(t.lines) - 1; t.lines[last] == "" {
		t.lines = t.lines[:last]
	}
	var open *table
	for i, line := range t.lines {
		trimmed := strings.TrimSpace(line)
		if name, ok := t.header(trimmed); ok {
			t.found = append(t.found, table{name: name, start: i, end: i + 1})
			open = &t.found[len(t.found)-1]
			continue
		}
		if open == nil || trimmed == blockBegin || trimmed == blockEnd || strings.HasPrefix(trimmed, "[") {
			open = nil
			continue
		}
		switch key, value, ok := strings.Cut(trimmed, "="); {
		case trimmed == "" || trimmed[0] == '#':
			continue
		case ok && strings.TrimSpace(key) == l.Key:
			open.seal = i
			open.marked = strings.HasSuffix(value, sealMark)
		case ok && strings.TrimSpace(key) == l.Enabled:
		default:
			open.foreign = true
		}
		open.end = i + 1
	}
	return t
}

// header reads [Table."NAME"], or 'NAME'.
func (t *tables) header(line string) (string, bool) {
	rest, ok := strings.CutPrefix(line, "["+t.l.Table+".")
	if !ok || len(rest) < 3 {
		return "", false
	}
	if rest[0] == '\'' {
		name, rest, ok := strings.Cut(rest[1:], "'")
		return name, ok && strings.HasPrefix(rest, "]")
	}
	end := strings.LastIndex(rest, `"]`)
	if rest[0] != '"' || end < 1 {
		return "", false
	}
	// What needs escaping in a name is escaped alike in both languages.
	raw := protocol.Raw(rest[:end+1])
	if protocol.ValidValue(raw) != nil {
		return "", false
	}
	return protocol.TextOf(raw), true
}

// dropStale leaves out our tables for entries of these files that no longer exist.
func (t *tables) dropStale(files []string, wanted map[string]string) {
	for _, f := range t.found {
		if !f.marked || f.foreign {
			continue
		}
		if _, ok := wanted[f.name]; ok || !ofFile(f.name, files) {
			continue
		}
		t.drop(f.start, f.end)
		t.dropped[f.name] = true
	}
}

func ofFile(name string, files []string) bool {
	return slices.ContainsFunc(files, func(f string) bool { return strings.HasPrefix(name, f+":") })
}

// drop leaves lines out, and the blank ones after them.
func (t *tables) drop(start, end int) {
	for end < len(t.lines) && strings.TrimSpace(t.lines[end]) == "" {
		end++
	}
	for i := start; i < end; i++ {
		t.gone[i] = true
	}
}

// reseal replaces the seal of a table that is there, and reports whether one is.
func (t *tables) reseal(name, seal string) bool {
	for _, f := range t.found {
		if f.name != name || t.gone[f.start] {
			continue
		}
		line := t.sealLine(seal)
		if f.seal == 0 {
			t.lines[f.start] = strings.TrimRight(t.lines[f.start], "\r\n") + "\n" + line
		} else {
			t.lines[f.seal] = line
		}
		return true
	}
	return false
}

func (t *tables) sealLine(seal string) string {
	return t.l.Key + " = " + string(protocol.Quote(seal)) + " " + sealMark + "\n"
}

// text is the file as it should be. Our block is at its end; an empty block is removed,
// with the line break before it that came with it.
func (t *tables) text(wanted map[string]string) []byte {
	begin, end := t.marks()
	var block bytes.Buffer
	for _, name := range t.added {
		block.WriteString("[" + t.l.Table + "." + string(protocol.Quote(name)) + "]\n" + t.sealLine(wanted[name]) + "\n")
	}
	empty := block.Len() == 0 && begin >= 0 && !t.holdsOurs(begin, end)
	var out bytes.Buffer
	for i, line := range t.lines {
		switch {
		case t.gone[i] || empty && i == end:
		case empty && i == begin:
			out.Truncate(max(out.Len()-1, 0))
		case i == end:
			out.Write(block.Bytes())
			block.Reset()
			out.WriteString(line)
		case i > begin && begin >= 0 && empty && out.Len() > 0 && out.Bytes()[out.Len()-1] != '\n':
			// Something comes after the block: it needs a line of its own.
			out.WriteString("\n" + line)
		default:
			out.WriteString(line)
		}
	}
	if block.Len() > 0 {
		if out.Len() > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(blockBegin + "\n" + block.String() + blockEnd + "\n")
	}
	if out.Len() == 0 {
		return nil
	}
	return out.Bytes()
}

// marks are the lines of our block's marks, -1 where one is missing.
func (t *tables) marks() (begin, end int) {
	begin, end = -1, -1
	for i, line := range t.lines {
		switch strings.TrimSpace(line) {
		case blockBegin:
			begin = i
		case blockEnd:
			end = i
		}
	}
	return begin, end
}

// holdsOurs reports whether a table of ours is left between the marks.
func (t *tables) holdsOurs(begin, end int) bool {
	for _, f := range t.found {
		if f.marked && !t.gone[f.start] && f.start > begin && (end < 0 || f.start < end) {
			return true
		}
	}
	return false
}
