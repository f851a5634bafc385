package bring

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/bring"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// report prints the result for each entry; a file that could not be read makes the command
// fail.
func report(sh *shell.Shell, p *bring.Plan, o options) error {
	doc := map[string]any{"schema": 1, "dry_run": o.dry, "entries": filled(p.Rows), "gone": filled(p.Gone), "notes": filled(p.Notes), "problems": filled(p.Problems)}
	err := sh.Answer(o.json, doc, func() { printRows(sh, p, o) })
	if err == nil && len(p.Problems) > 0 {
		return shell.ErrReported
	}
	return err
}

func filled[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

const indent = "      "

func printRows(sh *shell.Shell, p *bring.Plan, o options) {
	for i, r := range p.Rows {
		if i == 0 || p.Rows[i-1].Source != r.Source {
			if i > 0 {
				sh.Printf("\n")
			}
			sh.Printf("%s\n", sh.Paint(shell.Bold, heading(sh, r)))
		}
		printRow(sh, r)
	}
	if len(p.Rows) > 0 && len(p.Problems)+len(p.Notes)+len(p.Gone) > 0 {
		sh.Printf("\n")
	}
	for _, pr := range p.Problems {
		place := sh.Short(pr.File)
		if pr.Line > 0 {
			place += fmt.Sprintf(":%d:%d", pr.Line, max(pr.Column, 1))
		}
		sh.Say("%s: %s", shell.Plain(place), shell.Plain(pr.Message))
		sh.Hints([]string{pr.Fix})
	}
	for _, n := range p.Notes {
		sh.Printf("%s\n", text.Wrap(shell.Plain(n), sh.Columns(), "  "))
	}
	for _, g := range p.Gone {
		sh.Printf("%s\n", text.Wrap(shell.Plain(fmt.Sprintf("%s: its entry is no longer in %s; the hook stays until you remove %s", g.Name, g.From, sh.Short(g.Folder))), sh.Columns(), "  "))
	}
	if len(p.Rows) == 0 {
		if len(p.Problems)+len(p.Notes) == 0 {
			sh.Printf("no hooks of another program were found\n")
		}
		return
	}
	sh.Printf("\n%s\n", summary(p, o.dry))
	if list := p.Strangers(); o.dry && len(list) > 0 {
		sh.Printf("\n%s\n", strangers(sh, list))
	}
	for _, line := range double(sh, p) {
		sh.Printf("%s\n", line)
	}
	sh.Hints(next(p, o))
}

// heading introduces the rows of a source.
func heading(sh *shell.Shell, r bring.Row) string {
	s := shell.Plain(sh.Short(r.Source))
	for _, d := range agentarg.Installable() {
		if d.ID == r.Agent {
			s += " (" + d.Name
			if r.Plugin != "" {
				s += ", plugin " + shell.Plain(r.Plugin)
			}
			s += ")"
		}
	}
	return s
}

// about is the event of an entry, and its matcher.
func about(r bring.Row) string {
	return text.Clip(shell.Plain(r.Event+" "+r.Matcher), 200)
}

// printRow says where an entry is, what it is for, and what happened to it.
func printRow(sh *shell.Shell, r bring.Row) {
	about := about(r)
	if r.Disguised != "" {
		defer sh.Printf("%s%s\n", indent, text.Wrap(r.Disguised, sh.Columns()-6, indent))
	}
	switch {
	case r.Result == bring.NotBrought:
		if r.Command != "" {
			about += ": " + text.Clip(shell.Plain(r.Command), 60)
		}
		sh.Printf("  %s %s%s\n", sh.Paint(shell.Yellow, "-"), line(r), about)
		sh.Printf("%s%s\n", indent, text.Wrap("not brought: "+shell.Plain(r.Reason), sh.Columns()-6, indent))
		return
	case r.State == bring.Edited:
		sh.Printf("  %s %s%s: %s\n", sh.Paint(shell.Yellow, "!"), line(r), about, r.Name)
		sh.Printf("%s%s\n", indent, text.Wrap("its entry has changed, and you have edited the folder, so that it stays as it is: remove "+sh.Short(r.Folder)+" to have it brought anew", sh.Columns()-6, indent))
		return
	}
	sh.Printf("  %s %s%s: %s%s\n", sh.Paint(shell.Green, "+"), line(r), about, sh.Paint(shell.Bold, r.Name), states[r.State])
	for _, d := range r.Differences {
		sh.Printf("%s%s\n", indent, text.Wrap("unlike there: "+shell.Plain(d), sh.Columns()-6, indent))
	}
}

var states = map[bring.State]string{bring.New: "", bring.Same: " (is there)", bring.Changed: " (changed)"}

// line is an entry's line number with a colon.
func line(r bring.Row) string {
	if r.Line == 0 {
		return ""
	}
	return fmt.Sprintf("%d: ", r.Line)
}

func summary(p *bring.Plan, dry bool) string {
	count := map[bring.State]int{}
	names := map[string]bool{}
	different, not := 0, 0
	for _, r := range p.Rows {
		if r.Result == bring.NotBrought {
			not++
			continue
		}
		if !names[r.Folder] {
			names[r.Folder] = true
			count[r.State]++
			if r.Result == bring.Different {
				different++
			}
		}
	}
	var parts []string
	add := func(n int, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	written, changed := "written", "changed"
	if dry {
		written, changed = "to be written", "to be changed"
	}
	add(count[bring.New], written)
	add(count[bring.Changed], changed)
	add(count[bring.Same], "there already")
	add(count[bring.Edited], "left as you edited it")
	if len(parts) == 0 {
		parts = append(parts, "none")
	}
	s := "hooks: " + strings.Join(parts, ", ")
	if different > 0 {
		s += fmt.Sprintf(" (%d with a difference)", different)
	}
	if not > 0 {
		s += fmt.Sprintf("; not brought: %d", not)
	}
	return s
}

// double lists the entries that now run twice, and how to have them run once.
func double(sh *shell.Shell, p *bring.Plan) (out []string) {
	var files, agents []string
	places, names := map[string][]string{}, map[string][]string{}
	for _, r := range p.Rows {
		for _, a := range r.Twice {
			agents, names[a] = with(agents, a), with(names[a], sh.Word(r.Name))
		}
		if len(r.Twice) == 0 || r.Result == bring.NotBrought {
			continue
		}
		at := fmt.Sprint(r.Line)
		if r.LastLine > r.Line {
			at += fmt.Sprintf("-%d", r.LastLine)
		}
		files, places[r.Source] = with(files, r.Source), with(places[r.Source], at)
	}
	if len(agents) == 0 {
		return nil
	}
	out = append(out, "", text.Wrap("Where agents-hooks is installed they run twice now, by it and by the agent itself ("+strings.Join(agents, ", ")+"). Leave them out there:", sh.Columns(), ""))
	for _, a := range agents {
		out = append(out, "  agents-hooks disable --agent "+a+" "+strings.Join(names[a], " "))
	}
	if len(files) > 0 {
		out = append(out, "or take out, once you have seen that they work:")
	}
	for _, f := range files {
		out = append(out, "  "+text.Wrap(shell.Plain(sh.Short(f))+", lines "+strings.Join(places[f], ", "), sh.Columns()-2, "    "))
	}
	return out
}

// with appends a word to a list that does not have it.
func with(list []string, word string) []string {
	if slices.Contains(list, word) {
		return list
	}
	return append(list, word)
}

// next are hints on what to do next.
func next(p *bring.Plan, o options) (hints []string) {
	if o.dry {
		if p.Jobs() > 0 {
			hints = append(hints, "the same without --dry-run writes them")
		}
		return hints
	}
	if p.Jobs() == 0 {
		return nil
	}
	if p.InProject() {
		hints = append(hints, "agents-hooks trust, to have those of this project run")
	}
	return append(hints, "agents-hooks list shows them")
}
