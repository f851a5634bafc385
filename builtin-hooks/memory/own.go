package memory

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// ownDir is the folder for memory that is kept out of commits. Git replaces an ignored file
// without a word when a pull, a merge or a checkout brings one of that name, and removes it with
// the next branch that does not have it. Memory that somebody else commits has the names that
// are beside this folder, so nothing of the person's may stand there while it is ignored. A
// copy that is put back would not do: a file that git removed and one that the person deleted
// look the same.
const ownDir = "own"

// apart reports whether what is written goes to ownDir: the folder is a project's, and is kept
// out of commits.
func (p Place) apart() bool {
	if p.Within == nil {
		return false
	}
	keeps, known := p.keepsOut()
	return keeps || !known && p.Git == "ignore"
}

// written is the file of the folder that is written under one of memory's names, such as
// MEMORY.md or daily/2026-11-21.jsonl.
func (p Place) written(name string) string {
	if p.apart() {
		return ownDir + "/" + name
	}
	return name
}

// Core is the page that promotions and rewritten pages go to.
func (p Place) Core() string { return p.written(coreFile) }

// bothOf are the files with one of memory's names: the person's own, and the one beside it.
func bothOf(name string) []string { return []string{ownDir + "/" + name, name} }

// PageFiles are the files that a page is read from, the person's own first.
func PageFiles(page string) []string { return bothOf(page) }

// Pages are the files of all pages.
func Pages() []string { return append(bothOf(coreFile), bothOf(notesFile)...) }

// Dirs are the folders, below the memory folder, that have memory, and the folder itself.
func Dirs() []string { return append(bothOf(dailyDir), "", ownDir, localDir, asideDir) }

// WholePage is all of a page, whoever wrote it.
func (p Place) WholePage(page string) ([]byte, error) {
	var out string
	for _, file := range PageFiles(page) {
		b, err := p.Read(file)
		if err != nil {
			return nil, err
		}
		out = Below(out, string(b))
	}
	return []byte(out), nil
}

// Below is a page with another below it; one that says nothing is left out.
func Below(page, other string) string {
	switch {
	case blank(page) && !blank(other):
		return other
	case page == "" || blank(other):
		return page
	}
	return strings.TrimRight(page, "\n") + "\n\n" + other
}

