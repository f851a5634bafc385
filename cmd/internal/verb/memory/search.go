package memory

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

func searchCommand(sh *shell.Shell) *cli.Command {
	c := verb(sh, "memory_search", func(c *cli.Context, given op.Call) error {
		q, err := ops.Query(sh.Host.Now(), given, 5, 100)
		if err != nil {
			return failed("search", err)
		}
		o, m, err := readMemory(sh, c)
		if err != nil {
			return err
		}
		most := int(ops.QueryWait / time.Millisecond)
		wait := given.Int("wait", most)
		if err := op.Within("wait", wait, 0, math.MaxInt32); err != nil {
			return failed("search", err)
		}
		hits, err := m.Search(c.Context, m.Folders(o.user), m.Aged(q), time.Duration(min(wait, most))*time.Millisecond)
		if err != nil {
			return failed("search", err)
		}
		tellWaiting(sh, m)
		if o.text || sh.Person() && !o.json {
			printHits(sh, hits)
			return nil
		}
		return document(sh, map[string]any{"schema": 1, "results": hits, "known": ops.Known(hits), "method": q.Method, "total": len(hits)})
	}, textFlag())
	c.Aliases = []string{"search_memory"}
	c.Description = "Prints lines in a terminal of yours, and JSON elsewhere. The project's memory and your own are\n" +
		"searched, as the setting scope says. The best come first; what is likely about\n" +
		"something else is marked weak and comes last, and known says whether there is\n" +
		"more than that. No hit is exit 0 and an empty list."
	return c
}

func printHits(sh *shell.Shell, hits []ops.Hit) {
	if len(hits) == 0 {
		sh.Printf("nothing is remembered about that\n")
	} else if !ops.Known(hits) {
		sh.Printf("nothing is surely about that; near to it are:\n")
	}
	for _, h := range hits {
		origin := h.Origin
		if memory.Shared(origin) {
			origin = "by " + origin
		}
		by := ""
		if h.ReplacedBy != "" {
			by = "replaced by " + h.ReplacedBy
		}
		where := slices.DeleteFunc([]string{by, h.Holds, h.Timestamp, h.ID, h.Source, origin}, func(s string) bool { return s == "" })
		mark := ""
		if h.Weak {
			mark = "weak "
		}
		sh.Printf("%.2f  %s[%s] %s\n      %s\n", h.Score, mark, cmp.Or(h.Type, h.Kind), ops.Headline(h.Content), strings.Join(where, "  "))
	}
}
