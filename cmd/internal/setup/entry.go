package setup

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/keep"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// InstallHint says how to install a program permanently.
const InstallHint = "go install github.com/agents-hooks/agents-hooks/cmd/agents-hooks@latest"

// Programs are those that entries name: the one that answers events, and the one with
// all commands.
type Programs struct{ Lean, Whole string }

// Kept are the programs of the permanent copy.
func Kept(h host.Host) Programs {
	return Programs{keep.Program(h, keep.Lean), keep.Program(h, keep.Whole)}
}

// Keep makes the copy of this program, and returns what entries are to name: the copy
// or, if there can be none, this program in its own place. The note says why.
func Keep(sh *shell.Shell) (p Programs, note string, err error) {
	h := sh.Host
	whole, err := self(h)
	if err != nil {
		return p, "", err
	}
	newer, err := keep.Put(h, keep.Find(h, whole, sh.Say))
	switch {
	case err == nil && newer != "":
		return Kept(h), fmt.Sprintf("the copy in %s is of a newer release, %s, and stays", h.Short(keep.Dir(h)), newer), nil
	case err == nil:
		return Kept(h), "", nil
	}
	p, own := ownPrograms(h, whole)
	if own != nil {
		return p, "", errors.Join(own, err)
	}
	return p, fmt.Sprintf("no copy could be made that stays, so the entry names the program itself, and ends with it: %v", err), nil
}

// Renew renews the copy if it is stale, or if it is gone while the user still has
// entries. A program that will be gone soon, or that is in the project, was not
// installed there permanently by the user.
func Renew(sh *shell.Shell) error {
	h := sh.Host
	_, kept := keep.Read(h)
	lost := !kept && hasEntries(h.State)
	whole, err := self(h)
	if err != nil || keep.Passing(h, whole) || !lost && !keep.Stale(h, whole, shell.ProgramVersion()) || Unfit(h, whole) != "" || Unfit(h, keep.Dir(h)) != "" {
		return nil
	}
	if lost {
		_, err = keep.Put(h, keep.Find(h, whole, sh.Say))
		return err
	}
	return keep.Renew(h, keep.Find(h, whole, sh.Say))
}

// EntryArgv is an entry's command. It contains all directories, so that a repository,
// which can set an agent's environment, cannot move them.
func EntryArgv(h host.Host, p Programs, d *protocol.Dialect, trustAlways bool) []string {
	return append([]string{p.Lean, "run", "--agent=" + d.ID}, places(h, trustAlways)...)
}

// places are the flags of an entry for directories and trust. Trust never comes from
// the environment.
func places(h host.Host, trustAlways bool) []string {
	e := h.Entry()
	e.TrustAlways = trustAlways
	return e.Args()
}

// ServerArgv is the command with which an agent starts our server. Like that of its
// hooks it contains the directories, so that server and hooks work on the same files
// whatever environment the agent gives them.
func ServerArgv(h host.Host, p Programs, d *protocol.Dialect, trustAlways bool) []string {
	return append([]string{p.Whole, "mcp", "--agent=" + d.ID}, places(h, trustAlways)...)
}

// self is this program, after following links.
func self(h host.Host) (string, error) {
	if !filepath.IsAbs(h.Self) {
		return "", fmt.Errorf("cannot find out where this program is: %q", h.Self)
	}
	real, err := filepath.EvalSymlinks(h.Self)
	if err != nil {
		return "", fmt.Errorf("cannot find out where this program is: %w", err)
	}
	return real, nil
}

// ownPrograms are this program, and the lean one of the same build if there is one,
// by their names on the PATH without following links, because those survive an
// update.
func ownPrograms(h host.Host, whole string) (p Programs, err error) {
	if keep.Passing(h, whole) {
		return p, willBeGone(whole)
	}
	lean := cmp.Or(keep.FindLean(h, whole), h.Self)
	return Programs{cmp.Or(sameOnPath(h, lean), lean), cmp.Or(sameOnPath(h, h.Self), h.Self)}, nil
}

func willBeGone(path string) error {
	return shell.WithHint(fmt.Errorf("%s will be gone soon: it is in Go's build cache", path), InstallHint)
}

// Within reports whether a path is in a folder, comparing elements.
func Within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// sameOnPath finds a file on the PATH by its name, "" if the first one of that name
// is another file.
func sameOnPath(h host.Host, path string) string {
	want, err := os.Stat(path)
	if err != nil {
		return ""
	}
	found := lookPath(h, strings.TrimSuffix(filepath.Base(path), ".exe"))
	if info, err := os.Stat(found); err == nil && os.SameFile(info, want) {
		return filepath.Clean(found)
	}
	return ""
}

// EntryFlag is the value of --NAME=VALUE in an entry's command, "" if absent.
func EntryFlag(argv []string, name string) string {
	for _, a := range argv {
		if v, ok := strings.CutPrefix(a, "--"+name+"="); ok {
			return v
		}
	}
	return ""
}

// Gone is what an entry tells the user when its program no longer exists.
func Gone(d *protocol.Dialect) string {
	return "agents-hooks: its program is gone, so no hook runs and nothing is guarded. " +
		"Get agents-hooks again and run agents-hooks install " + d.ID + ", or take its entry out of the configuration."
}
