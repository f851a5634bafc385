package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Time limits for one npm command. A release of an agent is up to 400 MB.
const (
	askLimit     = time.Minute
	installLimit = 10 * time.Minute
)

// A release is what the registry says about the newest version of a package.
type release struct {
	Version    string `json:"version"`
	Deprecated string `json:"deprecated"` // why, and usually the replacement
}

// newest asks the registry for the newest version of a package.
func newest(ctx context.Context, pkg string) (release, error) {
	out, err := npm(ctx, askLimit, "view", here(pkg), "version", "deprecated", "--json")
	if err != nil {
		return release{}, err
	}
	var r release
	if err := json.Unmarshal(out, &r.Version); err == nil && r.Version != "" {
		return r, nil // with only one of the two fields, npm prints a text
	}
	if err := json.Unmarshal(out, &r); err != nil || r.Version == "" {
		return r, fmt.Errorf("npm view %s tells no version: %q", pkg, out)
	}
	return r, nil
}

// newestModule asks the module proxy for the newest version of a Go module.
func newestModule(ctx context.Context, module string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Version}}", module+"@latest")
	cmd.Dir = os.TempDir() // not in our module, which has requirements of its own
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("the newest version of its module is not known: go list: %w", err)
	}
	return strings.TrimPrefix(strings.TrimSpace(string(out)), "v"), nil
}

// install installs a version into a folder without running its scripts, and returns its
// node_modules.
func install(ctx context.Context, dir, pkg, version string) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	_, err := npm(ctx, installLimit, "install", "--no-save", "--ignore-scripts", "--prefix", dir, here(pkg)+"@"+version)
	return filepath.Join(dir, "node_modules"), err
}

func npm(ctx context.Context, limit time.Duration, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "npm", append(args, "--no-audit", "--no-fund", "--loglevel=error", "--fetch-retries=1")...)
	cmd.WaitDelay = time.Second
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
		return nil, fmt.Errorf("npm %s: %w: %s", strings.Join(args, " "), err, strings.Join(lines[:min(len(lines), 3)], "; "))
	}
	return out, nil
}
