package toml

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2/unstable"
)

const bom = "\ufeff"

// A Document is a text that was read.
type Document struct {
	Root   map[string]any
	Places []Place // in the order of the text
}

// A Place is where a key and its value stand in the text, in bytes.
type Place struct {
	Path       string // "hooks.disable[0].name"
	Key        int    // where its key (or the header of its table) begins
	Start, End int    // the value; of a table with a header, the header's line
	Header     bool
	Inline     bool // inside an inline table or an array
}

// Find is the first place with a path.
func (d *Document) Find(path string) (Place, bool) {
	i := slices.IndexFunc(d.Places, func(p Place) bool { return p.Path == path })
	if i < 0 {
		return Place{}, false
	}
	return d.Places[i], true
}

// An Error is why a text is no TOML.
type Error struct {
	Offset  int    // of the place, in bytes
	Key     string // the key that was being read, "" if there is none
	Message string
	Limit   bool // it may be TOML, and is over a limit of ours
}

func (e *Error) Error() string { return e.Message }

// Behind is the message behind what the text is not, unless it may be that.
func (e *Error) Behind(not string) string {
	if e.Limit {
		return e.Message
	}
	return not + ": " + e.Message
}

// Parse reads a text, which may begin with a byte order mark. The error is an
// [*Error], with the first thing that is wrong.
func Parse(text string) (*Document, error) {
	b := builder{text: text, doc: &Document{Root: map[string]any{}}, headers: map[string]bool{}}
	b.table = b.doc.Root
	if strings.HasPrefix(text, bom) {
		b.shift = len(bom)
	}
	b.parser.Reset([]byte(text[b.shift:]))
	for b.parser.NextExpression() {
		if err := b.expression(b.parser.Expression()); err != nil {
			return nil, err
		}
	}
	if err := b.parser.Error(); err != nil {
		return nil, b.noTOML(err)
	}
	return b.doc, nil
}

// Position is a place in a text as line and column, from 1, the column in
// characters.
func Position(text string, offset int) (line, col int) {
	before := text[:min(max(offset, 0), len(text))]
	line = 1 + strings.Count(before, "\n")
	begin := strings.LastIndexByte(before, '\n') + 1
	return line, 1 + utf8.RuneCountInString(before[begin:])
}

// A builder makes a document of expressions.
type builder struct {
	text    string
	shift   int // where the parser's text begins
	parser  unstable.Parser
	doc     *Document
	table   map[string]any  // that of the last header
	path    string          // its path
	name    string          // its name as it stands there, without the places in arrays
	headers map[string]bool // paths of tables that had a header
	end     int             // of the last expression
}

// Limits of a text. What is made of it would grow with their product: each place has its whole
// path, and whoever looks for one goes through all.
const (
	deepest  = 100   // values in one another, and parts of a key
	longest  = 1024  // bytes of a path
	mostKeys = 10000 // places: keys, headers and elements
)

// limit is the error for a text that is over a limit, at a key of any length.
func limit(at int, key, format string, most int) error {
	if len(key) > longest {
		key = strings.ToValidUTF8(key[:60], "") + "…"
	}
	return &Error{Offset: at, Key: key, Message: fmt.Sprintf(format, most), Limit: true}
}

// place adds a place, if the text may have one more.
func (b *builder) place(p Place) error {
	if len(p.Path) > longest {
		return limit(p.Key, p.Path, "a key with its tables is longer than %d bytes", longest)
	}
	if len(b.doc.Places) == mostKeys {
		return limit(p.Key, p.Path, "there are more than %d keys and tables", mostKeys)
	}
	b.doc.Places = append(b.doc.Places, p)
	return nil
}

// deep is the error for a key of too many parts; nil if it may be.
func deep(words []string, at int) error {
	if len(words) <= deepest {
		return nil
	}
	return limit(at, words[0], "a key has more than %d parts", deepest)
}

func (b *builder) expression(n *unstable.Node) error {
	switch n.Kind {
	case unstable.Table, unstable.ArrayTable:
		return b.header(n)
	}
	return b.keyValue(n, b.table, b.path, false, 0)
}

