package source

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/agents-hooks/agents-hooks/pack"
	"github.com/agents-hooks/agents-hooks/pack/lockfile"
)

// A clone is a new, empty bare repository to fetch into.
type clone struct {
	dir string
	url string
	t   Tools
}

// git fetches the commit of a branch or a tag, or a named commit.
func (s Source) git(ctx context.Context, t Tools) (*Fetched, error) {
	if _, err := exec.LookPath("git"); err != nil {
		return nil, ErrNoGit
	}
	c, err := s.clone(ctx, t)
	if err != nil {
		return nil, err
	}
	defer c.close()
	commit, kind := t.Commit, ""
	if commit == "" {
		if commit, kind, err = c.resolve(ctx, s.Ref); err != nil {
			return nil, err
		}
	}
	if err := c.fetch(ctx, commit); err != nil {
		return nil, err
	}
	if !lockfile.Hex(commit, 40) && !lockfile.Hex(commit, 64) {
		if commit, err = c.whole(ctx, commit); err != nil {
			return nil, err
		}
	}
	got, err := c.tree(ctx, commit, s.Dir)
	if err == nil {
		got.RefKind = kind
	}
	return got, err
}

func (s Source) clone(ctx context.Context, t Tools) (*clone, error) {
	dir, err := os.MkdirTemp(t.Temp, "agents-hooks-git-")
	if err != nil {
		return nil, err
	}
	c := &clone{dir, s.Address, t}
	if _, err := c.run(ctx, "init", "-q", "--bare", "--template=", dir); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

func (c *clone) close() { os.RemoveAll(c.dir) }

// Descends reports whether one commit is in the history of another; if not, the branch
// was rewritten. If the server supports it, only the commits are fetched.
func (s Source) Descends(ctx context.Context, t Tools, old, commit string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c, err := s.clone(ctx, t)
	if err != nil {
		return false, err
	}
	defer c.close()
	if _, err := c.run(ctx, "fetch", "-q", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--no-auto-maintenance", "--filter=tree:0", "--", c.url, commit); err != nil {
		return false, err
	}
	_, err = c.run(ctx, "merge-base", "--is-ancestor", old, commit)
	return err == nil, ctx.Err()
}

// resolve is the commit that a name stands for in the remote repository. A name that
// looks like a commit and is no ref is returned unchanged.
func (c *clone) resolve(ctx context.Context, ref string) (commit, kind string, err error) {
	out, err := c.run(ctx, "ls-remote", "--", c.url)
	if err != nil {
		return "", "", fmt.Errorf("%w: %w", ErrGone, err)
	}
	refs := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if hash, name, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "\t"); ok && (lockfile.Hex(hash, 40) || lockfile.Hex(hash, 64)) {
			refs[name] = hash
		}
	}
	peeled := func(name string) string {
		if hash := refs[name+"^{}"]; hash != "" {
			return hash
		}
		return refs[name]
	}
	if ref == "" {
		if refs["HEAD"] == "" {
			return "", "", fmt.Errorf("%w: it points to no branch", ErrNoRef)
		}
		return refs["HEAD"], Branch, nil
	}
	branch, tag := peeled("refs/heads/"+ref), peeled("refs/tags/"+ref)
	switch {
	case strings.HasPrefix(ref, "refs/") && refs[ref] != "":
		if strings.HasPrefix(ref, "refs/tags/") {
			return peeled(ref), Tag, nil
		}
		return peeled(ref), Branch, nil
	case branch != "" && tag != "" && branch != tag:
		return "", "", fmt.Errorf("%q is a branch and a tag: write @refs/heads/%s or @refs/tags/%s", ref, ref, ref)
	case tag != "":
		return tag, Tag, nil
	case branch != "":
		return branch, Branch, nil
	case len(ref) >= 7 && len(ref) <= 64 && strings.Trim(ref, "0123456789abcdef") == "":
		return ref, "", nil
	}
	return "", "", fmt.Errorf("%w: %q", ErrNoRef, ref)
}

