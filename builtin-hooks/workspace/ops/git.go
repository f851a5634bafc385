package ops

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/internal/worktree"
)

// A repo is the repository that nodes are handed to subagents in. Each node is worked
// on in a worktree of its own, on a branch of its own. What succeeds is gathered on
// one branch, a commit a node, in a worktree that is ours alone: whatever has to be
// merged is merged there, so that what a person has in front of them is touched only
// by what is known to fit, and only when they choose how the commits come home.
type repo struct {
	*call
	root    string // the project
	folder  string // of the worktrees
	process string // branch on which the work is gathered
	backup  string // prefix of branches that keep what failed
	space   string // id of the workspace
}

func (c *call) repo(s *workspace.Store) repo {
	id := workspace.RefName(s.Entry.ID)
	return repo{c, s.Entry.ProjectRoot, filepath.Join(c.State, "worktrees", id), workspace.Branches + "process/" + id, workspace.Branches + "backup/" + id + "/", s.Entry.ID}
}

// gathering is our own worktree. Its name is that of no node.
func (r repo) gathering() string { return filepath.Join(r.folder, "_") }

// worktree is that of a node.
func (r repo) worktree(n *workspace.Node) string {
	return filepath.Join(r.folder, workspace.RefName(n.ID()))
}

func (r repo) branch(n *workspace.Node) string { return workspace.NodeBranch(r.space, n.ID()) }

// gitHeld locks the branches and worktrees of a workspace, and not the workspace
// itself: what git does may take a while.
func (c *call) gitHeld(s *workspace.Store) (release func(), err error) {
	return statefile.Hold(c.repo(s).folder, 2*time.Minute)
}

// git runs git in a directory, and returns what it printed.
func (r repo) git(dir string, args ...string) (string, error) {
	out, err := r.gitRaw(dir, args...)
	return strings.TrimSpace(string(out)), err
}

// gitRaw is git for output that is not one line.
func (r repo) gitRaw(dir string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(r.Context, 2*time.Minute)
	defer cancel()
	var own []string
	if slices.Contains([]string{"commit", "merge", "cherry-pick"}, args[0]) {
		words, err := r.people(dir)
		if err != nil {
			return nil, err
		}
		own = words
	}
	cmd := exec.CommandContext(ctx, "git", slices.Concat(worktree.Alone, own, args)...)
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
			return nil, r.refuse("GIT_NOT_FOUND", "git is not installed", "未安装 git")
		}
		said := strings.TrimSpace(errs.String() + out.String())
		return nil, &op.Error{Code: "GIT_FAILED", Message: "git " + strings.Join(args, " ") + ": " + text.Clip(said, 501)}
	}
	return out.Bytes(), nil
}

// is reports whether git says yes.
func (r repo) is(dir string, args ...string) bool {
	_, err := r.git(dir, args...)
	return err == nil
}

func (r repo) has(branch string) bool {
	return r.is(r.root, "rev-parse", "--verify", "--quiet", "refs/heads/"+branch)
}

// begin makes the branch on which the work is gathered; from is the branch, or the
// commit, that the project is on, base the commit.
func (r repo) begin() (from, base string, err error) {
	if base, err = r.git(r.root, "rev-parse", "--verify", "HEAD^{commit}"); err != nil {
		return "", "", refusal("GIT_NOT_FOUND", r.sayf("%s is not a git repository with a commit", "%s 不是有提交的 git 仓库", r.root), r.say("dispatch_enable without useGit only keeps notes", "不带 useGit 的 dispatch_enable 只做记录"))
	}
	if from, err = r.git(r.root, "symbolic-ref", "--short", "--quiet", "HEAD"); err != nil {
		from = base
	}
	if r.has(r.process) {
		return "", "", refusal("DISPATCH_CONFLICT", r.sayf("the branch %s already exists", "分支 %s 已存在", r.process), r.say("dispatch_cleanup removes it", "用 dispatch_cleanup 清理"))
	}
	_, err = r.git(r.root, "branch", "--no-track", r.process, base)
	return from, base, err
}

// tree makes a worktree on a branch, unless it is there; a branch that is new begins
// at another one.
func (r repo) tree(dir, branch, from string) error {
	if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	if _, err := r.git(r.root, "worktree", "prune"); err != nil {
		return err
	}
	// A folder that a killed process left half made is nobody's work, since work has a
	// .git.
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	args := []string{"worktree", "add", "--quiet", dir, branch}
	if !r.has(branch) {
		args = []string{"worktree", "add", "--quiet", "--no-track", "-b", branch, dir, from}
	}
	_, err := r.git(r.root, args...)
	return err
}

