package desk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// A repo is the repository that nodes are handed to subagents in. The subagents
// work in a worktree of their own, on a branch of their own: what a person has in
// front of them is touched only when they choose how the commits come home.
type repo struct {
	*call
	root     string // the project
	worktree string
	process  string // branch of the work
	backup   string // prefix of branches that keep what failed
}

const branches = "tanmi_workspace/"

func (c *call) repo(s *workspace.Store) repo {
	id := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '_'
	}, s.Entry.ID)
	return repo{c, s.Entry.ProjectRoot, filepath.Join(c.State, "worktrees", id), branches + "process/" + id, branches + "backup/" + id + "/"}
}

// git runs git in a directory, and returns what it printed.
func (r repo) git(dir string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(r.Context, 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	cmd.WaitDelay = time.Second
	cmd.Env = append(slices.DeleteFunc(slices.Clone(r.Env), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX"}, name)
	}), "GIT_TERMINAL_PROMPT=0", "GIT_EDITOR=true", "LC_ALL=C")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return "", r.refuse("GIT_NOT_FOUND", "git is not installed", "未安装 git")
		}
		said := strings.TrimSpace(errs.String() + out.String())
		return "", &op.Error{Code: "GIT_FAILED", Message: "git " + strings.Join(args, " ") + ": " + text.Clip(said, 501)}
	}
	return strings.TrimSpace(out.String()), nil
}

// begin makes the branch and the worktree; from is the branch, or the commit,
// that the project is on, base the commit.
func (r repo) begin() (from, base string, err error) {
	if base, err = r.git(r.root, "rev-parse", "--verify", "HEAD^{commit}"); err != nil {
		return "", "", refusal("GIT_NOT_FOUND", r.sayf("%s is no git repository with a commit", "%s 不是有提交的 git 仓库", r.root), r.say("dispatch_enable without useGit only keeps notes", "不带 useGit 的 dispatch_enable 只做记录"))
	}
	if from, err = r.git(r.root, "symbolic-ref", "--short", "--quiet", "HEAD"); err != nil {
		from = base
	}
	if _, err := r.git(r.root, "rev-parse", "--verify", "--quiet", "refs/heads/"+r.process); err == nil {
		return "", "", refusal("DISPATCH_CONFLICT", r.sayf("the branch %s is there already", "分支 %s 已存在", r.process), r.say("dispatch_cleanup removes it", "用 dispatch_cleanup 清理"))
	}
	if err := os.MkdirAll(filepath.Dir(r.worktree), 0o700); err != nil {
		return "", "", err
	}
	_, err = r.git(r.root, "worktree", "add", "--quiet", "-b", r.process, r.worktree, base)
	return from, base, err
}

func (r repo) head() (string, error) { return r.git(r.worktree, "rev-parse", "HEAD") }

// commit keeps all that a subagent did, and returns the commit.
func (r repo) commit(message string) (string, error) {
	if _, err := r.git(r.worktree, "add", "--all"); err != nil {
		return "", err
	}
	if dirty, err := r.git(r.worktree, "status", "--porcelain"); err != nil {
		return "", err
	} else if dirty != "" {
		if _, err := r.git(r.worktree, "commit", "--quiet", "--no-verify", "-m", message); err != nil {
			return "", err
		}
	}
	return r.head()
}

// undo takes the worktree back to a commit. What was done since stays on a branch
// of its own, whose name it returns; "" if there was nothing.
func (r repo) undo(to string) (kept string, err error) {
	last, err := r.commit("failed")
	if err != nil {
		return "", err
	}
	if last != to {
		kept = r.backup + r.now.UTC().Format("20060102T150405.000")
		if _, err := r.git(r.worktree, "branch", kept, last); err != nil {
			return "", err
		}
	}
	_, err = r.git(r.worktree, "reset", "--quiet", "--hard", to)
	return kept, err
}

// commits are those that wait to come home, the oldest first.
func (r repo) commits(base string) ([][2]string, error) {
	text, err := r.git(r.root, "log", "--reverse", "--format=%h %s", base+".."+r.process)
	if err != nil {
		return nil, err
	}
	var out [][2]string
	for line := range strings.Lines(text) {
		hash, subject, _ := strings.Cut(strings.TrimSpace(line), " ")
		out = append(out, [2]string{hash, subject})
	}
	return out, nil
}

func (r repo) list(prefix string) ([]string, error) {
	text, err := r.git(r.root, "for-each-ref", "--format=%(refname:short)", "refs/heads/"+prefix)
	if err != nil {
		return nil, err
	}
	return strings.Fields(text), nil
}

// home brings the commits to the branch that the project was on. If that cannot
// be done cleanly nothing is changed.
func (r repo) home(strategy, from, base, message string) error {
	if strategy == "skip" {
		return nil
	}
	on, err := r.git(r.root, "symbolic-ref", "--short", "--quiet", "HEAD")
	if err != nil {
		on, err = r.git(r.root, "rev-parse", "HEAD")
	}
	if err != nil {
		return err
	}
	if on != from {
		return refusal("GIT_FAILED", r.sayf("the project is on %s now, and was on %s", "项目当前位于 %s，启用派发时位于 %s", on, from), "git switch "+from)
	}
	if dirty, err := r.git(r.root, "status", "--porcelain", "--untracked-files=no"); err != nil {
		return err
	} else if dirty != "" {
		return refusal("GIT_DIRTY", r.say("the project has changes that are not committed", "项目存在未提交的修改"), r.say("commit or stash them first", "请先提交或暂存"))
	}
	if list, err := r.commits(base); err != nil || len(list) == 0 {
		return err
	}
	steps, abort := r.steps(strategy, base, message)
	for _, step := range steps {
		if _, err := r.git(r.root, step...); err != nil {
			if _, aerr := r.git(r.root, abort...); aerr != nil {
				return fmt.Errorf("%w; %w", err, aerr)
			}
			return err
		}
	}
	return nil
}

// steps are the commands of a strategy, and the one that takes them back.
func (r repo) steps(strategy, base, message string) (steps [][]string, abort []string) {
	switch strategy {
	case "squash":
		return [][]string{{"merge", "--quiet", "--squash", r.process}, {"commit", "--quiet", "-m", message}}, []string{"reset", "--quiet", "--merge"}
	case "cherry-pick":
		return [][]string{{"cherry-pick", "--no-commit", base + ".." + r.process}}, []string{"reset", "--quiet", "--merge"}
	}
	if _, err := r.git(r.root, "merge-base", "--is-ancestor", "HEAD", r.process); err == nil {
		return [][]string{{"merge", "--quiet", "--ff-only", r.process}}, []string{"rev-parse", "HEAD"}
	}
	return [][]string{{"cherry-pick", base + ".." + r.process}}, []string{"cherry-pick", "--abort"}
}

// end removes the worktree, and the branches that are not to be kept.
func (r repo) end(process, backup bool) (removed []string, err error) {
	if _, serr := os.Stat(r.worktree); serr == nil {
		if _, err := r.git(r.root, "worktree", "remove", "--force", r.worktree); err != nil {
			return nil, err
		}
	}
	if _, err := r.git(r.root, "worktree", "prune"); err != nil {
		return nil, err
	}
	removed = []string{}
	for prefix, wanted := range map[string]bool{r.process: process, r.backup: backup} {
		if !wanted {
			continue
		}
		names, err := r.list(prefix)
		if err != nil {
			return removed, err
		}
		for _, name := range names {
			if _, err := r.git(r.root, "branch", "--quiet", "-D", name); err != nil {
				return removed, err
			}
			removed = append(removed, name)
		}
	}
	slices.Sort(removed)
	return removed, nil
}
