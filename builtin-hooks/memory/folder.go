package memory

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// ignored keeps out of commits what is derived, and what belongs to one machine. Whether the
// files of memory itself are shared is up to the repository's owner.
const ignored = `# Made by agents-hooks with this folder: what is derived, or of this machine only.
# MEMORY.md, NOTES.md, daily/ and sessions.jsonl are memory itself. To keep that
# out of commits as well: agents-hooks enable memory --git ignore
agents-index.*
*.lock
*.tmp-*
MEMORY.md.bak
.agents-hooks-*
session_state/
logs/
backups/
current_session.txt
local/
own/
versions/
`

// away is the .gitignore of a folder that git emptied, for a branch that has no memory or a rebase
// that has not come to it. Git replaces what is ignored, and refuses to go where it would replace
// anything else: so it ignores itself, and nothing is written beside it that every folder has.
const away = ignored + `# Other commits have this file and .gitattributes, and bring them.
.gitignore
`

// kept is the .gitignore of a folder that is kept out of commits.
const kept = `# Made by agents-hooks: memory stays on this machine. For a team:
# agents-hooks enable memory --git commit
*
`

// attributes let git merge two versions of a file: each line is one entry, and both sides'
// lines are wanted.
const attributes = `# Made by agents-hooks: each line is an entry of its own, and both sides' are kept.
*.jsonl merge=union
*.md merge=union
`

