package ops

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/merge"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func travelTools() []operation {
	return []operation{
		{op.Op{Name: "workspace_share", Command: "share", People: op.Text{English: "let it travel with the repository", Chinese: "让它随仓库一起走"}, Idempotent: true,
			Model: op.Text{English: "Lets git see the workspaces of this project, so that they can be committed; off: takes that back. Nothing is committed.", Chinese: "让 git 看到本项目的工作区，以便提交；off 则取消。不会提交任何内容。"},
			Args:  []op.Arg{argHere(), {Name: "off", Kind: op.Bool, Model: op.Text{English: "keep them out of commits again", Chinese: "重新排除在提交之外"}}}}, spaceShare},
		{op.Op{Name: "workspace_merge", Command: "merge", People: op.Text{English: "put together what two people made of it, after a merge of git", Chinese: "git 合并后，整合两个人的改动"}, Idempotent: true,
			Model: op.Text{English: "After git pull or git merge: puts together what both sides made of a workspace, resolves the conflicts in its files and mends its tree. Nothing that either wrote is lost; git commit is left to the caller.", Chinese: "在 git pull 或 git merge 之后：整合双方对工作区的改动，解决其文件中的冲突并修复节点树。双方写下的内容都不会丢失；git commit 由调用者执行。"},
			Args:  []op.Arg{argHere()}}, spaceMerge},
		{op.Op{Name: "workspace_adopt", Command: "adopt", People: op.Text{English: "take up workspaces that came with a clone, or lie elsewhere", Chinese: "接管随克隆而来或位于别处的工作区"}, Idempotent: true, Words: []string{"path"},
			Model: op.Text{English: "Takes up the workspaces that lie in a project and that this machine does not know yet, once the user let them in.", Chinese: "接管项目中本机尚未登记的工作区（须先经用户放行）。"},
			Args:  []op.Arg{{Name: "path", Model: op.Text{English: "folder of the project; default: the one here", Chinese: "项目目录，默认当前项目"}}}}, spaceAdopt},
		{op.Op{Name: "workspace_relocate", Command: "relocate", People: op.Text{English: "say where it lies now", Chinese: "说明它现在的位置"}, Idempotent: true, Words: []string{"workspaceId", "path"},
			Model: op.Text{English: "Says that a workspace lies in another project folder now: after a move, or where there are two copies and this one counts.", Chinese: "说明工作区现在位于另一个项目目录：移动之后，或存在两份而以这份为准。"},
			Args:  []op.Arg{argWorkspace(), {Name: "path", Model: op.Text{English: "folder of the project; default: the one here", Chinese: "项目目录，默认当前项目"}}}}, spaceRelocate},
	}
}

// from is the folder that a call names, or is made in.
func (c *call) from() (string, error) {
	path := cmp.Or(c.text("path"), c.Dir, c.Project)
	if at := cmp.Or(c.Dir, c.Project); !filepath.IsAbs(path) && at != "" {
		path = filepath.Join(at, path)
	}
	if !filepath.IsAbs(path) {
		return "", c.refuse("INVALID_PATH", "path %q: want the absolute path of a folder", "path %q 必须是目录的绝对路径", path)
	}
	return filepath.Clean(path), nil
}

// arrive registers a workspace that came with a clone, or whose project was moved, as
// soon as somebody works on it.
func (c *call) arrive(id string) error {
	if e, ok, err := c.Place.Entry(id); err != nil || ok && c.Place.Dir(e) != "" {
		return nil // whoever opens it says what is wrong
	}
	dir := cmp.Or(c.Dir, c.Project)
	if dir == "" {
		return nil
	}
	for _, s := range c.Place.Arrived(dir) {
		if s.ID == id {
			_, err := c.Place.Adopt(s, c.now)
			return err
		}
	}
	return nil
}

func spaceAdopt(c *call) (protocol.Object, error) {
	path, err := c.from()
	if err != nil {
		return nil, err
	}
	adopted, waiting, copies := []protocol.Object{}, 0, []string{}
	for _, s := range c.Place.StraysAt(path) {
		switch {
		case !s.Mine && s.Was == "":
			waiting++
		case s.Was != "" && !s.Gone:
			copies = append(copies, s.ID)
		default:
			if _, err := c.Place.Adopt(s, c.now); err != nil {
				return nil, err
			}
			adopted = append(adopted, object("id", s.ID, "name", s.Name, "projectRoot", s.ProjectRoot))
		}
	}
	answer := object("success", true, "adopted", adopted)
	var hints []string
	if waiting > 0 {
		answer.Set("waiting", value(waiting))
		hints = append(hints, c.say("others wrote what waits: approve it with agents-hooks trust, and call again", "等待中的内容由他人撰写：先用 agents-hooks trust 放行，再次调用"))
	}
	if len(copies) > 0 {
		answer.Set("copies", value(copies))
		hints = append(hints, c.say("copies of what lies elsewhere too: workspace_relocate says which one counts", "这些是别处工作区的副本：用 workspace_relocate 指定以哪份为准"))
	}
	if hints != nil {
		answer.SetText("hint", strings.Join(hints, "; "))
	}
	return answer, nil
}

