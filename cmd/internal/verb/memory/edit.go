package memory

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/store"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/team"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

func editCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "edit", Usage: "change a fact in place", ArgsUsage: "ID",
		Flags: flags(
			&cli.StringFlag{Name: "content", Usage: "the new `TEXT`"}, &cli.StringFlag{Name: "type", Usage: "the new `TYPE`"},
			&cli.Float64Flag{Name: "confidence", Usage: "the new `NUMBER`"}, &cli.StringSliceFlag{Name: "entities", Usage: "the new `NAMES`"},
			&cli.StringFlag{Name: "since", Usage: "it holds from `DATE` on; always: no beginning"}, &cli.StringFlag{Name: "until", Usage: "it holds until `DATE`, inclusive; always: no end"},
			&cli.BoolFlag{Name: "no-undo", Usage: "keep nothing of what it said before"},
		),
		Complete: shell.First(facts(sh, false)),
		Action: func(c *cli.Context) error {
			o, err := readEdit(sh, c)
			if err != nil {
				return err
			}
			m, err := o.memory(sh)
			if err != nil {
				return err
			}
			said, ok := m.Said(o.id)
			err = m.Edit(o.id, o.edit)
			is := m.When(o.id)
			if o.edit.Content == nil {
				is.Unclear = "" // it was said when the text was saved
			}
			doc := kept(sh, is)
			if err == nil && ok && !o.edit.NoUndo {
				doc["before"], doc["undo"] = []store.Before{said}, sh.Carried("agents-hooks memory restore "+o.id+" --edit")
			}
			return answerWithPage(sh, "edit", m, []string{o.id}, doc, err)
		},
	}
}

// editFlags are the parts of a fact that can be changed.
var editFlags = []string{"content", "type", "confidence", "entities", "since", "until", "no-undo"}

type editOptions struct {
	placeOptions
	id   string
	edit store.Edit
}

func readEdit(sh *shell.Shell, c *cli.Context) (o editOptions, err error) {
	words, err := shell.Args(c, 1, 1, "the id of a fact")
	if err != nil {
		return o, err
	}
	o.id = words[0]
	if text := c.String("content"); c.IsSet("content") {
		o.edit.Content = &text
	}
	if text := strings.ToUpper(c.String("type")); c.IsSet("type") {
		o.edit.Type = &text
	}
	if n := c.Float64("confidence"); c.IsSet("confidence") {
		o.edit.Confidence = &n
	}
	o.edit.NoUndo = c.Bool("no-undo")
	if c.IsSet("entities") {
		o.edit.Entities = append([]string{}, shell.SplitCommas(c.StringSlice("entities"))...)
	}
	if c.IsSet("since") {
		if o.edit.Since, err = validity("since", c.String("since"), 0, sh); err != nil {
			return o, err
		}
	}
	if c.IsSet("until") {
		if o.edit.Until, err = validity("until", c.String("until"), 24*time.Hour, sh); err != nil {
			return o, err
		}
	}
	o.placeOptions, err = readPlace(sh, c)
	if err == nil && !slices.ContainsFunc(editFlags, c.IsSet) {
		err = shell.Usagef("memory edit: want what is to be changed: --%s", strings.Join(editFlags, ", --"))
	}
	return o, err
}

// validity is the time that a flag gives; end is how much of its day is included.
func validity(name, word string, end time.Duration, sh *shell.Shell) (*time.Time, error) {
	if word == "always" {
		return new(time.Time), nil
	}
	at, err := ops.Date(name, word, end, sh.Host.Now().Location())
	if err != nil {
		return nil, failed("edit", err)
	}
	return &at, nil
}

func deleteCommand(sh *shell.Shell) *cli.Command {
	c := verb(sh, "memory_forget", func(c *cli.Context, given op.Call) error {
		_, m, err := readMemory(sh, c)
		if err == nil && c.Bool("team") {
			err = sh.OnlyPerson("memory delete --team")
		}
		if err != nil {
			return err
		}
		var inGit, said []string
		if c.Bool("purge") {
			inGit, said = m.InGit(given.Texts("ids")), m.Contents(given.Texts("ids"))
		}
		n, err := m.Forget(given)
		if not := (team.NotYours{}); errors.As(err, &not) {
			return shell.WithHint(failed("delete", err), "without --team it is hidden for you alone; agents-hooks memory sync asks for your present role")
		}
		doc := map[string]any{"status": "ok", "entries": n}
		if len(inGit) > 0 && err == nil {
			doc["git"] = inCommits(inGit)
		}
		if err == nil {
			m.Left(c.Context, doc, said)
		}
		return answerWithPage(sh, "delete", m, given.Texts("ids"), doc, err)
	})
	c.Aliases, c.Description = []string{"forget"}, ""
	c.Complete = shell.Each(facts(sh, false))
	return c
}

