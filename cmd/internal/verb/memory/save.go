package memory

import (
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/opcli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// operation is an operation of the table of memory.
func operation(sh *shell.Shell, name string) op.Op {
	o, _ := op.Find(ops.Ops(builtin.Standalone(sh.Host)), name)
	return o
}

func saveCommand(sh *shell.Shell) *cli.Command {
	more := []cli.Flag{hookset.DirFlag(), shell.JSONFlag()}
	c := opcli.Command(sh, operation(sh, "memory_save"), "save", more, func(c *cli.Context, given op.Object) error {
		o, err := readPlace(sh, c)
		if err != nil {
			return err
		}
		m, err := o.memory(sh)
		if err != nil {
			return err
		}
		doc, err := save(m, given)
		return answer(sh, "save", doc, err)
	})
	c.Aliases = []string{"save_fact"}
	c.Description = "Prints {\"status\": \"ok\", \"id\": …}; duplicate if it is known already, error with\n" +
		"exit 1 if it is refused. Secrets and <private> parts are taken out first.\n" +
		"A fact that says nearly the same about the same thing replaces the older one."
	return c
}

func save(m ops.Memory, given op.Object) (map[string]any, error) {
	saved, err := m.SaveFact(op.Call{Args: given})
	doc := map[string]any{"status": saved.Status, "id": saved.ID}
	if len(saved.Supersedes) > 0 {
		doc["supersedes"] = saved.Supersedes
	}
	return doc, err
}

func summaryCommand(sh *shell.Shell) *cli.Command {
	c := opcli.Command(sh, operation(sh, "memory_summary"), "summary", flags(), func(c *cli.Context, given op.Object) error {
		o, err := readPlace(sh, c)
		if err != nil {
			return err
		}
		m, err := o.memory(sh)
		if err != nil {
			return err
		}
		doc, err := summarize(m, given)
		return answer(sh, "summary", doc, err)
	})
	c.Aliases = []string{"save_summary"}
	c.Description = "Prints {\"status\": \"ok\", \"id\": …}, or skipped if the session has one already\n" +
		"(unless save_mode is smart, where the later one stands)."
	return c
}

func summarize(m ops.Memory, given op.Object) (map[string]any, error) {
	id, err := m.SaveSummary(op.Call{Args: given})
	if errors.Is(err, memory.ErrSaved) {
		return map[string]any{"status": "skipped", "reason": memory.ErrSaved.Error()}, nil
	}
	return map[string]any{"status": "ok", "id": id}, err
}

func distillCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "distill", Usage: "rewrite MEMORY.md from sections of items", ArgsUsage: "[FILE]",
		Description: "Reads a JSON object of sections and lists of items from FILE or stdin, such as\n" +
			"{\"用户偏好\": [\"…\"], \"重要决策\": [\"…\"]}, and replaces MEMORY.md. The page before is\n" +
			"kept as MEMORY.md.bak.",
		Flags:        flags(&cli.BoolFlag{Name: "force", Usage: "more than 50 items"}),
		BashComplete: shell.Arguments(shell.First(shell.Files)),
		Action: func(c *cli.Context) error {
			o, err := readPlace(sh, c)
			if err != nil {
				return err
			}
			m, err := o.memory(sh)
			if err != nil {
				return err
			}
			sections, err := sh.FileOrStdin(c, "memory", 1<<20)
			if err != nil {
				return err
			}
			_, err = m.Distill(sections, c.Bool("force"))
			return answer(sh, "distill", map[string]any{"status": "ok", "file": m.Path(memory.CoreFile)}, err)
		},
	}
}
