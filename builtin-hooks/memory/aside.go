package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path"
	"strings"
	"time"
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

// forBranch is the file for a fact of a branch that is not merged yet. Git tracks none of it: its name is in
// no commit, of any branch and of any clone, so that a checkout does not carry it into a file that
// another branch has, and nothing that git brings is refused because of it.
func (p Place) forBranch(f Fact, c Checkout) (string, error) {
	dir := p.written(dailyDir)
	if p.Within != nil && !p.apart() && p.checkout().Branch != c.Branch {
		dir = asideDir
		if err := p.makeLocal(); err != nil {
			return "", err
		}
	}
	if tip := c.ref("refs/heads/" + c.Branch); tip != "" { // a rebase that stopped is at another commit
		c.Commit = tip
	}
	c.Own = p.ahead(c)
	day := onBranch(f.Time.UTC().Format(time.DateOnly), c.Branch)
	if file := p.begunFile(dir, day, c); file != "" {
		return p.Path(file), nil
	}
	sum := sha256.Sum256([]byte(f.ID))
	path := p.Path(dir + "/" + day + branchMark + hex.EncodeToString(sum[:4]) + ".jsonl")
	if err := p.ready(path); err != nil {
		return path, err
	}
	return path, p.files().Add(path, lockWait, c.begun("branch-"+strings.TrimPrefix(f.ID, "log-"), Stamp(f.Time)))
}

// begunFile is a file of a branch and day to which facts are still added: git does not track it, and
// the branch was not merged since it was begun.
func (p Place) begunFile(dir, day string, c Checkout) (file string) {
	entries, _ := p.Within.List(p.Path(dir))
	var tracked func(string) bool
	for _, e := range entries {
		name := dir + "/" + e.Name()
		if !strings.HasPrefix(e.Name(), day+branchMark) || !e.Type().IsRegular() {
			continue
		}
		if tracked == nil && p.Within == nil {
			tracked = func(string) bool { return false } // the person's own folder
		} else if tracked == nil {
			known := false
			if tracked, known = p.tracked(); !known {
				return ""
			}
		}
		begun, ok := p.begunAt(name)
		if ok && !tracked(name) && !p.madeAgain(c, c.Branch, name, begun) && c.mergedSince(c.Branch, begun.time) == "" && (c.Own || !begun.own && begun.commit == c.Commit) {
			file = name
		}
	}
	return file
}

// SortBranches moves facts of branches, in a folder that is committed, to where only their own branch
// commits them: aside while another one is checked out, and back when theirs is, or was merged. What
// cannot be moved is read where it is.
func (p Place) SortBranches() (err error) {
	if p.Within == nil {
		return nil
	}
	here := new(Checkout) // it is looked at if there is something to move
	err = p.markGone(here)
	if p.apart() {
		return err
	}
	var tracked func(string) bool
	for _, file := range p.plainFiles("") {
		if BranchOf(file) == "" {
			continue
		}
		if tracked == nil {
			known := false
			if tracked, known = p.tracked(); !known {
				break
			}
		}
		if !tracked(file) && !p.holdsHere(file, here) {
			err = errors.Join(err, p.makeLocal(), p.pour(file, asideDir+"/"+path.Base(file)))
		}
	}
	err = errors.Join(err, p.bringFromOthers(here))
	entries, _ := p.Within.List(p.Path(asideDir))
	for _, e := range entries {
		if file := asideDir + "/" + e.Name(); strings.HasSuffix(file, ".jsonl") && BranchOf(file) != "" && p.holdsHere(file, here) {
			err = errors.Join(err, p.pour(file, dailyDir+"/"+e.Name()))
		}
	}
	return err
}

// goneMark ends the name of a branch's file after another branch got that one's name: what becomes of
// the other one says nothing of it.
const goneMark = branchMark + "gone"

func (p Place) markGone(here *Checkout) (err error) {
	for _, file := range p.days() {
		branch := BranchOf(file)
		if branch == "" || strings.HasSuffix(file, goneMark+".jsonl") {
			continue
		}
		if here.dir == "" {
			*here = p.checkout()
		}
		begun, ok := p.begunAt(file)
		if p.Tree = here.top; ok && here.dir != "" && (p.Ask != nil || !begun.own) && p.madeAgain(*here, branch, file, begun) {
			err = errors.Join(err, p.pour(file, strings.TrimSuffix(file, ".jsonl")+goneMark+".jsonl"))
		}
	}
	return err
}

// holdsHere reports whether a branch's file holds in what is checked out where the folder is.
func (p Place) holdsHere(file string, here *Checkout) bool {
	if here.dir == "" {
		*here = p.checkout()
	}
	p.Tree = here.top
	return p.holds(file, here)
}
