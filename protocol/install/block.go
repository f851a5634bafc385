package install

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/toml"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// The marks around the tables that we append, and before a line that had to make way
// for them: an empty list on one line forbids a table of its name.
const (
	entriesBegin = "# >>> agents-hooks: its entries (install writes them, uninstall removes them) >>>"
	entriesEnd   = "# <<< agents-hooks <<<"
	givenWay     = "# agents-hooks: "
)

// A blockFile is a TOML file with a table for each entry. It is edited by lines;
// what they mean is asked of a TOML parser.
type blockFile struct {
	d      *protocol.Dialect
	site   protocol.Site
	path   string
	before []byte
	bom    bool
	lines  []string // with their ends
}

// A block is one [[hooks]] table: its header, and the lines up to the last one that is
// neither blank nor a comment.
type block struct {
	found
	key        string
	start, end int
	fields     map[string]any
}

func openBlock(d *protocol.Dialect, s protocol.Site, path string) (*blockFile, error) {
	b, err := read(s, path)
	if err != nil {
		return nil, err
	}
	f := &blockFile{d: d, site: s, path: path, before: b, bom: bytes.HasPrefix(b, utf8BOM)}
	text := bytes.TrimPrefix(b, utf8BOM)
	f.lines = splitLines(string(text))
	if _, err := parseTOML(path, text); err != nil {
		return nil, err
	}
	return f, nil
}

func splitLines(s string) []string {
	lines := strings.SplitAfter(s, "\n")
	if last := len(lines) - 1; lines[last] == "" {
		lines = lines[:last]
	}
	return lines
}

// parseTOML reads a file as a whole; its errors have their place.
func parseTOML(path string, b []byte) (map[string]any, error) {
	text := string(bytes.TrimPrefix(b, utf8BOM))
	doc, err := toml.Parse(text)
	if wrong, ok := errors.AsType[*toml.Error](err); ok {
		line, col := toml.Position(text, wrong.Offset)
		return nil, &FileError{path, line, col, wrong.Behind("not TOML")}
	}
	if err != nil {
		return nil, &FileError{path, 1, 1, "not TOML: " + err.Error()}
	}
	return doc.Root, nil
}

func (f *blockFile) off() string     { return "" }
func (f *blockFile) notes() []string { return nil }

func (f *blockFile) ours() ([]found, error) {
	blocks, err := f.blocks()
	out := make([]found, len(blocks))
	for i, b := range blocks {
		out[i] = b.found
	}
	return out, err
}

// blocks are our tables. Entries that are written in another way, such as a list on one
// line, cannot be told apart by lines: that is an error.
func (f *blockFile) blocks() ([]block, error) {
	var out []block
	place := 0
	for _, t := range tomlTables(f.lines) {
		if t.name != f.d.Config.Events {
			continue
		}
		b, ok := f.block(t)
		b.Group = place
		place++
		if ok {
			out = append(out, b)
		}
	}
	values, err := parseTOML(f.path, []byte(strings.Join(f.lines, "")))
	if err != nil {
		return nil, err
	}
	switch v := values[f.d.Config.Events].(type) {
	case []map[string]any:
		if len(v) != place {
			return nil, f.notTables()
		}
	case []any:
		for _, e := range v {
			if fields, ok := e.(map[string]any); ok && f.argv(fields) != nil {
				return nil, f.notTables()
			}
		}
	}
	return out, nil
}

// notTables is the error about entries that are not in tables of their own.
func (f *blockFile) notTables() error {
	name := f.d.Config.Events
	for i, line := range f.lines {
		if key, _, ok := strings.Cut(line, "="); ok && strings.Trim(key, " \t\"'") == name || strings.TrimSpace(line) == "["+name+"]" {
			return &FileError{f.path, i + 1, 1 + strings.Index(line, name), fmt.Sprintf("want the entries of %q as [[%s]] tables; spell them so, and try again", name, name)}
		}
	}
	return &FileError{f.path, 1, 1, fmt.Sprintf("want the entries of %q as [[%s]] tables", name, name)}
}

