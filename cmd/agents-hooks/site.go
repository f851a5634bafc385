package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// scopeFlags choose which of an agent's configurations is meant.
func scopeFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "user", Usage: "the agent's configuration of the user (default)"},
		&cli.BoolFlag{Name: "project", Usage: "the agent's configuration of this project"},
	}
}

func scopeOf(c *cli.Context) (protocol.Scope, error) {
	switch {
	case c.Bool("user") && c.Bool("project"):
		return "", usagef("%s: --user and --project at once", c.Command.Name)
	case c.Bool("project"):
		return protocol.ProjectScope, nil
	}
	return protocol.UserScope, nil
}

// site is where a dialect reads and writes its agent's configuration.
func (t *tool) site(scope protocol.Scope, project string) protocol.Site {
	return protocol.Site{
		Scope: scope, GOOS: t.host.GOOS, Home: t.host.Home, Project: project,
		Env: t.host.Getenv, Read: os.ReadFile, List: filesIn, Real: realPath,
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

// realPath is a path with its links followed, itself if there is nothing there.
func realPath(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return path
	}
	return real
}

// project is the root of the repository that the command was started in.
func (t *tool) project() string {
	_, root := discovery.FindProject(t.host.WorkDir, t.host.Home)
	return root
}

// by names an entry of ours in a receipt.
func by(d *protocol.Dialect, s protocol.Site) string {
	if s.Scope == protocol.ProjectScope {
		return fmt.Sprintf("%s %s %s", d.ID, s.Scope, s.Project)
	}
	return fmt.Sprintf("%s %s", d.ID, s.Scope)
}

// installable are the agents that an entry can be installed in.
func installable() []*protocol.Dialect {
	var list []*protocol.Dialect
	for _, d := range agents.All() {
		if d.Config != nil {
			list = append(list, d)
		}
	}
	return list
}

// chosen looks up the agents of a command line.
func chosen(ids []string) ([]*protocol.Dialect, error) {
	var list []*protocol.Dialect
	for _, id := range ids {
		d, err := lookupAgent(id)
		if err != nil {
			return nil, err
		}
		list = append(list, d)
	}
	return list, nil
}

func lookupAgent(id string) (*protocol.Dialect, error) {
	var ids []string
	for _, d := range installable() {
		if d.Is(id) {
			return d, nil
		}
		ids = append(ids, d.ID)
	}
	err := usagef("no such agent: %q", id)
	if near := nearest(id, ids); near != "" {
		return nil, withHint(err, "did you mean "+near+"?", "agents-hooks agents")
	}
	return nil, withHint(err, "agents-hooks agents lists the agents: "+strings.Join(ids, ", "))
}

// A presence is what there is of an agent on this machine.
type presence struct {
	program string // on the PATH, "" if none
	folder  string // its folder in the home directory, "" if there is none
}

func (p presence) found() bool { return p.program != "" || p.folder != "" }

// presence looks for an agent without starting anything.
func (t *tool) presence(d *protocol.Dialect) presence {
	var p presence
	for _, name := range d.Programs {
		if p.program = t.lookPath(name); p.program != "" {
			break
		}
	}
	if d.Folder != nil {
		if dir := d.Folder(t.site(protocol.UserScope, "")); dir != "" {
			if info, err := os.Stat(dir); err == nil && info.IsDir() {
				p.folder = dir
			}
		}
	}
	return p
}

// lookPath finds a program in the PATH that this process was given, "" if it is
// not there. Relative directories do not count.
func (t *tool) lookPath(name string) string {
	exts := []string{""}
	if t.host.GOOS == "windows" {
		exts = strings.Split(strings.ToLower(orElse(t.host.Getenv("PATHEXT"), ".com;.exe;.bat;.cmd")), ";")
	}
	for _, dir := range filepath.SplitList(t.host.Getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		for _, ext := range exts {
			path := filepath.Join(dir, name+ext)
			if info, err := os.Stat(path); err == nil && isProgram(info, t.host.GOOS) {
				return path
			}
		}
	}
	return ""
}

func isProgram(info os.FileInfo, goos string) bool {
	return info.Mode().IsRegular() && (goos == "windows" || info.Mode().Perm()&0o111 != 0)
}

func orElse(s, d string) string {
	if s == "" {
		return d
	}
	return s
}
