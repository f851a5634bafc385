package discovery

import (
	"os"
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
)

// FindProject finds the project of a working directory. project is the nearest
// of the directory and its ancestors with .agents/hooks or .agents/hooks.toml,
// not above the root of the repository and neither the person's home directory
// nor above it; "" if there is none. root is the repository's root, else the
// project, else the directory itself. Links are resolved, and a directory that
// is gone counts as the nearest ancestor that is there.
func FindProject(workDir, home string) (project, root string) {
	dir := realDir(workDir)
	if dir == "" {
		return "", workDir
	}
	start := dir
	for {
		if isHome(dir, home) {
			break
		}
		if project == "" && exists(filepath.Join(dir, ".agents")) && holdsHooks(dir) && !safefile.Inside(realDir(home), dir) {
			project = dir
		}
		if exists(filepath.Join(dir, ".git")) {
			root = dir
			break
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			break
		}
		dir = parent
	}
	switch {
	case root != "":
	case project != "":
		root = project
	default:
		root = start
	}
	return project, root
}

func holdsHooks(dir string) bool {
	return isFolder(hooksFolder(dir)) || exists(settingsPath(dir))
}

func hooksFolder(project string) string { return filepath.Join(project, ".agents", "hooks") }

func settingsPath(project string) string { return filepath.Join(project, ".agents", "hooks.toml") }

// realDir is an absolute directory without links, or its nearest ancestor that
// exists; "" for a relative path.
func realDir(path string) string {
	if !filepath.IsAbs(path) {
		return ""
	}
	for dir := filepath.Clean(path); ; dir = filepath.Dir(dir) {
		real, err := filepath.EvalSymlinks(dir)
		if err == nil {
			return real
		}
		if filepath.Dir(dir) == dir {
			return ""
		}
	}
}

// isHome reports whether a directory is the person's home, by whatever name.
func isHome(dir, home string) bool {
	if home == "" {
		return false
	}
	if dir == home {
		return true
	}
	if filepath.Base(dir) != filepath.Base(home) && !exists(filepath.Join(dir, ".agents")) {
		// Nothing would be taken from it: not worth the calls.
		return false
	}
	a, err := os.Stat(dir)
	if err != nil {
		return false
	}
	b, err := os.Stat(home)
	return err == nil && os.SameFile(a, b)
}