// block reads one table, and reports whether it is ours.
func (f *blockFile) block(t tomlTable) (block, bool) {
	b := block{start: t.start, end: t.end}
	values, err := parseTOML(f.path, []byte(strings.Join(f.lines[t.start:t.end], "")))
	if err != nil {
		return b, false
	}
	tables, _ := values[f.d.Config.Events].([]map[string]any)
	if len(tables) != 1 {
		return b, false
	}
	b.fields = tables[0]
	if b.argv = f.argv(b.fields); b.argv == nil {
		return b, false
	}
	b.key, _ = b.fields["event"].(string)
	b.Event = eventOf(f.d, b.key)
	b.Matcher, b.Matched = b.fields["matcher"].(string)
	b.command, _ = b.fields[commandMember(f.d.Config, f.site)].(string)
	b.file, b.line = f.path, t.start+1
	if n, ok := b.fields[timeoutMember(f.d.Config)].(int64); ok {
		b.limit = time.Duration(n) * f.d.Config.Unit
	}
	return b, true
}

// argv is the command of an entry, nil if it is not ours.
func (f *blockFile) argv(fields map[string]any) []string {
	command, _ := fields[commandMember(f.d.Config, f.site)].(string)
	argv, err := Words(command, f.d.Config.Quoting(f.site))
	if err != nil || !Ours(argv, f.d) {
		return nil
	}
	return argv
}

func (f *blockFile) register(e protocol.Entry) error {
	wanted := wanted(f.d, e)
	have, err := f.blocks()
	if err != nil {
		return err
	}
	var extra []block
	kept := map[string]block{}
	for _, b := range have {
		_, ok := protocol.FindNative(wanted, b.Event)
		if _, second := kept[b.Event]; !ok || second {
			extra = append(extra, b)
			continue
		}
		kept[b.Event] = b
	}
	var added []string
	var stale []block
	for _, n := range wanted {
		b, ok := kept[n.Name]
		if ok && f.upToDate(b, e, n) {
			continue
		}
		text := f.table(e, n, b.fields)
		if !ok {
			added = append(added, text)
			continue
		}
		b.command = text
		stale = append(stale, b)
	}
	for _, b := range stale { // as many lines as before or others: from the last to the first
		f.lines[b.start] = b.command
		for i := b.start + 1; i < b.end; i++ {
			f.lines[i] = ""
		}
	}
	f.drop(extra)
	f.insert(added)
	return f.check()
}

// upToDate reports whether a table says what it should.
func (f *blockFile) upToDate(b block, e protocol.Entry, n protocol.Native) bool {
	c := f.d.Config
	if b.command != commandFor(f.d, f.site, e, n) || n.Matcher != "" && b.Matcher == "" {
		return false
	}
	return timeoutMember(c) == "" || b.limit == n.Limit
}

// table is the text of an entry. A matcher that its user gave it stays.
func (f *blockFile) table(e protocol.Entry, n protocol.Native, old map[string]any) string {
	c, nl := f.d.Config, f.newline()
	matcher := n.Matcher
	if m, _ := old["matcher"].(string); m != "" {
		matcher = m
	}
	var b strings.Builder
	b.WriteString("[[" + c.Events + "]]" + nl)
	b.WriteString("event = " + string(protocol.Quote(n.Key())) + nl)
	if matcher != "" {
		b.WriteString("matcher = " + string(protocol.Quote(matcher)) + nl)
	}
	b.WriteString(commandMember(c, f.site) + " = " + string(protocol.Quote(commandFor(f.d, f.site, e, n))) + nl)
	if name := timeoutMember(c); name != "" {
		b.WriteString(name + " = " + strconv.FormatInt(int64(n.Limit/c.Unit), 10) + nl)
	}
	return b.String()
}

func (f *blockFile) newline() string {
	if bytes.Contains(f.before, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

func (f *blockFile) clear() error {
	have, err := f.blocks()
	if err != nil {
		return err
	}
	if len(have) == 0 {
		return nil
	}
	f.drop(have)
	f.insert(nil)
	return f.check()
}

// check makes sure that the file is still TOML: a non-empty list on one line forbids
// tables of its name.
func (f *blockFile) check() error {
	if _, err := parseTOML(f.path, []byte(strings.Join(f.lines, ""))); err != nil {
		return f.notTables()
	}
	return nil
}

func (f *blockFile) edits() ([]protocol.Edit, error) {
	text := strings.Join(f.lines, "")
	if text == "" && len(bytes.TrimPrefix(f.before, utf8BOM)) > 0 {
		return change(f.path, f.before, nil), nil
	}
	if text == "" && f.before == nil {
		return nil, nil
	}
	after := []byte(text)
	if f.bom {
		after = append(bytes.Clone(utf8BOM), after...)
	}
	return change(f.path, f.before, after), nil
}
