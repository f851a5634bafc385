package setup

import (
	"debug/buildinfo"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

const InstallHint = "go install github.com/agents-hooks/agents-hooks/cmd/agents-hooks@latest"

// leanName is the program that only dispatches. Where it lies beside this one,
// entries name it.
const leanName = "agents-hooks-run"

// EntryArgv is the command of an entry. The user's directories stand in it, so
// that a repository, which can set the environment of an agent, cannot move them
// (RULINGS 2).
func EntryArgv(sh *shell.Shell, d *protocol.Dialect, trustAlways bool) ([]string, error) {
	program, err := EntryProgram(sh)
	if err != nil {
		return nil, err
	}
	argv := []string{program, "run", "--agent=" + d.ID, "--config=" + sh.Host.Config, "--state=" + sh.Host.State}
	if trustAlways {
		argv = append(argv, "--trust=always")
	}
	return argv, nil
}

// EntryProgram is the absolute path that entries name: of the lean program if it
// lies beside this one and is of the same build, and as the PATH has it, links
// not followed, because that is the name that survives an update.
func EntryProgram(sh *shell.Shell) (string, error) {
	self := sh.Host.Self
	if !filepath.IsAbs(self) {
		return "", fmt.Errorf("cannot tell where this program lies: %q", self)
	}
	real, err := filepath.EvalSymlinks(self)
	if err != nil {
		return "", fmt.Errorf("cannot tell where this program lies: %w", err)
	}
	if Passing(sh, real) {
		return "", shell.WithHint(fmt.Errorf("%s will be gone soon: it is of Go's build cache", real), InstallHint)
	}
	target := self
	for _, dir := range []string{filepath.Dir(self), filepath.Dir(real)} {
		if lean := filepath.Join(dir, leanName+filepath.Ext(self)); leanOf(sh, real, lean) {
			target = lean
			break
		}
	}
	if found := SameOnPath(sh, target); found != "" {
		return found, nil
	}
	return target, nil
}

// Passing reports whether a program lies where go run, go test and the build
// cache keep theirs.
func Passing(sh *shell.Shell, path string) bool {
	if dir := sh.Host.Getenv("GOCACHE"); filepath.IsAbs(dir) && Within(path, dir) {
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
func leanOf(sh *shell.Shell, self, lean string) bool {
	info, err := os.Stat(lean)
	if err != nil || !IsProgram(info, sh.Host.GOOS) {
		return false
	}
	if selfInfo, err := os.Stat(self); err == nil && os.SameFile(selfInfo, info) {
		return false
	}
	build, err := BuildOf(lean)
	return err == nil && build == OwnBuild()
}

// SameOnPath finds a file in the PATH by its name, "" if the first one of that
// name is another file.
func SameOnPath(sh *shell.Shell, path string) string {
	want, err := os.Stat(path)
	if err != nil {
		return ""
	}
	found := lookPath(sh, strings.TrimSuffix(filepath.Base(path), ".exe"))
	if info, err := os.Stat(found); err == nil && os.SameFile(info, want) {
		return filepath.Clean(found)
	}
	return ""
}

// A build tells two builds of this module apart, as far as the Go toolchain
// recorded it.
type build struct{ version, revision string }

func (b build) String() string {
	if b.version == "(devel)" || b.version == "" {
		return "devel"
	}
	return b.version
}

func OwnBuild() build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return build{}
	}
	return buildFrom(info)
}

// BuildOf reads the build out of another program, without starting it.
func BuildOf(path string) (build, error) {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return build{}, err
	}
	return buildFrom(info), nil
}

func buildFrom(info *debug.BuildInfo) build {
	b := build{version: info.Main.Version}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" || s.Key == "vcs.time" || s.Key == "vcs.modified" {
			b.revision += s.Value + " "
		}
	}
	return b
}

// ServedEvents are the native events of an agent that a hook serves now, for
// install --lean. Two more come along because others lean on them: the prompt
// ends a row of continuations, and a tool call tells what its subagent is for.
func ServedEvents(d *protocol.Dialect, hooks []*discovery.Hook) []string {
	served := map[protocol.EventType]bool{}
	for _, h := range hooks {
		if h.Status == discovery.Ready || h.Status == discovery.Untrusted {
			served[h.Trigger] = true
		}
	}
	if served[protocol.PreAgentTurnStop] {
		served[protocol.PreAgentTurn] = true
	}
	if served[protocol.PreSubagent] {
		served[protocol.PreToolCall] = true
	}
	var names []string
	for _, n := range d.Natives {
		for _, e := range n.Events() {
			if served[e] && !n.Manual {
				names = append(names, n.Name)
				break
			}
		}
	}
	return names
}
