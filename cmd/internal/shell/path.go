package shell

import (
	"fmt"
	"os"
	"path/filepath"
)

// Abs, Short, Shown and Relative are the host's: a path from the command line, and a
// path as people write it, type it, or open it in an editor.
func (sh *Shell) Abs(path string) (string, error) { return sh.Host.Abs(path) }
func (sh *Shell) Short(path string) string        { return sh.Host.Short(path) }
func (sh *Shell) Shown(path string) string        { return sh.Host.Shown(path) }
func (sh *Shell) Word(word string) string         { return sh.Host.Word(word) }
func (sh *Shell) Relative(path string) string     { return sh.Host.Relative(path) }

// Folder is a folder that a command line names; if it is not one, the error says what
// is there.
func (sh *Shell) Folder(command, word string) (string, error) {
	dir, err := sh.Abs(word)
	if err != nil {
		return "", fmt.Errorf("%s: %w", command, err)
	}
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return "", fmt.Errorf("%s: %w", command, err)
	case !info.IsDir():
		return "", WithHint(fmt.Errorf("%s: %s is not a folder", command, sh.Short(dir)), "its folder is "+sh.Shown(filepath.Dir(dir)))
	}
	return dir, nil
}

// IsFolder reports whether a path is a folder.
func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
