// Package hookset is the commands' view of hooks. It runs none of them.
//
//	the set    every hook that an event in a folder would find, in running order,
//	           with its status: [Set], [All] and [Load]; --dir selects the folder
//	folders    hooks in a path, whatever their status: [HookAt], [HooksIn]
//	rows       what list shows of a hook: [Rows]
//	an event   what would happen to each hook, and why: [Explain]
//
// Commands print these for people; --json and the tools of the MCP server return them
// unchanged.
package hookset

import (
	"fmt"
	"slices"

	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Set is every hook that counts in a folder, without built-in ones that nobody has
// enabled.
func Set(h host.Host, workDir string) *discovery.Set { return WithoutIdle(All(h, workDir)) }

// All is every hook, including those.
func All(h host.Host, workDir string) *discovery.Set { return Load(h, h.Sources(), workDir, true) }

// Load is every hook that counts in a folder, from given sources, including built-in
// ones; mayEnable says that the environment may switch those on.
func Load(h host.Host, src discovery.Sources, workDir string, mayEnable bool) *discovery.Set {
	return discovery.Load(builtin.Sources(src, h, mayEnable), workDir)
}

// Listed are the hooks in a folder, without those of behaviours that nobody has
// enabled unless all are requested. In an agent it works as in the dispatcher: the
// environment grants no trust and switches nothing on.
func Listed(h host.Host, workDir string, inAgent, all bool) *discovery.Set {
	return listed(h, h.Sources(), workDir, inAgent, all)
}

// OfEvent are the hooks that an event finds where it happens, in the agent that it
// came from, if any.
func OfEvent(h host.Host, ev *protocol.Event) *discovery.Set {
	src := h.Sources()
	if FromAgent(ev) {
		src.Agent = ev.Agent
	}
	return listed(h, src, ev.WorkDir, FromAgent(ev), false)
}

func listed(h host.Host, src discovery.Sources, workDir string, inAgent, all bool) *discovery.Set {
	if inAgent {
		src.TrustAlways = false
	}
	set := Load(h, src, workDir, !inAgent)
	if all {
		return set
	}
	return WithoutIdle(set)
}

// WithoutIdle leaves out the built-in hooks that nobody has enabled, and their
// layer if none is left.
func WithoutIdle(set *discovery.Set) *discovery.Set {
	set.Hooks = slices.DeleteFunc(set.Hooks, func(h *discovery.Hook) bool {
		return h.Layer == discovery.BuiltinLayer && h.Status == discovery.Disabled && h.DisabledBy == ""
	})
	if !slices.ContainsFunc(set.Hooks, func(h *discovery.Hook) bool { return h.Layer == discovery.BuiltinLayer }) {
		set.Layers = slices.DeleteFunc(set.Layers, func(l discovery.Layer) bool { return l.Name == discovery.BuiltinLayer })
	}
	return set
}

// HookNamed is the hook of a name that would run, else any of that name.
func HookNamed(set *discovery.Set, name string) *discovery.Hook {
	var found *discovery.Hook
	for _, h := range set.Hooks {
		if h.Name == name && (found == nil || h.Status == discovery.Ready) {
			found = h
		}
	}
	return found
}

// BehaviourHooks are the built-in hooks of a behaviour.
func BehaviourHooks(set *discovery.Set, name string) []*discovery.Hook {
	var list []*discovery.Hook
	for _, h := range set.Hooks {
		if h.Behaviour == name && name != "" {
			list = append(list, h)
		}
	}
	return list
}

// DirFlag is the --dir of commands that look at hooks as an event in another
// folder would.
func DirFlag() cli.Flag {
	return cli.Offer(&cli.StringFlag{Name: "dir", Aliases: []string{"C"}, Usage: "look from `DIR` instead of here"}, shell.Folders)
}

// LookFrom is the folder that [DirFlag] says. Without one, and where the working directory
// is gone, nothing is looked at: an answer about no project would look like one about this.
func LookFrom(sh *shell.Shell, c *cli.Context) (string, error) {
	switch {
	case c.IsSet("dir"):
	case sh.Host.WorkDir == "":
		name := shell.CommandName(c)
		return "", shell.WithHint(fmt.Errorf("%s: %w", name, host.ErrGone), "cd to a folder that exists, or agents-hooks "+name+" --dir DIR")
	default:
		return sh.Host.WorkDir, nil
	}
	dir, err := sh.Folder(shell.CommandName(c)+": --dir", c.String("dir"))
	if err == nil && dir != sh.Host.WorkDir {
		sh.Carry("C", "-C "+sh.Word(dir)) // new has a --dir that means something else
	}
	return dir, err
}

// Names are the names of a set's hooks.
func Names(set *discovery.Set) (list []string) {
	for _, h := range set.Hooks {
		list = append(list, h.Name)
	}
	return list
}

// Words completes the name of a hook that counts here.
func Words(sh *shell.Shell) cli.Words {
	return func(cli.Line) (list []cli.Suggestion, kind cli.Kind) {
		seen := map[string]bool{}
		for _, h := range Set(sh.Host, sh.Host.WorkDir).Hooks {
			if h.Status != discovery.Foreign && discovery.ValidName(h.Name) && !seen[h.Name] {
				seen[h.Name] = true
				list = append(list, cli.Suggestion{Word: h.Name, Text: h.Description})
			}
		}
		return list, ""
	}
}

// NamesOrFolders completes the names of hooks, and folders, which may be those of others.
func NamesOrFolders(sh *shell.Shell) cli.Words {
	names := Words(sh)
	return func(l cli.Line) ([]cli.Suggestion, cli.Kind) {
		list, _ := names(l)
		return list, cli.FolderNames
	}
}
