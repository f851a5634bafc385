package ops

import (
	"os"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// home brings the commits to the branch that the project was on. All of it is tried in
// our own worktree first: if it conflicts, the project was not touched.
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
		return refusal("GIT_FAILED", r.sayf("the project is on %s now; it was on %s", "项目当前位于 %s，启用派发时位于 %s", on, from), "git switch "+text.ShellWord(from))
	}
	if dirty, err := r.git(r.root, "status", "--porcelain", "--untracked-files=no"); err != nil {
		return err
	} else if dirty != "" {
		return refusal("GIT_DIRTY", r.say("the project has changes that are not committed", "项目存在未提交的修改"), r.say("commit or stash them first", "请先提交或暂存"))
	}
	list, err := r.commits(base)
	if err != nil || len(list) == 0 || r.is(r.root, "merge-base", "--is-ancestor", r.process, "HEAD") {
		return err
	}
	head, err := r.git(r.root, "rev-parse", "HEAD")
	if err != nil {
		return err
	}
	result, err := r.fit(strategy, head, base, message)
	if err != nil {
		return err
	}
	if strategy == "cherry-pick" {
		top, err := r.git(r.root, "rev-parse", "--show-toplevel")
		if err == nil {
			_, err = r.git(top, "read-tree", "-m", "-u", "HEAD", result)
		}
		return err
	}
	_, err = r.git(r.root, "merge", "--quiet", "--ff-only", result)
	return err
}

// fit is the commit that the project would get, made in our own worktree.
func (r repo) fit(strategy, head, base, message string) (string, error) {
	if strategy == "sequential" && r.is(r.root, "merge-base", "--is-ancestor", head, r.process) {
		return r.git(r.root, "rev-parse", "refs/heads/"+r.process)
	}
	dir, err := r.gather(head)
	if err != nil {
		return "", err
	}
	if strategy != "sequential" {
		if files, err := r.merge(dir, r.process); err != nil {
			return "", r.unfit(files, err)
		}
		return r.commit(dir, message)
	}
	picks, err := r.git(r.root, "rev-list", "--reverse", "--no-merges", base+".."+r.process)
	if err != nil {
		return "", err
	}
	for _, hash := range strings.Fields(picks) {
		_, err := r.git(dir, "cherry-pick", hash)
		if err == nil {
			continue
		}
		unmerged, _ := r.git(dir, "diff", "--name-only", "--diff-filter=U")
		if unmerged == "" && r.is(dir, "diff", "--cached", "--quiet") && r.is(dir, "cherry-pick", "--skip") {
			continue // the project has it already
		}
		_, _ = r.git(dir, "cherry-pick", "--abort")
		return "", r.unfit(strings.Split(unmerged, "\n"), err)
	}
	return r.git(dir, "rev-parse", "HEAD")
}

// unfit says which files conflict, and how to go on.
func (r repo) unfit(files []string, err error) error {
	if files = slices.DeleteFunc(files, func(f string) bool { return f == "" }); len(files) == 0 {
		return err
	}
	return &op.Error{Code: "MERGE_CONFLICT", Message: r.sayf("what was done conflicts with %s in: %s. Nothing was changed", "%[1]s 与完成的工作冲突：%[2]s。未做任何改动", r.root, strings.Join(files[:min(len(files), 10)], ", ")),
		Fix: r.sayf("in the project: git merge %s, resolve the conflicts, git commit; then dispatch_disable_execute again: it sees that everything is there", "在项目中：git merge %s，解决冲突并 git commit；然后再次调用 dispatch_disable_execute，它会发现内容已合并", text.ShellWord(r.process))}
}

// end removes the worktrees, and branches.
func (r repo) end(names []string) (removed []string, err error) {
	if err := r.drop(r.gathering()); err != nil {
		return nil, err
	}
	_ = os.Remove(r.folder) // if nothing is left in it
	for _, name := range names {
		if _, err := r.git(r.root, "branch", "--quiet", "-D", name); err != nil {
			return removed, err
		}
		removed = append(removed, name)
	}
	slices.Sort(removed)
	return removed, nil
}
