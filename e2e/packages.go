//go:build e2e && unix

package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// nodeVersion is the Node that runs npm and the agents. With older ones npm silently
// chooses older releases of some agents.
const nodeVersion = "22.23.3"

// npmLimit limits one npm command. A release of an agent is up to 400 MB.
const npmLimit = 4 * time.Minute

// A Store keeps installed packages, each in a folder of its own named after its
// version, so that later runs of the suite need no network.
type Store struct {
	Dir  string
	node string
}

// An Installed is an agent ready to run.
type Installed struct {
	Version string `json:"version"`
	Dir     string `json:"dir"`           // holds node_modules, or the program of a module
	Why     string `json:"why,omitempty"` // why it could not be had, "" if it was
}

// npmOS and npmArch are this machine in the registry's words.
func npmOS() string { return runtime.GOOS }

func npmArch() string {
	if runtime.GOARCH == "amd64" {
		return "x64"
	}
	return runtime.GOARCH
}

// Node returns the path of the Node binary, which it installs if necessary.
func (s *Store) Node() (string, error) {
	if s.node != "" {
		return s.node, nil
	}
	pkg := fmt.Sprintf("node-%s-%s", npmOS(), npmArch())
	dir, err := s.fetch("", pkg, nodeVersion)
	if err != nil {
		return "", err
	}
	s.node = filepath.Join(dir, "node_modules", pkg, "bin", "node")
	if _, err := os.Stat(s.node); err != nil {
		return "", fmt.Errorf("package %s %s holds no node binary: %w", pkg, nodeVersion, err)
	}
	return s.node, nil
}

// Agent installs a version of an agent; "latest" and other tags are resolved first.
func (s *Store) Agent(a *Agent, version string) Installed {
	if a.Module != "" {
		return s.module(a, version)
	}
	node, err := s.Node()
	if err != nil {
		return Installed{Version: version, Why: err.Error()}
	}
	if version[0] < '0' || version[0] > '9' {
		out, err := s.npm(node, "", "view", a.Package+"@"+version, "version")
		if err != nil {
			return Installed{Version: version, Why: err.Error()}
		}
		version = strings.TrimSpace(out)
	}
	dir, err := s.fetch(node, a.Package, version)
	if err != nil {
		return Installed{Version: version, Why: err.Error()}
	}
	in := Installed{Version: version, Dir: dir}
	if _, err := os.Stat(in.program(a)); err != nil {
		in.Why = fmt.Sprintf("%s %s was installed, but its program is missing: %v", a.Package, version, err)
	}
	return in
}

func (in Installed) program(a *Agent) string {
	if a.Module != "" {
		return filepath.Join(in.Dir, a.Command)
	}
	p := strings.NewReplacer("{os}", npmOS(), "{arch}", npmArch()).Replace(a.Program)
	return filepath.Join(in.Dir, "node_modules", filepath.FromSlash(p))
}

// fetch installs one package next to its place and moves it there once it is complete,
// so that a broken download never looks like an installation.
func (s *Store) fetch(node, pkg, version string) (string, error) {
	name := strings.NewReplacer("@", "", "/", "-").Replace(pkg) + "-" + version
	dir := filepath.Join(s.Dir, name)
	if have(dir, pkg, version) {
		return dir, nil
	}
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		return "", err
	}
	tmp, err := os.MkdirTemp(s.Dir, ".new-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	if _, err := s.npm(node, tmp, "install", "--no-save", "--ignore-scripts", "--prefer-offline", pkg+"@"+version); err != nil {
		return "", err
	}
	if !have(tmp, pkg, version) {
		return "", fmt.Errorf("npm install %s@%s ended well, but did not install that version", pkg, version)
	}
	if err := os.Chmod(tmp, 0o755); err != nil { // a cache may be shared
		return "", err
	}
	if err := os.Rename(tmp, dir); err != nil && !have(dir, pkg, version) {
		return "", err
	}
	return dir, nil
}

// have reports whether dir contains exactly that version.
func have(dir, pkg, version string) bool {
	data, err := os.ReadFile(filepath.Join(dir, "node_modules", pkg, "package.json"))
	var p struct{ Version string }
	return err == nil && json.Unmarshal(data, &p) == nil && p.Version == version
}

// npm runs npm, with our Node once there is one.
func (s *Store) npm(node, prefix string, args ...string) (string, error) {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "", errors.New("npm is not on the PATH")
	}
	argv := []string{npm}
	path := os.Getenv("PATH")
	if node != "" {
		path = filepath.Dir(node) + string(os.PathListSeparator) + path
		if js, err := filepath.EvalSymlinks(npm); err == nil && strings.HasSuffix(js, ".js") {
			argv = []string{node, js}
		}
	}
	argv = append(argv, args...)
	argv = append(argv, "--no-audit", "--no-fund", "--loglevel=error",
		"--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000", "--fetch-timeout=60000")
	if prefix != "" {
		argv = append(argv, "--prefix", prefix)
	}
	ctx, cancel := context.WithTimeout(context.Background(), npmLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = s.Dir
	cmd.Env = append(os.Environ(), "PATH="+path)
	cmd.WaitDelay = time.Second
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("npm %s: %w: %s", strings.Join(args, " "), err, firstLines(stderr.String(), 3))
	}
	return string(out), nil
}

func firstLines(s string, n int) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.Join(lines[:min(n, len(lines))], "; ")
}
