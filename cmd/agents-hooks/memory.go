package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/find"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/keeper"
	"github.com/agents-hooks/agents-hooks/discovery"
)

// memoryCommand is memory for people and for agents: the requests of its hooks
// name save and summary, so their answers are JSON on one line.
func (t *tool) memoryCommand() *cli.Command {
	return &cli.Command{
		Name:  "memory",
		Usage: "what agents remember of a project: save, search, edit",
		Description: "Memory is plain files in the project (.agents/memory-data, or where the\n" +
			"original keeps them) and, with --user, in a folder of your own. The hooks\n" +
			"that use it are off until: agents-hooks enable memory",
		Subcommands: []*cli.Command{
			t.memorySave(), t.memorySummary(), t.memorySearch(), t.memoryList(), t.memoryStats(),
			t.memoryEdit(), t.memoryDelete(), t.memoryRestore(), t.memoryCleanup(),
			t.memoryExport(), t.memoryImport(), t.memoryDistill(), t.memoryRebuild(), t.memoryDoctor(), t.memoryConfig(), t.memoryView(),
		},
	}
}

func userFlag() cli.Flag {
	return &cli.BoolFlag{Name: "user", Usage: "your own memory, for all projects"}
}

// memoryFlags are those of every command of memory. Those that answer an agent
// print JSON anyway, and take --json so that nobody has to know which.
func memoryFlags(more ...cli.Flag) []cli.Flag {
	return append(more, userFlag(), dirFlag(), jsonFlag())
}

// A shelf is a memory folder that a command works on.
type shelf struct {
	keeper.Keeper
	place memory.Place
	cache string
	set   func(key string) builtinhooks.Value
}

// shelf is the folder for a search of it alone.
func (s shelf) shelf() find.Shelf { return find.Shelf{Scope: "project", Dir: s.Dir, Cache: s.cache} }

// memoryOf is the folder that a command means.
func (t *tool) memoryOf(c *cli.Context) (shelf, error) {
	from, err := t.lookFrom(c)
	if err != nil {
		return shelf{}, err
	}
	return t.shelfOf(c.Context, from, c.Bool("user"))
}

// shelfOf is the memory folder of the project that a folder lies in or, with
// user, the person's own.
func (t *tool) shelfOf(ctx context.Context, from string, user bool) (shelf, error) {
	project, root := discovery.FindProject(from, t.host.Home)
	if project != "" {
		root = project
	}
	env := append(t.host.Env[:len(t.host.Env):len(t.host.Env)], "AGENTS_HOOKS_PROJECT_DIR="+root)
	place, values := builtinhooks.MemoryOf(ctx, t.world(), env, from)
	s := shelf{keeper.Keeper{Dir: place.Dir, Now: t.host.Now(), Random: rand.Uint64}, place, t.host.Cache, values.Of}
	if user {
		if place.User == "" {
			return s, errors.New("memory: there is no data directory for you: want HOME or XDG_DATA_HOME")
		}
		s.Dir = place.User
	}
	return s, nil
}

// answer prints one line of JSON for an agent. What was refused is an answer as
// well, and exit 1.
func (t *tool) answer(doc map[string]any, err error) error {
	var refused keeper.Refused
	if errors.As(err, &refused) {
		doc = map[string]any{"status": "error", "reason": refused.Reason}
	} else if err != nil {
		return err
	}
	b, jerr := json.Marshal(doc)
	if jerr != nil {
		return jerr
	}
	t.printf("%s\n", b)
	if err != nil {
		return errReported
	}
	return nil
}

func (t *tool) memorySave() *cli.Command {
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
		Action: t.saveFact,
	}
}

