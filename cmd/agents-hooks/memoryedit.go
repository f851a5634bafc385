package main

import (
	"context"
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
)

func confirmFlag() cli.Flag {
	return &cli.BoolFlag{Name: "confirm", Usage: "really do it"}
}

// confirmed refuses a command that takes something away, unless it is asked for.
func confirmed(c *cli.Context, what string) error {
	if c.Bool("confirm") {
		return nil
	}
	return withHint(usagef("%s: %s: want --confirm", c.Command.Name, what), "agents-hooks memory export > backup.json keeps a copy")
}

func (t *tool) memoryList() *cli.Command {
	return &cli.Command{
		Name: "list", Usage: "show what is remembered, the newest first",
		Flags: memoryFlags(
			&cli.IntFlag{Name: "last", Aliases: []string{"n"}, Value: 20, Usage: "the newest `N`; 0 for all"},
			&cli.StringSliceFlag{Name: "type", Usage: "of `TYPE` W, B, O or S only"},
			&cli.StringSliceFlag{Name: "entity", Usage: "about `NAME` only"},
			&cli.BoolFlag{Name: "deleted", Usage: "deleted ones, for restore"},
			&cli.BoolFlag{Name: "sessions", Usage: "summaries of sessions"},
		),
		Action: t.listMemory,
	}
}

// A memoryRow is one entry of memory list --json.
type memoryRow struct {
	ID         string   `json:"id"`
	Type       string   `json:"type"`
	Content    string   `json:"content"`
	Entities   []string `json:"entities"`
	Confidence float64  `json:"confidence"`
	Timestamp  string   `json:"timestamp"`
	Session    string   `json:"session"`
	Origin     string   `json:"origin"`
	TopicKey   string   `json:"topic_key"`
	Seen       int      `json:"seen_count"`
	Deleted    bool     `json:"deleted"`
	File       string   `json:"file"`
}

func (t *tool) listMemory(c *cli.Context) error {
	if _, err := args(c, 0, 0, "flags only"); err != nil {
		return err
	}
	s, err := t.memoryOf(c)
	if err != nil {
		return err
	}
	rows, err := s.rows(c)
	if err != nil {
		return fmt.Errorf("memory list: %w", err)
	}
	if n := c.Int("last"); n > 0 {
		rows = rows[:min(n, len(rows))]
	}
	if c.Bool("json") {
		return t.json(map[string]any{"schema": 1, "entries": rows})
	}
	for _, r := range rows {
		t.printf("[%s][%.10s] %s  (%s)\n", r.Type, r.Timestamp, strings.Join(strings.Fields(r.Content), " "), r.ID)
	}
	if len(rows) == 0 {
		t.printf("nothing is remembered in %s\n", t.short(s.Dir))
	}
	return nil
}

func (s shelf) rows(c *cli.Context) ([]memoryRow, error) {
	rows := []memoryRow{}
	if c.Bool("sessions") {
		sums, err := s.Summaries()
		for _, m := range slices.Backward(sums) {
			rows = append(rows, memoryRow{ID: m.ID, Type: "summary", Content: strings.TrimSpace(m.Topic + "\n" + m.Text), Entities: []string{}, Confidence: 1, Timestamp: memory.Stamp(m.Time), Session: m.Session, Seen: 1, File: memory.SessionsFile})
		}
		return rows, err
	}
	all, err := s.Facts()
	if err != nil {
		return nil, err
	}
	if !c.Bool("deleted") {
		all = keeper.Living(all)
	}
	types, about := words2(c.StringSlice("type")), words2(c.StringSlice("entity"))
	for _, e := range all {
		if e.Deleted != c.Bool("deleted") || len(types) > 0 && !slices.Contains(types, e.Kind) ||
			len(about) > 0 && !slices.ContainsFunc(about, func(n string) bool {
				return slices.ContainsFunc(e.Entities, func(h string) bool { return strings.EqualFold(n, h) })
			}) {
			continue
		}
		entities := e.Entities
		if entities == nil {
			entities = []string{}
		}
		rows = append(rows, memoryRow{e.ID, e.Kind, e.Content, entities, e.Confidence, memory.Stamp(e.Time), e.Session, e.Origin, e.TopicKey, e.Seen, e.Deleted, e.File})
	}
	slices.SortStableFunc(rows, func(a, b memoryRow) int { return strings.Compare(b.Timestamp, a.Timestamp) })
	return rows, nil
}

