package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/internal/worktree"
)

// Branches is how all branches begin that belong to workspaces. A node that is handed
// over has one of its own, whose name says which node it is: a worktree on it is that
// node's, wherever it lies and whoever made it.
const Branches = "tanmi_workspace/"

// NodeBranch is the branch that a node is worked on.
func NodeBranch(workspace, node string) string {
	return Branches + "node/" + RefName(workspace) + "/" + RefName(node)
}

// RefName is an id as a part of the name of a branch or of a folder.
func RefName(id string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '_'
	}, id)
}

// A tree is a linked worktree of a repository.
type tree struct {
	root   string // its own folder
	main   string // that of the repository
	branch string // "" if it is on none
}

// linkedTree finds the linked worktree that a folder lies in. What a .git says counts only
// if the repository says the same: a folder that came from elsewhere could name any.
func linkedTree(dir string) (t tree, ok bool) {
	for {
		if git, main, ok := worktree.Of(dir); ok && filepath.Base(main) == ".git" {
			head, _ := safefile.Read(filepath.Join(git, "HEAD"), pointerMax)
			branch, _ := strings.CutPrefix(strings.TrimSpace(string(head)), "ref: refs/heads/")
			return tree{dir, filepath.Dir(main), branch}, true
		}
		up := filepath.Dir(dir)
		if _, err := os.Lstat(filepath.Join(dir, ".git")); up == dir || err == nil {
			return t, false
		}
		dir = up
	}
}

// counterpart is what a folder of a linked worktree is in the repository's own tree.
func (t tree) counterpart(dir string) string {
	rel, err := filepath.Rel(t.root, dir)
	if err != nil {
		return t.main
	}
	return filepath.Join(t.main, rel)
}

// contains reports whether a folder of a worktree belongs to a project, which may
// have been named by a link, or be a part of the repository.
func (t tree) contains(dir, project string) bool {
	dir = t.counterpart(dir)
	return slices.ContainsFunc([]string{project, unlinked(project)}, func(root string) bool { return within(dir, root) || dir == t.main && within(root, dir) })
}

// unlinked is a path without links.
func unlinked(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// Handed is the node that the worktree is for which a folder lies in; empty in any
// other folder.
func (p Place) Handed(dir string) (e Entry, node string) {
	t, ok := linkedTree(dir)
	rest, is := strings.CutPrefix(t.branch, Branches+"node/")
	space, name, two := strings.Cut(rest, "/")
	if !ok || !is || !two {
		return e, ""
	}
	list, _ := p.Index()
	for _, e := range list {
		if RefName(e.ID) != space || e.Status != Active || !t.contains(dir, e.ProjectRoot) {
			continue
		}
		s, err := p.open(e)
		if err != nil {
			return Entry{}, ""
		}
		for _, n := range s.Graph.Nodes() {
			if RefName(n.id) == name {
				return e, n.id
			}
		}
	}
	return Entry{}, ""
}