// days are the daily files of the folder, the oldest first.
func (p Place) days() (out []string) {
	for _, dir := range append(bothOf(dailyDir), asideDir) {
		entries, _ := p.Within.List(p.Path(dir))
		for _, e := range entries {
			if name := e.Name(); filepath.Ext(name) == ".jsonl" && !strings.HasPrefix(name, ".") {
				out = append(out, dir+"/"+name)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(path.Base(a), path.Base(b)) })
	return out
}

// makeOwn creates the folder for memory that is kept out of commits. It ignores itself: it
// stays out of them when a repository brings another .gitignore for the folder around it.
func (p Place) makeOwn() error { return p.makeIgnored(ownDir) }

// makeIgnored creates a folder that git ignores, whatever the folder around it is.
func (p Place) makeIgnored(name string) error {
	dir := filepath.Join(p.Dir, name)
	if _, err := p.Within.Stat(filepath.Join(dir, ".gitignore")); err == nil {
		return nil
	}
	if err := p.Within.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return p.Within.Write(filepath.Join(dir, ".gitignore"), []byte("*\n"), 0o600)
}

// setApart moves to ownDir what git could replace: files with memory's names that it does not
// track, in a folder that is kept out of commits. They are from an earlier version, from before
// the folder was ignored, or no longer tracked.
func (p Place) setApart() error {
	if !p.apart() {
		return nil
	}
	names := p.plainFiles("")
	if len(names) == 0 {
		return p.makeOwn()
	}
	tracked, known := p.tracked()
	if !known {
		return p.makeOwn() // it may be tracked: then git does not replace it either
	}
	err := p.makeOwn()
	for _, name := range names {
		if err == nil && !tracked(name) {
			err = p.pour(name, ownDir+"/"+name)
		}
	}
	return err
}

// bringBack moves what was kept out of commits to the names that are committed.
func (p Place) bringBack() (err error) {
	for _, name := range p.plainFiles(ownDir) {
		err = errors.Join(err, p.pour(ownDir+"/"+name, name))
	}
	return err
}

// plainFiles are the regular files with memory's names in a folder of the folder. A link
// somebody made, and it stays.
func (p Place) plainFiles(dir string) (names []string) {
	for _, name := range [...]string{coreFile, notesFile, sessionsFile, factsFile} {
		if info, err := p.Within.Lstat(p.Path(path.Join(dir, name))); err == nil && info.Mode().IsRegular() {
			names = append(names, name)
		}
	}
	entries, _ := p.Within.List(p.Path(path.Join(dir, dailyDir)))
	for _, e := range entries {
		if e.Type().IsRegular() && filepath.Ext(e.Name()) == ".jsonl" {
			names = append(names, dailyDir+"/"+e.Name())
		}
	}
	return names
}

// pour adds what a file of the folder has to another one, and removes it. A process that dies
// between the two leaves both, and the next one adds nothing twice.
func (p Place) pour(from, to string) error {
	release, err := p.files().Hold(p.Path(from), lockWait)
	if err != nil {
		return err
	}
	defer release()
	b, err := p.Read(from)
	if err != nil {
		return err
	}
	err = p.files().Amend(p.Path(to), lockWait, func(old []byte) ([]byte, error) {
		if path.Ext(to) == ".md" {
			return pagesTogether(old, b), nil
		}
		return linesTogether(old, b), nil
	})
	if err == nil {
		err = p.Within.Remove(p.Path(from))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// linesTogether are the lines of two files, each once.
func linesTogether(old, more []byte) []byte {
	out, has := bytes.Clone(old), map[string]bool{}
	for line := range bytes.Lines(old) {
		has[string(bytes.TrimSpace(line))] = true
	}
	for line := range bytes.Lines(more) {
		if bare := string(bytes.TrimSpace(line)); bare == "" || has[bare] {
			continue
		}
		if n := len(out); n > 0 && out[n-1] != '\n' {
			out = append(out, '\n')
		}
		out = append(out, line...)
	}
	return out
}

// pagesTogether is one page of two. What one has completely is not repeated.
func pagesTogether(old, more []byte) []byte {
	switch {
	case blank(string(old)) || len(linesTogether(more, old)) == len(more):
		return more
	case blank(string(more)) || len(linesTogether(old, more)) == len(old):
		return old
	}
	return []byte(Below(string(old), string(more)))
}

// tracked says which files of the folder git tracks; it is not known if git's index cannot be
// read here.
func (p Place) tracked() (tracks func(name string) bool, known bool) {
	real, err := p.Within.Real(p.Dir)
	if err != nil {
		return nil, false
	}
	c := Place{Tree: real}.Checkout()
	if c.dir == "" {
		return func(string) bool { return false }, true
	}
	within, err := filepath.Rel(c.top, real)
	if _, known := c.tracks(""); err != nil || !known {
		return nil, false
	}
	return func(name string) bool {
		yes, _ := c.tracks(path.Join(filepath.ToSlash(within), name))
		return yes
	}, true
}

// ready makes ownDir if a file is in it: nothing is written there before git ignores it.
func (p Place) ready(file string) error {
	if !strings.HasPrefix(file, p.Path(ownDir)+string(filepath.Separator)) {
		return nil
	}
	return p.makeOwn()
}

// IgnoredBy is what lets git ignore a folder that is to be committed, as file:line:pattern; ""
// if nothing does, or git cannot be asked.
func (p Place) IgnoredBy() string {
	if p.Within == nil || p.Ask == nil || p.apart() {
		return ""
	}
	real, err := p.Within.Real(p.Dir)
	c := p.checkout()
	within, bad := filepath.Rel(c.top, real)
	if err != nil || bad != nil || c.dir == "" {
		return ""
	}
	day := path.Join(filepath.ToSlash(within), dailyDir, "9999-12-31.jsonl") // one that is not tracked yet
	out, err := p.Ask(c.top, "check-ignore", "-v", "--", day)
	by, _, _ := strings.Cut(strings.TrimSpace(out), "\t")
	if err != nil || strings.Contains(by, ":!") {
		return ""
	}
	return by
}