// fetch fetches a commit, without its history if the server allows fetching by hash,
// else with all branches and tags.
func (c *clone) fetch(ctx context.Context, commit string) error {
	options := []string{"fetch", "-q", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--no-auto-maintenance"}
	var err error
	if lockfile.Hex(commit, 40) || lockfile.Hex(commit, 64) {
		if _, err = c.run(ctx, append(options, "--depth=1", "--", c.url, commit)...); err == nil {
			return nil
		}
		if ctx.Err() != nil || errors.Is(err, ErrTooBig) {
			return err
		}
	}
	if _, all := c.run(ctx, append(options, "--", c.url, "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")...); all != nil {
		return fmt.Errorf("%w: %w", ErrGone, all)
	}
	if _, missing := c.run(ctx, "cat-file", "-e", commit+"^{commit}"); missing != nil {
		return fmt.Errorf("%w: %s", ErrNoRef, commit)
	}
	return nil
}

// whole is the full name of a commit, given its beginning.
func (c *clone) whole(ctx context.Context, begin string) (string, error) {
	out, err := c.run(ctx, "rev-parse", "--verify", "--quiet", begin+"^{commit}")
	commit := strings.TrimSpace(string(out))
	if err != nil || !lockfile.Hex(commit, 40) && !lockfile.Hex(commit, 64) {
		return "", fmt.Errorf("%w: %q", ErrNoRef, begin)
	}
	return commit, nil
}

// tree reads the files of a commit, or of the requested folder in it.
func (c *clone) tree(ctx context.Context, commit, dir string) (*Fetched, error) {
	at := commit
	if dir != "" {
		at += ":" + dir
	}
	out, err := c.run(ctx, "ls-tree", "-r", "-z", "--full-tree", at)
	switch {
	case errors.Is(err, ErrTooBig) || ctx.Err() != nil:
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("has no folder %s at %.12s", dir, commit)
	}
	var all pack.Tree
	ids := map[string]string{}
	for record := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		meta, name, ok := strings.Cut(record, "\t")
		f := strings.Fields(meta)
		if !ok || len(f) != 3 {
			continue
		}
		if len(all) == maxNames {
			return nil, fmt.Errorf("%w: more than %d files", ErrTooBig, maxNames)
		}
		e := pack.Entry{Path: name, Kind: pack.File}
		switch f[0] {
		case "100644", "100664":
		case "100755":
			e.Exec = true
		case "120000":
			e.Kind = pack.Link
		case "160000":
			e.Kind = "a submodule"
		default:
			e.Kind = pack.Kind("of the unknown mode " + f[0])
		}
		ids[name] = f[2]
		all = append(all, e)
	}
	want, others := wanted(all)
	got := &Fetched{Commit: commit}
	if len(want) > maxWanted {
		return nil, fmt.Errorf("%w: %w", ErrTooBig, &pack.Refusal{Path: want[maxWanted].Path, Why: fmt.Sprintf("is one of more than %d files", maxWanted)})
	}
	if err := c.blobs(ctx, want, ids, got); err != nil {
		return nil, err
	}
	got.Tree = append(want, others...)
	return got, nil
}

// maxWanted limits what is read of a repository before anybody has reviewed it.
const maxWanted = 2 * pack.MaxFiles

