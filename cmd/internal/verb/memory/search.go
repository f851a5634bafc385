package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/find"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

func searchCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "search", Aliases: []string{"search_memory"}, Usage: "find what is remembered", ArgsUsage: "QUERY",
		Description: "Prints JSON; --text prints lines. The project's memory and your own are\n" +
			"searched, as the setting scope says. No hit is exit 0 and an empty list.",
		Flags: flags(
			&cli.IntFlag{Name: "max-results", Aliases: []string{"n"}, Value: 5, Usage: "at most `N` hits"},
			&cli.IntFlag{Name: "days", Usage: "of the last `N` days"},
			&cli.StringFlag{Name: "from", Usage: "not before `DATE`, such as 2026-02-17"},
			&cli.StringFlag{Name: "to", Usage: "not after `DATE`"},
			shell.Offer(&cli.StringSliceFlag{Name: "type", Usage: "of `TYPE` W, B, O or S only"}, shell.Fixed("W", "B", "O", "S")),
			&cli.StringSliceFlag{Name: "entity", Usage: "about `NAME` only"},
			&cli.BoolFlag{Name: "include-stage", Usage: "stage summaries (S) too"},
			&cli.BoolFlag{Name: "include-replaced", Usage: "facts too that a later one stands for"},
			shell.Offer(&cli.StringFlag{Name: "method", Value: "hybrid", Usage: "`METHOD`: hybrid, fts, vector"}, shell.Fixed("hybrid", "fts", "vector")),
			shell.Offer(&cli.StringFlag{Name: "fusion", Value: "rrf", Usage: "`WAY` to put the two together: rrf, weighted"}, shell.Fixed("rrf", "weighted")),
			&cli.BoolFlag{Name: "mmr", Usage: "prefer hits that differ"},
			&cli.BoolFlag{Name: "text", Usage: "lines for people"},
		),
		Action: func(c *cli.Context) error {
			o, err := readSearch(sh, c)
			if err != nil {
				return err
			}
			hits, err := search(c.Context, sh, o)
			if err != nil {
				return err
			}
			if o.text {
				printHits(sh, hits)
				return nil
			}
			return sh.JSON(map[string]any{"schema": 1, "results": hits, "method": o.query.Method, "total": len(hits)})
		},
	}
}

type searchOptions struct {
	placeOptions
	query find.Query
	text  bool
}

func readSearch(sh *shell.Shell, c *cli.Context) (o searchOptions, err error) {
	words, err := shell.Args(c, 1, -1, "what to look for")
	if err != nil {
		return o, err
	}
	q := find.Query{
		Text: strings.Join(words, " "), Max: c.Int("max-results"), Method: find.Method(c.String("method")), Now: sh.Host.Now(),
		Entities: shell.SplitCommas(c.StringSlice("entity")),
		Stages:   c.Bool("include-stage"), Replaced: c.Bool("include-replaced"),
		Weighted: c.String("fusion") == "weighted", Diverse: c.Bool("mmr"),
	}
	if q.Max < 1 || q.Max > 100 {
		return o, shell.Usagef("search: --max-results %d: want 1 to 100", q.Max)
	}
	if !slices.Contains([]find.Method{find.Hybrid, find.Text, find.Vector}, q.Method) {
		return o, shell.Usagef("search: --method %q: want hybrid, fts or vector", q.Method)
	}
	if f := c.String("fusion"); f != "rrf" && f != "weighted" {
		return o, shell.Usagef("search: --fusion %q: want rrf or weighted", f)
	}
	var wrong *ops.NoType
	if q.Types, err = ops.Types(shell.SplitCommas(c.StringSlice("type"))); errors.As(err, &wrong) {
		return o, shell.Usagef("search: --type %q: want W, B, O or S", wrong.Word)
	}
	if d := c.Int("days"); d > 0 {
		q.From = q.Now.AddDate(0, 0, -d)
	}
	if q.From, err = date("from", c.String("from"), 0, q.From); err != nil {
		return o, err
	}
	if q.To, err = date("to", c.String("to"), 24*time.Hour-1, q.To); err != nil {
		return o, err
	}
	o.placeOptions, err = readPlace(sh, c)
	o.query, o.text = q, c.Bool("text")
	return o, err
}

// date is a day, or a part of one, that a flag names; end is what is added to a
// whole day.
func date(flag, text string, end time.Duration, otherwise time.Time) (time.Time, error) {
	if text == "" {
		return otherwise, nil
	}
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day.Add(end), nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, shell.Usagef("search: --%s %q: want a date such as 2026-02-17", flag, text)
	}
	return at, nil
}

func search(ctx context.Context, sh *shell.Shell, o searchOptions) ([]ops.Hit, error) {
	m, err := o.memory(sh)
	if err != nil {
		return nil, err
	}
	hits, err := m.Search(ctx, m.Folders(o.user), m.Aged(o.query))
	if err != nil {
		return nil, fmt.Errorf("memory search: %w", err)
	}
	return hits, nil
}

func printHits(sh *shell.Shell, hits []ops.Hit) {
	if len(hits) == 0 {
		sh.Printf("nothing is remembered about that\n")
	}
	for _, h := range hits {
		where := slices.DeleteFunc([]string{h.Timestamp, h.ID, h.Source}, func(s string) bool { return s == "" })
		sh.Printf("%.2f  [%s] %s\n      %s\n", h.Score, cmp.Or(h.Type, h.Kind), ops.Headline(h.Content), strings.Join(where, "  "))
	}
}
