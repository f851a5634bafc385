package packs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/pack"
	"github.com/agents-hooks/agents-hooks/pack/lockfile"
	"github.com/agents-hooks/agents-hooks/pack/source"
	"github.com/agents-hooks/agents-hooks/pack/store"
)

// A Plan is a fetched pack, compared with what is installed of it. Its JSON form is
// stable.
type Plan struct {
	Schema  int      `json:"schema"`
	Pack    string   `json:"pack"`
	Source  string   `json:"source"`
	Dir     string   `json:"dir"`
	Ref     string   `json:"ref"`
	Commit  string   `json:"commit"`
	SHA256  string   `json:"sha256"`
	Version string   `json:"version"`
	About   string   `json:"description"`
	Signed  *signed  `json:"signed"` // null: it is not signed by a known key
	Files   int      `json:"files"`
	Bytes   int64    `json:"bytes"`
	To      string   `json:"to"` // the hooks folder
	Agents  []string `json:"agents"`
	Hooks   []hook   `json:"hooks"`
	Left    []string `json:"left_out"` // folders beside the hooks that are not hooks
	Notes   []string `json:"notes"`
	Tested  string   `json:"tested"` // why its tests were not run, "" if they were
	Changed bool     `json:"changed"`
	Done    bool     `json:"done"`

	pack    *pack.Pack
	staged  string // where its folders are for review
	pin     lockfile.Pack
	at      source.Source
	refKind string
}

// signed says whose signature a pack has.
type signed struct {
	Key   string `json:"key"`
	First bool   `json:"first"` // the key was never seen before
	By    string `json:"by"`    // who named it: lock, --key, pack.toml
}

// A Request says what a pack is fetched for.
type Request struct {
	At     source.Source
	Name   string         // the pack's name, "" for its own
	Key    string         // the key that the user gives, "" for none
	Agents []string       // the agents that it is for, sorted; none: all
	was    *lockfile.Pack // the current pin, nil: none
}

// fetch makes a request's plan. temp is a temporary folder.
func fetch(ctx context.Context, sh *shell.Shell, p PlaceOptions, r Request, temp string) (*Plan, error) {
	t, err := tools(sh)
	if err != nil {
		return nil, err
	}
	t.Temp = temp
	got, err := r.At.Fetch(ctx, t)
	if err != nil {
		return nil, err
	}
	read, notes, err := read(sh, got.Tree, got.Name, temp)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.At, err)
	}
	pl := &Plan{Schema: 1, Source: r.At.Address, Dir: r.At.Dir, Ref: r.At.Ref, Commit: got.Commit, SHA256: got.SHA256, Version: read.Version, About: read.Description,
		To: p.Hooks(), Agents: append([]string{}, r.Agents...), Hooks: []hook{}, Left: append([]string{}, read.Left...), Notes: append([]string{}, notes...), pack: read, at: r.At, refKind: got.RefKind}
	pl.Files, pl.Bytes = read.Size()
	if pl.Pack, err = nameOf(r, read, got.Name); err != nil {
		return nil, err
	}
	if err := pl.fits(); err != nil {
		return nil, err
	}
	if pl.Signed, err = pl.signedBy(r); err != nil {
		return nil, err
	}
	pl.staged = filepath.Join(temp, "hooks")
	if err := os.MkdirAll(pl.staged, 0o700); err != nil {
		return nil, err
	}
	if err := store.Write(pl.staged, read.Folders); err != nil {
		return nil, err
	}
	pl.pin = lockfile.Pack{Name: pl.Pack, Source: pl.Source, Dir: pl.Dir, Ref: pl.Ref, Commit: pl.Commit, SHA256: pl.SHA256, Version: pl.Version, Agents: r.Agents}
	pl.pin.Hooks, pl.pin.Bare = read.Hashes()
	if pl.Signed != nil {
		pl.pin.Key = pl.Signed.Key
	}
	return pl, nil
}

// folderName turns a name into the folder of a hook at the top of its source.
func folderName(name string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' {
			return '-'
		}
		return r
	}, name)
}