func (t *tool) memoryStats() *cli.Command {
	return &cli.Command{
		Name: "stats", Usage: "count what is remembered", Flags: memoryFlags(),
		Action: func(c *cli.Context) error {
			s, err := t.memoryOf(c)
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
				return t.json(map[string]any{"schema": 1, "dir": s.Dir, "facts": len(living), "types": types, "hidden": len(all) - len(living), "summaries": len(sums)})
			}
			t.printf("%s\n", t.short(s.Dir))
			t.printf("  %d facts: %d W, %d B, %d O, %d S; %d deleted or replaced\n", len(living), types["W"], types["B"], types["O"], types["S"], len(all)-len(living))
			t.printf("  %d summaries\n", len(sums))
			if !newest.IsZero() {
				t.printf("  newest %s\n", memory.Stamp(newest))
			}
			return nil
		},
	}
}

func (t *tool) memoryEdit() *cli.Command {
	return &cli.Command{
		Name: "edit", Usage: "change a fact in place", ArgsUsage: "ID",
		Flags: memoryFlags(
			&cli.StringFlag{Name: "content", Usage: "the new `TEXT`"}, &cli.StringFlag{Name: "type", Usage: "the new `TYPE`"},
			&cli.Float64Flag{Name: "confidence", Usage: "the new `NUMBER`"}, &cli.StringSliceFlag{Name: "entities", Usage: "the new `NAMES`"},
		),
		Action: func(c *cli.Context) error {
			words, err := args(c, 1, 1, "the id of a fact")
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
				e.Entities = append([]string{}, words2(c.StringSlice("entities"))...)
			}
			s, err := t.memoryOf(c)
			if err != nil {
				return err
			}
			return t.answer(map[string]any{"status": "ok", "id": words[0]}, memoryError("edit", s.Edit(words[0], e)))
		},
	}
}

func (t *tool) memoryDelete() *cli.Command {
	return &cli.Command{
		Name: "delete", Aliases: []string{"forget"}, Usage: "hide entries; restore brings them back", ArgsUsage: "ID...",
		Flags: memoryFlags(&cli.BoolFlag{Name: "purge", Usage: "remove them for good; wants --confirm"}, confirmFlag()),
		Action: func(c *cli.Context) error {
			if c.Bool("purge") {
				if err := confirmed(c, "--purge removes entries for good"); err != nil {
					return err
				}
				return t.changeEntries(c, keeper.Keeper.Purge)
			}
			return t.changeEntries(c, keeper.Keeper.Delete)
		},
	}
}

func (t *tool) memoryRestore() *cli.Command {
	return &cli.Command{
		Name: "restore", Usage: "bring deleted entries back", ArgsUsage: "ID...", Flags: memoryFlags(),
		Action: func(c *cli.Context) error { return t.changeEntries(c, keeper.Keeper.Restore) },
	}
}

func (t *tool) changeEntries(c *cli.Context, change func(keeper.Keeper, []string) (int, error)) error {
	ids, err := args(c, 1, -1, "ids of entries")
	if err != nil {
		return err
	}
	s, err := t.memoryOf(c)
	if err != nil {
		return err
	}
	n, err := change(s.Keeper, ids)
	if errors.Is(err, keeper.ErrNoEntry) {
		return withHint(fmt.Errorf("memory %s: %w", c.Command.Name, err), "agents-hooks memory list --last 0 shows the ids")
	}
	return t.answer(map[string]any{"status": "ok", "entries": n}, memoryError(c.Command.Name, err))
}

