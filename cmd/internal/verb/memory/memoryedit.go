package memory

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/find"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/index"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/keeper"
	"github.com/agents-hooks/agents-hooks/cmd/internal/memories"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

func confirmFlag() cli.Flag {
	return &cli.BoolFlag{Name: "confirm", Usage: "really do it"}
}

// confirmed refuses a command that takes something away, unless it is asked for.
func confirmed(c *cli.Context, what string) error {
	if c.Bool("confirm") {
		return nil
	}
	return shell.WithHint(shell.Usagef("%s: %s: want --confirm", c.Command.Name, what), "agents-hooks memory export > backup.json keeps a copy")
}

func memoryList(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "list", Usage: "show what is remembered, the newest first",
		Flags: memoryFlags(
			&cli.IntFlag{Name: "last", Aliases: []string{"n"}, Value: 20, Usage: "the newest `N`; 0 for all"},
			&cli.StringSliceFlag{Name: "type", Usage: "of `TYPE` W, B, O or S only"},
			&cli.StringSliceFlag{Name: "entity", Usage: "about `NAME` only"},
			&cli.BoolFlag{Name: "deleted", Usage: "deleted ones, for restore"},
			&cli.BoolFlag{Name: "sessions", Usage: "summaries of sessions"},
		),
		Action: func(c *cli.Context) error { return listMemory(sh, c) },
	}
}

func listMemory(sh *shell.Shell, c *cli.Context) error {
	if _, err := shell.Args(c, 0, 0, "flags only"); err != nil {
		return err
	}
	s, err := memories.MemoryOf(sh, c)
	if err != nil {
		return err
	}
	rows, err := s.Rows(c)
	if err != nil {
		return fmt.Errorf("memory list: %w", err)
	}
	if n := c.Int("last"); n > 0 {
		rows = rows[:min(n, len(rows))]
	}
	if c.Bool("json") {
		return sh.JSON(map[string]any{"schema": 1, "entries": rows})
	}
	for _, r := range rows {
		sh.Printf("[%s][%.10s] %s  (%s)\n", r.Type, r.Timestamp, strings.Join(strings.Fields(r.Content), " "), r.ID)
	}
	if len(rows) == 0 {
		sh.Printf("nothing is remembered in %s\n", sh.Short(s.Dir))
	}
	return nil
}

func memoryStats(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "stats", Usage: "count what is remembered", Flags: memoryFlags(),
		Action: func(c *cli.Context) error {
			s, err := memories.MemoryOf(sh, c)
			if err != nil {
				return err
			}
			all, err := s.Facts()
			if err != nil {
				return fmt.Errorf("memory stats: %w", err)
			}
			sums, err := s.Summaries()
			if err != nil {
				return fmt.Errorf("memory stats: %w", err)
			}
			types := map[string]int{"W": 0, "B": 0, "O": 0, "S": 0}
			living := keeper.Living(all)
			newest := time.Time{}
			for _, e := range living {
				types[e.Kind]++
				if e.Time.After(newest) {
					newest = e.Time
				}
			}
			if c.Bool("json") {
				return sh.JSON(map[string]any{"schema": 1, "dir": s.Dir, "facts": len(living), "types": types, "hidden": len(all) - len(living), "summaries": len(sums)})
			}
			sh.Printf("%s\n", sh.Short(s.Dir))
			sh.Printf("  %d facts: %d W, %d B, %d O, %d S; %d deleted or replaced\n", len(living), types["W"], types["B"], types["O"], types["S"], len(all)-len(living))
			sh.Printf("  %d summaries\n", len(sums))
			if !newest.IsZero() {
				sh.Printf("  newest %s\n", memory.Stamp(newest))
			}
			return nil
		},
	}
}

func memoryEdit(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "edit", Usage: "change a fact in place", ArgsUsage: "ID",
		Flags: memoryFlags(
			&cli.StringFlag{Name: "content", Usage: "the new `TEXT`"}, &cli.StringFlag{Name: "type", Usage: "the new `TYPE`"},
			&cli.Float64Flag{Name: "confidence", Usage: "the new `NUMBER`"}, &cli.StringSliceFlag{Name: "entities", Usage: "the new `NAMES`"},
		),
		Action: func(c *cli.Context) error {
			words, err := shell.Args(c, 1, 1, "the id of a fact")
			if err != nil {
				return err
			}
			var e keeper.Edit
			if text := c.String("content"); c.IsSet("content") {
				e.Content = &text
			}
			if text := strings.ToUpper(c.String("type")); c.IsSet("type") {
				e.Type = &text
			}
			if n := c.Float64("confidence"); c.IsSet("confidence") {
				e.Confidence = &n
			}
			if c.IsSet("entities") {
				e.Entities = append([]string{}, shell.SplitCommas(c.StringSlice("entities"))...)
			}
			s, err := memories.MemoryOf(sh, c)
			if err != nil {
				return err
			}
			return sh.Answer(map[string]any{"status": "ok", "id": words[0]}, memoryError("edit", s.Edit(words[0], e)))
		},
	}
}

