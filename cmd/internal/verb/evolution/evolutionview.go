package evolution

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/view"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/webpage"
)

func evolutionView(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "view", Usage: "make an HTML page of what was learned",
		Description: "One file that works without a network: signals over time, genes with what is\n" +
			"known of each, suggestions and what became of them. Without --out it lies in\n" +
			"the cache directory. Only you can read the file.",
		Flags: sharedFlags(
			&cli.StringFlag{Name: "out", Aliases: []string{"o"}, Usage: "write `FILE`; - is stdout"},
			&cli.BoolFlag{Name: "open", Usage: "show it in the browser"},
		),
		Action: func(c *cli.Context) error { return viewEvolution(sh, c) },
	}
}

func viewEvolution(sh *shell.Shell, c *cli.Context) error {
	if _, err := shell.Args(c, 0, 0, "flags only"); err != nil {
		return err
	}
	out := c.String("out")
	if out == "-" && c.Bool("open") {
		return shell.Usagef("view: --open wants a file, and --out - is stdout")
	}
	e, _, err := sharing(sh, c)
	if err != nil {
		return err
	}
	st, err := store.Open(c.Context, e.Dir)
	if err != nil {
		return fmt.Errorf("evolution view: %w", err)
	}
	defer st.Close()
	p, err := view.Of(c.Context, st, e.Dir, sh.Host.Now())
	if err != nil {
		return fmt.Errorf("evolution view: %w", err)
	}
	p.Language, p.Dir, p.Name = e.Language, sh.Short(e.Dir), e.Scope
	file, err := webpage.WritePage(sh, "evolution", p, out, e.Dir, c.Bool("open"))
	if err != nil || out == "-" {
		return err
	}
	return sh.Answer(map[string]any{"status": "ok", "file": file, "signals": len(p.Signals), "genes": len(p.Genes), "suggestions": len(p.Suggestions)}, nil)
}
