package memory

import (
	"fmt"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/webpage"
)

func viewCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "view", Usage: "make an HTML page of what is remembered",
		Description: "One file that works without a network: a timeline, facts by what they are\n" +
			"about, sessions, and a search. Without --out it lies in the cache directory.\n" +
			"It holds what is remembered in plain text, so only you can read the file.",
		Flags: flags(webpage.Flags()...),
		Action: func(c *cli.Context) error {
			where, err := webpage.Read(c)
			if err != nil {
				return err
			}
			o, m, err := readMemory(sh, c)
			if err != nil {
				return err
			}
			p, err := webpage.Memory(sh, m, o.user)
			if err != nil {
				return fmt.Errorf("memory view: %w", err)
			}
			file, err := webpage.Write(sh, "memory", p, m.Dir, where)
			if err != nil || file == "" {
				return err
			}
			if !o.json {
				sh.Printf("%s\n", file)
				return nil
			}
			return answer(sh, "view", map[string]any{"status": "ok", "file": file, "facts": len(p.Facts), "sessions": len(p.Sessions)}, nil)
		},
	}
}
