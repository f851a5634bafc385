package packs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/pack"
	"github.com/agents-hooks/agents-hooks/pack/lockfile"
	"github.com/agents-hooks/agents-hooks/pack/source"
)

// Sums prints what the author of a pack signs.
func Sums(ctx context.Context, sh *shell.Shell, dir string) error {
	path, err := sh.Abs(dir)
	if err != nil {
		return err
	}
	at := source.Source{Kind: source.Folder, Address: path, Path: path}
	got, err := at.Fetch(ctx, source.Tools{})
	if err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	read, err := pack.Read(got.Tree, folderName(got.Name))
	if err != nil {
		return fmt.Errorf("verify: %s: %w", sh.Short(path), err)
	}
	sh.Printf("%s", read.Sums())
	return nil
}

// Verified is the result of [Verify]. Its JSON form is stable.
type Verified struct {
	Schema      int          `json:"schema"`
	Lock        string       `json:"lock"`
	Offline     bool         `json:"offline"`
	Packs       int          `json:"packs"`
	Hooks       int          `json:"hooks"`
	Differences []difference `json:"differences"`

	there bool
	word  string // the command line's word for the place
}

// A difference is one deviation from the lock.
type difference struct {
	Pack   string `json:"pack"`
	Folder string `json:"folder"` // "" if it is about the pack
	Kind   string `json:"kind"`
	Detail string `json:"detail"`
}

// Kinds of differences.
const (
	missing       = "missing"        // a folder is missing
	drifted       = "changed"        // a folder has different content
	unreadable    = "unreadable"     // a folder cannot be read
	sourceGone    = "source-gone"    // the source, or the commit in it, no longer exists
	sourceChanged = "source-changed" // the source has different content at the pinned place
	signature     = "signature"      // the signature does not match
)

// Verify checks a place's packs against its lock, and the lock against their sources.
func Verify(ctx context.Context, sh *shell.Shell, p PlaceOptions, names []string, offline bool) (*Verified, error) {
	lock, err := p.read(ctx, sh)
	if err != nil {
		return nil, err
	}
	list, err := chosen(sh, "verify", p, lock, names)
	if err != nil {
		return nil, err
	}
	v := &Verified{Schema: 1, Lock: p.Lock(), Offline: offline, Packs: len(list), Differences: []difference{}, word: p.word()}
	_, err = p.In.Lstat(p.Lock())
	v.there = !errors.Is(err, fs.ErrNotExist)
	for _, had := range list {
		v.Hooks += len(had.Hooks)
		v.folders(ctx, p, had)
		if !offline {
			v.source(ctx, sh, p, had)
		}
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("verify: %w", shell.ErrStopped)
	}
	return v, nil
}

func (v *Verified) differs(pack, folder, kind, format string, args ...any) {
	v.Differences = append(v.Differences, difference{pack, folder, kind, fmt.Sprintf(format, args...)})
}

// folders checks a pack's folders against its pins.
func (v *Verified) folders(ctx context.Context, p PlaceOptions, had lockfile.Pack) {
	for _, folder := range had.Folders() {
		is, err := p.Hash(ctx, folder)
		switch {
		case err != nil:
			v.differs(had.Name, folder, unreadable, "%s", beneath.Why(err))
		case is == "":
			v.differs(had.Name, folder, missing, "is not there")
		case is != had.Pin(folder, p.Bare):
			why := ""
			if p.Bare && had.Bare[folder] == "" {
				why = "; if it has executable files, the lock is of a time that did not know this system: update " + had.Name + " fixes that"
			}
			v.differs(had.Name, folder, drifted, "has the hash %.12s…, the lock %.12s…%s", is, had.Pin(folder, p.Bare), why)
		}
	}
}

// source checks a pack's pins against the content of its source at the pinned place.
func (v *Verified) source(ctx context.Context, sh *shell.Shell, p PlaceOptions, had lockfile.Pack) {
	at, err := source.Locked(had.Source, had.Dir, had.Ref, p.Here)
	if err != nil {
		v.differs(had.Name, "", sourceGone, "%v", err)
		return
	}
	t, err := tools(sh)
	if err != nil {
		v.differs(had.Name, "", sourceGone, "%v", err)
		return
	}
	t.Commit = had.Commit
	got, err := at.Fetch(ctx, t)
	if err != nil {
		v.differs(had.Name, "", sourceGone, "%v", err)
		return
	}
	if had.SHA256 != "" && got.SHA256 != had.SHA256 {
		v.differs(had.Name, "", sourceChanged, "the archive has the SHA-256 %.12s…, the lock %.12s…", got.SHA256, had.SHA256)
	}
	alone := got.Name
	if len(had.Hooks) == 1 {
		alone = had.Folders()[0]
	}
	temp, drop, err := scratch()
	if err != nil {
		v.differs(had.Name, "", unreadable, "%v", err)
		return
	}
	defer drop()
	read, _, err := read(sh, got.Tree, alone, temp)
	if err != nil {
		v.differs(had.Name, "", sourceChanged, "%v", err)
		return
	}
	fetched := lockfile.Pack{}
	fetched.Hooks, fetched.Bare = read.Hashes()
	// On a system without executable bits, a local folder has none to check against
	// the lock.
	bare := p.Bare && at.Kind == source.Folder
	for _, folder := range had.Folders() {
		if fetched.Pin(folder, bare) != had.Pin(folder, bare) || had.Bare[folder] != "" && fetched.Pin(folder, true) != had.Bare[folder] {
			v.differs(had.Name, folder, sourceChanged, "the source has other bytes than the lock")
		}
	}
	for folder := range fetched.Hooks {
		if had.Hooks[folder] == "" {
			v.differs(had.Name, folder, sourceChanged, "the source has it, the lock does not")
		}
	}
	if had.Key != "" {
		if err := read.Verify(had.Key); err != nil {
			v.differs(had.Name, "", signature, "%v", err)
		}
	}
}

// Print shows the differences.
func (v *Verified) Print(sh *shell.Shell) {
	if !v.there {
		sh.Printf("no %s\n", shell.Plain(sh.Short(v.Lock)))
		return
	}
	for _, d := range v.Differences {
		what := d.Pack
		if d.Folder != "" {
			what += "/" + d.Folder
		}
		sh.Printf("%s %s: %s\n", sh.Paint(shell.Red, fmt.Sprintf("%-14s", d.Kind)), shell.Plain(what), shell.Plain(d.Detail))
	}
	with := "the folders and their sources are"
	if v.Offline {
		with = "the folders are (no source was asked)"
	}
	if len(v.Differences) > 0 {
		sh.Printf("%s against %s\n", text.Count(len(v.Differences), "difference"), shell.Plain(sh.Short(v.Lock)))
		sh.Hints([]string{sh.Name + " update" + v.word + " shows what is different, and puts back what the source has"})
		return
	}
	sh.Printf("%s, %s: %s as %s has them\n", text.Count(v.Packs, "pack"), text.Count(v.Hooks, "hook"), with, shell.Plain(sh.Short(v.Lock)))
}
