// Package tools has the tools that a model is offered: the operations of the behaviours
// (package tables), those that show hooks, and whether a behaviour is on. The MCP
// server serves them; install records them for the texts of hooks.
package tools

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/tables"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/mcp"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
)

// Sets are all sets of tools, for an agent by its id or "". In an agent the
// environment switches nothing on: a repository may have set it.
func Sets(sh *shell.Shell, agent string) []mcp.Set {
	inAgent := agent != ""
	var sets []mcp.Set
	for _, s := range tables.Of(sh.Host.Behaviours(), builtin.Standalone(sh.Host)) {
		sets = append(sets, mcp.Offers(s, func(dir string) string { return off(sh, s.Name, dir, !inAgent) }))
	}
	return append(sets, mcp.Offers(Hooks(sh.Host, inAgent), nil))
}

// off says why a behaviour is off in a folder, "" if it is on.
func off(sh *shell.Shell, name, dir string, mayEnable bool) string {
	by := "nobody has enabled it"
	for _, h := range hookset.BehaviourHooks(hookset.Load(sh.Host, sh.Host.Sources(), dir, mayEnable), name) {
		if h.Status != discovery.Disabled {
			return ""
		}
		if h.DisabledBy != "" {
			by = "switched off by " + sh.Short(h.DisabledBy)
		}
	}
	return by
}

// Choose reads --tools: memory,workspace:full. Nothing means all sets; full are those
// that are offered completely. The caller says which flag it was.
func Choose(all []mcp.Set, words []string) (sets []mcp.Set, full map[string]bool, err error) {
	full = map[string]bool{}
	words = shell.SplitCommas(words)
	if len(words) == 0 {
		return all, full, nil
	}
	var names []string
	for _, s := range all {
		names = append(names, s.Name)
	}
	for _, w := range words {
		name, size, sized := strings.Cut(w, ":")
		i := slices.Index(names, name)
		switch {
		case i < 0:
			return nil, nil, shell.Usagef("no such set: %q; want some of %s", name, strings.Join(names, ", "))
		case sized && size != "core" && size != "full":
			return nil, nil, shell.Usagef("%q: want %s:core or %s:full", w, name, name)
		case slices.ContainsFunc(sets, func(s mcp.Set) bool { return s.Name == name }):
			return nil, nil, shell.Usagef("%s is given twice", name)
		}
		sets = append(sets, all[i])
		full[name] = size == "full"
	}
	return sets, full, nil
}

// Offered are the names of the tools that a command line "mcp --tools …" offers if
// all behaviours are on.
func Offered(sh *shell.Shell, words []string) ([]string, error) {
	sets, full, err := Choose(Sets(sh, "any"), words)
	var names []string
	for _, s := range sets {
		for _, o := range s.Ops {
			if o.Core || full[s.Name] {
				names = append(names, o.Name)
			}
		}
	}
	return append(names, mcp.Help, mcp.More), err
}
