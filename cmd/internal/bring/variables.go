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

// understood are the members of an entry that are taken over, told of elsewhere, or for people.
var understood = strings.Fields("type command commandWindows bash powershell exec windows linux osx args shell cwd working_directory env action hooks matcher commandRegex if event trigger name enabled " +
	"timeout timeoutSec timeout_ms async asyncRewake rewakeMessage rewakeSummary once loop_limit failClosed onFailure " +
	"statusMessage sequential show_output id title label version description comment note")

// restOf tells of members of an entry that are not known: an agent's newer version may have one
// that says when the hook runs, or what becomes of it where it fails.
func (f *finder) restOf(h *Hook, e Entry) refusal {
	if e.Agent == nil {
		return ""
	}
	for _, m := range e.fields.members {
		if limit := e.Agent.Config.Timeout; slices.Contains(understood, m.name) || m.name == limit || strings.ContainsAny(m.name[:min(1, len(m.name))], "_$/#") {
			continue
		}
		h.differs("%q is not known here and left out", m.name)
	}
	return ""
}