// span is a node's range in the text.
func (b *builder) span(r unstable.Range) (start, end int) {
	start = b.shift + int(r.Offset)
	return start, start + int(r.Length)
}

// words are the parts of a node's key, and where the first begins and the last
// ends.
func (b *builder) words(n *unstable.Node) (words []string, begin, end int) {
	for it := n.Key(); it.Next(); {
		start, stop := b.span(it.Node().Raw)
		if words == nil {
			begin = start
		}
		words, end = append(words, string(it.Node().Data)), stop
	}
	return words, begin, end
}

// Dotted is the path of a key in a table.
func Dotted(path, word string) string {
	if path == "" {
		return word
	}
	return path + "." + word
}

// header reads [table] or [[array of tables]].
func (b *builder) header(n *unstable.Node) error {
	words, first, end := b.words(n)
	if err := deep(words, first); err != nil {
		return err
	}
	begin := strings.LastIndexByte(b.text[:first], '[')
	if n.Kind == unstable.ArrayTable {
		begin--
	}
	table, path := b.doc.Root, ""
	last := len(words) - 1
	for _, w := range words[:last] {
		var ok bool
		if table, path, ok = b.descend(table, path, w); !ok {
			return &Error{Offset: first, Key: b.name, Message: "Key '" + Dotted(path, w) + "' was already created as a hash."}
		}
	}
	name := words[last]
	path = Dotted(path, name)
	had, exists := table[name]
	switch list, isList := had.([]map[string]any); {
	case n.Kind == unstable.ArrayTable:
		if exists && !isList {
			return &Error{Offset: first, Key: b.name, Message: "Key '" + strings.Join(words, ".") + "' was already created and cannot be used as an array."}
		}
		b.table = map[string]any{}
		table[name] = append(list, b.table)
		path += "[" + strconv.Itoa(len(list)) + "]"
	default:
		t, isTable := had.(map[string]any)
		if exists && !isTable || b.headers[path] {
			return &Error{Offset: first, Key: b.name, Message: "Key '" + strings.Join(words, ".") + "' has already been defined."}
		}
		if !exists {
			t = map[string]any{}
			table[name] = t
		}
		b.table = t
		b.headers[path] = true
	}
	b.path, b.name = path, strings.Join(words, ".")
	b.end = end + lineLen(b.text[end:])
	return b.place(Place{Path: path, Key: begin, Start: begin, End: b.end, Header: true})
}

// descend is the table below another one that a key stands for, the last of an
// array of tables; it is made if there is none.
func (b *builder) descend(table map[string]any, path, word string) (map[string]any, string, bool) {
	below := Dotted(path, word)
	switch v := table[word].(type) {
	case nil:
		t := map[string]any{}
		table[word] = t
		return t, below, true
	case map[string]any:
		return v, below, true
	case []map[string]any:
		return v[len(v)-1], below + "[" + strconv.Itoa(len(v)-1) + "]", true
	}
	return nil, path, false
}

// keyValue reads key = value into a table.
func (b *builder) keyValue(n *unstable.Node, table map[string]any, path string, inline bool, depth int) error {
	words, begin, end := b.words(n)
	if err := deep(words, begin); err != nil {
		return err
	}
	last := len(words) - 1
	name := words[last]
	defined := &Error{Offset: begin, Key: Dotted(path, strings.Join(words, ".")), Message: "Key '" + Dotted(path, strings.Join(words, ".")) + "' has already been defined."}
	for _, w := range words[:last] {
		if _, isList := table[w].([]map[string]any); isList {
			return defined
		}
		var ok bool
		if table, path, ok = b.descend(table, path, w); !ok {
			return defined
		}
	}
	if _, twice := table[name]; twice {
		return defined
	}
	path = Dotted(path, name)
	start := b.skip(end, " \t=")
	at := len(b.doc.Places)
	if err := b.place(Place{Path: path, Key: begin, Start: start, Inline: inline}); err != nil {
		return err
	}
	v, end, err := b.value(n.Value(), path, start, depth)
	if err != nil {
		return err
	}
	b.doc.Places[at].End = end
	table[name], b.end = v, end
	return nil
}

