package hooks

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
)

// A tree is what git says about a project.
type tree struct {
	branch string
	head   string   // the commit; "" if git said nothing
	files  []string // those that differ from it, by their paths
}

// How long git may take, and how many files are useful.
const (
	treeTime  = 300 * time.Millisecond
	treeFiles = 200
)

// treeOf asks git, if the project is a repository whose own settings name no program that git
// would run for that. If it takes too long, there is no answer.
func treeOf(c *behaviour.Call) (t tree) {
	dir := c.Project()
	if c.Runtime.Git == nil || !plain(c) {
		return t
	}
	ctx, cancel := context.WithTimeout(c.Ctx, treeTime)
	defer cancel()
	out, err := c.Runtime.Git(ctx, dir, c.Env, "--work-tree=.", "status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--ignore-submodules=all")
	if err != nil {
		return t
	}
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
			i++ // its previous name
		}
	}
	return t
}

// entry is the path in a line of git's status, "" if it has none.
func entry(line string) string {
	fields := map[byte]int{'1': 8, '2': 9, 'u': 10, '?': 1}
	if len(line) < 2 || line[1] != ' ' || fields[line[0]] == 0 {
		return ""
	}
	parts := strings.SplitN(line, " ", fields[line[0]]+1)
	return parts[len(parts)-1]
}

// plain reports whether the project is a repository, or a worktree of one, that has no filters,
// monitors or included files in its own settings, and whose settings are where they should be.
func plain(c *behaviour.Call) bool {
	const most = 256 << 10
	git := filepath.Join(storeOf(c).Root, ".git")
	in := c.Below(filepath.Dir(git))
	config, err := in.Read(filepath.Join(git, "config"), most)
	if err != nil {
		return false
	}
	if _, err := in.Lstat(filepath.Join(git, "commondir")); !errors.Is(err, fs.ErrNotExist) {
		return false // git reads another folder's
	}
	text := strings.ToLower(string(config))
	for _, word := range []string{"[filter", "fsmonitor", "[include", "worktreeconfig", "[diff", "textconv"} {
		if strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// stampOf distinguishes two states of a file of the project.
func stampOf(c *behaviour.Call, file string) string {
	info, err := c.Below(c.Project()).Lstat(filepath.Join(c.Project(), filepath.FromSlash(file)))
	if err != nil {
		return "-"
	}
	return strconv.FormatInt(info.ModTime().UnixNano(), 36) + "." + strconv.FormatInt(info.Size(), 36)
}
