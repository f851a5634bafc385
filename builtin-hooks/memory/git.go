package memory

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/internal/worktree"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Checkout is what a working tree has checked out, read from git's files: no program is
// started.
type Checkout struct {
	Branch string // "" if there is none: a detached head, or no repository
	Commit string
	// Main means that facts of this branch hold everywhere: others are merged into it, or it is
	// the only one.
	Main bool
	// Own means that the branch has commits of its own.
	Own bool

	top         string // of the working tree
	dir, common string // git's folders: this working tree's, and the one that all working trees share
	logs        [][]byte
	index       []byte // see tracks
	indexed     bool
	folders     map[string][]byte // parts of it
}

// Checkout is the checkout of the working tree that the Place was found from.
func (p Place) Checkout() (c Checkout) {
	if p.Tree == "" {
		return Checkout{Main: true}
	}
	for c.top = filepath.Clean(p.Tree); ; c.top = filepath.Dir(c.top) {
		if _, err := os.Lstat(filepath.Join(c.top, ".git")); err == nil {
			break
		}
		if filepath.Dir(c.top) == c.top {
			return Checkout{Main: true}
		}
	}
	if own, common, ok := worktree.Of(c.top); ok {
		c.dir, c.common = own, common
	} else if c.common = worktree.Common(c.top); c.common != "" {
		c.dir = c.common
	} else {
		return Checkout{Main: true} // it names a repository that does not know it
	}
	head, err := safefile.Read(filepath.Join(c.dir, "HEAD"), pointerMax)
	ref, onBranch := strings.CutPrefix(strings.TrimSpace(string(head)), "ref: refs/heads/")
	if err == nil && !onBranch {
		ref, onBranch = c.rebased()
	}
	if err != nil || !onBranch {
		c.Commit, c.Main = commitOf(string(head)), true
		return c
	}
	if c.Branch, c.Commit = ref, commitOf(string(head)); c.Commit == "" {
		c.Commit = c.ref("refs/heads/" + ref)
	}
	main := c.mainBranch()
	c.Main = main == "" || main == ref
	if !c.Main {
		born := c.born(ref)
		c.Own = born != "" && c.Commit != born || born == "" && c.Commit != c.ref("refs/heads/"+main)
	}
	return c
}

// rebased is the branch that is being rebased, if a rebase has stopped here: git has none checked out
// until it goes on.
func (c Checkout) rebased() (branch string, is bool) {
	for _, folder := range [...]string{"rebase-merge", "rebase-apply"} {
		if b, err := safefile.Read(filepath.Join(c.dir, folder, "head-name"), pointerMax); err == nil {
			return strings.CutPrefix(strings.TrimSpace(string(b)), "refs/heads/")
		}
	}
	return "", false
}

// mainBranch is the branch that others are merged into: the server's, else main or master; ""
// if there is none.
func (c Checkout) mainBranch() string {
	if b, err := safefile.Read(filepath.Join(c.common, "refs", "remotes", "origin", "HEAD"), pointerMax); err == nil {
		if name, ok := strings.CutPrefix(strings.TrimSpace(string(b)), "ref: refs/remotes/origin/"); ok {
			return name
		}
	}
	for _, name := range [...]string{"main", "master"} {
		if c.ref("refs/heads/"+name) != "" || c.ref("refs/remotes/origin/"+name) != "" {
			return name
		}
	}
	return ""
}

// packedMax limits the file in which git keeps many refs.
const packedMax = 32 << 20

// ref is the commit that a name refers to, "" if there is no such name.
func (c Checkout) ref(name string) string {
	if b, err := safefile.Read(filepath.Join(c.common, filepath.FromSlash(name)), pointerMax); err == nil {
		return commitOf(string(b))
	}
	b, err := safefile.Read(filepath.Join(c.common, "packed-refs"), packedMax)
	if err != nil {
		return ""
	}
	for line := range bytes.Lines(b) {
		if sum, ref, ok := strings.Cut(strings.TrimSpace(string(line)), " "); ok && ref == name {
			return commitOf(sum)
		}
	}
	return ""
}

// log is what git recorded of a branch, nil if it did not.
func (c Checkout) log(branch string) []byte {
	b, err := safefile.Read(filepath.Join(c.common, "logs", "refs", "heads", filepath.FromSlash(branch)), packedMax)
	if err != nil {
		return nil
	}
	return b
}

