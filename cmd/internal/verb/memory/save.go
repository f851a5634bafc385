package memory

import (
	"errors"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/store"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

func saveCommand(sh *shell.Shell) *cli.Command {
	c := verb(sh, "memory_save", func(c *cli.Context, given op.Call) error {
		_, m, err := readMemory(sh, c)
		if err != nil {
			return err
		}
		doc, err := save(sh, m, given)
		return answer(sh, "save", doc, err)
	})
	c.Aliases = []string{"save_fact"}
	c.Description = "Prints {\"status\": \"ok\", \"id\": …}; duplicate if it is known already, error with\n" +
		"exit 1 if it is refused. Secrets and <private> parts are taken out first.\n" +
		"A fact that says nearly the same about the same thing replaces the older one;\n" +
		"what may be replaced, in other words, is asked about (near, ask); what comes\n" +
		"nearest is often named, since whoever saves can tell (nearest, hint)."
	return c
}

func save(sh *shell.Shell, m ops.Memory, given op.Call) (map[string]any, error) {
	saved, err := m.SaveFact(given)
	return kept(sh, saved), err
}

// kept is a saved fact as JSON. Its commands look where it was saved.
func kept(sh *shell.Shell, saved store.Saved) map[string]any {
	doc := map[string]any{"status": saved.Status, "id": saved.ID}
	if saved.Repeats != nil {
		doc["repeats"] = saved.Repeats
	}
	if note := ops.Noted(saved); note != "" {
		doc["note"] = note
	}
	if len(saved.Supersedes) > 0 {
		doc["supersedes"], doc["before"] = saved.Supersedes, saved.Before
	}
	if len(saved.Conflicts) > 0 {
		doc["conflicts"] = saved.Conflicts
	}
	if len(saved.Near) > 0 {
		doc["near"] = saved.Near
	}
	if len(saved.Nearest) > 0 {
		doc["nearest"] = saved.Nearest
	}
	for _, m := range [...][2]string{{"valid_from", saved.Since}, {"valid_until", saved.Until}, {"holds", saved.Holds}} {
		if m[1] != "" {
			doc[m[0]] = m[1]
		}
	}
	confirm := sh.Carried("agents-hooks memory confirm " + saved.ID)
	switch of, id, ask := ops.Replaceable(saved); {
	case ask:
		doc["ask"] = "if " + of + " is untrue now: " + confirm + " --replaces " + id + "; if both hold: " + confirm + " --beside " + id
	case of != "":
		doc["hint"] = "if " + of + " is untrue now: " + confirm + " --replaces " + id + "; otherwise go on"
	}
	if len(saved.Supersedes) > 0 {
		doc["undo"] = "if " + ops.StillHolds(saved) + ": " + confirm + " --beside " + strings.Join(saved.Supersedes, ",")
	}
	if saved.Unclear != "" {
		doc["unclear"] = saved.Unclear
		doc["end"] = "no day was understood of this; if the fact holds only until a day, or from one on: " + sh.Carried("agents-hooks memory edit "+saved.ID+" --until YYYY-MM-DD") + ", or --since"
	}
	if len(saved.Page) > 0 {
		doc["page"] = carried(sh, saved.Page)
	}
	if saved.Redacted {
		doc["redacted"] = true
	}
	if saved.Cut {
		doc["cut"] = true
	}
	return doc
}

func summaryCommand(sh *shell.Shell) *cli.Command {
	c := verb(sh, "memory_summary", func(c *cli.Context, given op.Call) error {
		_, m, err := readMemory(sh, c)
		if err != nil {
			return err
		}
		doc, err := summarize(m, given)
		return answer(sh, "summary", doc, err)
	})
	c.Aliases = []string{"save_summary"}
	c.Description = "Prints {\"status\": \"ok\", \"id\": …}, or skipped if the session has one already\n" +
		"(unless save_mode is smart, where the later one stands)."
	return c
}

func summarize(m ops.Memory, given op.Call) (map[string]any, error) {
	id, err := m.SaveSummary(given)
	if errors.Is(err, memory.ErrSaved) {
		return map[string]any{"status": "skipped", "reason": memory.ErrSaved.Error()}, nil
	}
	return map[string]any{"status": "ok", "id": id}, err
}

func distillCommand(sh *shell.Shell) *cli.Command {
	c := verb(sh, "memory_distill", nil)
	c.Description = "Reads a JSON object of sections and lists of items from FILE or stdin, such as\n" +
		"{\"Preferences\": [\"…\"], \"Decisions\": [\"…\"]}, and replaces MEMORY.md. The page before\n" +
		"is kept below versions/; the answer shows what changed."
	c.Complete = shell.First(shell.Files)
	c.Action = func(c *cli.Context) error { // the sections come from a file here
		_, m, err := readMemory(sh, c)
		if err != nil {
			return err
		}
		sections, err := sh.FileOrStdin(c, "memory", 1<<20)
		if err != nil {
			return err
		}
		d, err := m.Distill(sections, c.Bool("force"), m.Language())
		return answerPage(sh, "distill", c.Bool("json"), d, map[string]any{"status": "ok", "file": m.Path(m.Core())}, err)
	}
	return c
}
