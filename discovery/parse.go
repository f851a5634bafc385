package discovery

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// parseYAML reads a front matter with the YAML parser. line is the line of the file on
// which block begins.
func parseYAML(block string, line int) front {
	r := yamlReader{shift: line - 1}
	if p, bad := badByte(block, line); bad {
		return front{problems: []Problem{p}}
	}
	block = strings.Map(oneLineBreak, block)
	root, err := decodeYAML(block)
	if err != nil && badEscape(err) {
		repaired, spots := repairEscapes(block)
		if again, rerr := decodeYAML(repaired); rerr == nil {
			root, err = again, nil
			r.spots = spots
		}
	}
	if err != nil {
		return front{problems: []Problem{diagnose(block, line, err)}}
	}
	if root != nil {
		r.root(root)
	}
	r.escapes()
	return r.front
}

// oneLineBreak hides from the parser what it takes for line breaks but YAML 1.2, like
// every editor, does not.
func oneLineBreak(r rune) rune {
	switch r {
	case 0x85, 0x2028, 0x2029:
		return 0xa0
	}
	return r
}

// decodeYAML reads one document. If the parser panics it returns an error: a stranger's
// file must not end the dispatcher.
func decodeYAML(block string) (root *yaml.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			root, err = nil, fmt.Errorf("the YAML parser cannot read it: %v", p)
		}
	}()
	d := yaml.NewDecoder(strings.NewReader(block))
	var doc, second yaml.Node
	if err := d.Decode(&doc); err == io.EOF {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if err := d.Decode(&second); err == nil {
		return nil, fmt.Errorf("line %d: more than one YAML document", second.Line)
	} else if err != io.EOF {
		return nil, err
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	return doc.Content[0], nil
}

// A yamlReader turns YAML nodes into a front.
type yamlReader struct {
	front
	shift int    // lines before the block
	spots []spot // places whose escapes were repaired
}

// place is the place of a node in the file.
func (r *yamlReader) place(n *yaml.Node) field {
	f := field{line: n.Line, col: n.Column}
	for _, s := range r.spots {
		if s.line == f.line {
			f.col -= s.insertedBefore(f.col)
		}
	}
	f.line += r.shift
	return f
}

// field is the value of a node.
func (r *yamlReader) field(n *yaml.Node) field {
	f := r.place(n)
	if n.Kind == yaml.AliasNode {
		r.unusual(n, "an alias")
		n = n.Alias
	}
	switch n.Kind {
	case yaml.MappingNode:
		f.kind = mapping
	case yaml.SequenceNode:
		f.kind = list
	default:
		f.text = n.Value
		f.kind = scalarKind(n)
	}
	return f
}

func scalarKind(n *yaml.Node) kind {
	switch tag := n.ShortTag(); {
	case tag == "!!null":
		return null
	case tag == "!!int":
		return integer
	case tag == "!!bool":
		return boolean
	case tag == "!!str", !strings.HasPrefix(tag, "!!"):
		return text
	}
	return other
}

// unusual reports YAML that other readers of this format do not accept (HM-FMT-13).
func (r *yamlReader) unusual(n *yaml.Node, what string) {
	r.problems = append(r.problems, dubious(r.place(n), "", "write the value out", "%s is YAML that other readers of this format may not know", what))
}

func (r *yamlReader) root(n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		f := r.field(n)
		if f.kind == null {
			return
		}
		r.problems = append(r.problems, fatal(f, "", `write lines of the form "key: value"`, "the front matter is %s, not a mapping of keys to values", f.kind))
		return
	}
	r.members(n, "", func(name string, key field, value *yaml.Node) {
		k, ok := topKey(name)
		if !ok {
			r.unknown(name, name, key, topNames())
			if _, below := metadataKey(name); below {
				r.problems[len(r.problems)-1].Fix = "write it below metadata, indented"
			}
			return
		}
		r.fields[k] = r.field(value)
		if value.Kind == yaml.AliasNode {
			value = value.Alias
		}
		if value.Kind != yaml.MappingNode {
			return
		}
		switch k {
		case keyMatcher:
			r.matcher(value)
		case keyMetadata:
			r.metadata(value)
		}
	})
}

func (r *yamlReader) matcher(n *yaml.Node) {
	r.members(n, "matcher.", func(name string, key field, value *yaml.Node) {
		if k, ok := matcherKey(name); ok {
			r.fields[k] = r.field(value)
			return
		}
		r.unknown("matcher."+name, name, key, []string{"tool", "pattern", "command", "path", "content"})
	})
}

func (r *yamlReader) metadata(n *yaml.Node) {
	r.members(n, "metadata.", func(name string, key field, value *yaml.Node) {
		if k, ok := metadataKey(name); ok {
			r.fields[k] = r.field(value)
			switch {
			case k == keySandbox && r.fields[k].kind == mapping:
				r.sandbox(value)
			case k == keyRun && r.fields[k].kind == list:
				r.words = r.items(value)
			}
			return
		}
		r.foreign = r.foreign || foreignKey(name)
	})
}

// items are the elements of a list, nil for anything else.
func (r *yamlReader) items(n *yaml.Node) (out []field) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind != yaml.SequenceNode {
		return nil
	}
	for _, e := range n.Content {
		out = append(out, r.field(e))
	}
	return out
}

