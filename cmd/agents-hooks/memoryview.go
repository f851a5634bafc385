package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/view"
)

func (t *tool) memoryView() *cli.Command {
	return &cli.Command{
		Name: "view", Usage: "make an HTML page of what is remembered",
		Description: "One file that works without a network: a timeline, facts by what they are\n" +
			"about, sessions, and a search. Without --out it lies in the cache directory.\n" +
			"It holds what is remembered in plain text, so only you can read the file.",
		Flags: memoryFlags(
			&cli.StringFlag{Name: "out", Aliases: []string{"o"}, Usage: "write `FILE`; - is stdout"},
			&cli.BoolFlag{Name: "open", Usage: "show it in the browser"},
		),
		Action: t.viewMemory,
	}
}

func (t *tool) viewMemory(c *cli.Context) error {
	if _, err := args(c, 0, 0, "flags only"); err != nil {
		return err
	}
	out := c.String("out")
	if out == "-" && c.Bool("open") {
		return usagef("view: --open wants a file, and --out - is stdout")
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
	var page bytes.Buffer
	if err := p.Write(&page); err != nil {
		return fmt.Errorf("memory view: %w", err)
	}
	if out == "-" {
		t.printf("%s", page.Bytes())
		return nil
	}
	file, err := t.viewFile(out, s.Dir)
	if err == nil {
		err = writePrivate(file, page.Bytes())
	}
	if err != nil {
		return fmt.Errorf("memory view: %w", err)
	}
	if c.Bool("open") {
		if err := show(file); err != nil {
			return withHint(fmt.Errorf("memory view: opening %s: %w", file, err), "the page is there: open it in a browser yourself")
		}
	}
	return t.answer(map[string]any{"status": "ok", "file": file, "facts": len(p.Facts), "sessions": len(p.Sessions)}, nil)
}

// viewFile is where a page goes: where one said, else into the cache, one file for
// each memory folder.
func (t *tool) viewFile(out, dir string) (string, error) {
	if out != "" {
		return t.abs(out)
	}
	folder := filepath.Join(t.host.Cache, "memory")
	return filepath.Join(folder, "view-"+hashOf([]byte(dir))[:12]+".html"), os.MkdirAll(folder, 0o700)
}

// writePrivate writes a file that nobody else can read, also where there was one
// that others could.
func writePrivate(file string, content []byte) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	err = f.Chmod(0o600)
	if runtime.GOOS == "windows" {
		err = nil // rights there come from the folder
	}
	if err == nil {
		_, err = f.Write(content)
	}
	if bad := f.Close(); err == nil {
		err = bad
	}
	return err
}

// show opens a file in the person's browser.
func show(file string) error {
	argv := map[string][]string{
		"darwin":  {"open", file},
		"windows": {"rundll32", "url.dll,FileProtocolHandler", file},
	}[runtime.GOOS]
	if argv == nil {
		argv = []string{"xdg-open", file}
	}
	return exec.Command(argv[0], argv[1:]...).Run()
}
