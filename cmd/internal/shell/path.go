package shell

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Abs is a path from the command line as an absolute one. The shell has not
// replaced a ~ inside of --dir=~/x, and Windows' never does.
func (sh *Shell) Abs(path string) (string, error) {
	if rest, ok := strings.CutPrefix(path, "~"); ok && sh.Host.Home != "" && (rest == "" || os.IsPathSeparator(rest[0])) {
		return filepath.Join(sh.Host.Home, rest), nil
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path), nil
	}
	if sh.Host.WorkDir == "" {
		return "", fmt.Errorf("%q is relative, and the working directory is gone", path)
	}
	return filepath.Join(sh.Host.WorkDir, path), nil
}

// Shown is a path as a person can type it after a command here: short, and
// quoted if it has to be.
func (sh *Shell) Shown(path string) string {
	if rel, err := filepath.Rel(sh.Host.WorkDir, path); err == nil && filepath.IsLocal(rel) {
		path = rel
	} else if s := sh.Short(path); s != path {
		// A ~ in quotes is no home directory.
		if !strings.ContainsAny(s[1:], " \t'\"\\$&;|<>()*?[]#`!") {
			return s
		}
	}
	if strings.ContainsAny(path, " \t'\"\\$&;|<>()*?[]#~`!") && sh.Host.GOOS != "windows" {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}

func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
