// Package webpage writes the HTML page of a view to a file and opens it: for view, and
// for the view commands of memory, workspace and evolution. What those show of a
// behaviour is made here too, because view shows all of it.
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
		err = WritePrivate(file, page.Bytes())
	}
	if err != nil {
		return "", fmt.Errorf("%s view: %w", behaviour, err)
	}
	if o.Open {
		if err := Show(file); err != nil {
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

// WritePrivate writes a file that nobody else can read, also where there was one
// that others could. A reader sees the file as it was or as it is, and a disk that
// is full costs nothing of the one that was there. What is no regular file, such as
// a pipe, is written to as it stands.
func WritePrivate(file string, content []byte) error {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		if info.IsDir() {
			return fmt.Errorf("%s is a folder", file)
		}
		return os.WriteFile(file, content, 0o600)
	}
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	f, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+"-*") // with mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if bad := f.Close(); err == nil {
		err = bad
	}
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// Show opens a file in the person's browser.
func Show(file string) error {
	argv := map[string][]string{
		"darwin":  {"open", file},
		"windows": {"rundll32", "url.dll,FileProtocolHandler", file},
	}[runtime.GOOS]
	if argv == nil {
		argv = []string{"xdg-open", file}
	}
	return exec.Command(argv[0], argv[1:]...).Run()
}
