package memory

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/originals"
)

// A Place is where memory lies: of a project, and of a person (MEM-37).
type Place struct {
	Root string // of the project; all worktrees of a repository have the same
	Dir  string // the project's memory folder, whether it exists or not
	User string // the person's, for all projects
}

// Find is the Place of a project. dir is what the settings say, data the
// person's data directory (…/agents-hooks).
//
// The folder is (resolution 11): the one that is set, absolute or below the
// project; else the one that is there, the original's first; else the original's
// if the project is one of its agent; else .agents/memory-data. One folder
// serves all agents.
func Find(project, data, dir string) Place {
	p := Place{Root: mainWorktree(project)}
	if data != "" {
		p.User = filepath.Join(data, "memory")
	}
	theirs := filepath.Join(p.Root, filepath.FromSlash(originals.MemoryData))
	ours := filepath.Join(p.Root, ".agents", "memory-data")
	switch {
	case filepath.IsAbs(dir):
		p.Dir = filepath.Clean(dir)
	case dir != "":
		p.Dir = filepath.Join(p.Root, filepath.FromSlash(dir))
	case isDir(theirs):
		p.Dir = theirs
	case isDir(ours):
		p.Dir = ours
	case isDir(filepath.Join(p.Root, originals.MemoryHome)):
		p.Dir = theirs
	default:
		p.Dir = ours
	}
	return p
}

// Folder is the project's memory folder as it is named to an agent: below the
// project by its relative path.
func (p Place) Folder() string {
	if rel, err := filepath.Rel(p.Root, p.Dir); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return p.Dir
}

// mainWorktree is the folder that holds the repository itself, if project is a
// further worktree of it; else project.
func mainWorktree(project string) string {
	b, err := os.ReadFile(filepath.Join(project, ".git"))
	if err != nil {
		return project // a repository of its own, or none
	}
	gitdir, ok := strings.CutPrefix(strings.TrimSpace(string(b)), "gitdir: ")
	if !ok {
		return project
	}
	if !filepath.IsAbs(gitdir) {
		gitdir = filepath.Join(project, gitdir)
	}
	b, err = os.ReadFile(filepath.Join(gitdir, "commondir"))
	if err != nil {
		return project // a submodule
	}
	common := strings.TrimSpace(string(b))
	if !filepath.IsAbs(common) {
		common = filepath.Join(gitdir, common)
	}
	if common = filepath.Clean(common); filepath.Base(common) == ".git" && isDir(common) {
		return filepath.Dir(common)
	}
	return project
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
