package memory

import (
	"errors"
	"fmt"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/store"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

func reviewCommand(sh *shell.Shell) *cli.Command {
	c := verb(sh, "memory_review", func(c *cli.Context, given op.Call) error {
		o, m, err := readMemory(sh, c)
		if err != nil {
			return err
		}
		list, left, err := m.Findings(given)
		if err != nil {
			return failed("review", err)
		}
		tellWaiting(sh, m)
		for _, f := range list {
			for i, p := range f.Proposed {
				f.Proposed[i] = sh.Carried(p)
			}
			if f.Page != nil {
				f.Page.Proposed = f.Proposed
			}
		}
		if o.json {
			return document(sh, map[string]any{"schema": 1, "findings": list, "total": len(list) + left})
		}
		printFindings(sh, list)
		if left > 0 {
			sh.Hints([]string{fmt.Sprintf("%d more: --limit %d lists all", left, len(list)+left)})
		}
		return nil
	}, textFlag())
	c.Description = "Nothing is changed: each finding names the commands, one of which settles it."
	return c
}

// told is the name of a kind of finding.
func told(why string) string {
	switch why {
	case store.Versions:
		return "two versions"
	case store.Overridden:
		return "changed later on another machine of yours"
	case store.OnPage:
		return "MEMORY.md says otherwise"
	case store.Undecided:
		return "asked, and not decided"
	case store.Repeated:
		return "says the same"
	case store.Abandoned:
		return "of a branch that is gone"
	case store.Proven:
		return "proven, worth MEMORY.md"
	case store.Unused:
		return "never used"
	}
	return why
}

func printFindings(sh *shell.Shell, list []store.Finding) {
	for _, f := range list {
		by := from(f.Origin)
		if f.Author != "" {
			by += ", by " + shell.Plain(f.Author)
		}
		sh.Printf("%s: [%s] %s  (%s%s)\n", told(f.Why), day(f.Time), strings.Join(strings.Fields(f.Content), " "), f.ID, by)
		if f.Other != nil {
			sh.Printf("  and [%s] %s  (%s%s)\n", day(f.Other.Time), strings.Join(strings.Fields(f.Other.Content), " "), f.Other.ID, from(f.Other.Origin)+whoOf(f))
		}
		if f.Page != nil {
			sh.Printf("  %s line %d, %s: %s\n", f.Page.File, f.Page.Line, f.Page.Why, f.Page.Text)
		}
		for _, p := range f.Proposed {
			sh.Printf("  %s%s\n", p, means(f, p))
		}
	}
	if len(list) == 0 {
		sh.Printf("nothing needs a look\n")
	}
}

// from names where a fact came from.
func from(origin string) string {
	if origin == "" {
		return ""
	}
	return ", from " + shell.Plain(origin)
}

// whoOf says who wrote, or deleted, the other version of a fact.
func whoOf(f store.Finding) string {
	switch {
	case f.Why != store.Versions || f.Beside == nil:
		return ""
	case f.Beside.Deleted && f.Beside.Remover != "":
		return ", deleted by " + shell.Plain(f.Beside.Remover)
	case f.Beside.Deleted:
		return ", deleted"
	case f.Other.Author != "":
		return ", by " + shell.Plain(f.Other.Author)
	}
	return ""
}

// means says what a command decides, as a comment, where its words and ids do not tell.
func means(f store.Finding, command string) string {
	switch {
	case strings.HasSuffix(command, " --until always"):
		return "   # it still holds"
	case strings.HasSuffix(command, " --until DATE"):
		return "   # it holds until another day"
	case strings.Contains(command, " promote ") && f.Page != nil:
		return map[bool]string{true: "   # the line goes", false: "   # the fact stands there instead"}[strings.HasSuffix(command, " --remove")]
	case f.Other == nil || f.Page != nil:
		return ""
	case f.Why == store.Overridden:
		return map[bool]string{true: "   # what was written here holds again", false: "   # it stays as it is"}[strings.Contains(command, " restore ")]
	case f.Why == store.Versions && f.Beside.Deleted:
		return map[bool]string{true: "   # the first holds", false: "   # it stays deleted"}[strings.Contains(command, " restore ")]
	case strings.Contains(command, " --replaces "):
		return "   # the first replaces the second"
	case f.Why == store.Repeated && strings.Contains(command, " delete "):
		return "   # the second stays"
	case strings.Contains(command, " --beside "):
		return "   # both are true"
	case strings.Contains(command, " delete ") && strings.HasSuffix(command, " "+f.ID):
		return "   # the first is untrue"
	case strings.Contains(command, " delete ") && strings.HasSuffix(command, " "+f.Other.ID):
		return "   # the second is untrue"
	}
	return ""
}

func confirmCommand(sh *shell.Shell) *cli.Command {
	c := verb(sh, "memory_confirm", func(c *cli.Context, given op.Call) error {
		_, m, err := readMemory(sh, c)
		if err != nil {
			return err
		}
		n, before, err := m.Confirmed(given)
		doc := map[string]any{"status": "ok", "entries": n}
		if len(before) > 0 {
			doc["before"], doc["undo"] = before, sh.Carried("agents-hooks memory restore "+strings.Join(given.Texts("replaces"), " "))
		}
		return answerWithPage(sh, "confirm", m, given.Texts("replaces"), doc, err)
	})
	c.Complete = shell.Each(facts(sh, false))
	return c
}

func promoteCommand(sh *shell.Shell) *cli.Command {
	c := verb(sh, "memory_promote", func(c *cli.Context, given op.Call) error {
		_, m, err := readMemory(sh, c)
		if err != nil {
			return err
		}
		if given.Args.Bool("decline") {
			return changed(sh, "promote", 1, m.Decline(given.Args.Text("id")))
		}
		d, err := m.Paged(given)
		if errors.Is(err, store.ErrNoEntry) {
			return changed(sh, "promote", 0, err)
		}
		doc := map[string]any{"status": "ok", "file": m.Path(m.Core())}
		if err == nil && d.Changes != "" {
			doc["undo"] = m.Unpage(given.Args.Text("id"), d)
		}
		return answerPage(sh, "promote", c.Bool("json"), d, doc, err)
	})
	c.Complete = shell.First(facts(sh, false))
	return c
}
