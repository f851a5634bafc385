// Package tools has the tables of the MCP server: what of each behaviour is offered
// to a model, and the functions behind it.
package tools

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/mcp"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
)

// ToolSets are all sets of tools, for an agent by its id or "". In an agent the environment switches nothing
// on: a repository may have set it (RULINGS 2).
func ToolSets(sh *shell.Shell, agent string) []mcp.Set {
	inAgent := agent != ""
	off := func(behaviour string) func(dir string) string {
		return func(dir string) string { return behaviourOff(sh, behaviour, dir, !inAgent) }
	}
	return []mcp.Set{
		{Name: "memory", About: "what was remembered of this project: search, read, save, forget", Tools: memoryTools(sh), Off: off("memory")},
		{Name: "workspace", About: "the tree of tasks that this session works on: bind, focus, log, conclude", Tools: workspaceTools(sh), Off: off("workspace")},
		{Name: "evolution", About: "strategies that were learned from failures: ask, record, keep", Tools: evolutionTools(sh, agent), Off: off("evolution")},
		{Name: "skills", About: "skills that bring prompts of their own, and which of them count here", Tools: skillTools(sh), Off: off("skills")},
		{Name: "hooks", About: "which hooks there are, and what would run for an event", Tools: hookTools(sh, inAgent)},
	}
}

// behaviourOff says why a behaviour is off in a folder, "" if it is on.
func behaviourOff(sh *shell.Shell, name, dir string, mayEnable bool) string {
	set := hookset.Load(sh.Host, sh.Host.Sources(), dir, mayEnable)
	by := "nobody has enabled it"
	for _, h := range set.Hooks {
		if h.Layer != discovery.BuiltinLayer || builtin.Of(h.Name) != name {
			continue
		}
		if h.Status != discovery.Disabled {
			return ""
		}
		if h.DisabledBy != "" {
			by = "switched off by " + sh.Short(h.DisabledBy)
		}
	}
	return by
}

// ChosenSets reads --tools: memory,workspace:full. Nothing means all sets.
func ChosenSets(all []mcp.Set, words []string) (sets []mcp.Set, full map[string]bool, err error) {
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
			return nil, nil, shell.Usagef("mcp: --tools: no such set: %q; want some of %s", name, strings.Join(names, ", "))
		case sized && size != "core" && size != "full":
			return nil, nil, shell.Usagef("mcp: --tools %s: want %s:core or %s:full", w, name, name)
		case slices.ContainsFunc(sets, func(s mcp.Set) bool { return s.Name == name }):
			return nil, nil, shell.Usagef("mcp: --tools: %s stands twice", name)
		}
		sets = append(sets, all[i])
		full[name] = size == "full"
	}
	return sets, full, nil
}

// toolNames are the names that a server with some --tools can offer, all
// behaviours on.
func toolNames(sets []mcp.Set, full map[string]bool) []string {
	var names []string
	for _, s := range sets {
		for _, x := range s.Tools {
			if x.Core || full[s.Name] {
				names = append(names, x.Name)
			}
		}
	}
	return names
}

// OfferedBy is what a command line "mcp --tools …" offers.
func OfferedBy(sh *shell.Shell, words []string) ([]string, error) {
	sets, full, err := ChosenSets(ToolSets(sh, "any"), words)
	return append(toolNames(sets, full), mcp.Help, mcp.More), err
}
