package trust

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
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
// claims to be: a stranger can write anything into a file .git, so git's own record of
// its worktrees has to name the folder, too.
func mainOf(worktree string) string {
	own, ok := pointsTo(filepath.Join(worktree, ".git"), "gitdir: ")
	if !ok {
		return ""
	}
	common, ok := pointsTo(filepath.Join(own, "commondir"), "")
	if !ok || own != filepath.Join(common, "worktrees", filepath.Base(own)) {
		return ""
	}
	// The folder's own file may be a link to another's; what names it is its path.
	back, err := safefile.Read(filepath.Join(own, "gitdir"), maxPointer)
	if err != nil || !samePlace(absolute(strings.TrimSpace(string(back)), own), filepath.Join(worktree, ".git")) {
		return ""
	}
	if filepath.Base(common) == ".git" {
		return filepath.Dir(common)
	}
	if main := worktreeOf(common); main != "" {
		return main
	}
	return common
}

const maxPointer = 4 << 10 // a path

// pointsTo reads the path in a file of git; ok is false if there is nothing there.
func pointsTo(file, prefix string) (real string, ok bool) {
	b, err := safefile.Read(file, maxPointer)
	if err != nil {
		return "", false
	}
	path, ok := strings.CutPrefix(strings.TrimRight(string(b), "\r\n"), prefix)
	if !ok || path == "" {
		return "", false
	}
	real, err = filepath.EvalSymlinks(absolute(path, filepath.Dir(file)))
	return real, err == nil
}

func absolute(path, from string) string {
	if path = filepath.FromSlash(path); filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(from, path)
}

// samePlace reports whether two paths are one name in one folder.
func samePlace(a, b string) bool {
	if filepath.Base(a) != filepath.Base(b) {
		return false
	}
	x, err := filepath.EvalSymlinks(filepath.Dir(a))
	if err != nil {
		return false
	}
	y, err := filepath.EvalSymlinks(filepath.Dir(b))
	return err == nil && x == y
}

// worktreeOf is where the files of a repository are that lie elsewhere than beside
// it, as those of a submodule do: its configuration says so, and the folder points
// back.
func worktreeOf(common string) string {
	b, err := safefile.Read(filepath.Join(common, "config"), 1<<20)
	if err != nil {
		return ""
	}
	section, path := "", ""
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = strings.ToLower(line)
			continue
		}
		name, value, _ := strings.Cut(line, "=")
		if section == "[core]" && strings.EqualFold(strings.TrimSpace(name), "worktree") {
			path = strings.TrimSpace(value)
		}
	}
	if strings.HasPrefix(path, `"`) {
		if path, err = strconv.Unquote(path); err != nil {
			return ""
		}
	}
	if path == "" {
		return ""
	}
	main, err := filepath.EvalSymlinks(absolute(path, common))
	if err != nil {
		return ""
	}
	if own, ok := pointsTo(filepath.Join(main, ".git"), "gitdir: "); !ok || own != common {
		return ""
	}
	return main
}
