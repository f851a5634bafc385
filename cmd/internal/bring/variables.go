package bring

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// neverSet tells of variables that a command reads as if its agent set them, and that are not set
// for the hook. Settings are copied from pages that name variables which never were.
func (f *finder) neverSet(h *Hook, e Entry) {
	if h.Speaks == nil || h.Command == "" {
		return
	}
	var given, prefixes []string
	for _, kv := range h.Speaks.Tongue.Env(protocol.Seat{}) {
		name, _, _ := strings.Cut(kv, "=")
		prefix, _, _ := strings.Cut(name, "_")
		given, prefixes = append(given, name), append(prefixes, prefix+"_")
	}
	parsed, err := syntax.NewParser().Parse(strings.NewReader(h.Command), "")
	if err != nil {
		return
	}
	reads, paths := []string(nil), f.unset(e) // scriptsOf tells of the latter
	syntax.Walk(parsed, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Assign:
			if n.Name != nil {
				given = append(given, n.Name.Value)
			}
		case *syntax.ParamExp:
			if n.Param != nil && n.Exp == nil && slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(n.Param.Value, p) }) {
				reads = append(reads, n.Param.Value)
			}
		}
		return true
	})
	for _, name := range reads {
		if !slices.Contains(given, name) && f.h.Getenv(name) == "" && !slices.Contains(paths, name) {
			h.differs("it reads $%s, which is not set: what the event is about stands in the JSON on stdin", name)
		}
	}
}