// blobs reads the content of entries, with one process for all.
func (c *clone) blobs(ctx context.Context, want pack.Tree, ids map[string]string, got *Fetched) error {
	var in bytes.Buffer
	for _, e := range want {
		if e.Kind == pack.File || e.Kind == pack.Link {
			fmt.Fprintln(&in, ids[e.Path])
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := c.command(ctx, "cat-file", "--batch")
	cmd.Stdin = &in
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	defer cmd.Wait()
	defer cancel() // before the wait: the process would never end while it still has output to write
	r := bufio.NewReader(out)
	for i := range want {
		e := &want[i]
		if e.Kind != pack.File && e.Kind != pack.Link {
			continue
		}
		header, err := r.ReadString('\n')
		f := strings.Fields(header)
		if err != nil || len(f) != 3 || f[1] != "blob" {
			return fmt.Errorf("%s cannot be read from the repository (%s)", e.Path, strings.TrimSpace(header))
		}
		size, err := strconv.ParseInt(f[2], 10, 64)
		if err != nil || size < 0 {
			return fmt.Errorf("%s cannot be read from the repository", e.Path)
		}
		if got.Size += size; got.Size > pack.MaxBytes {
			return fmt.Errorf("%w: %s and the files before it are over %d MiB", ErrTooBig, e.Path, pack.MaxBytes>>20)
		}
		b := make([]byte, size+1)
		if _, err := io.ReadFull(r, b); err != nil {
			return err
		}
		if b = b[:size]; e.Kind == pack.Link {
			e.Target = string(b)
		} else {
			e.Data = b
		}
	}
	return nil
}

// command is a git command in the clone, on which neither the repository nor the one
// that the user is in has any influence.
func (c *clone) command(ctx context.Context, args ...string) *exec.Cmd {
	always := []string{"--git-dir=" + c.dir, "-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false", "-c", "core.attributesFile=" + os.DevNull,
		"-c", "protocol.allow=never", "-c", "protocol.https.allow=always", "-c", "protocol.ssh.allow=always", "-c", "protocol.file.allow=always",
		"-c", "fetch.recurseSubmodules=false", "-c", "submodule.recurse=false", "-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "fetch.writeCommitGraph=false", "-c", "advice.detachedHead=false"}
	if slices.Contains(args, "init") {
		always = nil
	}
	cmd := exec.CommandContext(ctx, "git", append(always, args...)...)
	cmd.Dir = c.dir
	cmd.Env = gitEnv(c.t)
	group(cmd, c.t.Terminal)
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// gitEnv is the user's environment without variables that name a repository.
func gitEnv(t Tools) []string {
	of := []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_NAMESPACE",
		"GIT_PREFIX", "GIT_SHALLOW_FILE", "GIT_GRAFT_FILE", "GIT_REPLACE_REF_BASE", "GIT_CONFIG", "GIT_TEMPLATE_DIR", "GIT_EXTERNAL_DIFF", "GIT_TRACE", "GIT_DEFAULT_HASH", "GIT_ALLOW_PROTOCOL", "LC_ALL", "GIT_TERMINAL_PROMPT"}
	var env []string
	for _, kv := range t.Env {
		name, _, _ := strings.Cut(kv, "=")
		if !slices.Contains(of, name) {
			env = append(env, kv)
		}
	}
	env = append(env, "LC_ALL=C", "GIT_NO_REPLACE_OBJECTS=1", "GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0")
	if !t.Terminal {
		env = append(env, "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=")
	}
	return env
}

// run calls git and returns its output. It watches the size of what is fetched, and
// ends git if that is too large.
func (c *clone) run(ctx context.Context, args ...string) ([]byte, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := c.command(ctx, args...)
	out, said := &capped{most: maxPrinted, over: cancel}, &capped{most: 64 << 10}
	cmd.Stdout, cmd.Stderr = out, said
	var big atomic.Bool
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(200 * time.Millisecond):
			}
			if sizeOf(c.dir) > maxFetch {
				big.Store(true)
				cancel()
			}
		}
	}()
	err := cmd.Run()
	cancel()
	<-watched
	switch {
	case big.Load():
		return nil, fmt.Errorf("%w: more than %d MiB to download", ErrTooBig, int64(maxFetch)>>20)
	case out.cut:
		return nil, fmt.Errorf("%w: git prints more than %d MiB", ErrTooBig, out.most>>20)
	case err != nil:
		if text := lastLine(said.buf.String()); text != "" {
			return nil, errors.New("git: " + text)
		}
		return nil, err
	}
	return out.buf.Bytes(), nil
}

// maxPrinted is how many bytes git may print: a few trees, each of which has another one
// ten times, name more files than it could ever list.
const maxPrinted = 64 << 20

// capped keeps so many bytes of what is written, and calls over, if it is set, at the
// first that is too much. It has no buffer's ReadFrom, by which io.Copy would go around
// Write.
type capped struct {
	buf  bytes.Buffer
	most int
	cut  bool
	over func()
}

func (c *capped) Write(b []byte) (int, error) {
	if c.buf.Len()+len(b) > c.most {
		if c.cut = true; c.over != nil {
			c.over()
		}
		return len(b), nil
	}
	return c.buf.Write(b)
}

// lastLine is the reason that git gives for a failure; if it does not know one,
// ssh's.
func lastLine(s string) string {
	lines := strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' })
	for i, l := range lines {
		if rest, ok := strings.CutPrefix(l, "fatal: "); ok {
			if i > 0 && strings.HasPrefix(rest, "Could not read from remote") {
				return lines[i-1]
			}
			return rest
		}
	}
	if len(lines) == 0 {
		return ""
	}
	return lines[len(lines)-1]
}

func sizeOf(dir string) (total int64) {
	filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			if info, ierr := e.Info(); ierr == nil {
				total += info.Size()
			}
		}
		return nil
	})
	return total
}
