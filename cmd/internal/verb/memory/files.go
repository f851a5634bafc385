package memory

import (
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/store"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

func exportCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "export", Usage: "print all that is remembered as one JSON document", Flags: flags(),
		Action: func(c *cli.Context) error {
			_, m, err := readMemory(sh, c)
			if err != nil {
				return err
			}
			doc, err := m.Export()
			if err != nil {
				return failed("export", err)
			}
			return document(sh, doc)
		},
	}
}

func importCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "import", Usage: "import what export printed", ArgsUsage: "[FILE]",
		Description: "merge adds what is new, and of two with one id lets the newer stand; skip\n" +
			"leaves what is there alone; replace hides it first (wants --confirm). Each\n" +
			"entry keeps where it is from. A copy of the folder is kept for 30 days.",
		Flags: flags(
			cli.Offer(&cli.StringFlag{Name: "mode", Value: "merge", Usage: "`MODE`: merge, replace, skip"}, shell.Fixed("merge", "replace", "skip")),
			&cli.StringFlag{Name: "origin", Usage: "whose it is (`NAME`); default the file's name"}, confirmFlag(),
		),
		Complete: shell.First(shell.Files),
		Action: func(c *cli.Context) error {
			o, err := readImport(sh, c)
			if err != nil {
				return err
			}
			m, err := o.memory(sh)
			if err != nil {
				return err
			}
			n, err := m.Import(o.data, o.mode, o.origin)
			return answer(sh, "import", map[string]any{"status": "ok", "added": n.Added, "replaced": n.Replaced, "skipped": n.Skipped}, err)
		},
	}
}

type importOptions struct {
	placeOptions
	mode   store.Mode
	origin string
	data   []byte
}

func readImport(sh *shell.Shell, c *cli.Context) (o importOptions, err error) {
	o.origin = c.String("origin")
	if o.mode, err = ops.ImportMode(c.String("mode"), c.Bool("confirm")); err != nil {
		return o, failed("import", err)
	}
	if o.data, err = sh.FileOrStdin(c, "memory", 256<<20); err != nil {
		return o, err
	}
	if o.origin == "" {
		o.origin = "import"
		if name := c.Arg(); name != "" && name != "-" {
			o.origin = filepath.Base(name)
		}
	}
	o.placeOptions, err = readPlace(sh, c)
	return o, err
}
