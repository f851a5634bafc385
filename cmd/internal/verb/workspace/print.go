package workspace

import (
	"cmp"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/opcli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// printAnswer prints an answer for people, and for agents that read text: names and values on
// lines.
func printAnswer(sh *shell.Shell, o op.Op, answer op.Object) {
	switch o.Name {
	case "workspace_status":
		sh.Printf("%s\n", answer.Text("output"))
	case "workspace_list":
		printWorkspaces(sh, answer)
	case "tanmi_help":
		if answer.Text("type") == "content" {
			sh.Printf("%s\n\n%s\n", answer.Text("title"), text.Wrap(answer.Text("content"), sh.Columns(), ""))
			return
		}
		opcli.Print(sh, "", answer.Raw(), "")
	case "tanmi_prompt":
		sh.Printf("%s\n", answer.Text("content"))
	case "workspace_get":
		sh.Printf("%s\nrulesHash: %s\n", strings.TrimRight(protocol.Plain(answer.Text("workspaceMd")), "\n"), answer.Text("rulesHash"))
	case "node_get":
		for _, name := range []string{"infoMd", "logMd", "problemMd"} {
			sh.Printf("%s\n", strings.TrimRight(protocol.Plain(answer.Text(name)), "\n"))
		}
	case "node_begin":
		printCard(sh, "begun: ", answer)
	case "node_done":
		sh.Printf("%s: %s  %s\n", answer.Text("status"), shell.Plain(answer.Text("nodeId")), answer.Text("progress"))
		for _, e := range protocol.ElementsOf(answer.Get("unproven")) {
			sh.Printf("no evidence: %s\n", shell.Plain(protocol.TextOf(e)))
		}
		if begun := answer.Sub("begun"); begun != nil {
			printCard(sh, "begun: ", begun)
		}
		printNext(sh, answer)
	case "node_next":
		sh.Printf("%s\n", answer.Text("progress"))
		printNext(sh, answer)
		for _, name := range []string{"waiting", "others", "lost"} {
			for _, e := range protocol.ElementsOf(answer.Get(name)) {
				sh.Printf("%s: %s\n", name, shell.Plain(protocol.TextOf(e)))
			}
		}
	case "plan_create":
		sh.Printf("created %s\n", answer.Get("created"))
		for _, m := range answer.Sub("nodes") {
			sh.Printf("%s  %s\n", shell.Plain(m.Name), shell.Plain(protocol.TextOf(m.Value)))
		}
		for _, name := range []string{"workspaceId", "rulesHash"} {
			if text := answer.Text(name); text != "" {
				sh.Printf("%s: %s\n", name, text)
			}
		}
		printNext(sh, answer)
	default:
		answer.Delete("success")
		if len(answer) == 0 {
			sh.Printf("ok\n")
		}
		opcli.Print(sh, "", answer.Raw(), "")
	}
}

// printCard prints what somebody who works on a node needs.
func printCard(sh *shell.Shell, head string, o op.Object) {
	line := head + o.Text("title") + " (" + o.Text("nodeId") + ")"
	if p := o.Text("progress"); p != "" {
		line += "  " + p
	}
	sh.Printf("%s\n", shell.Plain(line))
	for _, f := range [][2]string{{"path", "path: "}, {"requirement", ""}, {"problem", "problem: "}, {"hint", ""}} {
		if text := o.Text(f[0]); text != "" {
			sh.Printf("%s%s\n", f[1], protocol.Plain(text))
		}
	}
	for _, f := range [][2]string{{"rightIf", "right if: "}, {"before", "before: "}} {
		for _, e := range protocol.ElementsOf(o.Get(f[0])) {
			sh.Printf("%s%s\n", f[1], shell.Plain(protocol.TextOf(e)))
		}
	}
}

// printNext prints the next step, and the command that begins it.
func printNext(sh *shell.Shell, answer op.Object) {
	if n := answer.Sub("next"); n != nil {
		command := "begin"
		if strings.HasSuffix(n.Text("with"), " done") {
			command = "done"
		}
		sh.Printf("next: %s, %s\n  agents-hooks workspace %s %s\n", shell.Plain(n.Text("title")), shell.Plain(n.Text("why")), command, n.Text("nodeId"))
	}
	if hint := answer.Text("hint"); hint != "" {
		sh.Printf("%s\n", shell.Plain(hint))
	}
}

func printWorkspaces(sh *shell.Shell, answer protocol.Object) {
	list := protocol.ElementsOf(answer.Get("workspaces"))
	if len(list) == 0 {
		sh.Printf("no workspaces; agents-hooks workspace init makes one, workspace list --status all shows archived ones\n")
	}
	for _, raw := range list {
		o := protocol.ObjectOf(raw)
		sh.Printf("%s  %s\n", sh.Paint(shell.Bold, shell.Plain(o.Text("name"))), o.Text("id"))
		p := o.Sub("progress")
		sh.Printf("  %s, %s of %s nodes done, in %s\n", o.Text("status"), cmp.Or(string(p.Get("done")), "?"), cmp.Or(string(p.Get("total")), "?"), sh.Short(o.Text("projectRoot")))
		if goal := o.Text("goal"); goal != "" {
			sh.Printf("  %s\n", text.Clip(shell.Plain(goal), sh.Columns()-2))
		}
		if problem := o.Text("problem"); problem != "" {
			sh.Printf("  %s\n", sh.Paint(shell.Red, shell.Plain(problem)))
		}
	}
	if hint := answer.Text("hint"); hint != "" {
		sh.Printf("%s\n", shell.Plain(hint))
	}
}

// printLine prints a line of the tree, in colour if the screen has colours.
func printLine(sh *shell.Shell, l ops.Line) {
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
