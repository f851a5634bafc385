// Package memory is the memory command: save, search, edit, delete, export, import
// and the rest, for people and for agents.
package memory

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/keeper"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/memories"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// Command is memory for people and for agents: the requests of its hooks
// name save and summary, so their answers are JSON on one line.
func Command(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:  "memory",
		Usage: "what agents remember of a project: save, search, edit",
		Description: "Memory is plain files in the project (.agents/memory-data, or where the\n" +
			"original keeps them) and, with --user, in a folder of your own. The hooks\n" +
			"that use it are off until: agents-hooks enable memory",
		Subcommands: []*cli.Command{
			memorySave(sh), memorySummary(sh), memorySearch(sh), memoryList(sh), memoryStats(sh),
			memoryEdit(sh), memoryDelete(sh), memoryRestore(sh), memoryCleanup(sh),
			memoryExport(sh), memoryImport(sh), memoryDistill(sh), memoryRebuild(sh), memoryDoctor(sh), memoryConfig(sh), memoryView(sh),
		},
	}
}

func userFlag() cli.Flag {
	return &cli.BoolFlag{Name: "user", Usage: "your own memory, for all projects"}
}

// memoryFlags are those of every command of memory. Those that answer an agent
// print JSON anyway, and take --json so that nobody has to know which.
func memoryFlags(more ...cli.Flag) []cli.Flag {
	return append(more, userFlag(), hookset.DirFlag(), shell.JSONFlag())
}

func memorySave(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "save", Aliases: []string{"save_fact"}, Usage: "keep one fact", ArgsUsage: "[TEXT]",
		Description: "Prints {\"status\": \"ok\", \"id\": …}; duplicate if it is known already, error with\n" +
			"exit 1 if it is refused. Secrets and <private> parts are taken out first.\n" +
			"A fact that says nearly the same about the same thing replaces the older one.",
		Flags: memoryFlags(
			&cli.StringFlag{Name: "content", Usage: "the `TEXT`, one sentence; - reads stdin"},
			&cli.StringFlag{Name: "type", Value: "W", Usage: "`TYPE`: W the world, B what happened, O a preference, S a stage"},
			&cli.StringSliceFlag{Name: "entities", Aliases: []string{"entity"}, Usage: "`NAMES` that it is about; repeats, splits at commas"},
			&cli.Float64Flag{Name: "confidence", Value: 0.9, Usage: "`NUMBER` from 0 to 1"},
			&cli.StringFlag{Name: "session", Usage: "`ID` of the agent's session"},
			&cli.StringFlag{Name: "topic-key", Usage: "replaces what was saved under the same `KEY`"},
		),
		Action: func(c *cli.Context) error { return saveFact(sh, c) },
	}
}

func saveFact(sh *shell.Shell, c *cli.Context) error {
	words, err := shell.Args(c, 0, 1, "the text, here or as --content")
	if err != nil {
		return err
	}
	content := c.String("content")
	if len(words) == 1 {
		if content != "" {
			return shell.Usagef("save: the text stands twice, as an argument and as --content")
		}
		content = words[0]
	}
	if content == "-" {
		b, err := shell.ReadAll(sh.In, 1<<20)
		if err != nil {
			return fmt.Errorf("memory save: %w", err)
		}
		content = string(b)
	}
	s, err := memories.MemoryOf(sh, c)
	if err != nil {
		return err
	}
	session := c.String("session")
	if session == "" {
		session = memory.CurrentSession(s.Dir)
	}
	saved, err := s.Save(memory.Fact{
		Kind: strings.ToUpper(c.String("type")), Content: content, Entities: shell.SplitCommas(c.StringSlice("entities")),
		Confidence: c.Float64("confidence"), Session: session,
	}, c.String("topic-key"))
	doc := map[string]any{"status": saved.Status, "id": saved.ID}
	if len(saved.Supersedes) > 0 {
		doc["supersedes"] = saved.Supersedes
	}
	return sh.Answer(doc, memoryError("save", err))
}

// memoryError says which command failed; what was refused stays as it is.
func memoryError(verb string, err error) error {
	if err == nil {
		return nil
	}
	var refused keeper.Refused
	if errors.As(err, &refused) {
		return err
	}
	return fmt.Errorf("memory %s: %w", verb, err)
}

func memorySummary(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "summary", Aliases: []string{"save_summary"}, Usage: "keep the summary of a session",
		Description: "Prints {\"status\": \"ok\", \"id\": …}, or skipped if the session has one already\n" +
			"(unless save_mode is smart, where the later one stands).",
		Flags: memoryFlags(
			&cli.StringFlag{Name: "topic", Usage: "one `SENTENCE`"},
			&cli.StringFlag{Name: "summary", Usage: "the `TEXT`, 100 to 200 characters"},
			&cli.StringSliceFlag{Name: "decisions", Aliases: []string{"decision"}, Usage: "what was decided (`LIST`); repeats, splits at commas"},
			&cli.StringSliceFlag{Name: "todos", Aliases: []string{"todo"}, Usage: "what is left to do (`LIST`)"},
			&cli.StringFlag{Name: "session", Usage: "`ID` of the agent's session; default the last that began here"},
		),
		Action: func(c *cli.Context) error { return saveSummary(sh, c) },
	}
}

func saveSummary(sh *shell.Shell, c *cli.Context) error {
	if _, err := shell.Args(c, 0, 0, "flags only"); err != nil {
		return err
	}
	s, err := memories.MemoryOf(sh, c)
	if err != nil {
		return err
	}
	id, err := s.Summarize(memory.Summary{
		Session: c.String("session"), Topic: c.String("topic"), Text: c.String("summary"),
		Decisions: shell.SplitCommas(c.StringSlice("decisions")), Todos: shell.SplitCommas(c.StringSlice("todos")),
	}, s.Set("save_mode").Text == "smart")
	if errors.Is(err, memory.ErrSaved) {
		return sh.Answer(map[string]any{"status": "skipped", "reason": memory.ErrSaved.Error()}, nil)
	}
	return sh.Answer(map[string]any{"status": "ok", "id": id}, memoryError("summary", err))
}

func memoryDistill(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "distill", Usage: "rewrite MEMORY.md from sections of items", ArgsUsage: "[FILE]",
		Description: "Reads a JSON object of sections and lists of items from FILE or stdin, such as\n" +
			"{\"用户偏好\": [\"…\"], \"重要决策\": [\"…\"]}, and replaces MEMORY.md. The page before is\n" +
			"kept as MEMORY.md.bak.",
		Flags: memoryFlags(&cli.BoolFlag{Name: "force", Usage: "more than 50 items"}),
		Action: func(c *cli.Context) error {
			s, err := memories.MemoryOf(sh, c)
			if err != nil {
				return err
			}
			doc, err := sh.FileOrStdin(c, "memory", 1<<20)
			if err != nil {
				return err
			}
			_, err = s.Distill(doc, c.Bool("force"))
			return sh.Answer(map[string]any{"status": "ok", "file": s.Dir + string(os.PathSeparator) + memory.CoreFile}, memoryError("distill", err))
		},
	}
}
