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

// InstallHint is how a program comes to stay.
const InstallHint = "go install github.com/agents-hooks/agents-hooks/cmd/agents-hooks@latest"

// Programs are those that entries name: the one that answers events, and the one with
// all commands.
type Programs struct{ Lean, Whole string }

// Kept are the programs of the copy that stays.
func Kept(h host.Host) Programs {
	return Programs{keep.Program(h, keep.Lean), keep.Program(h, keep.Whole)}
}

// Keep makes the copy of this program, and gives what entries are to name: the copy
// or, where there can be none, this program as it lies. The note says why.
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

// Renew makes the copy anew if it is stale, or if nothing of it is left while entries of
// the person stand. A program that will be gone soon, or that lies in the project, is none
// that a person put there to stay.
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

// EntryArgv is the command of an entry. All places stand in it, so
// that a repository, which can set the environment of an agent, cannot move them.
func EntryArgv(h host.Host, p Programs, d *protocol.Dialect, trustAlways bool) []string {
	return append([]string{p.Lean, "run", "--agent=" + d.ID}, places(h, trustAlways)...)
}

// places are the flags of an entry that say where everything is, and what is
// trusted. Trust is never the environment's.
func places(h host.Host, trustAlways bool) []string {
	e := h.Entry()
	e.TrustAlways = trustAlways
	return e.Args()
}

// ServerArgv is the command that an agent starts our server with. Like that of its
// hooks it holds the places, so that server and hooks work on the same files
// whatever environment the agent gives to either.
func ServerArgv(h host.Host, p Programs, d *protocol.Dialect, trustAlways bool) []string {
	return append([]string{p.Whole, "mcp", "--agent=" + d.ID}, places(h, trustAlways)...)
}

// self is this program, links followed.
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

// ownPrograms are this program, and the lean one if it has one of the same build, as
// the PATH has them, links not followed, because that is the name that survives an
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

// Within reports whether a path lies in a folder, compared by elements.
func Within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// sameOnPath finds a file in the PATH by its name, "" if the first one of that
// name is another file.
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

// EntryFlag is the value of --NAME=VALUE in the command of an entry, "" if it is
// not there.
func EntryFlag(argv []string, name string) string {
	for _, a := range argv {
		if v, ok := strings.CutPrefix(a, "--"+name+"="); ok {
			return v
		}
	}
	return ""
}

// Gone is what an entry says to the person whose program is no longer there.
func Gone(d *protocol.Dialect) string {
	return "agents-hooks: its program is gone, so no hook runs and nothing is guarded. " +
		"Get agents-hooks again and run agents-hooks install " + d.ID + ", or take its entry out of the configuration."
}