// gather makes our own worktree ready: on a branch or a commit, and clean, whatever
// was going on in it when a process died.
func (r repo) gather(at string) (dir string, err error) {
	dir = r.gathering()
	if err := r.tree(dir, r.process, ""); err != nil {
		return "", err
	}
	for _, step := range [][]string{{"reset", "--quiet", "--hard"}, {"clean", "-ffdq"}, {"checkout", "--quiet", "--force", at, "--"}} {
		if _, err := r.git(dir, step...); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// commit keeps all that was done in a worktree, and returns the last commit.
func (r repo) commit(dir, message string) (string, error) {
	if _, err := r.git(dir, "add", "--all"); err != nil {
		return "", err
	}
	if !r.is(dir, "diff", "--cached", "--quiet") {
		if _, err := r.git(dir, "commit", "--quiet", "--no-verify", "-m", message); err != nil {
			return "", err
		}
	}
	return r.git(dir, "rev-parse", "HEAD")
}

// take puts what a node's branch has on the branch of the work, as one commit that
// names the node and the commit it was taken from: doing it twice has the effect of
// once. If it conflicts nothing is changed, and files are those that conflict.
func (r repo) take(n *workspace.Node, base, title string) (hash string, files []string, err error) {
	tip, err := r.git(r.root, "rev-parse", "--verify", "refs/heads/"+r.branch(n))
	if err != nil {
		return "", nil, err
	}
	if !r.has(r.process) {
		return "", nil, refusal("GIT_FAILED", r.sayf("the branch of the work is gone: %s", "工作分支已不存在：%s", r.process),
			r.sayf("bring it back: git branch %s COMMIT (git -C %s reflog shows what was on it); then finish again", "恢复它：git branch %s COMMIT（其上的提交见 git -C %s reflog）；然后重新完成", r.process, r.gathering()))
	}
	mark := r.space + "/" + n.ID() + "\n" + tip
	if hash, err = r.git(r.root, "log", "-1", "--format=%H", "--fixed-strings", "--grep="+tip, base+".."+r.process); err != nil || hash != "" {
		return hash, nil, err
	}
	dir, err := r.gather(r.process)
	if err != nil {
		return "", nil, err
	}
	if files, err = r.merge(dir, r.branch(n)); err != nil {
		return "", files, err
	}
	message := title + "\n\n"
	if own, err := r.git(r.root, "log", "--reverse", "--no-merges", "--format=- %s", r.process+".."+r.branch(n)); err == nil && strings.Contains(own, "\n") {
		message += own + "\n\n"
	}
	hash, err = r.commit(dir, message+mark)
	return hash, nil, err
}

// merge puts what a branch has into our own worktree, without committing; if it
// conflicts, the worktree is as it was.
func (r repo) merge(dir, branch string) (files []string, err error) {
	_, err = r.git(dir, "merge", "--quiet", "--squash", branch)
	if err == nil {
		return nil, nil
	}
	unmerged, _ := r.git(dir, "diff", "--name-only", "--diff-filter=U")
	if _, rerr := r.git(dir, "reset", "--quiet", "--hard"); rerr != nil {
		return nil, errors.Join(err, rerr)
	}
	return strings.Split(unmerged, "\n"), err
}

// keep commits what is in a worktree that failed, and makes its branch one of those
// that are kept; "" if there was nothing.
func (r repo) keep(n *workspace.Node) (kept string, err error) {
	branch, dir := r.branch(n), r.worktree(n)
	if _, serr := os.Stat(filepath.Join(dir, ".git")); serr == nil {
		if _, err := r.commit(dir, "failed"); err != nil {
			return "", err
		}
	}
	if !r.has(branch) {
		return "", r.leave(n)
	}
	if !r.is(r.root, "merge-base", "--is-ancestor", branch, r.process) {
		kept = r.backup + workspace.ShortID(n.ID()) + "-" + r.now.UTC().Format("20060102T150405.000")
		if _, err := r.git(r.root, "branch", "--no-track", kept, branch); err != nil {
			return "", err
		}
	}
	return kept, r.leave(n)
}

// leave removes the worktree of a node and its branch: what they had is elsewhere.
func (r repo) leave(n *workspace.Node) error {
	if err := r.drop(r.worktree(n)); err != nil || !r.has(r.branch(n)) {
		return err
	}
	_, err := r.git(r.root, "branch", "--quiet", "-D", r.branch(n))
	return err
}

// drop removes a worktree.
func (r repo) drop(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		if _, err := r.git(r.root, "worktree", "remove", "--force", "--force", dir); err != nil {
			return err
		}
	}
	_, err := r.git(r.root, "worktree", "prune")
	return err
}

// commits are those that wait to be merged into the project, the oldest first.
func (r repo) commits(base string) ([][2]string, error) {
	if !r.has(r.process) {
		return nil, nil // of another machine, or removed by hand
	}
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

// gone reports whether the worktree of a node is not there.
func (r repo) gone(n *workspace.Node) bool {
	_, err := os.Lstat(r.worktree(n))
	return errors.Is(err, fs.ErrNotExist)
}

// sign is when there was last activity in the worktree of a node: when a file in it was
// changed, or something was committed.
func (r repo) sign(n *workspace.Node) (last time.Time) {
	dir := r.worktree(n)
	see := func(path string) {
		if info, err := os.Lstat(path); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	changed, err := r.git(dir, "status", "--porcelain", "--untracked-files=all", "-z", "--no-renames")
	if err != nil {
		return last
	}
	if log, err := r.git(dir, "rev-parse", "--git-path", "logs/HEAD"); err == nil {
		if !filepath.IsAbs(log) {
			log = filepath.Join(dir, log)
		}
		see(log)
	}
	for i, entry := range strings.Split(changed, "\x00") {
		if len(entry) > 3 && i < 1000 {
			see(filepath.Join(dir, entry[3:]))
		}
	}
	return last
}
