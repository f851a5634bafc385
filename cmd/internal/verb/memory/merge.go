package memory

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

func mergeCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "merge", Usage: "replace several facts by one", ArgsUsage: "ID ID...",
		Description: "The facts are kept, and not told any more; when the new one is deleted,\n" +
			"they are again.",
		Flags:    flags(&cli.StringFlag{Name: "content", Usage: "the `TEXT` of the new fact"}, &cli.StringFlag{Name: "type", Usage: "its `TYPE`; default: theirs"}),
		Complete: shell.Each(facts(sh, false)),
		Action: func(c *cli.Context) error {
			ids, err := shell.Args(c, 2, -1, "the ids of two facts or more")
			if err != nil {
				return err
			}
			if c.String("content") == "" {
				return shell.Usagef("memory merge: --content: want the text of the merged fact")
			}
			_, m, err := readMemory(sh, c)
			if err != nil {
				return err
			}
			saved, err := m.Merge(ids, memory.Fact{Content: c.String("content"), Kind: strings.ToUpper(c.String("type"))})
			doc := kept(sh, saved)
			doc["undo"] = sh.Carried("agents-hooks memory delete " + saved.ID)
			return answer(sh, "merge", doc, err)
		},
	}
}

func separateCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "separate", Usage: "give each version of a fact its own id", ArgsUsage: "ID",
		Description: "A fact that two people changed stands twice after a merge, with one id;\n" +
			"review names it. Then each can be kept, changed or deleted by itself.",
		Flags:    flags(),
		Complete: shell.First(facts(sh, false)),
		Action: func(c *cli.Context) error {
			ids, err := shell.Args(c, 1, 1, "the id of a fact")
			if err != nil {
				return err
			}
			_, m, err := readMemory(sh, c)
			if err != nil {
				return err
			}
			seen, err := m.Separate(ids[0])
			return changed(sh, "separate", len(seen), err)
		},
	}
}
