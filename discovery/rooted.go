package discovery

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
)

// maxRooted is how long a text may be that is taken for a path.
const maxRooted = 4096

// rooted is the folder from which an expression is about paths, by how these are
// written: ./a/b from the root of the project, ~/a/b from the person's home. No
// absolute path begins like that, so that it says of itself what it is to be tried on.
func rooted(source string) (mark string) {
	switch source = behindOptions(source); {
	case strings.HasPrefix(source, `^\./`):
		return "./"
	case strings.HasPrefix(source, `^~/`):
		return "~/"
	}
	return ""
}

// from is a path as it is seen from such a folder, "" for one of elsewhere and for
// what is none. The folder may be known without its links, a path with them.
func (t *trial) from(mark, text string) string {
	root := cmp.Or(t.hook.Project, t.hook.near.project(), t.ev.WorkDir)
	at := root
	if mark == "~/" {
		at = t.hook.near.homeDir()
	}
	if at == "" || text == "" || len(text) > maxRooted || strings.ContainsAny(text, "\n\x00") {
		return ""
	}
	if !filepath.IsAbs(text) {
		text = filepath.Join(cmp.Or(t.ev.WorkDir, root), text)
	}
	text = filepath.Clean(text)
	if !safefile.Inside(text, at) {
		text, at = realPath(text), realPath(at)
	}
	if !safefile.Inside(text, at) {
		return ""
	}
	return mark + strings.TrimLeft(filepath.ToSlash(text[len(at):]), "/")
}

// project is the folder that the hooks of a set are told is their project.
func (s *Set) project() string {
	if s == nil {
		return ""
	}
	return cmp.Or(s.Project, s.Root)
}

// homeDir is the person's.
func (s *Set) homeDir() string {
	if s == nil || s.loader == nil {
		return ""
	}
	return s.loader.src.Home
}

// realPath is where a path leads to, as far as that is there.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	dir := filepath.Dir(path)
	if dir == path {
		return path
	}
	return filepath.Join(realPath(dir), filepath.Base(path))
}
