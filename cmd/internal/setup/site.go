// Package setup is what stands in the configurations of agents: where each lies,
// the command of our entry, receipts and backups so that every byte can be given
// back, files edited without losing what is their owner's, guides, and what shows
// whether an entry answers. install, uninstall, doctor, agents and enable work on
// it.
package setup

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// InstalledVersion tells the version of an installed agent without starting it:
// from the package.json that its program lies under, or from a folder or file
// that is named after the version. "" if neither is there.
func InstalledVersion(program string) string {
	if program == "" {
		return ""
	}
	real, err := filepath.EvalSymlinks(program)
	if err != nil {
		return ""
	}
	at := real
	for range 6 {
		if name := filepath.Base(at); isVersion(name) {
			return strings.TrimPrefix(name, "v")
		}
		at = filepath.Dir(at)
		if v := packageVersion(filepath.Join(at, "package.json")); v != "" {
			return v
		}
	}
	return ""
}

// Starts reports whether a program is there.
func Starts(sh *shell.Shell, path string) bool {
	info, err := os.Stat(path)
	return err == nil && IsProgram(info, sh.Host.GOOS)
}

// ScopeFlags choose which of an agent's configurations is meant.
func ScopeFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "user", Usage: "the agent's configuration of the user (default)"},
		&cli.BoolFlag{Name: "project", Usage: "the agent's configuration of this project"},
	}
}

func ScopeOf(c *cli.Context) (protocol.Scope, error) {
	switch {
	case c.Bool("user") && c.Bool("project"):
		return "", shell.Usagef("%s: --user and --project at once", c.Command.Name)
	case c.Bool("project"):
		return protocol.ProjectScope, nil
	}
	return protocol.UserScope, nil
}

// Site is where a dialect reads and writes its agent's configuration.
func Site(sh *shell.Shell, scope protocol.Scope, project string) protocol.Site {
	return protocol.Site{
		Scope: scope, GOOS: sh.Host.GOOS, Home: sh.Host.Home, Project: project,
		Env: sh.Host.Getenv, Read: os.ReadFile, List: filesIn, Real: RealPath,
	}
}

// filesIn are the names of the files in a folder, sorted; none if it cannot be
// read.
func filesIn(dir string) []string {
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range list {
		if info, err := os.Stat(filepath.Join(dir, e.Name())); err == nil && info.Mode().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names
}

// RealPath is a path with its links followed, itself if there is nothing there.
func RealPath(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return path
	}
	return real
}

// Project is the root of the repository that the command was started in.
func Project(sh *shell.Shell) string {
	_, root := discovery.FindProject(sh.Host.WorkDir, sh.Host.Home)
	return root
}

// By names an entry of ours in a receipt.
func By(d *protocol.Dialect, s protocol.Site) string {
	if s.Scope == protocol.ProjectScope {
		return fmt.Sprintf("%s %s %s", d.ID, s.Scope, s.Project)
	}
	return fmt.Sprintf("%s %s", d.ID, s.Scope)
}

// A Presence is what there is of an agent on this machine.
type Presence struct {
	Program string // on the PATH, "" if none
	Folder  string // its folder in the home directory, "" if there is none
}

func (p Presence) Found() bool { return p.Program != "" || p.Folder != "" }

// presence looks for an agent without starting anything.
func PresenceOf(sh *shell.Shell, d *protocol.Dialect) Presence {
	var p Presence
	for _, name := range d.Programs {
		if p.Program = lookPath(sh, name); p.Program != "" {
			break
		}
	}
	if d.Folder != nil {
		if dir := d.Folder(Site(sh, protocol.UserScope, "")); dir != "" {
			if info, err := os.Stat(dir); err == nil && info.IsDir() {
				p.Folder = dir
			}
		}
	}
	return p
}

// lookPath finds a program in the PATH that this process was given, "" if it is
// not there. Relative directories do not count.
func lookPath(sh *shell.Shell, name string) string {
	exts := []string{""}
	if sh.Host.GOOS == "windows" {
		exts = strings.Split(strings.ToLower(OrElse(sh.Host.Getenv("PATHEXT"), ".com;.exe;.bat;.cmd")), ";")
	}
	for _, dir := range filepath.SplitList(sh.Host.Getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		for _, ext := range exts {
			path := filepath.Join(dir, name+ext)
			if info, err := os.Stat(path); err == nil && IsProgram(info, sh.Host.GOOS) {
				return path
			}
		}
	}
	return ""
}

func IsProgram(info os.FileInfo, goos string) bool {
	return info.Mode().IsRegular() && (goos == "windows" || info.Mode().Perm()&0o111 != 0)
}

func OrElse(s, d string) string {
	if s == "" {
		return d
	}
	return s
}
