package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/desk"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/view"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func (t *tool) workspaceView() *cli.Command {
	return &cli.Command{
		Name: "view", Usage: "make an HTML page of a workspace", ArgsUsage: "[WORKSPACE]",
		Description: "One file that works without a network: the tree with its states, the logs,\n" +
			"what is in the way, rules, documents and memos. Without --out it lies in the\n" +
			"cache directory. Only you can read the file.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "workspace-id", Aliases: []string{"workspace", "workspaceId"}, Usage: "id of the workspace; default: that of the session, or the only one here"},
			outFlag(), openFlag(), dirFlag(), jsonFlag(),
		},
		Action: t.viewWorkspace,
	}
}

func (t *tool) viewWorkspace(c *cli.Context) error {
	list, err := args(c, 0, 1, "at most the id of a workspace")
	if err != nil {
		return err
	}
	if err := pageFlags(c); err != nil {
		return err
	}
	d, err := t.workspaceDesk(c)
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
	if err := t.onlyWorkspace(c, d, op, &given); err != nil {
		return err
	}
	s, err := d.Place.Open(given.Text("workspaceId"))
	if err != nil {
		return fmt.Errorf("workspace view: %w", err)
	}
	s.Now = t.host.Now()
	p := view.Of(s)
	p.Dir, p.Language = t.short(s.Dir), "en"
	if d.Chinese {
		p.Language = "zh"
	}
	out := c.String("out")
	file, err := t.writePage("workspace", p, out, s.Dir, c.Bool("open"))
	if err != nil || out == "-" {
		return err
	}
	if c.Bool("json") {
		return t.json(map[string]any{"schema": 1, "success": true, "file": file, "nodes": len(p.Nodes), "logs": len(p.Logs)})
	}
	t.printf("%s\n", file)
	return nil
}
