package discovery

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
)

// maxRooted is the maximal length of a text that may be a path.
const maxRooted = 4096

// rooted is the folder that an expression about paths starts from, as shown by its
// beginning: ./a/b is relative to the root of the project, ~/a/b to the user's home. No
// absolute path begins like that, so the expression itself says what to apply it to.
func rooted(source string) (mark string) {
	switch source = behindOptions(source); {
	case strings.HasPrefix(source, `^\./`):
		return "./"
	case strings.HasPrefix(source, `^~/`):
		return "~/"
	}
	return ""
}

// from is a path relative to such a folder, "" if it lies elsewhere or is not a path.
// The folder may be known without its links, a path with them.
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

// roots are the folders that count as the project's root. A project's own hook has only
// its project. A user's hook has the one where the agent works and the one where the
// session began, which the agent cannot leave behind by going elsewhere.
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

// below is a path relative to a folder that contains it.
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

// homeDir is the user's home.
func (s *Set) homeDir() string {
	if s == nil {
		return ""
	}
	return s.loader.src.Home
}

// realPath resolves the links of the part of a path that exists.
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
