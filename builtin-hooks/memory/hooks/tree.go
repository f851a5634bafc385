package hooks

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/internal/safefile"
)

// A tree is what git says of a project.
type tree struct {
	root   string
	branch string
	head   string   // the commit; "" if git told nothing
	files  []string // that are not as in it, by their paths below root
}

// How long git may take, and how many files are of use.
const (
	treeTime  = 300 * time.Millisecond
	treeFiles = 200
)

// treeOf asks git, where the project is a repository whose own settings name no
// program that git would run for the asking. What takes too long was not asked.
func treeOf(c *behaviour.Call) (t tree) {
	dir := c.Project()
	if c.World.Git == nil || !plain(dir) {
		return t
	}
	ctx, cancel := context.WithTimeout(c.Ctx, treeTime)
	defer cancel()
	out, err := c.World.Git(ctx, dir, c.Env, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--ignore-submodules=all")
	if err != nil {
		return t
	}
	t.root = dir
	list := strings.Split(string(out), "\x00")
	for i := 0; i < len(list); i++ {
		line := list[i]
		if name, ok := strings.CutPrefix(line, "# branch.head "); ok {
			t.branch = name
		} else if id, ok := strings.CutPrefix(line, "# branch.oid "); ok {
			t.head = id
		} else if file := entry(line); file != "" && len(t.files) < treeFiles {
			t.files = append(t.files, file)
		}
		if strings.HasPrefix(line, "2 ") {
			i++ // what it was called before
		}
	}
	return t
}

// entry is the path of a line of git's status, "" if it has none.
func entry(line string) string {
	fields := map[byte]int{'1': 8, '2': 9, 'u': 10, '?': 1}
	if len(line) < 2 || line[1] != ' ' || fields[line[0]] == 0 {
		return ""
	}
	parts := strings.SplitN(line, " ", fields[line[0]]+1)
	return parts[len(parts)-1]
}

// plain reports whether a folder is a repository, or a worktree of one, that has no
// filters, monitors or further files in its own settings.
func plain(dir string) bool {
	git := filepath.Join(dir, ".git")
	info, err := os.Lstat(git)
	if err != nil {
		return false
	}
	const settings = 256 << 10
	if !info.IsDir() {
		b, err := safefile.Read(git, 16<<10)
		if err != nil {
			return false
		}
		if git = strings.TrimSpace(strings.TrimPrefix(string(b), "gitdir: ")); !filepath.IsAbs(git) {
			git = filepath.Join(dir, git)
		}
		common, err := safefile.Read(filepath.Join(git, "commondir"), 16<<10)
		if err != nil {
			return false
		}
		git = filepath.Join(git, strings.TrimSpace(string(common)))
	}
	config, err := safefile.Read(filepath.Join(git, "config"), settings)
	if err != nil {
		return false
	}
	text := strings.ToLower(string(config))
	for _, word := range []string{"[filter", "fsmonitor", "[include", "worktreeconfig", "[diff", "textconv"} {
		if strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// stampOf tells two states of a file apart.
func stampOf(root, file string) string {
	info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		return "-"
	}
	return strconv.FormatInt(info.ModTime().UnixNano(), 36) + "." + strconv.FormatInt(info.Size(), 36)
}
