package evolution

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/desk"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/view"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/webpage"
)

func viewCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "view", Usage: "make an HTML page of what was learned",
		Description: "One file that works without a network: signals over time, genes with what is\n" +
			"known of each, suggestions and what became of them. Without --out it lies in\n" +
			"the cache directory. Only you can read the file.",
		Flags: flags(webpage.Flags()...),
		Action: func(c *cli.Context) error {
			if _, err := shell.Args(c, 0, 0, "flags only"); err != nil {
				return err
			}
			where, err := webpage.Read(c)
			if err != nil {
				return err
			}
			o, err := readPlace(sh, c)
			if err != nil {
				return err
			}
			e := o.place(sh)
			p, err := page(c.Context, sh, e)
			if err != nil {
				return fmt.Errorf("evolution view: %w", err)
			}
			file, err := webpage.Write(sh, "evolution", p, e.Dir, where)
			if err != nil || file == "" {
				return err
			}
			return sh.Line(map[string]any{"status": "ok", "file": file, "signals": len(p.Signals), "genes": len(p.Genes), "suggestions": len(p.Suggestions)})
		},
	}
}

// page is the page of what was learned.
func page(ctx context.Context, sh *shell.Shell, e desk.Place) (view.Page, error) {
	st, err := store.Open(ctx, e.Dir)
	if err != nil {
		return view.Page{}, err
	}
	defer st.Close()
	p, err := view.Of(ctx, st, e.Dir, sh.Host.Now())
	p.Language, p.Dir, p.Name = e.Language, sh.Short(e.Dir), e.Scope
	return p, err
}
