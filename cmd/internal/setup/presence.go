package setup

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Presence is what this machine has of an agent.
type Presence struct {
	Program string // on the PATH, "" if none
	Folder  string // its folder in the home directory, "" if it does not exist
}

// Found reports whether there is anything of it.
func (p Presence) Found() bool { return p.Program != "" || p.Folder != "" }

// PresenceOf looks for an agent without starting anything.
func PresenceOf(h host.Host, d *protocol.Dialect) Presence {
	var p Presence
	for _, name := range d.Programs {
		if p.Program = lookPath(h, name); p.Program != "" {
			break
		}
	}
	if d.Folder != nil {
		if dir := d.Folder(Site(h, protocol.UserScope, "")); dir != "" {
			if info, err := os.Stat(dir); err == nil && info.IsDir() {
				p.Folder = dir
			}
		}
	}
	return p
}

// lookPath finds a program on this process's PATH, "" if it is not there. Relative
// directories do not count.
func lookPath(h host.Host, name string) string {
	exts := []string{""}
	if h.GOOS == "windows" {
		exts = strings.Split(strings.ToLower(cmp.Or(h.Getenv("PATHEXT"), ".com;.exe;.bat;.cmd")), ";")
	}
	for _, dir := range filepath.SplitList(h.Getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		for _, ext := range exts {
			path := filepath.Join(dir, name+ext)
			if info, err := os.Stat(path); err == nil && IsProgram(info, h.GOOS) {
				return path
			}
		}
	}
	return ""
}

// IsProgram reports whether a file can be started.
func IsProgram(info os.FileInfo, goos string) bool {
	return info.Mode().IsRegular() && (goos == "windows" || info.Mode().Perm()&0o111 != 0)
}

// Starts reports whether a program exists.
func Starts(h host.Host, path string) bool {
	info, err := os.Stat(path)
	return err == nil && IsProgram(info, h.GOOS)
}
