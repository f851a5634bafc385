package trust

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/worktree"
)

// Home is the folder under which the approvals of a project are recorded: the project
// itself or, in a worktree, the same folder of the repository's main worktree. So an
// approval applies to a repository and its worktrees, and to no other clone.
func Home(project string) string {
	for dir := project; ; dir = filepath.Dir(dir) {
		info, err := os.Lstat(filepath.Join(dir, ".git"))
		if err == nil && info.Mode().IsRegular() {
			if main := mainOf(dir); main != "" {
				return filepath.Join(main, strings.TrimPrefix(project, dir))
			}
		}
		if err == nil || filepath.Dir(dir) == dir {
			return project
		}
	}
}

// mainOf is the main worktree of the repository that a folder is a further worktree of,
// or the repository itself if that is bare; "" if the folder is not a worktree, or only
// claims to be.
func mainOf(folder string) string {
	_, common, ok := worktree.Of(folder)
	if !ok {
		return ""
	}
	if filepath.Base(common) == ".git" {
		return filepath.Dir(common)
	}
	if main := worktree.Files(common); main != "" {
		return main
	}
	return common
}
