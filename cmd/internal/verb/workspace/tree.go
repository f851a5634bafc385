package workspace

import (
	"context"
	"strconv"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

func treeCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "tree", Usage: "draw the tree with its states", ArgsUsage: "[WORKSPACE]",
		Description: "○ pending  ● at work  ◐ validating, monitoring  ✓ completed  ✗ failed\n" +
			"– cancelled  ◀ in focus. Behind a node: how many of its children are done with,\n" +
			"and the problem that holds it up.",
		Flags: []cli.Flag{
			cli.Offer(&cli.StringFlag{Name: "workspace-id", Aliases: []string{"workspace"}, Usage: "`ID` of the workspace"}, argument(sh, "workspaceId")),
			cli.Offer(&cli.StringFlag{Name: "root-id", Aliases: []string{"node", "node-id"}, Usage: "`ID` of the node to begin with"}, argument(sh, "rootId")),
			cli.Offer(&cli.StringFlag{Name: "session-id", Aliases: []string{"session"}, Usage: "`ID` of a session: the workspace it is bound to"}, argument(sh, "sessionId")),
			&cli.IntFlag{Name: "depth", Usage: "`LEVELS` below the first"},
			cli.Offer(&cli.StringFlag{Name: "filter", Usage: "part of a title, or open, ready, waiting, at-work, mine, or a state (`WORD`)"}, shell.Fixed("open", "ready", "waiting", "at-work", "mine", "pending", "completed", "failed")),
			&cli.IntFlag{Name: "page", Usage: "page `N` of a large tree"},
			&cli.BoolFlag{Name: "all", Usage: "every node"},
			&cli.IntFlag{Name: "width", Usage: "columns (`PLACES`) of a line; default: as wide as the terminal"},
			hookset.DirFlag(), shell.JSONFlag(),
		},
		Complete: shell.First(argument(sh, "workspaceId")),
		Action: func(c *cli.Context) error {
			o, err := readTree(sh, c)
			if err != nil {
				return err
			}
			answer, s, err := tree(c.Context, sh, o)
			if err != nil || o.json {
				return tell(sh, op.Op{Command: "tree"}, o.json, answer, err)
			}
			done, all := s.Graph.Progress()
			sh.Printf("%s  %d/%d\n", sh.Paint(shell.Bold, shell.Plain(s.Entry.Name)), done, all)
			lines, rest := o.operator(sh).Shown(s, s.Graph.Node(answer.Text("rootId")), o.width, o.given)
			if o.all {
				lines, rest = ops.Draw(s, s.Graph.Node(answer.Text("rootId")), o.width, ops.Part{}), ""
			}
			for _, l := range lines {
				printLine(sh, l)
			}
			if rest != "" {
				sh.Printf("%s\n", sh.Paint(shell.Dim, rest))
			}
			return nil
		},
	}
}

// argument completes an argument of node_list.
func argument(sh *shell.Shell, name string) cli.Words {
	return func(l cli.Line) (list []cli.Suggestion, kind cli.Kind) {
		call := builtin.Call(sh.Host, sh.Host.WorkDir)
		call.Args.SetText("workspaceId", l.Flag("workspace-id", "workspace"))
		o := operation(sh, "node_list")
		a, ok := o.Arg(name)
		if !ok { // the session's, which only the command has
			a.From = ops.Sessions
		}
		for _, w := range o.Offer(a.From, call) {
			list = append(list, cli.Suggestion{Word: w.Word, Text: w.Text})
		}
		return list, ""
	}
}

type treeOptions struct {
	placeOptions
	session string
	width   int // of a line; 0: unlimited, if the output is not a screen
	all     bool
	given   op.Object
}

func readTree(sh *shell.Shell, c *cli.Context) (o treeOptions, err error) {
	list, err := shell.Args(c, 0, 1, "the id of a workspace, or nothing")
	if err != nil {
		return o, err
	}
	switch {
	case len(list) == 1:
		o.given.SetText("workspaceId", list[0])
	case c.IsSet("workspace-id"):
		o.given.SetText("workspaceId", c.String("workspace-id"))
	}
	o.given.PutText("rootId", c.String("root-id"))
	for _, name := range []string{"depth", "page"} {
		if c.IsSet(name) {
			o.given.Set(name, strconv.AppendInt(nil, int64(c.Int(name)), 10))
		}
	}
	if c.IsSet("filter") {
		o.given.SetText("filter", c.String("filter"))
	}
	o.all = c.Bool("all")
	o.session, o.width = c.String("session-id"), shell.TerminalWidth(sh.Out)
	if c.IsSet("width") {
		o.width = max(0, c.Int("width"))
	}
	o.placeOptions, err = readPlace(sh, c)
	return o, err
}

// tree is the answer of node_list, and the workspace that it is about.
func tree(ctx context.Context, sh *shell.Shell, o treeOptions) (op.Object, *workspace.Store, error) {
	d := o.operator(sh)
	if o.session != "" {
		d.Session = o.session
	}
	list := operation(sh, "node_list")
	if err := onlyWorkspace(d, list, &o.given); err != nil {
		return nil, nil, err
	}
	answer, err := d.Call(ctx, list.Name, o.given)
	if err != nil {
		return nil, nil, err
	}
	s, err := d.Place.Open(o.given.Text("workspaceId"))
	return answer, s, err
}
