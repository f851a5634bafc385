package bring

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
	"gopkg.in/yaml.v3"

	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/internal/toml"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A value of a configuration in any of the languages, with its line numbers.
type value struct {
	kind        kind
	text        string // a text, or a number or boolean as spelled
	members     []member
	items       []value
	first, last int // lines
}

type member struct {
	name string
	value
}

type kind uint8

const (
	absent kind = iota
	scalar      // null, a number or a boolean
	text
	object
	list
)

func (k kind) String() string {
	return [...]string{"nothing", "a number, a boolean or null", "a string", "an object", "a list"}[k]
}

// get is a member; if a name occurs twice, the last one counts, as it does for the agents that read
// the file. It is absent if v is not an object.
func (v value) get(name string) value {
	for i := len(v.members) - 1; i >= 0; i-- {
		if v.members[i].name == name {
			return v.members[i].value
		}
	}
	return value{}
}

// str is a member's text, "" if it has none.
func (v value) str(name string) string {
	if m := v.get(name); m.kind == text {
		return m.text
	}
	return ""
}

func (v value) is(name string) bool {
	m := v.get(name)
	return m.kind == scalar && m.text == "true"
}

// json is the value in a canonical form: equal values have the same one.
func (v value) json() string {
	switch v.kind {
	case absent:
		return "null"
	case text:
		return string(protocol.Quote(v.text))
	case list:
		parts := make([]string, len(v.items))
		for i, e := range v.items {
			parts[i] = e.json()
		}
		return "[" + strings.Join(parts, ",") + "]"
	case object:
		var parts []string
		for _, m := range v.members {
			parts = append(parts, string(protocol.Quote(m.name))+":"+m.value.json())
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, ",") + "}"
	}
	return v.text
}

// A fileError says why, and where, a file cannot be read as what it should be.
type fileError struct {
	line, col int
	msg       string
}

func (e *fileError) Error() string { return e.msg }

// maxNesting is how deeply values may be nested.
const maxNesting = 64

// parse reads a file in the language of its extension.
func parse(path string, b []byte) (value, error) {
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	switch {
	case bytes.IndexByte(b, 0) >= 0:
		return value{}, &fileError{msg: "it contains a zero byte, so it is not text"}
	case strings.HasSuffix(path, ".toml"):
		return parseTOML(string(b))
	case strings.HasSuffix(path, ".yml"), strings.HasSuffix(path, ".yaml"):
		return parseYAML(b)
	}
	return parseJSON(b)
}

// parseJSON reads JSON that may have comments and trailing commas.
func parseJSON(b []byte) (value, error) {
	if len(bytes.TrimSpace(b)) == 0 {
		return value{kind: object}, nil
	}
	if err := nested(b); err != nil {
		return value{}, err
	}
	root, err := hujson.Parse(b)
	if err != nil { // a comment in the last line must end with a newline
		var ended error
		if root, ended = hujson.Parse(append(b[:len(b):len(b)], '\n')); ended == nil {
			err = nil
		}
	}
	if err != nil {
		e := &fileError{msg: err.Error()}
		if _, serr := fmt.Sscanf(e.msg, "hujson: line %d, column %d:", &e.line, &e.col); serr == nil {
			e.msg = errors.Unwrap(err).Error()
		}
		e.msg = "not JSON: " + strings.TrimPrefix(e.msg, "hujson: ")
		return value{}, e
	}
	lines := lineStarts(b)
	return fromJSON(root, lines), nil
}

// nested refuses what is nested too deeply before it reaches a recursive parser.
func nested(b []byte) error {
	depth, line := 0, 1
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '\n':
			line++
		case '"':
			for i++; i < len(b) && b[i] != '"' && b[i] != '\n'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			if depth++; depth > maxNesting {
				return &fileError{line: line, col: 1, msg: fmt.Sprintf("more than %d values lie in one another", maxNesting)}
			}
		case '}', ']':
			depth--
		}
	}
	return nil
}

