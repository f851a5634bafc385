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
	if text == "" || len(text) > maxRooted || strings.ContainsAny(text, "\n\x00") {
		return ""
	}
	roots := t.roots()
	if !filepath.IsAbs(text) {
		text = filepath.Join(cmp.Or(t.ev.WorkDir, roots[0]), text)
	}
	if mark == "~/" {
		roots = []string{t.hook.near.homeDir()}
	}
	for _, root := range roots {
		if rest, ok := below(filepath.Clean(text), root); ok {
			return mark + rest
		}
	}
	return ""
}

// roots are the folders that count as the project's root: of a project's own hook that
// one alone. A person's hook has that where the agent works, and that where the session
// began, which it cannot leave behind by going elsewhere.
func (t *trial) roots() []string {
	s := t.hook.near
	if t.hook.Project != "" || s == nil {
		return []string{cmp.Or(t.hook.Project, t.ev.WorkDir)}
	}
	roots := []string{cmp.Or(s.Project, s.Root, t.ev.WorkDir)}
	if kept := s.loader.src.Kept; len(kept) > 0 {
		roots = append(roots, cmp.Or(kept[0].Project, kept[0].Dir))
	}
	return roots
}

// below is a path from a folder that it lies below.
func below(path, dir string) (rest string, ok bool) {
	if dir == "" {
		return "", false
	}
	if !safefile.Inside(path, dir) {
		path, dir = realPath(path), realPath(dir)
	}
	if !safefile.Inside(path, dir) {
		return "", false
	}
	return strings.TrimLeft(filepath.ToSlash(path[len(dir):]), "/"), true
}

// homeDir is the person's.
func (s *Set) homeDir() string {
	if s == nil {
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
