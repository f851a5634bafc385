package memory

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/compat"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
)

// A Place is where memory lies: of a project, and of a person.
type Place struct {
	Root string // of the project; all worktrees of a repository have the same
	Tree string // the working tree that was asked from; "" of a person's own folder
	Dir  string // the project's memory folder, whether it exists or not
	User string // the person's, for all projects
	// Within is what Dir lies in, if that is a project; nil: it is the person's own
	// folder, whose links are theirs.
	Within *beneath.Root
	// Ledger tells of what lies in a project whose it is; nil: all of it is the
	// person's.
	Ledger *ledger.Ledger
	// Waiting lets Facts and summaries through that nobody has looked at yet: for
	// the person's own eyes, and to say that they are there.
	Waiting bool
	// EveryBranch lists facts too that wait for a branch to be merged.
	EveryBranch bool
	// Ask tells whether one commit is in another, by git; nil, as in an event: nobody
	// is asked, and what was told before counts.
	Ask func(dir, of, in string) (bool, error)
	// Git is what becomes of a new folder in git: "commit", "ignore", or "" where
	// nobody said.
	Git string
}

// Find is the Place of a project. dir is what the settings say, data the
// person's data directory (…/agents-hooks).
//
// The folder is (BM-STO-01) the one that is set, absolute or below the
// project; else the one that is there, the original's first; else the original's
// if the project is one of its agent; else .agents/memory-data. One folder
// serves all agents. open is how what lies below a folder is opened, and known
// the ledger of a project.
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

// ofPerson is the person's own folder as a Place.
func (p Place) ofPerson() Place { return Place{Root: p.Root, Dir: p.User, User: p.User} }

func (p Place) files() statefile.Store { return statefile.In(p.Within) }

func (p Place) isDir(path string) bool {
	info, err := p.Within.Stat(path)
	return err == nil && info.IsDir()
}

// Folder is the project's memory folder as it is named to an agent: below the
// project by its relative path.
func (p Place) Folder() string {
	if rel, err := filepath.Rel(p.Root, p.Dir); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return p.Dir
}

// pointerMax bounds a file that holds nothing but a path.
const pointerMax = 16 << 10

// mainWorktree is the folder that holds the repository itself, if project is a
// further worktree of it; else project.
func mainWorktree(project string) string {
	b, err := safefile.Read(filepath.Join(project, ".git"), pointerMax)
	if err != nil {
		return filepath.Clean(project) // a repository of its own, or none
	}
	gitdir, ok := strings.CutPrefix(strings.TrimSpace(string(b)), "gitdir: ")
	if !ok {
		return filepath.Clean(project)
	}
	if !filepath.IsAbs(gitdir) {
		gitdir = filepath.Join(project, gitdir)
	}
	b, err = safefile.Read(filepath.Join(gitdir, "commondir"), pointerMax)
	if err != nil {
		return filepath.Clean(project) // a submodule
	}
	common := strings.TrimSpace(string(b))
	if !filepath.IsAbs(common) {
		common = filepath.Join(gitdir, common)
	}
	if common = filepath.Clean(common); filepath.Base(common) == ".git" && isDir(common) {
		return filepath.Dir(common)
	}
	return filepath.Clean(project)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