func memoryDelete(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "delete", Aliases: []string{"forget"}, Usage: "hide entries; restore brings them back", ArgsUsage: "ID...",
		Flags: memoryFlags(&cli.BoolFlag{Name: "purge", Usage: "remove them for good; wants --confirm"}, confirmFlag()),
		Action: func(c *cli.Context) error {
			if c.Bool("purge") {
				if err := confirmed(c, "--purge removes entries for good"); err != nil {
					return err
				}
				return changeEntries(sh, c, keeper.Keeper.Purge)
			}
			return changeEntries(sh, c, keeper.Keeper.Delete)
		},
	}
}

func memoryRestore(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "restore", Usage: "bring deleted entries back", ArgsUsage: "ID...", Flags: memoryFlags(),
		Action: func(c *cli.Context) error { return changeEntries(sh, c, keeper.Keeper.Restore) },
	}
}

func changeEntries(sh *shell.Shell, c *cli.Context, change func(keeper.Keeper, []string) (int, error)) error {
	ids, err := shell.Args(c, 1, -1, "ids of entries")
	if err != nil {
		return err
	}
	s, err := memories.MemoryOf(sh, c)
	if err != nil {
		return err
	}
	n, err := change(s.Keeper, ids)
	if errors.Is(err, keeper.ErrNoEntry) {
		return shell.WithHint(fmt.Errorf("memory %s: %w", c.Command.Name, err), "agents-hooks memory list --last 0 shows the ids")
	}
	return sh.Answer(map[string]any{"status": "ok", "entries": n}, memoryError(c.Command.Name, err))
}

func memoryCleanup(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "cleanup", Usage: "hide facts that are old",
		Description: "Preferences (O) stay. Without --confirm it only tells how many would go.",
		Flags:       memoryFlags(&cli.IntFlag{Name: "older-than", Value: 90, Usage: "older than `DAYS`"}, confirmFlag()),
		Action: func(c *cli.Context) error {
			if _, err := shell.Args(c, 0, 0, "flags only"); err != nil {
				return err
			}
			if c.Int("older-than") < 1 {
				return shell.Usagef("cleanup: --older-than %d: want at least 1 day", c.Int("older-than"))
			}
			s, err := memories.MemoryOf(sh, c)
			if err != nil {
				return err
			}
			ids, err := s.Cleanup(c.Int("older-than"), !c.Bool("confirm"))
			status := "ok"
			if !c.Bool("confirm") {
				status = "dry-run"
			}
			return sh.Answer(map[string]any{"status": status, "entries": len(ids)}, memoryError("cleanup", err))
		},
	}
}

func memoryExport(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "export", Usage: "print all that is remembered as one JSON document", Flags: memoryFlags(),
		Action: func(c *cli.Context) error {
			s, err := memories.MemoryOf(sh, c)
			if err != nil {
				return err
			}
			doc, err := s.Export()
			if err != nil {
				return fmt.Errorf("memory export: %w", err)
			}
			return sh.JSON(doc)
		},
	}
}

func memoryImport(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "import", Usage: "take in what export printed", ArgsUsage: "[FILE]",
		Description: "merge adds what is new, and of two with one id lets the newer stand; skip\n" +
			"leaves what is there alone; replace hides it first (wants --confirm). Each\n" +
			"entry keeps where it is from. A copy of the folder is kept for 30 days.",
		Flags: memoryFlags(
			&cli.StringFlag{Name: "mode", Value: "merge", Usage: "`MODE`: merge, replace, skip"},
			&cli.StringFlag{Name: "origin", Usage: "whose it is (`NAME`); default the file's name"}, confirmFlag(),
		),
		Action: func(c *cli.Context) error { return importMemory(sh, c) },
	}
}

func importMemory(sh *shell.Shell, c *cli.Context) error {
	mode := keeper.Mode(c.String("mode"))
	if !slices.Contains([]keeper.Mode{keeper.Merge, keeper.Replace, keeper.Skip}, mode) {
		return shell.Usagef("import: --mode %q: want merge, replace or skip", mode)
	}
	if mode == keeper.Replace {
		if err := confirmed(c, "--mode replace hides all that is there"); err != nil {
			return err
		}
	}
	data, err := sh.FileOrStdin(c, "memory", 256<<20)
	if err != nil {
		return err
	}
	origin := c.String("origin")
	if origin == "" {
		origin = "import"
		if name := c.Args().First(); name != "" && name != "-" {
			origin = filepath.Base(name)
		}
	}
	s, err := memories.MemoryOf(sh, c)
	if err != nil {
		return err
	}
	n, err := s.Import(data, mode, origin)
	return sh.Answer(map[string]any{"status": "ok", "added": n.Added, "replaced": n.Replaced, "skipped": n.Skipped}, memoryError("import", err))
}