// value reads a value that begins at start.
func (b *builder) value(n *unstable.Node, path string, start, depth int) (v any, end int, err error) {
	if depth > deepest {
		return nil, 0, limit(start, path, "values are nested more than %d deep", deepest)
	}
	switch n.Kind {
	case unstable.Array:
		return b.array(n, path, start, depth)
	case unstable.InlineTable:
		t := map[string]any{}
		b.end = start + 1
		for it := n.Children(); it.Next(); {
			if err := b.keyValue(it.Node(), t, path, true, depth+1); err != nil {
				return nil, 0, err
			}
		}
		return t, b.skip(b.end, " \t\r\n,#") + 1, nil
	}
	start, end = b.span(n.Raw)
	v, message := scalar(n)
	if message != "" {
		return nil, 0, &Error{Offset: start, Key: path, Message: message}
	}
	return v, end, nil
}

func (b *builder) array(n *unstable.Node, path string, start, depth int) (v any, end int, err error) {
	list := []any{}
	end = start + 1
	for it := n.Children(); it.Next(); {
		begin := b.skip(end, " \t\r\n,#")
		element := path + "[" + strconv.Itoa(len(list)) + "]"
		at := len(b.doc.Places)
		if err := b.place(Place{Path: element, Key: begin, Start: begin, Inline: true}); err != nil {
			return nil, 0, err
		}
		if v, end, err = b.value(it.Node(), element, begin, depth+1); err != nil {
			return nil, 0, err
		}
		b.doc.Places[at].End = end
		list = append(list, v)
	}
	return list, b.skip(end, " \t\r\n,#") + 1, nil
}

// skip is the first place from one on that holds none of some characters; # is
// a comment up to the end of its line.
func (b *builder) skip(i int, chars string) int { return Skip(b.text, i, chars) }

// Skip is the first place of a text, from one on, that holds none of some
// characters. # among them stands for comments, up to the ends of their lines.
func Skip(text string, i int, chars string) int {
	for i < len(text) && strings.IndexByte(chars, text[i]) >= 0 {
		if text[i] == '#' {
			i += lineLen(text[i:])
			continue
		}
		i++
	}
	return i
}

// lineLen is the length of the first line of s, without its end.
func lineLen(s string) int {
	if n := strings.IndexByte(s, '\n'); n >= 0 {
		return n
	}
	return len(s)
}

// noTOML is an error of the parser with its place, and the key that it was
// reading.
func (b *builder) noTOML(err error) error {
	e := &Error{Offset: len(b.text), Key: b.name, Message: err.Error()}
	var pe *unstable.ParserError
	if !errors.As(err, &pe) {
		return e
	}
	e.Offset = b.shift + int(b.parser.Range(pe.Highlight).Offset)
	begin := b.skip(max(b.end, b.shift), " \t\r\n#")
	if eq := strings.IndexByte(b.text[min(begin, e.Offset):e.Offset], '='); eq >= 0 {
		var key unstable.Parser
		key.Reset([]byte(b.text[begin:begin+eq] + "=0"))
		if key.NextExpression() && key.Expression().Kind == unstable.KeyValue {
			words, _, _ := b.words(key.Expression())
			e.Key = Dotted(b.name, strings.Join(words, "."))
		}
	}
	if strings.Contains(pe.Message, "at start of value") || strings.Contains(pe.Message, "expected keyword") {
		e.Message = "expected value but found " + found(b.text[e.Offset:]) + " instead"
	}
	return e
}

// found is what stands in the place of a value: a word, or a character.
func found(s string) string {
	word := s[:len(s)-len(strings.TrimLeft(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."))]
	if word != "" {
		return strconv.Quote(word)
	}
	r, _ := utf8.DecodeRuneInString(s)
	return strconv.QuoteRune(r)
}
