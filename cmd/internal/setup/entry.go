package setup

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// InstallHint is how a program comes to stay.
const InstallHint = "go install github.com/agents-hooks/agents-hooks/cmd/agents-hooks@latest"

// leanName is the program that only dispatches. Where it lies beside this one,
// entries name it.
const leanName = "agents-hooks-run"

// EntryArgv is the command of an entry. All places stand in it, so
// that a repository, which can set the environment of an agent, cannot move them.
func EntryArgv(h host.Host, d *protocol.Dialect, trustAlways bool) ([]string, error) {
	program, err := EntryProgram(h)
	if err != nil {
		return nil, err
	}
	return append([]string{program, "run", "--agent=" + d.ID}, places(h, trustAlways)...), nil
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
func ServerArgv(h host.Host, d *protocol.Dialect, trustAlways bool) ([]string, error) {
	program, err := WholeProgram(h)
	if err != nil {
		return nil, err
	}
	return append([]string{program, "mcp", "--agent=" + d.ID}, places(h, trustAlways)...), nil
}

// EntryProgram is the absolute path that entries name: of the lean program if it
// lies beside this one and is of the same build, and as the PATH has it, links
// not followed, because that is the name that survives an update.
func EntryProgram(h host.Host) (string, error) {
	self := h.Self
	if !filepath.IsAbs(self) {
		return "", fmt.Errorf("cannot tell where this program lies: %q", self)
	}
	real, err := filepath.EvalSymlinks(self)
	if err != nil {
		return "", fmt.Errorf("cannot tell where this program lies: %w", err)
	}
	if Passing(h, real) {
		return "", willBeGone(real)
	}
	target := self
	for _, dir := range []string{filepath.Dir(self), filepath.Dir(real)} {
		if lean := filepath.Join(dir, leanName+filepath.Ext(self)); leanOf(h, real, lean) {
			target = lean
			break
		}
	}
	return cmp.Or(sameOnPath(h, target), target), nil
}

// WholeProgram is the absolute path of the program with all commands, as the PATH
// has it if it has it.
func WholeProgram(h host.Host) (string, error) {
	real, err := filepath.EvalSymlinks(h.Self)
	if err != nil || !filepath.IsAbs(h.Self) {
		return "", fmt.Errorf("cannot tell where this program lies: %q", h.Self)
	}
	if Passing(h, real) {
		return "", willBeGone(real)
	}
	return cmp.Or(sameOnPath(h, h.Self), h.Self), nil
}

func willBeGone(path string) error {
	return shell.WithHint(fmt.Errorf("%s will be gone soon: it is of Go's build cache", path), InstallHint)
}

// Passing reports whether a program lies where go run, go test and the build
// cache keep theirs.
func Passing(h host.Host, path string) bool {
	if dir := h.Getenv("GOCACHE"); filepath.IsAbs(dir) && Within(path, dir) {
		return true
	}
	for _, element := range strings.Split(filepath.ToSlash(path), "/") {
		if strings.HasPrefix(element, "go-build") {
			return true
		}
	}
	return false
}

// Within reports whether a path lies in a folder, compared by elements.
func Within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// leanOf reports whether lean is the lean program of this one. One that an older
// install left behind is not: it would read hooks in another way than list and
// explain say.
func leanOf(h host.Host, self, lean string) bool {
	info, err := os.Stat(lean)
	if err != nil || !IsProgram(info, h.GOOS) {
		return false
	}
	if selfInfo, err := os.Stat(self); err == nil && os.SameFile(selfInfo, info) {
		return false
	}
	build, err := BuildOf(lean)
	return err == nil && build == OwnBuild()
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
