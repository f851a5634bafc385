// Package worktree finds the repository that a folder is a further working tree of. Anybody can write
// into a file .git that a folder belongs to any repository, so what it says counts only if git's own
// record of the repository names the folder, too.
package worktree

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
)

// Of is git's folder for a working tree that has a file .git, and the folder that all working trees of
// its repository share; ok is false if dir is none, or only claims to be.
func Of(dir string) (own, common string, ok bool) {
	if own, ok = pointsTo(filepath.Join(dir, ".git"), "gitdir: "); !ok {
		return "", "", false
	}
	common, ok = pointsTo(filepath.Join(own, "commondir"), "")
	if !ok || own != filepath.Join(common, "worktrees", filepath.Base(own)) {
		return "", "", false
	}
	// The folder's own file may be a link to another's; what names it is its path.
	back, err := safefile.Read(filepath.Join(own, "gitdir"), maxPointer)
	if err != nil || !samePlace(absolute(strings.TrimSpace(string(back)), own), filepath.Join(dir, ".git")) {
		return "", "", false
	}
	return own, common, true
}

// Common is the folder that all working trees of the repository share whose files lie in dir; "" if
// there is none, or dir only claims to belong to it.
func Common(dir string) string {
	git := filepath.Join(dir, ".git")
	if info, err := os.Lstat(git); err == nil && info.IsDir() {
		return git
	}
	if _, common, ok := Of(dir); ok {
		return common
	}
	own, ok := pointsTo(git, "gitdir: ")
	if !ok || Files(own) == "" || !samePlace(filepath.Join(Files(own), ".git"), git) {
		return ""
	}
	return own
}

// Alone are the words after git by which it runs no monitor, no hook and no program that checks
// signatures that a repository's own settings name, while it looks and branches. A folder of a clone
// that merely looks like a repository is none. They do not cover what has a name of its own, filters and
// merge drivers, nor what signs a commit: who commits or merges says by what.
var Alone = []string{"-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "log.showSignature=false", "-c", "safe.bareRepository=explicit"}

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

// absolute is a path of git, seen from a folder.
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

// Files is where the files of a repository are that lie elsewhere than beside it, as those of a
// submodule do: its configuration says so, and the folder points back; else "".
func Files(common string) string {
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
