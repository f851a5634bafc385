package setup

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// versionLimit is how long an agent may take to report its version.
const versionLimit = 5 * time.Second

// InstalledVersion finds the version of an installed agent without starting it: from
// the package.json above its program, or from a folder or file named after the
// version. "" if neither exists.
func InstalledVersion(program string) string {
	if program == "" {
		return ""
	}
	real, err := filepath.EvalSymlinks(program)
	if err != nil {
		return ""
	}
	at := real
	for range 6 {
		if name := filepath.Base(at); isVersion(name) {
			return strings.TrimPrefix(name, "v")
		}
		at = filepath.Dir(at)
		if v := packageVersion(filepath.Join(at, "package.json")); v != "" {
			return v
		}
	}
	return ""
}

// AskVersion starts an agent's program for its version, for a short time.
func AskVersion(env []string, program string) string {
	ctx, cancel := context.WithTimeout(context.Background(), versionLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "--version")
	cmd.Env, cmd.WaitDelay = env, time.Second
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return text.Clip(shell.FirstLine(string(out)), 40)
}

// Newer reports whether an installed version, as the agent reports it, is later than
// was. Nothing is known about a text without a version in it.
func Newer(told, was string) bool {
	for _, w := range strings.FieldsFunc(told, func(r rune) bool { return strings.ContainsRune(" (),/@", r) }) {
		if isVersion(w) && isVersion(was) {
			return slices.Compare(numbers(w), numbers(was)) > 0
		}
	}
	return false
}

// numbers are the three of a version; a release ranks above its prereleases.
func numbers(version string) (list []int) {
	version, _, _ = strings.Cut(strings.TrimPrefix(version, "v"), "+")
	plain, _, early := strings.Cut(version, "-")
	for _, part := range strings.SplitN(plain, ".", 3) {
		n, _ := strconv.Atoi(part)
		list = append(list, n)
	}
	if early {
		return append(list, 0)
	}
	return append(list, 1)
}

// isVersion reports whether a name is a version: three numbers with dots, and an
// optional suffix.
func isVersion(name string) bool {
	parts := strings.SplitN(strings.TrimPrefix(name, "v"), ".", 3)
	if len(parts) < 3 {
		return false
	}
	last, _, _ := strings.Cut(strings.ReplaceAll(parts[2], "+", "-"), "-")
	return !slices.ContainsFunc([]string{parts[0], parts[1], last}, func(n string) bool { return n == "" || strings.Trim(n, "0123456789") != "" })
}

// packageVersion is the version of a package that contains a program.
func packageVersion(path string) string {
	b, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	var p struct {
		Version string          `json:"version"`
		Bin     json.RawMessage `json:"bin"`
	}
	if json.Unmarshal(bytes.TrimSpace(b), &p) != nil || len(p.Bin) == 0 {
		return ""
	}
	return p.Version
}
