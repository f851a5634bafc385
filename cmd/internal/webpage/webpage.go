// Package webpage writes the HTML page of a view to a file and opens it: for the
// view commands of memory, workspace and evolution.
package webpage

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// Flags are those of a command that makes a page.
func Flags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "out", Aliases: []string{"o"}, Usage: "write `FILE`; - is stdout"},
		&cli.BoolFlag{Name: "open", Usage: "show it in the browser"},
	}
}

// Options say where a page goes.
type Options struct {
	Out  string // a file, "-" for stdout, or "" for the cache
	Open bool   // in the person's browser
}

// Read reads the options, and refuses what cannot go together.
func Read(c *cli.Context) (Options, error) {
	o := Options{c.String("out"), c.Bool("open")}
	if o.Out == "-" && o.Open {
		return o, shell.Usagef("view: --open wants a file, and --out - is stdout")
	}
	return o, nil
}

// Write writes the HTML page of a behaviour: to a file that only this person can
// read, or to stdout, and then file is "". dir is what the page is of.
func Write(sh *shell.Shell, behaviour string, p interface{ Write(io.Writer) error }, dir string, o Options) (file string, err error) {
	var page bytes.Buffer
	if err := p.Write(&page); err != nil {
		return "", fmt.Errorf("%s view: %w", behaviour, err)
	}
	if o.Out == "-" {
		sh.Printf("%s", page.Bytes())
		return "", nil
	}
	if file, err = viewFile(sh, behaviour, o.Out, dir); err == nil {
		err = writePrivate(file, page.Bytes())
	}
	if err != nil {
		return "", fmt.Errorf("%s view: %w", behaviour, err)
	}
	if o.Open {
		if err := show(file); err != nil {
			return "", shell.WithHint(fmt.Errorf("%s view: opening %s: %w", behaviour, file, err), "the page is there: open it in a browser yourself")
		}
	}
	return file, nil
}

// viewFile is where a page goes: where one said, else into the cache, one file for
// each folder.
func viewFile(sh *shell.Shell, behaviour, out, dir string) (string, error) {
	if out != "" {
		return sh.Abs(out)
	}
	folder := filepath.Join(sh.Host.Cache, behaviour)
	name := sha256.Sum256([]byte(dir))
	return filepath.Join(folder, fmt.Sprintf("view-%x.html", name[:6])), os.MkdirAll(folder, 0o700)
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
