// Package webpage writes the HTML page of a view to a file and opens it: for view, and
// for the view commands of memory, workspace and evolution. It also builds their parts,
// because view shows all of them.
package webpage

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
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
	Open bool   // in the user's browser
}

// Read reads the options, and rejects contradictory ones.
func Read(c *cli.Context) (Options, error) {
	o := Options{c.String("out"), c.Bool("open")}
	if o.Out == "-" && o.Open {
		return o, shell.Usagef("view: --open needs a file, but --out - is stdout")
	}
	return o, nil
}

// Overview is the page of view itself, which covers everything.
const Overview = "overview"

// Write writes a behaviour's HTML page: to a file that only this user can read, or to
// stdout, and then file is "". dir is the page's subject.
func Write(sh *shell.Shell, behaviour string, p interface{ Write(io.Writer) error }, dir string, o Options) (file string, err error) {
	command := strings.TrimPrefix(behaviour+" view", Overview+" ")
	var page bytes.Buffer
	if err := p.Write(&page); err != nil {
		return "", fmt.Errorf("%s: %w", command, err)
	}
	if o.Out == "-" {
		sh.Printf("%s", page.Bytes())
		return "", nil
	}
	if file, err = viewFile(sh, behaviour, o.Out, dir); err != nil {
		return "", fmt.Errorf("%s: %w", command, err)
	}
	if !replaceable(file) {
		return "", shell.WithHint(fmt.Errorf("%s: %w", command, writing(file, errNoPage)), "name another file with --out, or remove this one first")
	}
	if err := writePrivate(file, page.Bytes()); err != nil {
		return "", fmt.Errorf("%s: %w", command, writing(file, err))
	}
	if o.Open {
		if err := Show(file); err != nil {
			return "", shell.WithHint(fmt.Errorf("%s: opening %s: %w", command, file, err), "the page is there: open it in a browser yourself")
		}
	}
	return file, nil
}

// viewFile is where a page goes: to the given path, else into the cache, one file for
// each folder.
func viewFile(sh *shell.Shell, behaviour, out, dir string) (string, error) {
	if out != "" {
		return sh.Abs(out)
	}
	folder := filepath.Join(sh.Host.Cache, behaviour)
	name := sha256.Sum256([]byte(dir))
	return filepath.Join(folder, fmt.Sprintf("view-%x.html", name[:6])), os.MkdirAll(folder, 0o700)
}

var errNoPage = errors.New("it is there, and is no page")

// replaceable reports whether a file may be replaced by a page: it does not exist, is empty, or is
// a page itself. Anything else somebody wrote, maybe memory, and no copy of it would be left.
func replaceable(file string) bool {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return true // what cannot be written says why
	}
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len("<!doctype html"))
	n, _ := io.ReadFull(f, head)
	return strings.EqualFold(string(head[:n]), "<!doctype html")
}

// writing is an error about the file that the user named, whatever path failed.
func writing(file string, err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	}
	return &fs.PathError{Op: "writing", Path: file, Err: err}
}

// writePrivate writes a file that nobody else can read, even if an existing one was
// readable by others. A reader sees either the old file or the new one, and a full
// disk does not damage the old one. Anything but a regular file, such as a pipe, is
// written to directly.
func writePrivate(file string, content []byte) error {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		if info.IsDir() {
			return errors.New("it is a folder")
		}
		return os.WriteFile(file, content, 0o600)
	}
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	temp, err := Temp(filepath.Dir(file), "."+filepath.Base(file))
	if err != nil {
		return err
	}
	if err = os.WriteFile(temp, content, 0o600); err == nil {
		err = os.Rename(temp, file)
	}
	if err != nil {
		os.Remove(temp)
	}
	return err
}

// Temp is a path beside others of that name for a file of this process, which only
// this user can read; files of processes that were killed are removed.
func Temp(dir, name string) (path string, err error) {
	mark := name + ".agents-hooks-"
	entries, _ := os.ReadDir(dir) // creating it returns the error
	for _, e := range entries {
		owner, ours := strings.CutPrefix(e.Name(), mark)
		if pid, err := strconv.Atoi(strings.TrimSuffix(owner, ".html")); ours && err == nil && !statefile.Runs(pid) {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
	path = filepath.Join(dir, mark+strconv.Itoa(os.Getpid())+".html")
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) { // of an earlier process with that number
		if err = os.Remove(path); err == nil {
			f, err = os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		}
	}
	if err != nil {
		return "", err
	}
	return path, f.Close()
}

// Show opens a file in the user's browser.
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
