package discovery

import (
	"strconv"

	"gopkg.in/yaml.v3"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// Metadata is the whole metadata of a HOOK.md, with the types that YAML gives it; nil
// if it cannot be read. No event needs it: the Hook has what a runner uses.
func Metadata(file []byte) protocol.Object {
	block, ok := CutFront(file)
	if !ok {
		return nil
	}
	root, err := decodeYAML(string(block))
	if err != nil || root == nil || root.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value == "metadata" {
			return protocol.ObjectOf(asJSON(root.Content[i+1], 0))
		}
	}
	return nil
}

// maxNesting bounds the depth of values.
const maxNesting = 20

// asJSON is a node as JSON. Aliases are left out: what they stand for may be large.
func asJSON(n *yaml.Node, depth int) protocol.Raw {
	if depth > maxNesting {
		return protocol.Raw("null")
	}
	switch n.Kind {
	case yaml.MappingNode:
		o := protocol.Object{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			o.Set(n.Content[i].Value, asJSON(n.Content[i+1], depth+1))
		}
		return o.Raw()
	case yaml.SequenceNode:
		return protocol.ListOf(n.Content, func(e *yaml.Node) protocol.Raw { return asJSON(e, depth+1) })
	case yaml.ScalarNode:
		return scalarJSON(n)
	}
	return protocol.Raw("null")
}

// scalarJSON keeps the spelling of whole numbers; what cannot be a number in JSON
// becomes a text.
func scalarJSON(n *yaml.Node) protocol.Raw {
	switch scalarKind(n) {
	case null:
		return protocol.Raw("null")
	case boolean:
		var b bool
		if n.Decode(&b) == nil {
			return protocol.Raw(strconv.FormatBool(b))
		}
	case integer:
		if _, err := strconv.ParseInt(n.Value, 10, 64); err == nil && (n.Value == "0" || n.Value[0] != '0' && n.Value[0] != '+') {
			return protocol.Raw(n.Value)
		}
	case other:
		if n.ShortTag() == "!!float" && protocol.ValidValue([]byte(n.Value)) == nil {
			return protocol.Raw(n.Value)
		}
	}
	return protocol.Quote(n.Value)
}