// made is when a branch was made, zero if git did not record it.
func (c Checkout) made(branch string) time.Time {
	b := c.log(branch)
	head, _, _ := strings.Cut(string(b[:min(len(b), 1000)]), "\t")
	words := strings.Fields(head) // OLD NEW NAME <MAIL> SECONDS ZONE
	if len(words) < 4 || strings.Trim(words[0], "0") != "" {
		return time.Time{} // the beginning is gone
	}
	seconds, _ := strconv.ParseInt(words[len(words)-2], 10, 64)
	return time.Unix(seconds, 0)
}

// born is the commit that a branch started at, "" if git did not record it.
func (c Checkout) born(branch string) string {
	b := c.log(branch)
	if f := strings.Fields(string(b[:min(len(b), 200)])); len(f) > 1 {
		return commitOf(f[1])
	}
	return ""
}

// commitOf is a commit's hash, "" if the text is none.
func commitOf(text string) string {
	text = strings.TrimSpace(text)
	if len(text) != 40 && len(text) != 64 || strings.Trim(text, "0123456789abcdef") != "" {
		return ""
	}
	return text
}

// Author is who writes here: according to git's environment, else to its files, the
// repository's before the user's; a name, else an address, else "".
func (c Checkout) Author(home string, getenv func(string) string) string {
	if name := getenv("GIT_AUTHOR_NAME"); name != "" {
		return name
	}
	config := getenv("XDG_CONFIG_HOME")
	if config == "" {
		config = filepath.Join(home, ".config")
	}
	var files []string
	if c.common != "" {
		files = append(files, filepath.Join(c.common, "config"))
	}
	mail := ""
	for _, file := range append(files, filepath.Join(home, ".gitconfig"), filepath.Join(config, "git", "config")) {
		b, err := safefile.Read(file, 1<<20)
		if err != nil {
			continue
		}
		name, address := user(string(b))
		if name != "" {
			return name
		}
		if mail == "" {
			mail = address
		}
	}
	return mail
}

// user is the name and the address in a file of git's settings.
func user(config string) (name, mail string) {
	inside := false
	for line := range strings.Lines(config) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			inside = strings.EqualFold(line, "[user]")
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok || !inside {
			continue
		}
		value = strings.Trim(strings.TrimSpace(value), `"`)
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "name":
			name = value
		case "email":
			mail = value
		}
	}
	return name, mail
}

// branchMark precedes the branch in the name of a file with facts of a branch, and what is after it
// in the name of no other file: daily/2026-11-23@feature%2Fx@a1b2c3.jsonl.
const branchMark = "@"

// onBranch is how the names of the files with a day's facts of a branch begin.
func onBranch(day, branch string) string {
	var b strings.Builder
	for _, c := range []byte(branch) {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.' {
			b.WriteByte(c)
		} else {
			b.WriteString("%" + strings.ToUpper(strconv.FormatUint(uint64(c)|0x100, 16)[1:]))
		}
	}
	return day + branchMark + b.String()
}

// branchOf is the branch that a file's facts were made on, "" if they hold everywhere.
func branchOf(name string) string {
	_, mark, _ := strings.Cut(strings.TrimSuffix(name, ".jsonl"), branchMark)
	mark, _, _ = strings.Cut(mark, branchMark)
	var b strings.Builder
	for i := 0; i < len(mark); i++ {
		if mark[i] == '%' && i+2 < len(mark) {
			if n, err := strconv.ParseUint(mark[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(n))
				i += 2
				continue
			}
		}
		b.WriteByte(mark[i])
	}
	return b.String()
}

// begun is the first line of such a file: where the branch was then.
func (c Checkout) begun(id, stamp string) []byte {
	var o protocol.Object
	o.SetText("id", id)
	o.SetText("type", "branch")
	o.SetText("branch", c.Branch)
	o.SetText("commit", c.Commit)
	own := "false"
	if c.Own {
		own = "true"
	}
	o.Set("own", protocol.Raw(own))
	if made := c.made(c.Branch); !made.IsZero() {
		o.SetText("made", Stamp(made))
	}
	o.SetText("timestamp", stamp)
	return o.Append(nil)
}

// inTree is the path of a file of the folder as git names it in a checkout, "" if it is
// elsewhere.
func (p Place) inTree(c Checkout, file ...string) string {
	within, err := filepath.Rel(c.top, p.Tree)
	if err != nil {
		return ""
	}
	return path.Join(append([]string{filepath.ToSlash(within), p.Folder()}, file...)...)
}
