package install

import (
	"bytes"
	"errors"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// A document is a JSON file that is edited without respelling it.
type document struct {
	path    string
	before  []byte // nil if there is no file
	bom     bool
	endless bool // its last line is a comment that nothing ends
	root    hujson.Value
	style   style
	head    string // what a file of ours begins with, "" for nothing
}

// A style is how a file is laid out; what we add follows it.
type style struct {
	newline string // "" if the file is on one line
	indent  string
	colon   string // between a colon and its value
}

var utf8BOM = []byte("\xef\xbb\xbf")

// parseDocument reads a file; one that is missing or blank is an empty object.
func parseDocument(path string, b []byte) (*document, error) {
	doc := &document{path: path, before: b}
	text := bytes.TrimPrefix(b, utf8BOM)
	doc.bom = len(text) < len(b)
	if len(bytes.TrimSpace(text)) == 0 {
		doc.style = style{"\n", "  ", " "}
		doc.root, _ = hujson.Parse([]byte("{}\n"))
		return doc, nil
	}
	root, err := hujson.Parse(bytes.Clone(text))
	if err != nil { // a comment in the last line wants that line to end
		var ended error
		if root, ended = hujson.Parse(append(bytes.Clone(text), '\n')); ended != nil {
			return nil, doc.syntaxError(text, err)
		}
		doc.endless = true
	}
	doc.root = root
	obj, ok := root.Value.(*hujson.Object)
	if !ok {
		return nil, doc.errorAt(root.StartOffset, "want an object at the top")
	}
	doc.style = styleOf(text, obj)
	return doc, nil
}

// syntaxError finds the place of a syntax error: the parser says it in words
// only, but it stops where the error is.
func (doc *document) syntaxError(text []byte, err error) error {
	var line, col int
	msg := err.Error()
	if rest, ok := strings.CutPrefix(msg, "hujson: line "); ok {
		for _, dst := range []*int{&line, &col} {
			rest = strings.TrimPrefix(rest, ", column ")
			for len(rest) > 0 && rest[0] >= '0' && rest[0] <= '9' {
				*dst = *dst*10 + int(rest[0]-'0')
				rest = rest[1:]
			}
		}
		if inner := errors.Unwrap(err); inner != nil {
			msg = inner.Error()
		}
	}
	if line == 0 {
		return doc.errorAt(len(text), "%s", msg)
	}
	return &FileError{doc.path, line, col, "not JSON: " + msg}
}

// errorAt is an error at an offset of the parsed text.
func (doc *document) errorAt(offset int, format string, args ...any) error {
	return at(doc.path, bytes.TrimPrefix(doc.before, utf8BOM), offset, format, args...)
}

// line is the line of an offset.
func (doc *document) line(offset int) int {
	text := bytes.TrimPrefix(doc.before, utf8BOM)
	return 1 + bytes.Count(text[:min(offset, len(text))], []byte{'\n'})
}

func styleOf(text []byte, obj *hujson.Object) style {
	st := style{"\n", "  ", " "}
	if bytes.Contains(text, []byte("\r\n")) {
		st.newline = "\r\n"
	}
	if len(obj.Members) == 0 {
		return st
	}
	first := obj.Members[0]
	st.colon = string(bytes.TrimRight(first.Value.BeforeExtra, "\r\n"))
	if strings.Trim(st.colon, " \t") != "" {
		st.colon = " "
	}
	prefix, multi := lineStart(first.Name.BeforeExtra)
	switch {
	case !multi:
		st.newline, st.indent = "", ""
	case prefix != "":
		st.indent = prefix
	}
	return st
}

// lineStart is what comes before a value on its line, and whether it has a line of its
// own.
func lineStart(before hujson.Extra) (string, bool) {
	i := bytes.LastIndexByte(before, '\n')
	if i < 0 {
		return "", false
	}
	rest := before[i+1:]
	return string(rest[:len(rest)-len(bytes.TrimLeft(rest, " \t"))]), true
}

// bytes is the file as it is now; nil if our changes left nothing of it.
func (doc *document) bytes() []byte {
	obj := doc.root.Value.(*hujson.Object)
	out := doc.root.Pack()
	if doc.endless {
		out = bytes.TrimSuffix(out, []byte("\n"))
	}
	if doc.bom {
		out = append(bytes.Clone(utf8BOM), out...)
	}
	if doc.before != nil && bytes.Equal(out, doc.before) {
		return out
	}
	if doc.before != nil && len(bytes.TrimSpace(bytes.TrimPrefix(doc.before, utf8BOM))) == 0 && len(obj.Members) == 0 {
		return doc.before // nothing stood in it, so nothing of ours
	}
	if doc.headOnly(obj) && blank(obj.AfterExtra) && blank(doc.root.BeforeExtra) && blank(doc.root.AfterExtra) {
		return nil
	}
	return out
}

// headOnly reports whether only what a file of ours begins with is left.
func (doc *document) headOnly(obj *hujson.Object) bool {
	if len(obj.Members) == 0 || doc.head == "" {
		return len(obj.Members) == 0
	}
	head, err := protocol.ParseObject([]byte(doc.head))
	if err != nil || len(head) != len(obj.Members) {
		return false
	}
	for _, m := range obj.Members {
		if !blank(m.Name.BeforeExtra) || !blank(m.Name.AfterExtra) || !blank(m.Value.BeforeExtra) || !blank(m.Value.AfterExtra) {
			return false // somebody's comment
		}
	}
	rest := plain(hujson.Value{Value: obj})
	for _, m := range head {
		if string(protocol.AppendValue(nil, rest.Get(m.Name))) != string(protocol.AppendValue(nil, m.Value)) {
			return false
		}
	}
	return true
}

func blank(e hujson.Extra) bool { return len(bytes.TrimSpace(e)) == 0 }

// member finds a member of an object; a name that occurs twice is an error, because
// only one of the two counts and we cannot tell which.
func (doc *document) member(obj *hujson.Object, name string) (*hujson.Value, error) {
	var found *hujson.Value
	for i := range obj.Members {
		lit, ok := obj.Members[i].Name.Value.(hujson.Literal)
		if !ok || lit.String() != name {
			continue
		}
		if found != nil {
			return nil, doc.errorAt(obj.Members[i].Name.StartOffset, "%q stands twice", name)
		}
		found = &obj.Members[i].Value
	}
	return found, nil
}

// objectMember finds a member that has to be an object; nil if there is none.
func (doc *document) objectMember(obj *hujson.Object, name string) (*hujson.Object, error) {
	v, err := doc.member(obj, name)
	if v == nil || err != nil {
		return nil, err
	}
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, doc.errorAt(v.StartOffset, "%q: want an object", name)
	}
	return o, nil
}

// arrayMember finds a member that has to be an array; nil if there is none.
func (doc *document) arrayMember(obj *hujson.Object, name string) (*hujson.Array, error) {
	v, err := doc.member(obj, name)
	if v == nil || err != nil {
		return nil, err
	}
	a, ok := v.Value.(*hujson.Array)
	if !ok {
		return nil, doc.errorAt(v.StartOffset, "%q: want an array", name)
	}
	return a, nil
}

// plain is a value without comments and trailing commas, as an object.
func plain(v hujson.Value) protocol.Object {
	v = v.Clone()
	v.BeforeExtra, v.AfterExtra = nil, nil
	v.Standardize()
	o, err := protocol.ParseObject(v.Pack())
	if err != nil {
		return nil
	}
	return o
}