func memoryRebuild(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "rebuild-index", Aliases: []string{"sync_index"}, Usage: "make the search index anew from the files", Flags: memoryFlags(),
		Action: func(c *cli.Context) error {
			s, err := memories.MemoryOf(sh, c)
			if err != nil {
				return err
			}
			for _, rest := range []string{"", "-wal", "-shm", "-recall"} {
				if err := os.Remove(filepath.Join(s.Dir, index.FileName) + rest); err != nil && !errors.Is(err, fs.ErrNotExist) {
					return fmt.Errorf("memory rebuild-index: %w", err)
				}
			}
			n, err := memories.SyncIndex(sh, c.Context, s)
			return sh.Answer(map[string]any{"status": "ok", "files": n.Files, "entries": n.Added}, memoryError("rebuild-index", err))
		},
	}
}

func memoryDoctor(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "doctor", Usage: "is memory whole, and can it be written and searched", Flags: memoryFlags(),
		Action: func(c *cli.Context) error {
			s, err := memories.MemoryOf(sh, c)
			if err != nil {
				return err
			}
			checks := checkMemory(sh, c, s)
			bad := slices.ContainsFunc(checks, func(m shell.Check) bool { return m.Status == "error" })
			if c.Bool("json") {
				err = sh.JSON(map[string]any{"schema": 1, "dir": s.Dir, "checks": checks})
			} else {
				sh.Printf("%s\n", sh.Short(s.Dir))
				for _, m := range checks {
					sh.Printf("  %-5s %-8s %s\n", m.Status, m.ID, m.Message)
					if m.Fix != "" {
						sh.Printf("                 fix: %s\n", m.Fix)
					}
				}
			}
			if err == nil && bad {
				return shell.ErrReported
			}
			return err
		},
	}
}

func checkMemory(sh *shell.Shell, c *cli.Context, s memories.Shelf) []shell.Check {
	var out []shell.Check
	add := func(id, status, fix, format string, args ...any) {
		out = append(out, shell.Check{ID: id, Status: status, Message: fmt.Sprintf(format, args...), Fix: fix})
	}
	if _, err := os.Stat(s.Dir); errors.Is(err, fs.ErrNotExist) {
		add("folder", "off", "agents-hooks memory save TEXT", "there is no memory here yet")
		return out
	}
	lines, damaged, err := s.Damage()
	switch {
	case err != nil:
		add("files", "error", "", "%v", err)
	case len(damaged) > 0:
		add("files", "warn", "mend or remove the lines; the others are read", "%d of %d lines cannot be read, the first is %s", len(damaged), lines, damaged[0])
	default:
		add("files", "ok", "", "%d lines can be read", lines)
	}
	if err := s.Writable(); err != nil {
		add("writing", "error", "", "nothing can be saved: %v", err)
	} else {
		add("writing", "ok", "", "facts can be saved")
	}
	e, _ := memories.Embedder(sh, s)
	x, err := memories.OpenIndex(s.Shelf(), e)
	if err != nil {
		add("index", "error", "agents-hooks memory rebuild-index", "%v", err)
		return out
	}
	defer x.Close()
	if _, err := x.Sync(c.Context, find.Sources(s.Dir), sh.Host.Now()); err != nil {
		add("index", "error", "agents-hooks memory rebuild-index", "%v", err)
	} else if why := x.Lacks(); why != "" {
		add("index", "warn", "check [builtin.memory] embedding_url", "text search only: %s", why)
	} else {
		add("index", "ok", "", "%s", x.About())
	}
	return out
}

func memoryConfig(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "config", Usage: "show the settings as they hold, and where each is from", ArgsUsage: "[KEY]",
		Description: "They are set in [builtin.memory] of hooks.toml: " + "docs in agents-hooks spec settings.",
		Flags:       memoryFlags(),
		Action: func(c *cli.Context) error {
			words, err := shell.Args(c, 0, 1, "a key, or nothing")
			if err != nil {
				return err
			}
			s, err := memories.MemoryOf(sh, c)
			if err != nil {
				return err
			}
			return showConfig(sh, c, s, words)
		},
	}
}

func showConfig(sh *shell.Shell, c *cli.Context, s memories.Shelf, words []string) error {
	type row struct {
		Key   string `json:"key"`
		Value any    `json:"value"`
		From  string `json:"from"`
	}
	rows := []row{}
	for _, key := range builtinhooks.MemoryKeys() {
		if len(words) == 1 && words[0] != key {
			continue
		}
		v := s.Set(key)
		rows = append(rows, row{key, builtinhooks.Plain(v), v.From})
	}
	if len(rows) == 0 {
		err := shell.Usagef("config: no key %q", words[0])
		if near := shell.Nearest(words[0], builtinhooks.MemoryKeys()); near != "" {
			return shell.WithHint(err, "agents-hooks memory config "+near)
		}
		return err
	}
	if c.Bool("json") {
		return sh.JSON(map[string]any{"schema": 1, "dir": s.Dir, "user_dir": s.Place.User, "settings": rows})
	}
	for _, r := range rows {
		value, err := json.Marshal(r.Value)
		if err != nil {
			return err
		}
		sh.Printf("%-22s %-28s %s\n", r.Key, value, r.From)
	}
	return nil
}
