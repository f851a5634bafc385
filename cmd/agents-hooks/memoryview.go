package main

import (
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/view"
)

func (t *tool) memoryView() *cli.Command {
	return &cli.Command{
		Name: "view", Usage: "make an HTML page of what is remembered",
		Description: "One file that works without a network: a timeline, facts by what they are\n" +
			"about, sessions, and a search. Without --out it lies in the cache directory.\n" +
			"It holds what is remembered in plain text, so only you can read the file.",
		Flags:  memoryFlags(outFlag(), openFlag()),
		Action: t.viewMemory,
	}
}

func (t *tool) viewMemory(c *cli.Context) error {
	if _, err := args(c, 0, 0, "flags only"); err != nil {
		return err
	}
	out := c.String("out")
	if err := pageFlags(c); err != nil {
		return err
	}
	s, err := t.memoryOf(c)
	if err != nil {
		return err
	}
	p, err := view.Of(s.Keeper)
	if err != nil {
		return fmt.Errorf("memory view: %w", err)
	}
	p.Language, p.Dir, p.Name = view.Language(s.set("language").Text, t.host.Getenv), t.short(s.Dir), filepath.Base(s.place.Root)
	if c.Bool("user") {
		p.Name = "~"
	}
	file, err := t.writePage("memory", p, out, s.Dir, c.Bool("open"))
	if err != nil || out == "-" {
		return err
	}
	return t.answer(map[string]any{"status": "ok", "file": file, "facts": len(p.Facts), "sessions": len(p.Sessions)}, nil)
}
