package approval

import (
	"cmp"
	"fmt"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/trust"
)

// Print shows what a user needs to see before approving.
func Print(sh *shell.Shell, f Found) {
	if f.project == "" {
		sh.Printf("no project here has hooks\n")
		return
	}
	if len(f.items) == 0 {
		sh.Printf("nothing in %s needs approval\n", sh.Short(f.project))
		return
	}
	project := ""
	for _, i := range f.items {
		if i.Project != project {
			project = i.Project
			sh.Printf("%s\n", sh.Paint(shell.Bold, shell.Plain(sh.Short(project))))
		}
		c := map[trust.State]shell.Colour{trust.Trusted: shell.Green, trust.Gone: shell.Dim, trust.Refused: shell.Red}[i.State]
		sh.Printf("  %s %s\n", sh.Paint(cmp.Or(c, shell.Yellow), fmt.Sprintf("%-8s", i.State)), title(i))
		for _, line := range i.notes(sh) {
			sh.Printf("           %s\n", line)
		}
	}
	for _, i := range f.items {
		if i.Diff != "" {
			sh.Printf("\n%s\n%s", sh.Paint(shell.Bold, title(i)), shell.PaintDiff(sh, i.Diff))
		}
	}
}

// notes are what a user should know about an item besides its files.
func (i item) notes(sh *shell.Shell) (lines []string) {
	if i.Sandbox != nil {
		lines = append(lines, text.Wrap(sh.Tidy(i.Sandbox.Text()), sh.Columns()-11, "           "))
	}
	if i.hook != nil && i.hook.Command.Given() {
		lines = append(lines, text.Wrap("runs "+sh.Tidy(i.hook.Command.String()), sh.Columns()-11, "           "))
	}
	if i.hook != nil && i.hook.PluginRoot != "" {
		lines = append(lines, text.Wrap("is a part of the plugin in "+sh.Tidy(i.hook.PluginRoot)+", which this approval says nothing of", sh.Columns()-11, "           "))
	}
	for _, h := range i.plugin {
		on := string(h.Trigger)
		if h.Matcher.Tool != "" {
			on += ", " + h.Matcher.Tool
		}
		runs := h.Command.String()
		if h.Status == discovery.Broken {
			runs = "nothing: it is broken"
		}
		lines = append(lines, text.Wrap(sh.Tidy(fmt.Sprintf("%s (%s) runs %s", h.Name, on, runs)), sh.Columns()-11, "           "))
	}
	if i.Declined != "" {
		lines = append(lines, "you said no to exactly this on "+shell.Plain(i.Declined))
	}
	if i.Replaced != "" {
		lines = append(lines, fmt.Sprintf("as it is now it was approved once, and replaced on %s: this goes back", shell.Plain(i.Replaced)))
	}
	if i.Disguised != "" {
		lines = append(lines, i.Disguised)
	}
	for _, d := range i.Displaces {
		lines = append(lines, d.line(sh))
	}
	for _, p := range i.Untrue {
		lines = append(lines, text.Wrap("does not do what it says: "+sh.ProblemText(p), sh.Columns()-11, "           "))
	}
	for _, u := range i.Unseen {
		lines = append(lines, fmt.Sprintf("%s is not shown below: %d bytes, %s", trust.ShownPath(u.Path), u.Size, u.Why))
	}
	for _, r := range i.Outside {
		lines = append(lines, fmt.Sprintf("%s:%d: %s: %s", trust.ShownPath(r.File), r.Line, shell.Plain(r.Text), r.Why))
	}
	for _, a := range i.Also {
		lines = append(lines, fmt.Sprintf("also approved: its state of %s in %s (%.12s)", shell.Plain(a.Time), shell.Plain(sh.Short(a.Place)), a.Hash))
	}
	return lines
}

func title(i item) string {
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
