package workspace

import (
	"cmp"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/desk"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// printWorkspace prints an answer for people, and for agents that read: names and
// values on lines.
func printWorkspace(sh *shell.Shell, op desk.Tool, answer protocol.Object) error {
	switch op.Name {
	case "workspace_status":
		sh.Printf("%s\n", answer.Text("output"))
	case "workspace_list":
		printWorkspaces(sh, answer)
	case "tanmi_help":
		if answer.Text("type") == "content" {
			sh.Printf("%s\n\n%s\n", answer.Text("title"), shell.Wrap(answer.Text("content"), shell.HelpWidth, ""))
			return nil
		}
		printValue(sh, "", answer.Raw(), "")
	case "tanmi_prompt":
		sh.Printf("%s\n", answer.Text("content"))
	case "workspace_get":
		sh.Printf("%s\nrulesHash: %s\n", strings.TrimRight(protocol.Plain(answer.Text("workspaceMd")), "\n"), answer.Text("rulesHash"))
	case "node_get":
		for _, name := range []string{"infoMd", "logMd", "problemMd"} {
			sh.Printf("%s\n", strings.TrimRight(protocol.Plain(answer.Text(name)), "\n"))
		}
	default:
		answer.Delete("success")
		if len(answer) == 0 {
			sh.Printf("ok\n")
		}
		printValue(sh, "", answer.Raw(), "")
	}
	return nil
}

func printWorkspaces(sh *shell.Shell, answer protocol.Object) {
	list := protocol.ElementsOf(answer.Get("workspaces"))
	if len(list) == 0 {
		sh.Printf("no workspaces; agents-hooks workspace init makes one\n")
	}
	for _, raw := range list {
		o := protocol.ObjectOf(raw)
		sh.Printf("%s  %s\n", sh.Paint(shell.Bold, shell.Plain(o.Text("name"))), o.Text("id"))
		p := o.Sub("progress")
		sh.Printf("  %s, %s of %s nodes done, in %s\n", o.Text("status"), cmp.Or(string(p.Get("done")), "?"), cmp.Or(string(p.Get("total")), "?"), sh.Short(o.Text("projectRoot")))
		if goal := o.Text("goal"); goal != "" {
			sh.Printf("  %s\n", shell.Clip(shell.Plain(goal), shell.HelpWidth-2))
		}
		if problem := o.Text("problem"); problem != "" {
			sh.Printf("  %s\n", sh.Paint(shell.Red, shell.Plain(problem)))
		}
	}
}

// printValue prints a value: objects and lists over several lines, indented.
func printValue(sh *shell.Shell, name string, raw protocol.Raw, indent string) {
	head := indent
	if name != "" {
		head += name + ": "
	}
	if o := protocol.ObjectOf(raw); o != nil {
		if name != "" {
			sh.Printf("%s\n", strings.TrimRight(head, " "))
			indent += "  "
		}
		for _, m := range o {
			printValue(sh, m.Name, m.Value, indent)
		}
		return
	}
	if list := protocol.ElementsOf(raw); list != nil {
		sh.Printf("%s\n", strings.TrimRight(head, " "))
		for _, e := range list {
			if o := protocol.ObjectOf(e); o != nil {
				sh.Printf("%s-\n", indent+"  ")
				printValue(sh, "", e, indent+"    ")
				continue
			}
			sh.Printf("%s- %s\n", indent+"  ", shownValue(e, indent+"    "))
		}
		return
	}
	sh.Printf("%s%s\n", head, shownValue(raw, indent+"  "))
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
func workspaceTree(sh *shell.Shell) *cli.Command {
	op, _ := desk.Find("node_list")
	offer := func(f cli.Flag, arg string) cli.Flag {
		a, _ := op.Arg(arg)
		return shell.Offer(f, words(sh, a))
	}
	return &cli.Command{
		Name: "tree", Usage: "draw the tree with its states", ArgsUsage: "[WORKSPACE]",
		BashComplete: shell.Arguments(positionalWords(sh, op, []string{"workspaceId"})),
		Description: "○ pending  ● at work  ◐ validating, monitoring  ✓ completed  ✗ failed\n" +
			"– cancelled  ◀ in focus. Behind a node: how many of its children are done with,\n" +
			"and the problem that holds it up.",
		Flags: []cli.Flag{
			offer(&cli.StringFlag{Name: "workspace-id", Aliases: []string{"workspace"}, Usage: "`ID` of the workspace"}, "workspaceId"),
			offer(&cli.StringFlag{Name: "root-id", Aliases: []string{"node", "node-id"}, Usage: "`ID` of the node to begin with"}, "rootId"),
			offer(&cli.StringFlag{Name: "session-id", Aliases: []string{"session"}, Usage: "`ID` of a session: the workspace it is bound to"}, "sessionId"),
			&cli.IntFlag{Name: "width", Usage: "most `PLACES` of a line; default that of the terminal"},
			hookset.DirFlag(), shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error { return drawWorkspace(sh, c, op) },
	}
}

func drawWorkspace(sh *shell.Shell, c *cli.Context, op desk.Tool) error {
	list, err := shell.Args(c, 0, 1, "the id of a workspace, or nothing")
	if err != nil {
		return err
	}
	d, err := workspaceDesk(sh, c)
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
	if err := onlyWorkspace(sh, c, d, op, &given); err != nil {
		return err
	}
	answer, err := d.Call(c.Context, op.Name, given)
	if err != nil || c.Bool("json") {
		return workspaceAnswer(sh, c, op, answer, err)
	}
	s, err := d.Place.Open(given.Text("workspaceId"))
	if err != nil {
		return err
	}
	done, all := s.Graph.Progress()
	sh.Printf("%s  %d/%d\n", sh.Paint(shell.Bold, shell.Plain(s.Entry.Name)), done, all)
	for _, l := range desk.Draw(s, s.Graph.Node(answer.Text("rootId")), treeWidth(sh, c)) {
		printLine(sh, l)
	}
	return nil
}

// treeWidth is how wide the tree may be; 0 is any width, where nobody looks at a
// screen.
func treeWidth(sh *shell.Shell, c *cli.Context) int {
	if c.IsSet("width") {
		return max(0, c.Int("width"))
	}
	return shell.TerminalWidth(sh.Out)
}

func printLine(sh *shell.Shell, l desk.Line) {
	sign := l.Sign
	switch l.Status {
	case workspace.Implementing, workspace.Planning, workspace.Validating, workspace.Monitoring:
		sign = sh.Paint(shell.Yellow, sign)
	case workspace.Completed:
		sign = sh.Paint(shell.Green, sign)
	case workspace.Failed:
		sign = sh.Paint(shell.Red, sign)
	}
	title := l.Title
	if l.Focus {
		title = sh.Paint(shell.Bold, title)
	}
	line := sh.Paint(shell.Dim, l.Rails) + sign + " " + title + sh.Paint(shell.Dim, " ("+l.Status+")")
	if l.Tail != "" {
		line += "  " + sh.Paint(shell.Dim, l.Tail)
	}
	if l.Focus {
		line += " ◀"
	}
	sh.Printf("%s\n", line)
}