func (t *tool) memoryCleanup() *cli.Command {
	return &cli.Command{
		Name: "cleanup", Usage: "hide facts that are old",
		Description: "Preferences (O) stay. Without --confirm it only tells how many would go.",
		Flags:       memoryFlags(&cli.IntFlag{Name: "older-than", Value: 90, Usage: "older than `DAYS`"}, confirmFlag()),
		Action: func(c *cli.Context) error {
			if _, err := args(c, 0, 0, "flags only"); err != nil {
				return err
			}
			if c.Int("older-than") < 1 {
				return usagef("cleanup: --older-than %d: want at least 1 day", c.Int("older-than"))
			}
			s, err := t.memoryOf(c)
			if err != nil {
				return err
			}
			ids, err := s.Cleanup(c.Int("older-than"), !c.Bool("confirm"))
			status := "ok"
			if !c.Bool("confirm") {
				status = "dry-run"
			}
			return t.answer(map[string]any{"status": status, "entries": len(ids)}, memoryError("cleanup", err))
		},
	}
}

func (t *tool) memoryExport() *cli.Command {
	return &cli.Command{
		Name: "export", Usage: "print all that is remembered as one JSON document", Flags: memoryFlags(),
		Action: func(c *cli.Context) error {
			s, err := t.memoryOf(c)
			if err != nil {
				return err
			}
			doc, err := s.Export()
			if err != nil {
				return fmt.Errorf("memory export: %w", err)
			}
			return t.json(doc)
		},
	}
}

func (t *tool) memoryImport() *cli.Command {
	return &cli.Command{
		Name: "import", Usage: "take in what export printed", ArgsUsage: "[FILE]",
		Description: "merge adds what is new, and of two with one id lets the newer stand; skip\n" +
			"leaves what is there alone; replace hides it first (wants --confirm). Each\n" +
			"entry keeps where it is from. A copy of the folder is kept for 30 days.",
		Flags: memoryFlags(
			&cli.StringFlag{Name: "mode", Value: "merge", Usage: "`MODE`: merge, replace, skip"},
			&cli.StringFlag{Name: "origin", Usage: "whose it is (`NAME`); default the file's name"}, confirmFlag(),
		),
		Action: t.importMemory,
	}
}

func (t *tool) importMemory(c *cli.Context) error {
	mode := keeper.Mode(c.String("mode"))
	if !slices.Contains([]keeper.Mode{keeper.Merge, keeper.Replace, keeper.Skip}, mode) {
		return usagef("import: --mode %q: want merge, replace or skip", mode)
	}
	if mode == keeper.Replace {
		if err := confirmed(c, "--mode replace hides all that is there"); err != nil {
			return err
		}
	}
	data, err := t.fileOrStdin(c, "memory", 256<<20)
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
	s, err := t.memoryOf(c)
	if err != nil {
		return err
	}
	n, err := s.Import(data, mode, origin)
	return t.answer(map[string]any{"status": "ok", "added": n.Added, "replaced": n.Replaced, "skipped": n.Skipped}, memoryError("import", err))
}

func (t *tool) memoryRebuild() *cli.Command {
	return &cli.Command{
		Name: "rebuild-index", Aliases: []string{"sync_index"}, Usage: "make the search index anew from the files", Flags: memoryFlags(),
		Action: func(c *cli.Context) error {
			s, err := t.memoryOf(c)
			if err != nil {
				return err
			}
			for _, rest := range []string{"", "-wal", "-shm", "-recall"} {
				if err := os.Remove(filepath.Join(s.Dir, index.FileName) + rest); err != nil && !errors.Is(err, fs.ErrNotExist) {
					return fmt.Errorf("memory rebuild-index: %w", err)
				}
			}
			n, err := t.syncIndex(c.Context, s)
			return t.answer(map[string]any{"status": "ok", "files": n.Files, "entries": n.Added}, memoryError("rebuild-index", err))
		},
	}
}

