package memory

import (
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/keeper"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

func editCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "edit", Usage: "change a fact in place", ArgsUsage: "ID",
		Flags: flags(
			&cli.StringFlag{Name: "content", Usage: "the new `TEXT`"}, &cli.StringFlag{Name: "type", Usage: "the new `TYPE`"},
			&cli.Float64Flag{Name: "confidence", Usage: "the new `NUMBER`"}, &cli.StringSliceFlag{Name: "entities", Usage: "the new `NAMES`"},
		),
		BashComplete: shell.Arguments(shell.First(facts(sh, false))),
		Action: func(c *cli.Context) error {
			o, err := readEdit(sh, c)
			if err != nil {
				return err
			}
			m, err := o.memory(sh)
			if err != nil {
				return err
			}
			return answer(sh, "edit", map[string]any{"status": "ok", "id": o.id}, m.Edit(o.id, o.edit))
		},
	}
}

type editOptions struct {
	placeOptions
	id   string
	edit keeper.Edit
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
	if c.IsSet("entities") {
		o.edit.Entities = append([]string{}, shell.SplitCommas(c.StringSlice("entities"))...)
	}
	o.placeOptions, err = readPlace(sh, c)
	return o, err
}

// entriesOptions name entries.
type entriesOptions struct {
	placeOptions
	ids []string
}

func readEntries(sh *shell.Shell, c *cli.Context) (o entriesOptions, err error) {
	if o.ids, err = shell.Args(c, 1, -1, "ids of entries"); err != nil {
		return o, err
	}
	o.placeOptions, err = readPlace(sh, c)
	return o, err
}

func deleteCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "delete", Aliases: []string{"forget"}, Usage: "hide entries; restore brings them back", ArgsUsage: "ID...",
		Flags:        flags(&cli.BoolFlag{Name: "purge", Usage: "remove them for good; wants --confirm"}, confirmFlag()),
		BashComplete: shell.Arguments(shell.Each(facts(sh, false))),
		Action: func(c *cli.Context) error {
			change := keeper.Keeper.Delete
			if c.Bool("purge") {
				if change = keeper.Keeper.Purge; !c.Bool("confirm") {
					return refuse("delete", "--purge removes entries for good")
				}
			}
			o, err := readEntries(sh, c)
			if err != nil {
				return err
			}
			return changeEntries(sh, "delete", o, change)
		},
	}
}

func restoreCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "restore", Usage: "bring deleted entries back", ArgsUsage: "ID...", Flags: flags(),
		BashComplete: shell.Arguments(shell.Each(facts(sh, true))),
		Action: func(c *cli.Context) error {
			o, err := readEntries(sh, c)
			if err != nil {
				return err
			}
			return changeEntries(sh, "restore", o, keeper.Keeper.Restore)
		},
	}
}

// changeEntries changes entries, and answers how many it were.
func changeEntries(sh *shell.Shell, command string, o entriesOptions, change func(keeper.Keeper, []string) (int, error)) error {
	m, err := o.memory(sh)
	if err != nil {
		return err
	}
	n, err := change(m.Keeper, o.ids)
	if errors.Is(err, keeper.ErrNoEntry) {
		return shell.WithHint(fmt.Errorf("memory %s: %w", command, err), "agents-hooks memory list --last 0 shows the ids")
	}
	return answer(sh, command, map[string]any{"status": "ok", "entries": n}, err)
}

func cleanupCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "cleanup", Usage: "hide facts that are old",
		Description: "Preferences (O) stay. Without --confirm it only tells how many would go.",
		Flags:       flags(&cli.IntFlag{Name: "older-than", Value: 90, Usage: "older than `DAYS`"}, confirmFlag()),
		Action: func(c *cli.Context) error {
			if _, err := shell.Args(c, 0, 0, "flags only"); err != nil {
				return err
			}
			days, dry := c.Int("older-than"), !c.Bool("confirm")
			if days < 1 {
				return shell.Usagef("cleanup: --older-than %d: want at least 1 day", days)
			}
			o, err := readPlace(sh, c)
			if err != nil {
				return err
			}
			m, err := o.memory(sh)
			if err != nil {
				return err
			}
			ids, err := m.Cleanup(days, dry)
			status := map[bool]string{true: "dry-run", false: "ok"}[dry]
			return answer(sh, "cleanup", map[string]any{"status": status, "entries": len(ids)}, err)
		},
	}
}
