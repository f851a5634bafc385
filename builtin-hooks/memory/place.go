package memory

import (
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/compat"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/internal/worktree"
)

// A Place is where memory is: a project's, and a user's.
type Place struct {
	Root string // the project's; all worktrees of a repository have the same
	Tree string // the working tree that it was found from; "" for the user's own folder
	Dir  string // the project's memory folder, whether it exists or not
	User string // the user's, for all projects
	// Within is the root that contains Dir, if that is a project; nil: it is the user's own
	// folder, whose links are trusted.
	Within *beneath.Root
	// Ledger knows the owners of the texts in a project; nil: all of them are the user's.
	Ledger *ledger.Ledger
	// Waiting includes facts and summaries that are not approved yet: for the user's own eyes,
	// and to say that they exist.
	Waiting bool
	// EveryBranch also lists facts of branches that are not merged yet.
	EveryBranch bool
	// Ask asks git whether one commit is contained in another; nil, as in an event: git is not
	// asked, and earlier answers count.
	Ask Asker
	// Git is what a new folder is for git: "commit", "ignore", or "" if nobody decided.
	Git string
}

// Find is the Place of a project. dir is what the settings say, data the user's data directory
// (…/agents-hooks).
//
// The folder is (BM-STO-01) the one that is set, absolute or below the project; else the
// existing one, the original's first; else the original's if the project is one of its agent;
// else .agents/memory-data. One folder serves all agents. open opens what is below a folder,
// and known is the ledger of a project.
func Find(project, data, dir string, open func(dir string) *beneath.Root, known func(root string) *ledger.Ledger) Place {
	p := Place{Root: mainWorktree(project), Tree: filepath.Clean(project)}
	p.Within = open(p.Root)
	if data != "" {
		p.User = filepath.Join(data, "memory")
	}
	theirs := filepath.Join(p.Root, filepath.FromSlash(compat.MemoryData))
	ours := filepath.Join(p.Root, ".agents", "memory-data")
	switch {
	case filepath.IsAbs(dir):
		p.Dir = filepath.Clean(dir)
	case dir != "":
		p.Dir = filepath.Join(p.Root, filepath.FromSlash(dir))
	case p.isDir(theirs):
		p.Dir = theirs
	case p.isDir(ours):
		p.Dir = ours
	case p.isDir(filepath.Join(p.Root, compat.MemoryHome)):
		p.Dir = theirs
	default:
		p.Dir = ours
	}
	if project = filepath.Clean(project); !safefile.Inside(p.Dir, p.Root) && safefile.Inside(p.Dir, project) {
		p.Within = open(project)
	} else if !safefile.Inside(p.Dir, p.Root) {
		p.Within = nil
	}
	if p.Within != nil {
		p.Ledger = known(p.Root)
	}
	return p
}

// ofPerson is the user's own folder as a Place.
func (p Place) ofPerson() Place { return Place{Root: p.Root, Dir: p.User, User: p.User} }

func (p Place) files() statefile.Store { return statefile.In(p.Within) }

func (p Place) isDir(path string) bool {
	info, err := p.Within.Stat(path)
	return err == nil && info.IsDir()
}

// Folder is the project's memory folder as agents are told: a relative path if it is inside the
// project.
func (p Place) Folder() string {
	if rel, err := filepath.Rel(p.Root, p.Dir); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return p.Dir
}

// pointerMax limits a file that contains only a path.
const pointerMax = 16 << 10

// mainWorktree is the folder of the repository itself, if project is another worktree of it;
// else project.
func mainWorktree(project string) string {
	if _, common, ok := worktree.Of(project); ok && filepath.Base(common) == ".git" {
		return filepath.Dir(common)
	}
	return filepath.Clean(project)
}
