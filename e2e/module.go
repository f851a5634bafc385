//go:build e2e && unix

package e2e

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// buildLimit bounds the build of an agent, with the download of all that it needs.
const buildLimit = 30 * time.Minute

// module builds an agent from its Go module; "latest" is resolved first. A version that
// was built before is not asked for again.
func (s *Store) module(a *Agent, version string) Installed {
	if version[0] < '0' || version[0] > '9' {
		out, err := s.goCommand("", "list", "-m", "-f", "{{.Version}}", a.Module+"@"+version)
		if err != nil {
			return Installed{Version: version, Why: err.Error()}
		}
		version = strings.TrimPrefix(strings.TrimSpace(out), "v")
	}
	in := Installed{Version: version, Dir: filepath.Join(s.Dir, path.Base(a.Module)+"-"+version)}
	if _, err := os.Stat(in.program(a)); err == nil {
		return in
	}
	if err := s.build(a, in); err != nil {
		in.Why = err.Error()
	}
	return in
}

// build builds beside the program's place, as fetch does.
func (s *Store) build(a *Agent, in Installed) error {
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(s.Dir, ".new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if _, err := s.goCommand(tmp, "install", a.Module+"@v"+in.Version); err != nil {
		return err
	}
	if err := os.Chmod(tmp, 0o755); err != nil {
		return err
	}
	if err := os.Rename(tmp, in.Dir); err != nil {
		if _, there := os.Stat(in.program(a)); there != nil {
			return err
		}
	}
	return nil
}

// goCommand runs go outside of our own module; what it installs goes into bin.
func (s *Store) goCommand(bin string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), buildLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = s.Dir
	cmd.Env = append(os.Environ(), "GOBIN="+bin, "CGO_ENABLED=0")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		said := ""
		if errors.As(err, &exit) {
			said = firstLines(string(exit.Stderr), 3)
		}
		return "", fmt.Errorf("go %s: %w: %s", strings.Join(args, " "), err, said)
	}
	return string(out), nil
}
