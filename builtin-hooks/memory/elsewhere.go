package memory

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// wentMost is how many of the branches that a branch was left for are looked at, the last ones.
const wentMost = 4

// wentTo are the branches that working trees left a branch for, the last ones.
func (c *Checkout) wentTo(branch string) (others []string) {
	for _, b := range c.heads() {
		for line := range bytes.Lines(b) {
			if _, other, ok := strings.Cut(strings.TrimSpace(string(line)), "\tcheckout: moving from "+branch+" to "); ok {
				others = append(slices.DeleteFunc(others, func(o string) bool { return o == other }), other)
			}
		}
	}
	return others[max(0, len(others)-wentMost):]
}

// bringFromOthers copies aside the facts of what is checked out that git took away since they were
// committed on another branch: nothing of this program ran between a checkout and a commit of all
// files there. The copies have names that git tracks nowhere, so they are in no checkout's way.
// Git is asked once for each commit of the other branch.
func (p Place) bringFromOthers(here *Checkout) (err error) {
	if p.Ask == nil {
		return nil
	}
	if here.dir == "" {
		*here = p.checkout()
	}
	real, bad := p.Within.Real(p.Dir)
	within, far := filepath.Rel(here.top, real)
	if here.dir == "" || here.Branch == "" || here.Commit == "" || here.Main || bad != nil || far != nil {
		return errors.Join(bad)
	}
	for _, other := range here.wentTo(here.Branch) {
		tip := here.ref("refs/heads/" + other)
		if tip == "" || tip == here.Commit {
			continue
		}
		p.answered(tip+" for "+here.Branch+" ", false, func() (found bool, bad error) {
			found, bad = p.bringFrom(tip, path.Join(filepath.ToSlash(within), dailyDir)+"/", here)
			err = errors.Join(err, bad)
			return found, bad
		})
	}
	return err
}

// bringFrom is bringFromOthers for a commit of another branch, and reports whether it has any.
func (p Place) bringFrom(commit, dir string, here *Checkout) (found bool, err error) {
	names, err := p.Ask(here.top, "--literal-pathspecs", "ls-tree", "--full-tree", "-z", "--name-only", commit, "--", dir)
	if err != nil {
		return false, err
	}
	tracked, known := p.tracked()
	if !known {
		return false, errors.New("git's index cannot be read here")
	}
	for name := range strings.SplitSeq(strings.TrimRight(names, "\x00"), "\x00") {
		file := path.Base(name)
		day, _, _ := strings.Cut(file, branchMark)
		sum := sha256.Sum256([]byte(file))
		to := onBranch(day, here.Branch) + branchMark + hex.EncodeToString(sum[:4]) + ".jsonl"
		if BranchOf(file) != here.Branch || path.Ext(file) != ".jsonl" || strings.HasSuffix(file, goneMark+".jsonl") || tracked(dailyDir+"/"+file) || p.hasDay(to) {
			continue
		}
		// What the branch had once, somebody removed there.
		had, err := p.Ask(here.top, "--literal-pathspecs", "log", "-1", "--format=%H", here.Commit, "--", name)
		if err != nil {
			return false, err
		}
		if had != "" {
			continue
		}
		text, err := p.Ask(here.top, "cat-file", "blob", commit+":"+name)
		if err == nil {
			err = p.makeLocal()
		}
		if err == nil {
			err = p.files().Amend(p.Path(asideDir+"/"+to), lockWait, func(old []byte) ([]byte, error) {
				return linesTogether(old, []byte(text)), nil
			})
		}
		for _, lies := range [...]string{dailyDir, asideDir} { // here as well, in the way of a checkout
			if from := lies + "/" + file; err == nil && p.isDay(from) {
				err = p.pour(from, asideDir+"/"+to)
			}
		}
		if err != nil {
			return false, err
		}
		found = true
	}
	return found, nil
}

// hasDay reports whether the folder has a daily file of a name, or has it aside.
func (p Place) hasDay(name string) bool {
	return p.isDay(dailyDir+"/"+name) || p.isDay(asideDir+"/"+name)
}

func (p Place) isDay(file string) bool {
	_, err := p.Within.Lstat(p.Path(file))
	return err == nil
}