// Make creates the memory folder if there is none, with a .gitignore. An existing folder is
// left as it is, unless it is ours: if git emptied it, for a branch that has none of it, it
// gets a .gitignore, and if it comes from an earlier version, its .gitignore learns
// what is derived now.
func (p Place) Make() error {
	if info, err := p.Within.Stat(p.Dir); err == nil && info.IsDir() {
		err := p.ignoreMore()
		_, _ = p.setApart(), p.SortBranches() // what cannot be moved now is read where it is
		return err
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	err := p.Within.MkdirAll(filepath.Dir(p.Dir), 0o700)
	if err == nil {
		err = p.Within.Mkdir(p.Dir, 0o700)
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(p.describe(), p.setApart())
}

// describe writes the folder's files for git, unless they exist.
func (p Place) describe() error {
	return errors.Join(p.writeNew(".gitignore", p.ignores()), p.writeNew(".gitattributes", attributes))
}

// ignoreMore updates a .gitignore of an earlier version, so that it keeps out of commits what
// is derived now, or belongs to this machine.
func (p Place) ignoreMore() error {
	more := func(b []byte) (out []byte) {
		text := string(b)
		if !strings.HasPrefix(text, "# Made by agents-hooks") || !strings.Contains(text, "\nagents-index.sqlite*\n") {
			return nil
		}
		for _, name := range [...]string{"agents-index.*\n", "local/\n", "versions/\n"} {
			if !strings.Contains(text, "\n"+name) {
				out = append(out, name...)
			}
		}
		return out
	}
	b, err := p.Read(".gitignore")
	switch {
	case err == nil && b == nil:
		_, none := p.Within.Stat(p.Path(localDir))
		_, never := p.Within.Stat(p.Path(stateDir))
		if (none == nil || never == nil) && p.ignores() == ignored && !p.isHere() {
			return p.writeNew(".gitignore", away)
		}
		if p.Git != "" || none == nil {
			return p.describe()
		}
	case string(b) == away && p.isHere():
		return errors.Join(p.writeNew(".gitattributes", attributes), p.files().Update(p.Path(".gitignore"), lockWait, func(b []byte) ([]byte, error) {
			if string(b) == away {
				return []byte(p.ignores()), nil
			}
			return nil, nil
		}))
	}
	if err != nil || more(b) == nil {
		return nil
	}
	return p.files().Update(p.Path(".gitignore"), lockWait, func(b []byte) ([]byte, error) {
		if lines := more(b); lines != nil {
			return append(b[:len(b):len(b)], lines...), nil
		}
		return nil, nil
	})
}

// isHere reports whether what is checked out has memory, or nothing that is would bring it.
func (p Place) isHere() bool {
	if p.Within == nil { // the person's own
		return true
	}
	c := p.checkout()
	if c.dir == "" {
		return true
	}
	if _, rebasing := c.rebased(); rebasing {
		return false
	}
	tracked, known := p.tracked()
	return !known || slices.ContainsFunc(append(p.plainFiles(""), ".gitattributes"), tracked)
}

// isAway reports whether git emptied the folder.
func (p Place) isAway() bool {
	b, _ := p.Read(".gitignore")
	return string(b) == away
}

// isCommitted reports whether git tracks anything that the folder has. Another branch may have what is
// missing here, and git would not replace one that a session made.
func (p Place) isCommitted() bool {
	if p.Within == nil || p.apart() { // the person's own, or kept out of commits
		return false
	}
	memory := p.plainFiles("")
	tracked, known := p.tracked()
	if !known {
		return len(memory) > 0
	}
	return slices.ContainsFunc(append(memory, ".gitignore", ".gitattributes"), tracked)
}

// ignores is the text of .gitignore.
func (p Place) ignores() string {
	if p.Git == "ignore" {
		return kept
	}
	return ignored
}

// Writable is nil if something can be kept in the folder: it writes a block, which a full disk has
// no room for, and removes it.
func (p Place) Writable(random uint64) error {
	name := filepath.Join(p.Dir, ".agents-hooks-"+strconv.FormatUint(random, 36))
	err := p.Within.Write(name, make([]byte, 4096), 0o600)
	if gone := p.Within.Remove(name); err == nil {
		return gone
	}
	return err
}

func (p Place) writeNew(name, content string) error {
	f, err := p.Within.OpenFile(filepath.Join(p.Dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(content)
	return errors.Join(err, f.Close())
}

// Committed reports whether the folder goes into commits whatever Git says: a repository that
// brings it decided so, for everybody who works on it.
func (p Place) Committed() bool {
	if keeps, known := p.keepsOut(); keeps || !known {
		return false
	}
	c := p.Checkout()
	yes, _ := c.tracks(p.inTree(c, ".gitignore"))
	return c.dir != "" && yes
}

// keepsOut reports whether the folder's .gitignore keeps all of it out of commits; it is not
// known if there is none.
func (p Place) keepsOut() (keeps, known bool) {
	b, err := p.Read(".gitignore")
	return slices.Contains(strings.Fields(string(b)), "*"), err == nil && b != nil
}

// Share lets an existing folder go into commits or keeps it out of them, as Git says, and moves
// what is in it to where that is kept. A
// .gitignore that the user changed is left alone, which is an error; git continues to track
// what it already tracks.
func (p Place) Share() error {
	if info, err := p.Within.Stat(p.Dir); err != nil || !info.IsDir() {
		return nil // it is created as Git says
	}
	err := p.files().Update(p.Path(".gitignore"), lockWait, func(old []byte) ([]byte, error) {
		if len(old) > 0 && !strings.HasPrefix(string(old), "# Made by agents-hooks") {
			how := ""
			if p.Git == "ignore" {
				how = "; a line with * in it keeps memory out of commits"
			}
			return nil, fmt.Errorf("%s: somebody wrote it, and it is left as it is%s", p.Path(".gitignore"), how)
		}
		return []byte(p.ignores()), nil
	})
	if p.Git == "ignore" {
		return errors.Join(err, p.setApart())
	}
	if err == nil {
		err = p.bringBack()
	}
	return errors.Join(err, p.files().Update(p.Path(".gitattributes"), lockWait, func(old []byte) ([]byte, error) {
		if strings.Contains(string(old), "merge=union") {
			return nil, nil
		}
		return append(old[:len(old):len(old)], attributes...), nil
	}))
}
