package memory

import (
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

func listCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "list", Usage: "show what is remembered, the newest first",
		Flags: flags(
			&cli.IntFlag{Name: "last", Aliases: []string{"n", "limit"}, Value: 20, Usage: "the newest `N`; 0 for all"},
			cli.Offer(&cli.StringSliceFlag{Name: "type", Usage: "only `TYPE` W, B, O or S"}, shell.Fixed("W", "B", "O", "S")),
			&cli.StringSliceFlag{Name: "entity", Usage: "only about `NAME`"},
			&cli.BoolFlag{Name: "deleted", Usage: "deleted ones, for restore"},
			&cli.BoolFlag{Name: "replaced", Usage: "those that others took the place of, for restore"},
			&cli.BoolFlag{Name: "sessions", Usage: "summaries of sessions"},
			textFlag(),
		),
		Action: func(c *cli.Context) error {
			o, err := readList(sh, c)
			if err != nil {
				return err
			}
			m, err := o.memory(sh)
			if err != nil {
				return err
			}
			rows, err := m.Rows(o.filter)
			if err != nil {
				return failed("list", err)
			}
			tellWaiting(sh, m)
			return sh.Answer(o.json, map[string]any{"schema": 1, "entries": rows}, func() { printRows(sh, rows, o.filter, m.Dir) })
		},
	}
}

type listOptions struct {
	placeOptions
	filter ops.Filter
}

func readList(sh *shell.Shell, c *cli.Context) (o listOptions, err error) {
	types, err := ops.TypesOf(shell.SplitCommas(c.StringSlice("type")))
	if err != nil {
		return o, failed("list", err)
	}
	o.filter = ops.Filter{
		Types: types, Entities: shell.SplitCommas(c.StringSlice("entity")),
		Deleted: c.Bool("deleted"), Replaced: c.Bool("replaced"), Sessions: c.Bool("sessions"), Last: c.Int("last"),
	}
	if o.filter.Last < 0 {
		return o, shell.Usagef("memory list: -n %d: want how many, or 0 for all", o.filter.Last)
	}
	if f := o.filter; f.Deleted && f.Replaced || f.Sessions && (f.Deleted || f.Replaced) {
		return o, shell.Usagef("memory list: --deleted, --replaced and --sessions are three lists: give one of them")
	}
	o.placeOptions, err = readPlace(sh, c)
	return o, err
}

func printRows(sh *shell.Shell, rows []ops.Row, of ops.Filter, dir string) {
	for _, r := range rows {
		from := ""
		switch {
		case memory.Shared(r.Origin):
			from = ", by " + shell.Plain(r.Origin)
		case r.Origin != "":
			from = ", from " + r.Origin
		}
		if r.Author != "" && !memory.Shared(r.Origin) {
			from += ", by " + shell.Plain(r.Author)
		}
		if r.EditedBy != "" && r.EditedBy != r.Author {
			from += ", edited by " + shell.Plain(r.EditedBy)
		}
		if r.Deleted {
			from += ", deleted"
		}
		if r.DeletedAt != "" {
			from += " " + day(r.DeletedAt)
		}
		if r.DeletedBy != "" && r.DeletedBy != r.Author {
			from += " by " + shell.Plain(r.DeletedBy)
		}
		if r.ReplacedBy != "" {
			from += ", replaced by " + r.ReplacedBy
		}
		holds := ""
		if r.Holds != "" {
			holds = "[" + r.Holds + "]"
		}
		sh.Printf("[%s][%s]%s %s  (%s%s)\n", r.Type, day(r.Timestamp), holds, strings.Join(strings.Fields(r.Content), " "), r.ID, from)
	}
	switch {
	case len(rows) > 0:
	case of.Replaced:
		sh.Printf("nothing is replaced in %s\n", sh.Short(dir))
	case of.Deleted:
		sh.Printf("nothing is deleted in %s\n", sh.Short(dir))
	case of.Sessions || len(of.Types)+len(of.Entities) > 0:
		sh.Printf("nothing of that kind is remembered in %s\n", sh.Short(dir))
	default:
		sh.Printf("nothing is remembered in %s\n", sh.Short(dir))
	}
}

func statsCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "stats", Aliases: []string{"status"}, Usage: "count what is remembered, and name the vectors in use", Flags: flags(textFlag()),
		Action: func(c *cli.Context) error {
			o, m, err := readMemory(sh, c)
			if err != nil {
				return err
			}
			n, err := m.Count()
			if err != nil {
				return failed("stats", err)
			}
			vectors, wrong := m.Vectors(c.Context)
			if o.json {
				return document(sh, map[string]any{"schema": 1, "dir": m.Dir, "facts": n.Facts, "types": n.Types, "hidden": n.Hidden, "summaries": n.Summaries, "vectors": vectors})
			}
			printCounts(sh, n, m.Dir)
			sh.Printf("  vectors: %s\n", vectors)
			tellVectors(sh, vectors, wrong)
			return nil
		},
	}
}

func printCounts(sh *shell.Shell, n ops.Counts, dir string) {
	sh.Printf("%s\n", sh.Short(dir))
	sh.Printf("  %s: %d W, %d B, %d O, %d S; %d deleted or replaced\n", text.Count(n.Facts, "fact"), n.Types["W"], n.Types["B"], n.Types["O"], n.Types["S"], n.Hidden)
	sh.Printf("  %s\n", text.Count(n.Summaries, "summary"))
	if !n.Newest.IsZero() {
		sh.Printf("  newest %s\n", memory.Stamp(n.Newest))
	}
}

// day is the day of a time as the files have it. A line that somebody wrote by hand may have none.
func day(stamp string) string {
	if stamp == memory.Stamp(time.Time{}) {
		return "undated"
	}
	return stamp[:min(len(stamp), len(time.DateOnly))]
}
