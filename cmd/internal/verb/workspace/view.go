package workspace

import (
	"cmp"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/view"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/webpage"
)

func viewCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "view", Usage: "make an HTML page of a workspace", ArgsUsage: "[WORKSPACE]",
		Description: "One file that works without a network: the tree with its states, the logs,\n" +
			"what is in the way, rules, documents and memos. Without --out it lies in the\n" +
			"cache directory. Only you can read the file.",
		Flags: append([]cli.Flag{
			cli.Offer(&cli.StringFlag{Name: "workspace-id", Aliases: []string{"workspace", "workspaceId"}, Usage: "id of the workspace; default: that of the session, or the only one here"}, argument(sh, "workspaceId")),
		}, append(webpage.Flags(), hookset.DirFlag(), shell.JSONFlag())...),
		Complete: shell.First(argument(sh, "workspaceId")),
		Action: func(c *cli.Context) error {
			o, err := readView(sh, c)
			if err != nil {
				return err
			}
			p, dir, err := page(sh, o)
			if err != nil {
				return tell(sh, op.Op{Command: "view"}, o.json, nil, err)
			}
			file, err := webpage.Write(sh, "workspace", p, dir, o.where)
			if err != nil || file == "" {
				return err
			}
			return sh.Answer(o.json, map[string]any{"schema": 1, "success": true, "file": file, "nodes": len(p.Nodes), "logs": len(p.Logs)}, func() { sh.Printf("%s\n", file) })
		},
	}
}

type viewOptions struct {
	placeOptions
	where webpage.Options
	given op.Object
}

func readView(sh *shell.Shell, c *cli.Context) (o viewOptions, err error) {
	if _, err = shell.Args(c, 0, 1, "at most the id of a workspace"); err != nil {
		return o, err
	}
	if o.where, err = webpage.Read(c); err != nil {
		return o, err
	}
	if id := cmp.Or(c.String("workspace-id"), c.Arg()); id != "" {
		o.given.SetText("workspaceId", id)
	}
	o.placeOptions, err = readPlace(sh, c)
	return o, err
}

// page is a workspace's page, and its folder.
func page(sh *shell.Shell, o viewOptions) (view.Page, string, error) {
	d := o.operator(sh)
	if err := onlyWorkspace(d, operation(sh, "workspace_get"), &o.given); err != nil {
		return view.Page{}, "", err
	}
	return webpage.Workspace(sh, d, o.given.Text("workspaceId"))
}