// inCommits says what git keeps of files from which something was removed for good.
func inCommits(files []string) string {
	return "git keeps it in earlier commits of " + strings.Join(files, ", ") + ", here and in each clone and at the server: commit the removal, and rewrite that history if it must be gone there too; " +
		"a merge with a clone that still has it may bring its line back, which no agent here is told then"
}

func restoreCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "restore", Usage: "bring back entries that were deleted, replaced or edited", ArgsUsage: "ID...",
		Flags: flags(&cli.BoolFlag{Name: "edit", Usage: "let facts say what they said before they were edited; twice: what they say now"},
			&cli.IntFlag{Name: "back", Value: 1, Usage: "with --edit: what they said `N` edits ago; a number of none lists what is kept"}),
		Description: "What another fact took the place of holds again beside that one. If it was\n" +
			"deleted besides, it is only that no longer: restored once more, it holds.\n" +
			"A name such as versions/MEMORY-20261123-081500.000.md brings back that page;\n" +
			"distill and promote answer with it.",
		Complete: shell.Each(facts(sh, true)),
		Action: func(c *cli.Context) error {
			ids, err := shell.Args(c, 1, -1, "ids of entries")
			if err != nil {
				return err
			}
			_, m, err := readMemory(sh, c)
			if err != nil {
				return err
			}
			if c.Bool("edit") {
				return undoEdits(sh, m, ids, c.Int("back"))
			}
			if c.IsSet("back") {
				return shell.Usagef("memory restore: --back says how many edits to go back: give it with --edit")
			}
			if strings.HasSuffix(ids[0], ".md") && len(ids) == 1 {
				d, err := m.RestorePage(ids[0])
				if errors.Is(err, store.ErrNoEntry) {
					return failed("restore", err)
				}
				return answerPage(sh, "restore", c.Bool("json"), d, map[string]any{"status": "ok", "file": m.Path(m.Core())}, err)
			}
			n, err := m.Restore(ids)
			doc := map[string]any{"status": "ok", "entries": n}
			if err == nil {
				err = stillReplaced(sh, m, ids, doc)
			}
			if n == 0 && doc["hint"] == nil && err == nil {
				doc["hint"] = "nothing of that was deleted or replaced"
			}
			return answer(sh, "restore", doc, err)
		},
	}
}

// stillReplaced names those of some restored facts that another one had taken the place of before they
// were deleted.
func stillReplaced(sh *shell.Shell, m ops.Memory, ids []string, doc map[string]any) error {
	rows, err := m.Rows(ops.Filter{Replaced: true})
	rows = slices.DeleteFunc(rows, func(r ops.Row) bool { return !slices.Contains(ids, r.ID) })
	if len(rows) == 0 {
		return err
	}
	by, hidden := map[string]string{}, []string{}
	for _, r := range rows {
		by[r.ID], hidden = r.ReplacedBy, append(hidden, r.ID)
	}
	doc["replaced_by"] = by
	doc["hint"] = "another fact holds in their place; if these still hold: " + sh.Carried("agents-hooks memory restore "+strings.Join(hidden, " "))
	return nil
}

// undoEdits lets facts say what they said before.
func undoEdits(sh *shell.Shell, m ops.Memory, ids []string, back int) error {
	doc, before := map[string]any{"status": "ok", "entries": len(ids)}, []store.Before{}
	if err := m.Present(ids); err != nil {
		return answer(sh, "restore", doc, err)
	}
	for _, id := range ids {
		said, err := m.Undo(id, back)
		if err != nil {
			return answer(sh, "restore", doc, err)
		}
		before = append(before, said)
	}
	doc["before"], doc["undo"] = before, sh.Carried("agents-hooks memory restore "+strings.Join(ids, " ")+" --edit")
	return answerWithPage(sh, "restore", m, ids, doc, nil)
}

// changed answers how many entries were changed.
func changed(sh *shell.Shell, command string, n int, err error) error {
	return answer(sh, command, map[string]any{"status": "ok", "entries": n}, err)
}

func cleanupCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "cleanup", Usage: "hide old facts",
		Description: "Preferences (O) stay. Without --confirm it only tells which would go.",
		Flags:       flags(&cli.IntFlag{Name: "older-than", Value: 90, Usage: "older than `DAYS`"}, confirmFlag()),
		Action: func(c *cli.Context) error {
			days, dry := c.Int("older-than"), !c.Bool("confirm")
			if err := ops.CheckAge(days); err != nil {
				return failed("cleanup", err)
			}
			_, m, err := readMemory(sh, c)
			if err != nil {
				return err
			}
			ids, err := m.Cleanup(days, dry)
			status := map[bool]string{true: "dry-run", false: "ok"}[dry]
			return answer(sh, "cleanup", map[string]any{"status": status, "entries": len(ids), "ids": append([]string{}, ids...)}, err)
		},
	}
}