func (r *yamlReader) unknown(path, name string, at field, known []string) {
	at.text = name
	r.problems = append(r.problems, wrong(at, path, meant(name, known), "unknown key %s", quoted(name)))
}

func topNames() []string {
	return []string{"name", "description", "trigger", "matcher", "timeout", "async", "priority", "metadata"}
}

// mostProblems are reported of a file: a stranger's may have fifteen thousand.
const (
	mostProblems = 100
	moreProblems = "the file has more mistakes than are told"
)

// members calls f with each key and value of a mapping, and reports keys that are not
// text or occur twice, at any depth.
func (r *yamlReader) members(n *yaml.Node, path string, f func(name string, key field, value *yaml.Node)) {
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		key := r.field(k)
		if len(r.problems) >= mostProblems {
			if last := &r.problems[len(r.problems)-1]; last.Message != moreProblems {
				r.problems = append(r.problems, fatal(key, "", "mend those first", moreProblems))
			}
			return
		}
		if k.Kind != yaml.ScalarNode && k.Kind != yaml.AliasNode || key.kind == mapping || key.kind == list {
			r.problems = append(r.problems, fatal(key, strings.TrimSuffix(path, "."), "write it as text", "a key is %s", key.kind))
			continue
		}
		if v.Kind != yaml.AliasNode && (v.Anchor != "" || v.Style&yaml.TaggedStyle != 0) {
			r.unusual(v, "an anchor or a tag")
		}
		if line, twice := seen[key.text]; twice {
			p := fatal(key, path+key.text, "remove one of the two", "the key %s stands twice, first on line %d", quoted(key.text), line)
			r.problems = append(r.problems, p)
			continue
		}
		seen[key.text] = key.line
		r.nested(v, path+key.text+".")
		if f != nil {
			f(key.text, key, v)
		}
	}
}

// nested looks for duplicate keys in values that nothing else reads.
func (r *yamlReader) nested(n *yaml.Node, path string) {
	switch {
	case n.Kind == yaml.SequenceNode:
		for i, e := range n.Content {
			r.nested(e, path+strconv.Itoa(i)+".")
		}
	case n.Kind == yaml.MappingNode && path != "matcher." && path != "metadata." && path != "metadata.sandbox.":
		r.members(n, path, nil)
	}
}

// escapes reports the scalars whose escapes were read literally.
func (r *yamlReader) escapes() {
	for _, s := range r.spots {
		if !s.told {
			continue
		}
		at := field{kind: text, text: s.source, line: s.line + r.shift, col: s.col}
		name := ""
		for k, f := range r.fields {
			if f.line == at.line && f.col == at.col && f.kind == text {
				name = keyNames[k]
			}
		}
		r.problems = append(r.problems, wrong(at, name, "write it in single quotes: "+s.single(),
			"%s holds %s, which is no escape of YAML; its backslashes are read as they stand", s.source, s.escape))
	}
}

// badByte finds what YAML does not allow anywhere: invalid UTF-8, and control
// characters.
func badByte(block string, line int) (Problem, bool) {
	at := field{line: line, col: 1}
	for i := 0; i < len(block); {
		r, n := utf8.DecodeRuneInString(block[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			return fatal(at, "", "save the file as UTF-8", "byte %#02x is not UTF-8", block[i]), true
		case r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f || r >= 0x80 && r < 0xa0 && r != 0x85 || r == 0xfeff || r == 0xfffe || r == 0xffff:
			return fatal(at, "", "remove it", "the character %U is not allowed here", r), true
		case r == '\n':
			at.line, at.col = at.line+1, 1
		default:
			at.col++
		}
		i += n
	}
	return Problem{}, false
}

// diagnose turns the parser's error into a problem with a place. The parser counts
// lines from the block and is sometimes off by one, so the usual mistakes are searched
// for in the text.
func diagnose(block string, line int, err error) Problem {
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	at := field{line: line, col: 1}
	if rest, ok := strings.CutPrefix(msg, "line "); ok {
		if n, after, ok := strings.Cut(rest, ": "); ok {
			if l, err := strconv.Atoi(n); err == nil {
				at.line, msg = line+l-1, after
			}
		}
	}
	for i, text := range strings.Split(block, "\n") {
		text = strings.TrimSuffix(text, "\r")
		indent := text[:len(text)-len(strings.TrimLeft(text, " \t"))]
		if tab := strings.IndexByte(indent, '\t'); tab >= 0 && strings.TrimSpace(text) != "" {
			return fatal(field{line: line + i, col: tab + 1}, "", "indent with spaces", "a tab stands in the indentation")
		}
	}
	if s, ok := bareText(block); ok && strings.Contains(msg, "mapping values are not allowed") {
		at := field{kind: text, text: s.source, line: line + s.line - 1, col: s.col}
		return fatal(at, s.key, "put it in quotes: "+s.single(), `%s holds ": ", which plain text must not`, quoted(s.source))
	}
	at.line = min(max(at.line, line), line+strings.Count(block, "\n"))
	return fatal(at, "", "", "no valid YAML: %s", msg)
}