// syncIndex brings the index of a folder up to date, and its snapshot.
func (t *tool) syncIndex(ctx context.Context, s shelf) (index.Change, error) {
	if _, err := os.Stat(s.Dir); err != nil {
		return index.Change{}, nil // no memory, and none is begun for its index
	}
	e, own := t.embedder(s)
	x, err := openIndex(s.shelf(), e)
	if err != nil {
		return index.Change{}, err
	}
	defer x.Close()
	n, err := x.Sync(ctx, find.Sources(s.Dir), t.host.Now())
	if err == nil && own {
		_ = s.shelf().Keep(t.host.Now(), 0) // what it would have spared is done each time
	}
	return n, err
}

func (t *tool) memoryDoctor() *cli.Command {
	return &cli.Command{
		Name: "doctor", Usage: "is memory whole, and can it be written and searched", Flags: memoryFlags(),
		Action: func(c *cli.Context) error {
			s, err := t.memoryOf(c)
			if err != nil {
				return err
			}
			checks := t.checkMemory(c, s)
			bad := slices.ContainsFunc(checks, func(m memoryCheck) bool { return m.Status == "error" })
			if c.Bool("json") {
				err = t.json(map[string]any{"schema": 1, "dir": s.Dir, "checks": checks})
			} else {
				t.printf("%s\n", t.short(s.Dir))
				for _, m := range checks {
					t.printf("  %-5s %-8s %s\n", m.Status, m.ID, m.Message)
					if m.Fix != "" {
						t.printf("                 fix: %s\n", m.Fix)
					}
				}
			}
			if err == nil && bad {
				return errReported
			}
			return err
		},
	}
}

// A memoryCheck is one check of memory doctor --json.
type memoryCheck struct {
	ID      string `json:"id"`
	Status  string `json:"status"` // ok, off, warn, error
	Message string `json:"message"`
	Fix     string `json:"fix"`
}

func (t *tool) checkMemory(c *cli.Context, s shelf) []memoryCheck {
	var out []memoryCheck
	add := func(id, status, fix, format string, args ...any) {
		out = append(out, memoryCheck{id, status, fmt.Sprintf(format, args...), fix})
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
	e, _ := t.embedder(s)
	x, err := openIndex(s.shelf(), e)
	if err != nil {
		add("index", "error", "agents-hooks memory rebuild-index", "%v", err)
		return out
	}
	defer x.Close()
	if _, err := x.Sync(c.Context, find.Sources(s.Dir), t.host.Now()); err != nil {
		add("index", "error", "agents-hooks memory rebuild-index", "%v", err)
	} else if why := x.Lacks(); why != "" {
		add("index", "warn", "check [builtin.memory] embedding_url", "text search only: %s", why)
	} else {
		add("index", "ok", "", "%s", x.About())
	}
	return out
}

func (t *tool) memoryConfig() *cli.Command {
	return &cli.Command{
		Name: "config", Usage: "show the settings as they hold, and where each is from", ArgsUsage: "[KEY]",
		Description: "They are set in [builtin.memory] of hooks.toml: " + "docs in agents-hooks spec settings.",
		Flags:       memoryFlags(),
		Action: func(c *cli.Context) error {
			words, err := args(c, 0, 1, "a key, or nothing")
			if err != nil {
				return err
			}
			s, err := t.memoryOf(c)
			if err != nil {
				return err
			}
			return t.showConfig(c, s, words)
		},
	}
}

func (t *tool) showConfig(c *cli.Context, s shelf, words []string) error {
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
		v := s.set(key)
		rows = append(rows, row{key, builtinhooks.Plain(v), v.From})
	}
	if len(rows) == 0 {
		err := usagef("config: no key %q", words[0])
		if near := nearest(words[0], builtinhooks.MemoryKeys()); near != "" {
			return withHint(err, "agents-hooks memory config "+near)
		}
		return err
	}
	if c.Bool("json") {
		return t.json(map[string]any{"schema": 1, "dir": s.Dir, "user_dir": s.place.User, "settings": rows})
	}
	for _, r := range rows {
		value, err := json.Marshal(r.Value)
		if err != nil {
			return err
		}
		t.printf("%-22s %-28s %s\n", r.Key, value, r.From)
	}
	return nil
}