func spaceRelocate(c *call) (protocol.Object, error) {
	path, err := c.from()
	if err != nil {
		return nil, err
	}
	id := c.text("workspaceId")
	e, ok, err := c.Place.Entry(id)
	if err != nil {
		return nil, err
	}
	for _, s := range c.Place.StraysAt(path) {
		if s.ID == id {
			_, err := c.Place.Adopt(s, c.now)
			return object("success", true, "projectRoot", s.ProjectRoot, "was", s.Was), err
		}
	}
	if ok && c.Place.Dir(e) != "" && slices.ContainsFunc(c.Place.At(path), func(at workspace.Entry) bool { return at.ID == id }) {
		return object("success", true, "projectRoot", e.ProjectRoot, "was", e.ProjectRoot), nil
	}
	return nil, refusal("WORKSPACE_NOT_FOUND", c.sayf("%s has no workspace %q", "%s 中没有工作区 %q", path, id), c.say("name the folder of the project that it lies in now", "请指定它现在所在的项目目录"))
}

func spaceShare(c *call) (protocol.Object, error) {
	s, err := c.open()
	if err != nil {
		return nil, err
	}
	base := filepath.Dir(s.Dir)
	if err := workspace.Share(s.In, s.Entry.ProjectRoot, base, !c.flag("off")); err != nil {
		return nil, err
	}
	rel, err := filepath.Rel(s.Entry.ProjectRoot, base)
	if err != nil {
		return nil, err
	}
	hint := c.sayf("git add %s and commit it. Others see it in their clones once they let it in; after a pull with conflicts: workspace merge.", "git add %s 并提交。其他人的克隆在放行后即可看到；拉取出现冲突时用 workspace merge。", text.ShellWord(filepath.ToSlash(rel)))
	if c.flag("off") {
		hint = c.sayf("git does not see what is new there; what is committed stays: git rm -r --cached %s", "git 不再看到其中的新内容；已提交的仍在：git rm -r --cached %s", text.ShellWord(filepath.ToSlash(rel)))
	}
	return object("success", true, "shared", !c.flag("off"), "path", filepath.ToSlash(rel), "hint", hint), nil
}

// spaceMerge reads no workspace before it is repaired: with conflict markers in it, it
// is not one.
func spaceMerge(c *call) (protocol.Object, error) {
	if err := c.somewhere(); err != nil {
		return nil, err
	}
	e, ok, err := c.Place.Entry(c.text("workspaceId"))
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, workspace.ErrNoWorkspace
	}
	dir := c.Place.Dir(e)
	if dir == "" {
		return nil, fmt.Errorf("%w: %q in %s", workspace.ErrNoFolder, e.ID, e.ProjectRoot)
	}
	release, err := c.Place.Lock(e)
	if err != nil {
		return nil, err
	}
	defer release()
	s := &workspace.Store{Place: c.Place, Entry: e, Dir: dir, In: c.Place.Below(e.ProjectRoot), Now: c.now}
	r := c.repo(s)
	merged, notes, err := r.unite(s)
	if err != nil {
		return nil, err
	}
	graph := filepath.Join(dir, workspace.GraphFile)
	b, err := s.In.Read(graph, 0)
	if err != nil {
		return nil, err
	}
	mended, more, err := merge.Mend(b)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", workspace.ErrDamaged, graph, err)
	}
	if len(more) > 0 && !bytes.Equal(mended, b) {
		if err := s.Files().ReplaceHeld(graph, true, mended); err != nil {
			return nil, err
		}
		notes = append(notes, more...)
	}
	ending, err := r.restore(s, mended)
	if err != nil {
		return nil, err
	}
	answer := object("success", true, "merged", append([]string{}, merged...), "mended", append([]string{}, notes...))
	if ending != "" {
		answer.SetText("hint", c.sayf("The files are put together and added; %s ends the merge. What others wrote waits for the user: agents-hooks trust.", "文件已整合并加入暂存区；%s 即可完成合并。他人撰写的内容等待用户放行：agents-hooks trust。", ending))
	}
	return answer, nil
}

