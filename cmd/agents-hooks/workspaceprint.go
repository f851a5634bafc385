package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/desk"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// printWorkspace prints an answer for people, and for agents that read: names and
// values on lines.
func (t *tool) printWorkspace(op desk.Tool, answer protocol.Object) error {
	switch op.Name {
	case "workspace_status":
		t.printf("%s\n", answer.Text("output"))
	case "workspace_list":
		t.printWorkspaces(answer)
	case "tanmi_help":
		if answer.Text("type") == "content" {
			t.printf("%s\n\n%s\n", answer.Text("title"), wrap(answer.Text("content"), helpWidth, ""))
			return nil
		}
		t.printValue("", answer.Raw(), "")
	case "tanmi_prompt":
		t.printf("%s\n", answer.Text("content"))
	case "workspace_get":
		t.printf("%s\nrulesHash: %s\n", strings.TrimRight(protocol.Plain(answer.Text("workspaceMd")), "\n"), answer.Text("rulesHash"))
	case "node_get":
		for _, name := range []string{"infoMd", "logMd", "problemMd"} {
			t.printf("%s\n", strings.TrimRight(protocol.Plain(answer.Text(name)), "\n"))
		}
	default:
		answer.Delete("success")
		if len(answer) == 0 {
			t.printf("ok\n")
		}
		t.printValue("", answer.Raw(), "")
	}
	return nil
}

func (t *tool) printWorkspaces(answer protocol.Object) {
	list := protocol.ElementsOf(answer.Get("workspaces"))
	if len(list) == 0 {
		t.printf("no workspaces; agents-hooks workspace init makes one\n")
	}
	for _, raw := range list {
		o := protocol.ObjectOf(raw)
		t.printf("%s  %s\n", t.paint(bold, plain(o.Text("name"))), o.Text("id"))
		p := o.Sub("progress")
		t.printf("  %s, %s of %s nodes done, in %s\n", o.Text("status"), or(string(p.Get("done")), "?"), or(string(p.Get("total")), "?"), t.short(o.Text("projectRoot")))
		if goal := o.Text("goal"); goal != "" {
			t.printf("  %s\n", clip(plain(goal), helpWidth-2))
		}
		if problem := o.Text("problem"); problem != "" {
			t.printf("  %s\n", t.paint(red, plain(problem)))
		}
	}
}

// printValue prints a value: objects and lists over several lines, indented.
func (t *tool) printValue(name string, raw protocol.Raw, indent string) {
	head := indent
	if name != "" {
		head += name + ": "
	}
	if o := protocol.ObjectOf(raw); o != nil {
		if name != "" {
			t.printf("%s\n", strings.TrimRight(head, " "))
			indent += "  "
		}
		for _, m := range o {
			t.printValue(m.Name, m.Value, indent)
		}
		return
	}
	if list := protocol.ElementsOf(raw); list != nil {
		t.printf("%s\n", strings.TrimRight(head, " "))
		for _, e := range list {
			if o := protocol.ObjectOf(e); o != nil {
				t.printf("%s-\n", indent+"  ")
				t.printValue("", e, indent+"    ")
				continue
			}
			t.printf("%s- %s\n", indent+"  ", shownValue(e, indent+"    "))
		}
		return
	}
	t.printf("%s%s\n", head, shownValue(raw, indent+"  "))
}

// shownValue is a text or a number; what goes over several lines stays in one
// column.
func shownValue(raw protocol.Raw, indent string) string {
	if len(raw) == 0 || raw[0] != '"' {
		return string(raw)
	}
	return strings.ReplaceAll(protocol.Plain(protocol.TextOf(raw)), "\n", "\n"+indent)
}

// workspaceTree draws the tree.
func (t *tool) workspaceTree() *cli.Command {
	op, _ := desk.Find("node_list")
	return &cli.Command{
		Name: "tree", Usage: "draw the tree with its states", ArgsUsage: "[WORKSPACE]",
		Description: "○ pending  ● at work  ◐ validating, monitoring  ✓ completed  ✗ failed\n" +
			"– cancelled  ◀ in focus. Behind a node: how many of its children are done with,\n" +
			"and the problem that holds it up.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "workspace-id", Aliases: []string{"workspace"}, Usage: "`ID` of the workspace"},
			&cli.StringFlag{Name: "root-id", Aliases: []string{"node", "node-id"}, Usage: "`ID` of the node to begin with"},
			&cli.StringFlag{Name: "session-id", Aliases: []string{"session"}, Usage: "`ID` of a session: the workspace it is bound to"},
			&cli.IntFlag{Name: "width", Usage: "most `PLACES` of a line; default that of the terminal"},
			dirFlag(), jsonFlag(),
		},
		Action: func(c *cli.Context) error { return t.drawWorkspace(c, op) },
	}
}

func (t *tool) drawWorkspace(c *cli.Context, op desk.Tool) error {
	list, err := args(c, 0, 1, "the id of a workspace, or nothing")
	if err != nil {
		return err
	}
	d, err := t.workspaceDesk(c)
	if err != nil {
		return err
	}
	var given protocol.Object
	switch {
	case len(list) == 1:
		given.SetText("workspaceId", list[0])
	case c.IsSet("workspace-id"):
		given.SetText("workspaceId", c.String("workspace-id"))
	}
	if s := c.String("session-id"); s != "" {
		d.Session = s
	}
	if id := c.String("root-id"); id != "" {
		given.SetText("rootId", id)
	}
	if err := t.onlyWorkspace(c, d, op, &given); err != nil {
		return err
	}
	answer, err := d.Call(c.Context, op.Name, given)
	if err != nil || c.Bool("json") {
		return t.workspaceAnswer(c, op, answer, err)
	}
	s, err := d.Place.Open(given.Text("workspaceId"))
	if err != nil {
		return err
	}
	done, all := s.Graph.Progress()
	t.printf("%s  %d/%d\n", t.paint(bold, plain(s.Entry.Name)), done, all)
	for _, l := range desk.Draw(s, s.Graph.Node(answer.Text("rootId")), t.treeWidth(c)) {
		t.printLine(l)
	}
	return nil
}

// treeWidth is how wide the tree may be; 0 is any width, where nobody looks at a
// screen.
func (t *tool) treeWidth(c *cli.Context) int {
	if c.IsSet("width") {
		return max(0, c.Int("width"))
	}
	return terminalWidth(t.out)
}

func (t *tool) printLine(l desk.Line) {
	sign := l.Sign
	switch l.Status {
	case workspace.Implementing, workspace.Planning, workspace.Validating, workspace.Monitoring:
		sign = t.paint(yellow, sign)
	case workspace.Completed:
		sign = t.paint(green, sign)
	case workspace.Failed:
		sign = t.paint(red, sign)
	}
	title := l.Title
	if l.Focus {
		title = t.paint(bold, title)
	}
	line := t.paint(dim, l.Rails) + sign + " " + title + t.paint(dim, " ("+l.Status+")")
	if l.Tail != "" {
		line += "  " + t.paint(dim, l.Tail)
	}
	if l.Focus {
		line += " ◀"
	}
	t.printf("%s\n", line)
}
