package memory

import (
	"errors"
	"path"
	"strings"
)

// asideDir is the folder, of this machine, for facts of a branch that is not checked out beside
// the memory folder: in the folder itself, they would go into the next commit of whatever is.
const asideDir = localDir + "/branches"

// checkout is what is checked out where the folder is: with a worktree that is not what its
// user has checked out.
func (p Place) checkout() Checkout {
	dir := p.Dir
	if real, err := p.Within.Real(dir); err == nil {
		dir = real
	}
	return Place{Tree: dir}.Checkout()
}

// forBranch is the file for a fact of a branch on a day, with a name as [Place.onBranch] makes
// it.
func (p Place) forBranch(name, branch string) (string, error) {
	if p.Within == nil || p.apart() || p.checkout().Branch == branch {
		return p.written(dailyDir + "/" + name), nil
	}
	return asideDir + "/" + name, p.makeLocal()
}

// sortBranches moves facts of branches, in a folder that is committed, to where only their own branch
// commits them: aside while another one is checked out, and back when theirs is, or was merged.
func (p Place) sortBranches() (err error) {
	if p.Within == nil || p.apart() {
		return nil
	}
	var here *Checkout // it is looked at if there is something to move
	of := func(name string) (branch string, same bool) {
		if branch = branchOf(name); branch == "" {
			return "", true
		}
		if here == nil {
			here = new(p.checkout())
		}
		return branch, branch == here.Branch || here.dir == ""
	}
	var tracked func(string) bool
	for _, file := range p.plainFiles("") {
		if _, same := of(path.Base(file)); same {
			continue
		}
		if tracked == nil {
			known := false
			if tracked, known = p.tracked(); !known {
				break
			}
		}
		if !tracked(file) {
			err = errors.Join(err, p.makeLocal(), p.pour(file, asideDir+"/"+path.Base(file)))
		}
	}
	entries, _ := p.Within.List(p.Path(asideDir))
	for _, e := range entries {
		if branch, same := of(e.Name()); strings.HasSuffix(e.Name(), ".jsonl") && branch != "" && (same || p.merged(asideDir+"/"+e.Name(), here)) {
			err = errors.Join(err, p.pour(asideDir+"/"+e.Name(), dailyDir+"/"+e.Name()))
		}
	}
	return err
}

// merged reports whether a branch's file holds in what is checked out where the folder is.
func (p Place) merged(file string, here *Checkout) bool {
	p.Tree = here.top
	return p.holds(file, here)
}
