package shell

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// Wrong puts an error into words: for the file system, what is wrong with which path
// instead of the name of a system call; and what to do about it ("" if there is
// nothing to say).
func (sh *Shell) Wrong(err error) (said, fix string) {
	said = err.Error()
	raw, path, cause := fileError(err)
	switch {
	case errors.Is(err, host.ErrGone):
		return said, "cd to a folder that exists"
	case path == "":
		return said, ""
	}
	what, fix := sh.fileTrouble(path, cause)
	if what == "" {
		return said, ""
	}
	return strings.Replace(said, raw, sh.Short(path)+": "+what, 1), fix
}

// fileError is the file system's error inside an error: its text, the path, and the
// system's own error.
func fileError(err error) (raw, path string, cause error) {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		return p.Error(), p.Path, p.Err
	case errors.As(err, &l):
		return l.Error(), l.New, l.Err
	}
	return "", "", nil
}

// fileTrouble is a cause in words.
func (sh *Shell) fileTrouble(path string, cause error) (what, fix string) {
	switch {
	case errors.Is(cause, fs.ErrNotExist):
		return "there is no such file or folder", sh.nearPath(path)
	case errors.Is(cause, syscall.EROFS):
		return "the file system is read-only", "mount it writable, or put the folder elsewhere (HOME, XDG_CONFIG_HOME, XDG_STATE_HOME)"
	case errors.Is(cause, fs.ErrPermission):
		return "permission denied", sh.rights() + " " + sh.Shown(standing(path)) + " shows whose it is and who may use it"
	case errors.Is(cause, syscall.EISDIR):
		return "it is a folder; want a file", sh.listing(path)
	case errors.Is(cause, syscall.ENOTDIR):
		file := inTheWay(path)
		return sh.Short(file) + " is a file, not a folder", sh.rights() + " " + sh.Shown(file)
	case errors.Is(cause, syscall.ENOSPC), errors.Is(cause, syscall.EDQUOT):
		return "the disk is full", "make room: df -h " + sh.Shown(filepath.Dir(path))
	case errors.Is(cause, syscall.ELOOP):
		return "its links lead in a circle", "ls -l " + sh.Shown(path)
	case errors.Is(cause, syscall.ENAMETOOLONG):
		return "the name is too long", "a shorter one"
	}
	return "", ""
}

// standing is a path, or of one that could not be made the folder that it was to be in.
func standing(path string) string {
	for {
		up := filepath.Dir(path)
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) || up == path {
			return path
		}
		path = up
	}
}

// inTheWay is the part of a path that is no folder and would have to be one.
func inTheWay(path string) string {
	for up := filepath.Dir(path); up != filepath.Dir(up); up = filepath.Dir(up) {
		if info, err := os.Stat(up); err == nil && !info.IsDir() {
			return up
		}
	}
	return path
}

// listing is the command that shows what is in a folder.
func (sh *Shell) listing(dir string) string {
	if sh.Host.GOOS == "windows" {
		return "dir " + sh.Shown(dir)
	}
	return "ls " + sh.Shown(dir)
}

// rights is the command that shows who may access a file.
func (sh *Shell) rights() string {
	if sh.Host.GOOS == "windows" {
		return "icacls"
	}
	return "ls -ld"
}

// nearPath is what to do about a missing path: the similar name beside it, or the
// folder in which its first missing part should be.
func (sh *Shell) nearPath(path string) string {
	dir, missing := filepath.Split(filepath.Clean(path))
	for {
		entries, err := os.ReadDir(dir)
		if err == nil {
			names := make([]string, 0, len(entries))
			for _, e := range entries {
				names = append(names, e.Name())
			}
			if near := text.Nearest(missing, names, min(2, len(missing)/3)); near != "" {
				return "did you mean " + sh.Shown(filepath.Join(dir, near)) + "?"
			}
			return "there is no " + sh.Word(missing) + " in " + sh.Short(filepath.Clean(dir)) + ": " + sh.listing(filepath.Clean(dir))
		}
		up, name := filepath.Split(strings.TrimRight(dir, string(filepath.Separator)))
		if up == "" || up == dir {
			return ""
		}
		dir, missing = up, name
	}
}
