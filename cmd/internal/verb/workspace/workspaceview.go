package workspace

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/desk"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/view"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/webpage"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func workspaceView(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "view", Usage: "make an HTML page of a workspace", ArgsUsage: "[WORKSPACE]",
		Description: "One file that works without a network: the tree with its states, the logs,\n" +
			"what is in the way, rules, documents and memos. Without --out it lies in the\n" +
			"cache directory. Only you can read the file.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "workspace-id", Aliases: []string{"workspace", "workspaceId"}, Usage: "id of the workspace; default: that of the session, or the only one here"},
			webpage.OutFlag(), webpage.OpenFlag(), hookset.DirFlag(), shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error { return viewWorkspace(sh, c) },
	}
}

func viewWorkspace(sh *shell.Shell, c *cli.Context) error {
	list, err := shell.Args(c, 0, 1, "at most the id of a workspace")
	if err != nil {
		return err
	}
	if err := webpage.PageFlags(c); err != nil {
		return err
	}
	d, err := workspaceDesk(sh, c)
	if err != nil {
		return err
	}
	var given protocol.Object
	if id := c.String("workspace-id"); id != "" {
		given.SetText("workspaceId", id)
	} else if len(list) == 1 {
		given.SetText("workspaceId", list[0])
	}
	op, _ := desk.Find("workspace_get")
	if err := onlyWorkspace(sh, c, d, op, &given); err != nil {
		return err
	}
	s, err := d.Place.Open(given.Text("workspaceId"))
	if err != nil {
		return fmt.Errorf("workspace view: %w", err)
	}
	s.Now = sh.Host.Now()
	p := view.Of(s)
	p.Dir, p.Language = sh.Short(s.Dir), "en"
	if d.Chinese {
		p.Language = "zh"
	}
	out := c.String("out")
	file, err := webpage.WritePage(sh, "workspace", p, out, s.Dir, c.Bool("open"))
	if err != nil || out == "-" {
		return err
	}
	if c.Bool("json") {
		return sh.JSON(map[string]any{"schema": 1, "success": true, "file": file, "nodes": len(p.Nodes), "logs": len(p.Logs)})
	}
	sh.Printf("%s\n", file)
	return nil
}