// lineStarts are the offsets at which lines begin.
func lineStarts(b []byte) []int {
	starts := []int{0}
	for i, c := range b {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

func lineOf(starts []int, offset int) int {
	i, found := slices.BinarySearch(starts, offset)
	if !found {
		return i
	}
	return i + 1
}

func fromJSON(v hujson.Value, lines []int) value {
	out := value{first: lineOf(lines, v.StartOffset), last: lineOf(lines, max(v.StartOffset, v.EndOffset-1))}
	switch in := v.Value.(type) {
	case *hujson.Object:
		out.kind = object
		for _, m := range in.Members {
			name, _ := m.Name.Value.(hujson.Literal)
			out.members = append(out.members, member{name.String(), fromJSON(m.Value, lines)})
		}
	case *hujson.Array:
		out.kind = list
		for _, e := range in.Elements {
			out.items = append(out.items, fromJSON(e, lines))
		}
	case hujson.Literal:
		out.kind, out.text = scalar, string(in)
		if in.Kind() == '"' {
			out.kind, out.text = text, in.String()
		}
	}
	return out
}

func parseTOML(s string) (value, error) {
	doc, err := toml.Parse(s)
	if wrong, ok := errors.AsType[*toml.Error](err); ok {
		line, col := toml.Position(s, wrong.Offset)
		return value{}, &fileError{line, col, wrong.Behind("not TOML")}
	}
	if err != nil {
		return value{}, err
	}
	places := map[string]int{}
	for _, p := range doc.Places {
		line, _ := toml.Position(s, p.Key)
		if _, ok := places[p.Path]; !ok {
			places[p.Path] = line
		}
	}
	return fromTOML(doc.Root, "", places, 1), nil
}

// fromTOML is a value with the line of its key; the parser does not say where it ends.
func fromTOML(in any, path string, places map[string]int, line int) value {
	if at, ok := places[path]; ok {
		line = at
	}
	out := value{first: line, last: line}
	each := func(n int, at func(int) any) {
		out.kind = list
		for i := range n {
			out.items = append(out.items, fromTOML(at(i), path+"["+strconv.Itoa(i)+"]", places, line))
		}
	}
	switch in := in.(type) {
	case map[string]any:
		out.kind = object
		for name, v := range in {
			out.members = append(out.members, member{name, fromTOML(v, toml.Dotted(path, name), places, line)})
		}
	case []map[string]any:
		each(len(in), func(i int) any { return in[i] })
	case []any:
		each(len(in), func(i int) any { return in[i] })
	case string:
		out.kind, out.text = text, in
	default:
		out.kind, out.text = scalar, fmt.Sprint(in)
	}
	_, placed := places[path]
	for i, e := range out.items {
		if out.last = max(out.last, e.last); i == 0 && !placed {
			out.first = e.first
		}
	}
	order.By(out.members, func(a, b member) int {
		return cmp.Or(a.first-b.first, strings.Compare(a.name, b.name))
	})
	for _, m := range out.members {
		out.last = max(out.last, m.last)
	}
	return out
}

func parseYAML(b []byte) (value, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(b, &root); err != nil {
		e := &fileError{msg: "not YAML: " + strings.TrimPrefix(err.Error(), "yaml: ")}
		if _, serr := fmt.Sscanf(err.Error(), "yaml: line %d:", &e.line); serr == nil {
			e.col = 1
		}
		return value{}, e
	}
	if len(root.Content) == 0 {
		return value{kind: object}, nil
	}
	return fromYAML(root.Content[0], 0), nil
}

// fromYAML leaves out aliases: what they refer to may be large.
func fromYAML(n *yaml.Node, depth int) value {
	out := value{first: n.Line, last: n.Line}
	if depth > maxNesting {
		return out
	}
	switch n.Kind {
	case yaml.MappingNode:
		out.kind = object
		for i := 0; i+1 < len(n.Content); i += 2 {
			out.members = append(out.members, member{n.Content[i].Value, fromYAML(n.Content[i+1], depth+1)})
		}
	case yaml.SequenceNode:
		out.kind = list
		for _, e := range n.Content {
			out.items = append(out.items, fromYAML(e, depth+1))
		}
	case yaml.ScalarNode:
		out.kind, out.text = scalar, n.Value
		if n.ShortTag() == "!!str" {
			out.kind = text
		}
	}
	return out
}
