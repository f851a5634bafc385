package memory

import (
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/view"
	"github.com/agents-hooks/agents-hooks/cmd/internal/memories"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/webpage"
)

func memoryView(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "view", Usage: "make an HTML page of what is remembered",
		Description: "One file that works without a network: a timeline, facts by what they are\n" +
			"about, sessions, and a search. Without --out it lies in the cache directory.\n" +
			"It holds what is remembered in plain text, so only you can read the file.",
		Flags:  memoryFlags(webpage.OutFlag(), webpage.OpenFlag()),
		Action: func(c *cli.Context) error { return viewMemory(sh, c) },
	}
}

func viewMemory(sh *shell.Shell, c *cli.Context) error {
	if _, err := shell.Args(c, 0, 0, "flags only"); err != nil {
		return err
	}
	out := c.String("out")
	if err := webpage.PageFlags(c); err != nil {
		return err
	}
	s, err := memories.MemoryOf(sh, c)
	if err != nil {
		return err
	}
	p, err := view.Of(s.Keeper)
	if err != nil {
		return fmt.Errorf("memory view: %w", err)
	}
	p.Language, p.Dir, p.Name = view.Language(s.Set("language").Text, sh.Host.Getenv), sh.Short(s.Dir), filepath.Base(s.Place.Root)
	if c.Bool("user") {
		p.Name = "~"
	}
	file, err := webpage.WritePage(sh, "memory", p, out, s.Dir, c.Bool("open"))
	if err != nil || out == "-" {
		return err
	}
	return sh.Answer(map[string]any{"status": "ok", "file": file, "facts": len(p.Facts), "sessions": len(p.Sessions)}, nil)
}
