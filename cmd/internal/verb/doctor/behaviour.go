package doctor

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	memoryops "github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
	skillops "github.com/agents-hooks/agents-hooks/builtin-hooks/skills/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// ready reports whether a hook of a behaviour runs here.
func ready(set *discovery.Set, behaviour string) bool {
	return slices.ContainsFunc(hookset.BehaviourHooks(set, behaviour), func(h *discovery.Hook) bool { return h.Status == discovery.Ready })
}

// prompts examines the prompts of skills, if agents are given them.
func prompts(shelf skillops.Catalog) []check {
	if !shelf.On {
		return nil
	}
	given, problems := 0, 0
	var untrusted []string
	for _, s := range shelf.Skills {
		problems += len(s.Problems)
		switch s.Status {
		case skillops.Ready:
			given += len(s.Hooks)
		case skillops.Untrusted:
			untrusted = append(untrusted, s.Name)
		}
	}
	list := rows("skills", checkOK, "", "%s of skills are given: agents-hooks skills list", text.Count(given, "prompt"))
	if problems > 0 {
		list = append(list, row("skills", checkWarn, "agents-hooks skills validate", "%s in the prompts of skills", text.Count(problems, "problem")))
	}
	if len(untrusted) > 0 {
		list = append(list, row("skills", checkWarn, "agents-hooks trust", "not approved, so not given: the prompts of %s", strings.Join(untrusted, ", ")))
	}
	return list
}

// memory examines the folders of memory, if it is on, and their search indexes.
func memory(h host.Host, set *discovery.Set, m memoryops.Memory) (list []check) {
	if !ready(set, "memory") {
		return nil
	}
	folders := m.Folders(false)
	if len(folders) == 0 {
		return rows("memory", checkOff, "", "memory is on, and nothing is remembered here yet")
	}
	list = append(list, waiting(h, m)...)
	for _, at := range folders {
		// A project's memory belongs to the user.
		list = append(list, readable(h, at.Dir, set.Root)...)
		k := m.Keeper
		k.Dir, k.Within = at.Dir, at.Within
		lines, damaged, err := k.Damage()
		switch {
		case err != nil:
			list = append(list, row("memory", checkError, "", "%s: %v", h.Short(at.Dir), err))
		case len(damaged) > 0:
			list = append(list, row("memory", checkWarn, "agents-hooks memory doctor", "%s: %d of %d lines cannot be read", h.Short(at.Dir), len(damaged), lines))
		default:
			list = append(list, row("memory", checkOK, "", "%s: %s", h.Short(at.Dir), text.Count(lines, "line")))
		}
		list = append(list, searchIndex(at))
	}
	return list
}

// waiting reports memory texts that are not approved.
func waiting(h host.Host, m memoryops.Memory) []check {
	item, err := m.Texts()
	switch {
	case err != nil:
		return rows("memory", checkError, "", "%v", err)
	case m.Ledger.Err() != nil:
		return rows("memory", checkError, "agents-hooks memory accept", "%v", m.Ledger.Err())
	case item.Waits():
		return rows("memory", checkWarn, "agents-hooks trust; if they are yours: agents-hooks memory accept", "not written here, so told to no agent: %s in %s", text.Count(ledger.Count(item.Files), "text"), h.Short(item.Path))
	}
	return nil
}

// searchIndex examines a folder's search index.
func searchIndex(at search.Folder) check {
	about, err := at.About()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return row("index", checkOff, "", "no index yet: the first search, or the end of a session, makes it")
	case err != nil:
		return row("index", checkWarn, "agents-hooks memory rebuild-index", "%v", err)
	}
	return row("index", checkOK, "", "whole; ready for recalls: %s", about)
}
