// Package setup has what install, uninstall, doctor, agents and enable share: where
// agents' configurations are ([Site]), the command of our entry ([EntryArgv]) and the
// existing entries ([Entries]), editing files without losing their owner's text
// ([ConfigFile]), receipts and backups to restore every byte ([Receipts]), guides,
// which hooks are enabled, and whether an entry answers ([Fire]). It prints nothing.
package setup

import (
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Site is where a dialect reads and writes its agent's configuration.
func Site(h host.Host, scope protocol.Scope, project string) protocol.Site {
	s := protocol.Site{Scope: scope, GOOS: h.GOOS, Home: h.Home, Project: project, Env: h.Getenv, Real: RealPath}
	own := ProjectOf(s)
	s.Read = func(path string) ([]byte, error) { return below(path, own).Read(path, 0) }
	s.List = func(dir string) []string { return filesIn(below(dir, own), dir) }
	return s
}

// filesIn are the names of the files in a folder, sorted; none if it cannot be
// read.
func filesIn(in *beneath.Root, dir string) []string {
	list, err := in.List(dir)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range list {
		if info, err := in.Stat(filepath.Join(dir, e.Name())); err == nil && info.Mode().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names
}

// RealPath is a path after following its links, or the path itself if nothing is
// there.
func RealPath(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return path
	}
	return real
}

// Project is the root of the repository in which the command was started.
func Project(h host.Host) string {
	_, root := discovery.FindProject(h.WorkDir, h.Home)
	return root
}