func (t *tool) saveFact(c *cli.Context) error {
	words, err := args(c, 0, 1, "the text, here or as --content")
	if err != nil {
		return err
	}
	content := c.String("content")
	if len(words) == 1 {
		if content != "" {
			return usagef("save: the text stands twice, as an argument and as --content")
		}
		content = words[0]
	}
	if content == "-" {
		b, err := readAll(t.in, 1<<20)
		if err != nil {
			return fmt.Errorf("memory save: %w", err)
		}
		content = string(b)
	}
	s, err := t.memoryOf(c)
	if err != nil {
		return err
	}
	session := c.String("session")
	if session == "" {
		session = memory.CurrentSession(s.Dir)
	}
	saved, err := s.Save(memory.Fact{
		Kind: strings.ToUpper(c.String("type")), Content: content, Entities: words2(c.StringSlice("entities")),
		Confidence: c.Float64("confidence"), Session: session,
	}, c.String("topic-key"))
	doc := map[string]any{"status": saved.Status, "id": saved.ID}
	if len(saved.Supersedes) > 0 {
		doc["supersedes"] = saved.Supersedes
	}
	return t.answer(doc, memoryError("save", err))
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

// words2 splits list arguments at commas, which the library does for some shells
// only.
func words2(list []string) (out []string) {
	for _, item := range list {
		for _, w := range strings.FieldsFunc(item, func(r rune) bool { return r == ',' || r == '，' }) {
			if w = strings.TrimSpace(w); w != "" {
				out = append(out, w)
			}
		}
	}
	return out
}

func (t *tool) memorySummary() *cli.Command {
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
		Action: t.saveSummary,
	}
}

func (t *tool) saveSummary(c *cli.Context) error {
	if _, err := args(c, 0, 0, "flags only"); err != nil {
		return err
	}
	s, err := t.memoryOf(c)
	if err != nil {
		return err
	}
	id, err := s.Summarize(memory.Summary{
		Session: c.String("session"), Topic: c.String("topic"), Text: c.String("summary"),
		Decisions: words2(c.StringSlice("decisions")), Todos: words2(c.StringSlice("todos")),
	}, s.set("save_mode").Text == "smart")
	if errors.Is(err, memory.ErrSaved) {
		return t.answer(map[string]any{"status": "skipped", "reason": memory.ErrSaved.Error()}, nil)
	}
	return t.answer(map[string]any{"status": "ok", "id": id}, memoryError("summary", err))
}

func (t *tool) memoryDistill() *cli.Command {
	return &cli.Command{
		Name: "distill", Usage: "rewrite MEMORY.md from sections of items", ArgsUsage: "[FILE]",
		Description: "Reads a JSON object of sections and lists of items from FILE or stdin, such as\n" +
			"{\"用户偏好\": [\"…\"], \"重要决策\": [\"…\"]}, and replaces MEMORY.md. The page before is\n" +
			"kept as MEMORY.md.bak.",
		Flags: memoryFlags(&cli.BoolFlag{Name: "force", Usage: "more than 50 items"}),
		Action: func(c *cli.Context) error {
			s, err := t.memoryOf(c)
			if err != nil {
				return err
			}
			doc, err := t.fileOrStdin(c, "memory", 1<<20)
			if err != nil {
				return err
			}
			_, err = s.Distill(doc, c.Bool("force"))
			return t.answer(map[string]any{"status": "ok", "file": s.Dir + string(os.PathSeparator) + memory.CoreFile}, memoryError("distill", err))
		},
	}
}

// fileOrStdin reads the file that is the only argument, or stdin.
func (t *tool) fileOrStdin(c *cli.Context, behaviour string, most int64) ([]byte, error) {
	words, err := args(c, 0, 1, "a file, or nothing for stdin")
	if err != nil {
		return nil, err
	}
	if len(words) == 0 || words[0] == "-" {
		b, err := readAll(t.in, most)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", behaviour, c.Command.Name, err)
		}
		return b, nil
	}
	path, err := t.abs(words[0])
	if err != nil {
		return nil, err
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", behaviour, c.Command.Name, err)
	}
	return b, nil
}
