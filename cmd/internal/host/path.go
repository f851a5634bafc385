package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/agents-hooks/agents-hooks/internal/text"
)

// ErrGone is why something relative has no meaning: somebody removed or moved the
// folder that the command was typed in.
var ErrGone = errors.New("the working directory is gone")

// Abs makes a path from the command line absolute. The shell does not replace the ~
// in --dir=~/x, and Windows never does.
func (h Host) Abs(path string) (string, error) {
	if rest, ok := strings.CutPrefix(path, "~"); ok && h.Home != "" && (rest == "" || os.IsPathSeparator(rest[0])) {
		return filepath.Join(h.Home, rest), nil
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path), nil
	}
	if h.WorkDir == "" {
		return "", fmt.Errorf("%q is relative, and %w", path, ErrGone)
	}
	return filepath.Join(h.WorkDir, path), nil
}

// Short is a path as people write it: ~ for the home directory, and nothing that
// breaks a line.
func (h Host) Short(path string) string {
	if strings.ContainsFunc(path, unicode.IsControl) {
		path = strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`, "\v", `\v`, "\f", `\f`, "\u0085", `\u0085`).Replace(path)
	}
	if rest, ok := strings.CutPrefix(path, h.Home); ok && h.Home != "" && (rest == "" || os.IsPathSeparator(rest[0])) {
		return "~" + rest
	}
	return path
}

// Tidy is a text that contains paths, each as people write it.
func (h Host) Tidy(text string) string {
	if h.Home == "" {
		return text
	}
	return strings.ReplaceAll(text, h.Home+string(filepath.Separator), "~"+string(filepath.Separator))
}

// Shown is a path as the user can type it in a command here: short, and quoted if
// necessary.
func (h Host) Shown(path string) string {
	const special = " \t'\"\\$&;|<>()*?[]#`!"
	if rel, ok := h.relative(path); ok {
		path = rel
	} else if s := h.Short(path); s != path {
		// A quoted ~ is not the home directory.
		if !strings.ContainsAny(s[1:], special) {
			return s
		}
	}
	if h.GOOS == "windows" || strings.ContainsAny(path, special+"~") {
		return h.Word(path)
	}
	return path
}

// Word is a word as the user can type it in a shell on this system.
func (h Host) Word(word string) string { return text.SystemWord(h.GOOS, word) }

// Relative is a path as an editor in the working directory opens it.
func (h Host) Relative(path string) string {
	if rel, ok := h.relative(path); ok {
		return rel
	}
	return path
}

// relative is the relative path from the working directory to something below it.
func (h Host) relative(path string) (string, bool) {
	rel, err := filepath.Rel(h.WorkDir, path)
	return rel, err == nil && filepath.IsLocal(rel)
}
