package memory

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/find"
	"github.com/agents-hooks/agents-hooks/cmd/internal/memories"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

func memorySearch(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "search", Aliases: []string{"search_memory"}, Usage: "find what is remembered", ArgsUsage: "QUERY",
		Description: "Prints JSON; --text prints lines. The project's memory and your own are\n" +
			"searched, as the setting scope says. No hit is exit 0 and an empty list.",
		Flags: memoryFlags(
			&cli.IntFlag{Name: "max-results", Aliases: []string{"n"}, Value: 5, Usage: "at most `N` hits"},
			&cli.IntFlag{Name: "days", Usage: "of the last `N` days"},
			&cli.StringFlag{Name: "from", Usage: "not before `DATE`, such as 2026-02-17"},
			&cli.StringFlag{Name: "to", Usage: "not after `DATE`"},
			&cli.StringSliceFlag{Name: "type", Usage: "of `TYPE` W, B, O or S only"},
			&cli.StringSliceFlag{Name: "entity", Usage: "about `NAME` only"},
			&cli.BoolFlag{Name: "include-stage", Usage: "stage summaries (S) too"},
			&cli.BoolFlag{Name: "include-replaced", Usage: "facts too that a later one stands for"},
			&cli.StringFlag{Name: "method", Value: "hybrid", Usage: "`METHOD`: hybrid, fts, vector"},
			&cli.StringFlag{Name: "fusion", Value: "rrf", Usage: "`WAY` to put the two together: rrf, weighted"},
			&cli.BoolFlag{Name: "mmr", Usage: "prefer hits that differ"},
			&cli.BoolFlag{Name: "text", Usage: "lines for people"},
		),
		Action: func(c *cli.Context) error { return search(sh, c) },
	}
}

func search(sh *shell.Shell, c *cli.Context) error {
	words, err := shell.Args(c, 1, -1, "what to look for")
	if err != nil {
		return err
	}
	q, err := memoryQuery(sh, c, strings.Join(words, " "))
	if err != nil {
		return err
	}
	s, err := memories.MemoryOf(sh, c)
	if err != nil {
		return err
	}
	if days := s.Set("recency_days").Int; days > 0 {
		q.HalfLife = time.Duration(days) * 24 * time.Hour
	}
	found, err := memories.LookUp(sh, c.Context, s, s.Shelves(c.Bool("user")), q)
	if err != nil {
		return fmt.Errorf("memory search: %w", err)
	}
	hits := make([]memories.MemoryHit, 0, len(found))
	for _, f := range found {
		hits = append(hits, memories.HitOf(f))
	}
	if !c.Bool("text") {
		return sh.JSON(map[string]any{"schema": 1, "results": hits, "method": q.Method, "total": len(hits)})
	}
	if len(hits) == 0 {
		sh.Printf("nothing is remembered about that\n")
	}
	for _, h := range hits {
		sh.Printf("%.2f  [%s] %s\n      %s\n", h.Score, cmp.Or(h.Type, h.Kind), shell.Headline(h.Content), strings.Join(slices.DeleteFunc([]string{h.Timestamp, h.ID, h.Source}, func(s string) bool { return s == "" }), "  "))
	}
	return nil
}

// memoryQuery reads the flags of a search.
func memoryQuery(sh *shell.Shell, c *cli.Context, text string) (q find.Query, err error) {
	q = find.Query{
		Text: text, Max: c.Int("max-results"), Method: find.Method(c.String("method")), Now: sh.Host.Now(),
		Types: shell.SplitCommas(c.StringSlice("type")), Entities: shell.SplitCommas(c.StringSlice("entity")),
		Stages: c.Bool("include-stage"), Replaced: c.Bool("include-replaced"),
		Weighted: c.String("fusion") == "weighted", Diverse: c.Bool("mmr"),
	}
	if q.Max < 1 || q.Max > 100 {
		return q, shell.Usagef("search: --max-results %d: want 1 to 100", q.Max)
	}
	if !slices.Contains([]find.Method{find.Hybrid, find.Text, find.Vector}, q.Method) {
		return q, shell.Usagef("search: --method %q: want hybrid, fts or vector", q.Method)
	}
	if f := c.String("fusion"); f != "rrf" && f != "weighted" {
		return q, shell.Usagef("search: --fusion %q: want rrf or weighted", f)
	}
	for i, ty := range q.Types {
		if q.Types[i] = strings.ToUpper(ty); !strings.Contains("WBOS", q.Types[i]) || len(q.Types[i]) != 1 {
			return q, shell.Usagef("search: --type %q: want W, B, O or S", ty)
		}
	}
	if d := c.Int("days"); d > 0 {
		q.From = q.Now.AddDate(0, 0, -d)
	}
	for _, f := range []struct {
		name string
		to   *time.Time
		end  time.Duration
	}{{"from", &q.From, 0}, {"to", &q.To, 24*time.Hour - 1}} {
		text := c.String(f.name)
		if text == "" {
			continue
		}
		if day, err := time.Parse(time.DateOnly, text); err == nil {
			*f.to = day.Add(f.end)
		} else if at, err := time.Parse(time.RFC3339, text); err == nil {
			*f.to = at
		} else {
			return q, shell.Usagef("search: --%s %q: want a date such as 2026-02-17", f.name, text)
		}
	}
	return q, nil
}
