package memory

import (
	"bufio"
	"bytes"
	"context"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// firstLine is how many bytes of a file are read for its first fact.
const firstLine = 64 << 10

// holds reports whether a file's facts hold in a checkout: they were made on no branch or on
// this one; or what the branch did is in what is checked out; or git tracks the file here, so it
// came with a merge. A file that the branch itself does not have came otherwise: somebody
// added it to a commit of another branch, where it lay.
func (p Place) holds(file string, c *Checkout) bool {
	branch := BranchOf(file)
	if branch == "" {
		return true
	}
	if c.dir == "" {
		*c = p.Checkout()
	}
	if c.dir == "" {
		return true
	}
	begun, ok := p.begunAt(file)
	if !ok || strings.HasSuffix(file, goneMark+".jsonl") {
		return false
	}
	at, own := begun.commit, begun.own
	again := p.madeAgain(*c, branch, file, begun)
	if branch == c.Branch && !again {
		return true
	}
	tip, exists := c.tip(branch)
	if tip == "" || again {
		tip, exists = at, exists && !again
	}
	if tip != "" && (tip != at || own) && p.contains(*c, tip) {
		return true
	}
	if since := c.mergedSince(branch, begun.time); since != "" && exists && p.contains(*c, since) {
		return true // and the branch went on
	}
	if !strings.HasPrefix(file, dailyDir+"/") {
		return false
	}
	name := p.inTree(*c, file)
	tracked, _ := c.tracks(name)
	return tracked && (!exists || p.has(tip, name))
}

// madeAgain reports whether only the name of a file's branch is in use: another one was made after
// the file was begun, and has neither the file nor the commit at which that was, as another clone would.
func (p Place) madeAgain(c Checkout, branch, file string, begun beginning) bool {
	tip, made := c.ref("refs/heads/"+branch), c.made(branch)
	later := made.After(begun.time.Add(time.Second)) || !begun.made.IsZero() && made.After(begun.made)
	if tip == "" || !later && (made.IsZero() || begun.commit == "" || bytes.Contains(c.log(branch), []byte(begun.commit))) {
		return false
	}
	if tracked, _ := c.tracks(p.inTree(c, file)); tracked {
		return false
	}
	c.Commit = tip
	return !begun.own || begun.commit == "" || !p.contains(c, begun.commit)
}

// A beginning is that of a branch's file: when its first fact was saved, at which commit, whether
// the branch had commits then that the main one did not have, and when the branch was made.
type beginning struct {
	commit     string
	own        bool
	time, made time.Time
}

func (p Place) begunAt(file string) (b beginning, ok bool) {
	f, err := p.Within.Open(p.Path(file))
	if err != nil {
		return b, false
	}
	defer f.Close()
	first, _ := bufio.NewReaderSize(f, firstLine).ReadSlice('\n') // a clone decides how long it is
	o, _ := protocol.ParseObject(bytes.TrimSpace(first))
	b.time, _ = time.Parse(time.RFC3339Nano, o.Text("timestamp"))
	b.made, _ = time.Parse(time.RFC3339Nano, o.Text("made"))
	b.commit, b.own = commitOf(o.Text("commit")), o.Bool("own")
	return b, true
}

// tip is the last commit of a branch: here, at the server, or, of one that is gone, when it was
// left. known is false if git has nothing about it.
func (c *Checkout) tip(branch string) (tip string, known bool) {
	for _, name := range [...]string{"refs/heads/" + branch, "refs/remotes/origin/" + branch} {
		if tip := c.ref(name); tip != "" {
			return tip, true
		}
	}
	tip = c.left(branch)
	return tip, tip != ""
}

// left is the commit of a branch when a working tree last left it for another one, which
// precedes its deletion, or the commit with which it was merged after that; "" if git recorded none.
func (c *Checkout) left(branch string) string {
	last, when := "", ""
	for _, b := range c.heads() {
		for _, what := range [...]struct {
			said  string
			after bool // what it led to counts, and not what it was before
		}{{"\tcheckout: moving from " + branch + " to ", false}, {"\tmerge " + branch + ": ", true}} {
			at := bytes.LastIndex(b, []byte(what.said))
			if at < 0 {
				continue
			}
			words := strings.Fields(string(b[bytes.LastIndexByte(b[:at], '\n')+1 : at])) // OLD NEW NAME <MAIL> SECONDS ZONE
			if len(words) < 4 {
				continue
			}
			tip := words[0]
			if what.after {
				tip = words[1]
			}
			if time := words[len(words)-2]; commitOf(tip) != "" && time >= when {
				last, when = tip, time
			}
		}
	}
	return last
}

// heads are what git recorded of each working tree: what was checked out there, one after the other.
func (c *Checkout) heads() [][]byte {
	if c.logs == nil {
		c.logs = [][]byte{}
		files, _ := filepath.Glob(filepath.Join(c.common, "worktrees", "*", "logs", "HEAD"))
		for _, file := range append(files, filepath.Join(c.common, "logs", "HEAD")) {
			if b, err := safefile.Read(file, packedMax); err == nil {
				c.logs = append(c.logs, b)
			}
		}
	}
	return c.logs
}

// mergedSince is the commit with which a branch was last merged here after a time, "" if git recorded
// none: what was found out on it before holds there, whatever the branch did since.
func (c *Checkout) mergedSince(branch string, at time.Time) (commit string) {
	what := []byte("\tmerge " + branch + ": ")
	for _, b := range c.heads() {
		i := bytes.LastIndex(b, what)
		if i < 0 {
			continue
		}
		words := strings.Fields(string(b[bytes.LastIndexByte(b[:i], '\n')+1 : i])) // OLD NEW NAME <MAIL> SECONDS ZONE
		if len(words) < 4 {
			continue
		}
		if seconds, err := strconv.ParseInt(words[len(words)-2], 10, 64); err == nil && seconds > at.Unix() { // in the same one, nobody knows which was first
			commit = commitOf(words[1])
		}
	}
	return commit
}

// contains reports whether what is checked out has what a commit did: it is an ancestor, or each file
// that was changed up to it is the same, as after a merge that squashed it. Git is asked if the
// caller provides that, and its answer is kept: an event does not ask.
func (p Place) contains(c Checkout, of string) bool {
	in := c.Commit
	if of == in {
		return true
	}
	return p.answered(of+" "+in+" ", false, func() (bool, error) {
		base, err := p.Ask(c.top, "merge-base", of, in)
		base = strings.TrimSpace(base)
		if err != nil || base == of || base == in {
			return base == of, err
		}
		changed, err := p.Ask(c.top, "diff-tree", "-r", "-z", "--name-only", base, of)
		names := strings.Split(strings.TrimRight(changed, "\x00"), "\x00")
		if err != nil || changed == "" || len(names) > mostChanged {
			return false, err
		}
		args := []string{"--literal-pathspecs", "diff-tree", "-r", "-z", "--name-only", of, in, "--"}
		differs, err := p.Ask(c.top, append(args, names...)...)
		return differs == "", err
	})
}

// ahead reports whether what is checked out has commits that the main branch does not have, here or
// at the server: what is found out after a merge waits for the next one.
func (p Place) ahead(c Checkout) bool {
	main := c.mainBranch()
	for _, name := range [...]string{"refs/heads/" + main, "refs/remotes/origin/" + main} {
		at := c
		if at.Commit = c.ref(name); c.Own && at.Commit != "" && p.contains(at, c.Commit) {
			return false
		}
	}
	return c.Own
}

// mostChanged is how many files of a branch are compared with those of another one.
const mostChanged = 500

// has reports whether a commit has a file. Until git was asked, it has.
func (p Place) has(commit, file string) bool {
	if commit == "" {
		return true
	}
	return p.answered(commit+" "+file+" ", true, func() (bool, error) {
		out, err := p.Ask(p.Tree, "--literal-pathspecs", "ls-tree", "--full-tree", "--name-only", commit, "--", file)
		return strings.TrimSpace(out) != "", err
	})
}

// answered is git's answer to a question, which is asked once; otherwise if it cannot be asked.
func (p Place) answered(question string, otherwise bool, ask func() (bool, error)) bool {
	known := filepath.Join(p.Dir, stateDir, ".merged")
	b, _ := p.files().Read(known)
	if _, rest, ok := strings.Cut(string(b), question); ok {
		return strings.HasPrefix(rest, "yes")
	}
	if p.Ask == nil {
		return otherwise
	}
	yes, err := ask()
	if err != nil {
		return otherwise
	}
	said := "no"
	if yes {
		said = "yes"
	}
	_ = p.files().Update(known, lockWait, func(old []byte) ([]byte, error) {
		if len(old) > 32<<10 {
			old = nil
		}
		return append(old[:len(old):len(old)], question+said+"\n"...), nil
	})
	return yes
}

// An Asker asks git, in a folder, what it answers to some arguments.
type Asker func(dir string, args ...string) (string, error)

// AskGit is an Asker with a git that run starts; nil if run is nil. It takes no longer than an
// event may wait.
func AskGit(run func(ctx context.Context, dir string, env []string, args ...string) ([]byte, error), env []string) Asker {
	if run == nil {
		return nil
	}
	return func(dir string, args ...string) (string, error) {
		ctx, cancel := context.WithTimeout(context.Background(), askWait)
		defer cancel()
		out, err := run(ctx, dir, env, args...)
		return string(out), err
	}
}

// askWait is how long git may take for an answer.
const askWait = time.Second
