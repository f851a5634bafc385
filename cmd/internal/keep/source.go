package keep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/build"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/trust"
)

// module is what the programs are built from.
const module = "github.com/agents-hooks/agents-hooks"

// buildLimit limits the time for building the small program.
const buildLimit = 3 * time.Minute

// Find is what a copy of this program is made of. The small program is beside it, or
// where go install puts programs. If go built only this one, as with go run and go
// install of one program, go is asked to build the other: say is called with that.
func Find(h host.Host, whole string, say func(format string, args ...any)) Source {
	src := Source{Whole: whole, Version: build.Own().Version(), Lean: FindLean(h, whole)}
	dir := filepath.Dir(whole)
	if src.Lean == "" && (Passing(h, whole) || slices.Contains(goBins(h), dir)) {
		src.Build = func(to string) error { return goBuild(h, to, say) }
	}
	return src
}

// FindLean is the small program of the same build as this one, "" if there is none.
// One from an older install does not count: it would read hooks differently from what
// list and explain say.
func FindLean(h host.Host, whole string) string {
	for _, dir := range append([]string{filepath.Dir(h.Self), filepath.Dir(whole)}, goBins(h)...) {
		lean := filepath.Join(dir, Lean+filepath.Ext(h.Self))
		info, err := os.Stat(lean)
		if err != nil || !info.Mode().IsRegular() || h.GOOS != "windows" && info.Mode().Perm()&0o111 == 0 {
			continue
		}
		if self, err := os.Stat(whole); err == nil && os.SameFile(self, info) {
			continue
		}
		if b, err := build.Of(lean); err == nil && b == build.Own() {
			return lean
		}
	}
	return ""
}

// goBins are the folders in which go install puts programs.
func goBins(h host.Host) (dirs []string) {
	if dir := h.Getenv("GOBIN"); filepath.IsAbs(dir) {
		dirs = append(dirs, filepath.Clean(dir))
	}
	for _, dir := range filepath.SplitList(h.Getenv("GOPATH")) {
		if filepath.IsAbs(dir) {
			dirs = append(dirs, filepath.Join(dir, "bin"))
		}
	}
	if h.Home != "" {
		dirs = append(dirs, filepath.Join(h.Home, "go", "bin"))
	}
	return dirs
}

// Passing reports whether a program is where go run, go test and the build cache keep
// theirs.
func Passing(h host.Host, path string) bool {
	if dir := h.Getenv("GOCACHE"); filepath.IsAbs(dir) {
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(path), "/"), func(element string) bool { return strings.HasPrefix(element, "go-build") })
}

// goBuild asks go to build the small program of this very build.
func goBuild(h host.Host, to string, say func(format string, args ...any)) error {
	tool, err := goTool(h)
	if err != nil {
		return err
	}
	args, dir := []string{"build", "-o", to}, ""
	env := append(slices.Clone(h.Env), "CGO_ENABLED=0")
	own := build.Own()
	if own.Commit == "" {
		args = append(args, "-buildvcs=false")
	}
	bin, err := os.MkdirTemp(filepath.Dir(to), "."+Lean+".tmp-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(bin)
	switch root := checkout(); {
	case root != "":
		dir, args = root, append(args, "./cmd/"+Lean)
	case own.Version() == "devel":
		return errors.New("its source is not here")
	default:
		dir, env = bin, append(env, "GOBIN="+bin)
		args = []string{"install", module + "/cmd/" + Lean + "@" + own.Version()}
	}
	say("building %s, the small program that answers events, with %s", Lean, tool)
	ctx, cancel := context.WithTimeout(context.Background(), buildLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, tool, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, env, time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(string(out)))
	}
	if args[0] == "install" {
		if err := linkOrCopy(filepath.Join(bin, Lean+filepath.Ext(h.Self)), to, false); err != nil {
			return err
		}
	}
	if b, err := build.Of(to); err != nil || b != own {
		return errors.New("what go built differs from this program")
	}
	return os.Chmod(to, 0o700)
}

// goTool is the go on the PATH; relative elements do not count.
func goTool(h host.Host) (string, error) {
	for _, dir := range filepath.SplitList(h.Getenv("PATH")) {
		path := filepath.Join(dir, "go"+filepath.Ext(h.Self))
		if info, err := os.Stat(path); filepath.IsAbs(dir) && err == nil && info.Mode().IsRegular() {
			return path, nil
		}
	}
	return "", errors.New("go is not on the PATH")
}

// checkout is the working copy that this program was built from, "" if it does not
// exist here or is not this user's alone.
func checkout() string {
	_, file, _, ok := runtime.Caller(0)
	if !ok || !filepath.IsAbs(file) {
		return ""
	}
	root := filepath.Dir(filepath.Dir(filepath.Dir(filepath.Dir(file)))) // cmd/internal/keep/source.go
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil || !strings.HasPrefix(string(mod), "module "+module+"\n") || trust.Steered(root) != nil {
		return ""
	}
	return root
}