// restore brings back, in the middle of a merge, the files of nodes that stay which the
// other side had deleted and this one had not changed: git takes those away without a
// conflict. ending is what ends the merge, "" outside of one.
func (r repo) restore(s *workspace.Store, graph []byte) (ending string, err error) {
	other := ""
	for _, in := range [][2]string{{"MERGE_HEAD", "git commit"}, {"REBASE_HEAD", "git rebase --continue"}, {"CHERRY_PICK_HEAD", "git cherry-pick --continue"}, {"REVERT_HEAD", "git revert --continue"}} {
		if r.is(s.Dir, "rev-parse", "--verify", "--quiet", in[0]) {
			other, ending = in[0], in[1]
			break
		}
	}
	if other == "" || !r.is(s.Dir, "ls-files", "--error-unmatch", "--", workspace.GraphFile) {
		return "", nil // nothing is merged, or git does not know this workspace
	}
	g, err := workspace.ParseGraph(graph)
	if err != nil {
		return "", err
	}
	for _, side := range []string{"HEAD", other} {
		list, err := r.gitRaw(s.Dir, "ls-tree", "-r", "--name-only", "-z", side, "--", ".")
		if err != nil {
			return "", err
		}
		for _, path := range strings.Split(strings.TrimRight(string(list), "\x00"), "\x00") {
			file := filepath.Join(s.Dir, filepath.FromSlash(path))
			if _, err := s.In.Lstat(file); path == "" || !errors.Is(err, fs.ErrNotExist) || !belongs(g, path) {
				continue
			}
			b, err := r.gitRaw(s.Dir, "cat-file", "blob", side+":./"+path)
			if err == nil {
				err = s.In.MkdirAll(filepath.Dir(file), 0o700)
			}
			if err == nil {
				err = s.Files().ReplaceHeld(file, false, b)
			}
			if err == nil {
				_, err = r.git(s.Dir, "add", "--", path)
			}
			if err != nil {
				return "", err
			}
		}
	}
	_, err = r.git(s.Dir, "add", "--", workspace.GraphFile)
	return ending, err
}

// belongs reports whether a file of a workspace, by its path in it, belongs to the
// whole or to a node or memo that is there.
func belongs(g *workspace.Graph, path string) bool {
	parts := strings.Split(path, "/")
	if len(parts) < 3 {
		return len(parts) == 1
	}
	fits := func(id, folder string) bool {
		return parts[1] == id || parts[1] == folder || strings.HasSuffix(parts[1], "_"+workspace.ShortID(id))
	}
	switch parts[0] {
	case workspace.NodesDir:
		return slices.ContainsFunc(g.All(), func(n *workspace.Node) bool { return fits(n.ID(), n.Text("dirName")) })
	case workspace.MemosDir:
		return slices.ContainsFunc(g.Memos(), func(m protocol.Object) bool { return fits(m.Text("id"), m.Text("dirName")) })
	}
	return false
}

// unite resolves the conflicts of git in the files of a workspace, and tells git.
func (r repo) unite(s *workspace.Store) (merged, notes []string, err error) {
	list, err := r.git(s.Dir, "ls-files", "--unmerged", "-z", "--", ".")
	if err != nil {
		return nil, nil, nil // no repository, or a folder that git does not know: nothing to unite
	}
	versions := map[string][3][]byte{}
	for _, line := range strings.Split(list, "\x00") {
		about, path, ok := strings.Cut(line, "\t")
		f := strings.Fields(about)
		if !ok || len(f) != 3 || f[2] < "1" || f[2] > "3" {
			continue
		}
		b, err := r.gitRaw(s.Dir, "cat-file", "blob", f[1])
		if err != nil {
			return merged, notes, err
		}
		v := versions[path]
		v[f[2][0]-'1'] = append([]byte{}, b...)
		versions[path] = v
	}
	for path, v := range versions {
		out, more, err := united(path, v)
		if err != nil {
			return merged, notes, fmt.Errorf("%s: %w", path, err)
		}
		if out == nil {
			continue
		}
		file := filepath.Join(s.Dir, filepath.FromSlash(path))
		if err := s.Files().ReplaceHeld(file, filepath.Base(file) == workspace.GraphFile, out); err != nil {
			return merged, notes, err
		}
		if _, err := r.git(s.Dir, "add", "--", path); err != nil {
			return merged, notes, err
		}
		merged, notes = append(merged, path), append(notes, more...)
	}
	slices.Sort(merged)
	return merged, notes, nil
}

// united is a merged file; of one that only one side has, that side's. nil says that it
// is not one of ours.
func united(path string, v [3][]byte) (out []byte, notes []string, err error) {
	base, ours, theirs := v[0], v[1], v[2]
	switch name := filepath.Base(path); {
	case ours == nil && theirs == nil:
		return nil, nil, nil
	case ours == nil:
		return theirs, []string{path + " was deleted by one and changed by the other: it stays"}, nil
	case theirs == nil:
		return ours, []string{path + " was deleted by one and changed by the other: it stays"}, nil
	case name == workspace.GraphFile:
		return merge.Graph(base, ours, theirs)
	case name == workspace.ConfigFile:
		out, err = merge.Config(base, ours, theirs)
		return out, nil, err
	case name == workspace.LogFile:
		return []byte(merge.Log(string(ours), string(theirs))), nil, nil
	case filepath.Ext(name) == ".md":
		return []byte(merge.Page(string(base), string(ours), string(theirs))), nil, nil
	}
	return nil, nil, nil
}