// nameOf is the pack's name in the lock.
func nameOf(r Request, read *pack.Pack, last string) (string, error) {
	name := last
	switch {
	case r.was != nil:
		return r.was.Name, nil
	case r.Name != "":
		name = r.Name
	case read.Name != "":
		name = read.Name
	}
	if !lockfile.ValidName(name) {
		return "", shell.WithHint(fmt.Errorf("%q cannot be the name of a pack", name), "--as NAME gives it one")
	}
	return name, nil
}

// fits returns an error for a pack that needs a later version of this program.
func (pl *Plan) fits() error {
	least, ours := pl.pack.Requires, shell.ProgramVersion()
	if least == "" {
		return nil
	}
	want, ok := numbers(least)
	if !ok {
		return fmt.Errorf("pack.toml: requires = %q is not a version", least)
	}
	have, ok := numbers(ours)
	if !ok {
		pl.Notes = append(pl.Notes, fmt.Sprintf("it requires agents-hooks %s; this one is a build without a version (%s)", least, ours))
		return nil
	}
	if slices.Compare(have, want) < 0 {
		return shell.WithHint(fmt.Errorf("the pack %q requires agents-hooks %s, this is %s", pl.Pack, least, ours), "upgrade agents-hooks")
	}
	return nil
}

// numbers are the numbers of a version.
func numbers(version string) (list []int, ok bool) {
	version, _, _ = strings.Cut(strings.TrimPrefix(version, "v"), "-")
	for part := range strings.SplitSeq(version, ".") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 {
			return nil, false
		}
		list = append(list, n)
	}
	for len(list) < 3 {
		list = append(list, 0)
	}
	return list, true
}

// signedBy checks a pack with the key that is known for it: the lock's, else the one
// that the user gives, else its own, which is then new.
func (pl *Plan) signedBy(r Request) (*signed, error) {
	known, by := r.Key, "--key"
	if r.was != nil && r.was.Key != "" {
		if known != "" && known != r.was.Key {
			return nil, shell.WithHint(fmt.Errorf("the pack %q is pinned to the key %s, and --key names another", pl.Pack, r.was.Key), "remove the pack, then add it with the new key")
		}
		known, by = r.was.Key, "lock"
	}
	own := pl.pack.Key
	if known != "" {
		if own != "" && own != known {
			pl.Notes = append(pl.Notes, "its pack.toml names another key: "+own)
		}
		if err := pl.pack.Verify(known); err != nil {
			return nil, shell.WithHint(fmt.Errorf("the pack %q %w", pl.Pack, err), "ask its author; if the key has changed for good, remove the pack and add it again with --key")
		}
		return &signed{known, r.was == nil || r.was.Key == "", by}, nil
	}
	switch {
	case own == "" && pl.pack.Signed():
		pl.Notes = append(pl.Notes, "it brings a signature and names no key: --key KEY holds it against one")
		return nil, nil
	case own == "":
		return nil, nil
	case !pl.pack.Signed():
		return nil, fmt.Errorf("the pack %q names a key but is not signed: it has no pack.sums.minisig", pl.Pack)
	}
	if err := pl.pack.Verify(own); err != nil {
		return nil, fmt.Errorf("the pack %q %w", pl.Pack, err)
	}
	return &signed{own, true, "pack.toml"}, nil
}

// scratch is a temporary folder; it also removes those of commands that were killed.
func scratch() (dir string, drop func(), err error) {
	const mark = "agents-hooks-pack-"
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), mark+"*"))
	for _, old := range left {
		if info, err := os.Lstat(old); err == nil && info.IsDir() && time.Since(info.ModTime()) > 24*time.Hour {
			os.RemoveAll(old) // those of others cannot be removed
		}
	}
	dir, err = os.MkdirTemp("", mark)
	if err != nil {
		return "", nil, err
	}
	if real, rerr := filepath.EvalSymlinks(dir); rerr == nil {
		dir = real
	}
	return dir, func() { os.RemoveAll(dir) }, nil
}

// clashHint adds hints to an error about folders in the way.
func clashHint(sh *shell.Shell, err error) error {
	if _, ok := errors.AsType[*store.Clash](err); ok {
		return shell.WithHint(fmt.Errorf("nothing was changed: %w", err), sh.Name+" list shows the hooks that are there")
	}
	return err
}
