package evolution

import (
	"fmt"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
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
			where, err := webpage.Read(c)
			if err != nil {
				return err
			}
			o, err := readPlace(sh, c)
			if err != nil {
				return err
			}
			e := o.place(sh)
			p, err := webpage.Evolution(c.Context, sh, e, sh.Host.Now())
			if err != nil {
				return fmt.Errorf("evolution view: %w", err)
			}
			file, err := webpage.Write(sh, "evolution", p, e.Dir, where)
			if err != nil || file == "" {
				return err
			}
			if !c.Bool("json") {
				sh.Printf("%s\n", file)
				return nil
			}
			return sh.Line(map[string]any{"schema": 1, "status": "ok", "file": file, "signals": len(p.Signals), "genes": len(p.Genes), "suggestions": len(p.Suggestions)})
		},
	}
}
