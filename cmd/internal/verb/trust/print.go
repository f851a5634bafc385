package trust

import (
	"cmp"
	"fmt"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/trust"
)

// printFound shows what a person needs to see before a yes.
func printFound(sh *shell.Shell, f found) {
	if f.project == "" {
		sh.Printf("no project here has hooks\n")
		return
	}
	if len(f.items) == 0 {
		sh.Printf("nothing in %s needs approval\n", sh.Short(f.project))
		return
	}
	sh.Printf("%s\n", sh.Paint(shell.Bold, shell.Plain(sh.Short(f.project))))
	for _, i := range f.items {
		c := map[trust.State]shell.Colour{trust.Trusted: shell.Green, trust.Gone: shell.Dim, trust.Refused: shell.Red}[i.State]
		sh.Printf("  %s %s\n", sh.Paint(cmp.Or(c, shell.Yellow), fmt.Sprintf("%-8s", i.State)), title(sh, i))
	}
	for _, i := range f.items {
		if i.Diff != "" {
			sh.Printf("\n%s\n%s", sh.Paint(shell.Bold, title(sh, i)), shell.PaintDiff(sh, i.Diff))
		}
	}
}

func title(sh *shell.Shell, i item) string {
	text := shell.Plain(i.Name)
	if h := i.hook; h != nil && h.Trigger != "" {
		text += " (" + shell.Plain(string(h.Trigger))
		if h.Matcher.Tool != "" {
			text += ", " + shell.Plain(h.Matcher.Tool)
		}
		text += ")"
	}
	if i.Problem != "" {
		text += ": " + shell.Plain(i.Problem)
	}
	return text
}
