package pack

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/pack"
	"github.com/agents-hooks/agents-hooks/pack/lockfile"
	"github.com/agents-hooks/agents-hooks/pack/source"
	"github.com/agents-hooks/agents-hooks/pack/store"
)

func verifyCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:         "verify",
		Usage:        "hold hooks against hooks.lock, and that against its sources",
		ArgsUsage:    "[NAME...]",
		BashComplete: shell.Arguments(packWords(sh)),
		Description: "Exit 1 if a folder is not as hooks.lock has it, or if a source does not have\n" +
			"the pinned commit and the same bytes any more; each difference is named. With\n" +
			"--offline no source is asked. It changes nothing, and approves nothing.",
		Flags: []cli.Flag{
			userFlag(),
			&cli.BoolFlag{Name: "offline", Usage: "ask no source"},
			shell.Offer(&cli.StringFlag{Name: "sums", Usage: "print pack.sums of the pack in `DIR`, to be signed"}, shell.Folders),
			hookset.DirFlag(), shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error {
			ctx, stop := interruptible(c.Context)
			defer stop()
			if c.IsSet("sums") {
				dir, err := sh.Folder("verify: --sums", c.String("sums"))
				if err != nil {
					return err
				}
				return sums(ctx, sh, dir)
			}
			p, err := placeOf(sh, c)
			if err != nil {
				return err
			}
			v, err := verify(ctx, sh, p, c.Args().Slice(), c.Bool("offline"))
			if err != nil {
				return err
			}
			if c.Bool("json") {
				err = sh.JSON(v)
			} else {
				v.print(sh)
			}
			if len(v.Differences) > 0 {
				err = errors.Join(err, shell.ErrReported)
			}
			return err
		},
	}
}

// sums prints what the author of a pack signs.
func sums(ctx context.Context, sh *shell.Shell, dir string) error {
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

// verified is what verify says. Its JSON form is stable.
type verified struct {
	Schema      int          `json:"schema"`
	Lock        string       `json:"lock"`
	Offline     bool         `json:"offline"`
	Packs       int          `json:"packs"`
	Hooks       int          `json:"hooks"`
	Differences []difference `json:"differences"`

	there bool
	word  string // how a command line names the place
}

// A difference is one thing that is not as the lock says.
type difference struct {
	Pack   string `json:"pack"`
	Folder string `json:"folder"` // "" if it is about the pack
	Kind   string `json:"kind"`
	Detail string `json:"detail"`
}

// Kinds of differences.
const (
	missing       = "missing"        // a folder is not there
	drifted       = "changed"        // a folder has other bytes
	unreadable    = "unreadable"     // a folder cannot be looked at
	sourceGone    = "source-gone"    // the source, or the commit in it, is not there
	sourceChanged = "source-changed" // the source has other bytes at the pinned place
	signature     = "signature"      // the signature does not fit
)

func verify(ctx context.Context, sh *shell.Shell, p placeOptions, names []string, offline bool) (*verified, error) {
	lock, err := p.read(ctx, sh)
	if err != nil {
		return nil, err
	}
	list, err := chosen(sh, "verify", p, lock, names)
	if err != nil {
		return nil, err
	}
	v := &verified{Schema: 1, Lock: p.Lock(), Offline: offline, Packs: len(list), Differences: []difference{}, word: p.word()}
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
		return nil, errors.New("verify: interrupted")
	}
	return v, nil
}

func (v *verified) differs(pack, folder, kind, format string, args ...any) {
	v.Differences = append(v.Differences, difference{pack, folder, kind, fmt.Sprintf(format, args...)})
}

// folders holds the folders of a pack against its pins.
func (v *verified) folders(ctx context.Context, p placeOptions, had lockfile.Pack) {
	for _, folder := range had.Folders() {
		is, err := p.Hash(ctx, folder)
		switch {
		case err != nil:
			v.differs(had.Name, folder, unreadable, "%s", beneath.Why(err))
		case is == "":
			v.differs(had.Name, folder, missing, "is not there")
		case is != had.Hooks[folder]:
			v.differs(had.Name, folder, drifted, "has the hash %.12s…, the lock %.12s…", is, had.Hooks[folder])
		}
	}
}

// source holds a pack's pins against what its source has at the pinned place.
func (v *verified) source(ctx context.Context, sh *shell.Shell, p placeOptions, had lockfile.Pack) {
	at, err := source.Locked(had.Source, had.Dir, had.Ref, p.here)
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
	is := read.Hashes()
	for _, folder := range had.Folders() {
		if is[folder] != had.Hooks[folder] {
			v.differs(had.Name, folder, sourceChanged, "the source has other bytes than the lock")
		}
	}
	for folder := range is {
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

func (v *verified) print(sh *shell.Shell) {
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

// placesHere are where packs may lie for somebody who stands here.
func placesHere(sh *shell.Shell) (list []store.Place) {
	if project, _ := discovery.FindProject(sh.Host.WorkDir, sh.Host.Home); project != "" {
		list = append(list, store.Place{Agents: filepath.Join(project, ".agents"), In: beneath.At(project), State: sh.Host.State})
	}
	return append(list, store.Place{Agents: sh.Host.Config, State: sh.Host.State})
}
