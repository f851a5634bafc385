// Package workspace is the workspace command: tasks as trees of nodes, with logs, problems and
// rules. The operations of builtin-hooks/workspace/ops are commands here and tools of the MCP
// server; each can also be called by its tool's name.
package workspace

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/opcli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// Command is the workspace command, for users and for agents.
func Command(sh *shell.Shell) *cli.Command {
	room := &cli.Command{
		Name: "workspace", Aliases: []string{"ws"}, Usage: "tasks as trees of nodes, with logs, problems and rules",
		Description: "A workspace is a goal, rules that hold, and a tree of planning and execution\n" +
			"nodes, in plain files of the project. A session of an agent is bound to one only\n" +
			"by: agents-hooks workspace session bind. Where one workspace is meant and none is\n" +
			"named, it is the one of the session, or the only active one of the project.\n\n" +
			"The hooks that use it are off until: agents-hooks enable workspace",
	}
	groups := map[string]*cli.Command{}
	var hidden []*cli.Command
	for _, o := range ops.Ops(builtin.Standalone(sh.Host)) {
		alias := verb(sh, o, o.Name, "")
		alias.Hidden, alias.Aliases = true, []string{strings.ReplaceAll(o.Name, "_", "-")}
		hidden = append(hidden, alias)
		group, name, ok := strings.Cut(o.Command, " ")
		if !ok {
			room.Subcommands = append(room.Subcommands, verb(sh, o, o.Command, ""))
			continue
		}
		if groups[group] == nil {
			groups[group] = &cli.Command{Name: group, Usage: about(group)}
			room.Subcommands = append(room.Subcommands, groups[group])
		}
		groups[group].Subcommands = append(groups[group].Subcommands, verb(sh, o, name, ""))
	}
	transition := operation(sh, "node_transition")
	for _, action := range ops.Actions() {
		groups["node"].Subcommands = append(groups["node"].Subcommands, actionCommand(sh, transition, action))
	}
	groups["import"].Subcommands = append(groups["import"].Subcommands, importCommand(sh))
	room.Subcommands = append(room.Subcommands, acceptCommand(sh), treeCommand(sh), viewCommand(sh))
	room.Subcommands = append(room.Subcommands, hidden...)
	return room
}

// about describes a group of commands in the help.
func about(group string) string {
	return map[string]string{
		"node": "the nodes of the tree", "log": "what was done", "problem": "what holds work up",
		"context": "what is needed to work on a node", "memo": "drafts beside the tree",
		"session": "which session works on what", "dispatch": "hand nodes to subagents",
		"config": "what is set for all workspaces", "import": "take a specified change over",
		"capability": "what is worth finding out first",
	}[group]
}

// operation is a workspace operation by its name.
func operation(sh *shell.Shell, name string) op.Op {
	o, _ := op.Find(ops.Ops(builtin.Standalone(sh.Host)), name)
	return o
}

// verb is an operation as a command. action is a node's action, "" if it is an argument.
func verb(sh *shell.Shell, o op.Op, name, action string) *cli.Command {
	more := []cli.Flag{hookset.DirFlag(), shell.JSONFlag()}
	if slices.Contains([]string{"node_create", "workspace_init", "plan_create"}, o.Name) {
		more = append(more, fromFlag())
	}
	return opcli.Command(sh, o, name, more, func(c *cli.Context, given op.Object) error {
		p, err := readPlace(sh, c)
		if err != nil {
			return err
		}
		given.PutText("action", action)
		switch from := c.String("from"); {
		case o.Name == "plan_create":
			if from == "" {
				return shell.WithHint(shell.Usagef("workspace create: want --from FILE, or - for stdin"), "agents-hooks workspace guide plan shows what a plan looks like")
			}
			return createFrom(c.Context, sh, p, from, given)
		case o.Name == "node_create" && from != "":
			return createFrom(c.Context, sh, p, from, given)
		case o.Name == "workspace_init" && from != "":
			return initFrom(c.Context, sh, p, from, given)
		}
		answer, err := do(c.Context, sh, p, o, given)
		o := o
		o.Command = strings.TrimPrefix(shell.CommandName(c), "workspace ") // as it was typed: start is a transition
		return tell(sh, o, p.json, answer, err)
	})
}

// actionCommand is an action on a node as a command of its own: node start ID.
func actionCommand(sh *shell.Shell, o op.Op, action string) *cli.Command {
	o.Words = o.Words[:1]
	o.Args = slices.Clone(o.Args)
	for i := range o.Args {
		o.Args[i].NoFlag = o.Args[i].NoFlag || o.Args[i].Name == "action"
	}
	c := verb(sh, o, action, action)
	c.Usage = "node transition with the action " + action
	return c
}
