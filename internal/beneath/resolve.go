package beneath

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
)

// rest is where a path lies below the folder, "" for the folder itself, once it
// was told and time is left.
func (r *Root) rest(path string) (string, error) {
	if r.Touched != nil {
		r.Touched(path)
	}
	if err := r.alive(path); err != nil {
		return "", err
	}
	if !safefile.Inside(path, r.Dir) {
		return "", r.refuse(path, safefile.ErrOutside, "outside of %s", r.Dir)
	}
	return strings.TrimPrefix(path[len(r.Dir):], string(filepath.Separator)), nil
}

// Real is where a path leads to once its links are followed, whether there is
// something or not.
func (r *Root) Real(path string) (string, error) {
	tail := ""
	for at := path; ; at = filepath.Dir(at) {
		rest, err := r.rest(at)
		if err != nil {
			return "", err
		}
		rel, err := r.resolve(at, rest, true)
		if err == nil {
			return filepath.Join(r.Dir, rel, tail), nil
		}
		if !errors.Is(err, fs.ErrNotExist) || at == r.Dir {
			return "", err
		}
		tail = filepath.Join(filepath.Base(at), tail)
	}
}

// within calls do with the opened folder, and where path is in it once its links
// are resolved.
func (r *Root) within(path, rest string, writes bool, do func(root *os.Root, rel string) error) error {
	rel, err := r.resolve(path, rest, !writes)
	if err != nil {
		return err
	}
	return r.do(path, rel, do)
}

// beside is within for what is done to a name: the last element of path is not
// followed.
func (r *Root) beside(path string, do func(root *os.Root, rel string) error) error {
	if path == r.Dir {
		return r.do(path, ".", do)
	}
	up := filepath.Dir(path)
	rest, err := r.rest(up)
	if err != nil {
		return err
	}
	rel, err := r.resolve(up, rest, true)
	if err != nil {
		return err
	}
	return r.do(path, filepath.Join(rel, filepath.Base(path)), do)
}

func (r *Root) do(path, rel string, do func(root *os.Root, rel string) error) error {
	root, err := r.open()
	if err != nil {
		return err
	}
	err = do(root, rel)
	if !keeps {
		root.Close()
	}
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		if pe.Path != path {
			pe.Path = path // absolute, as it was asked for
		}
		if isEscape(pe.Err) {
			return r.refuse(path, safefile.ErrOutside, "the link leads out of %s", r.Dir)
		}
	}
	return err
}

// open opens the folder itself, one that [Root.Sub] made by way of the one that it
// lies in, and keeps it where that is in nobody's way.
func (r *Root) open() (root *os.Root, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.root != nil {
		return r.root, nil
	}
	if keeps {
		defer func() { r.root = root }()
	}
	if r.top == nil {
		return os.OpenRoot(r.Dir)
	}
	rest, err := r.top.rest(r.Dir)
	if err != nil {
		return nil, err
	}
	err = r.top.within(r.Dir, rest, false, func(top *os.Root, rel string) (err error) {
		root, err = top.OpenRoot(rel)
		return err
	})
	return root, err
}

// isEscape reports whether os.Root refused; it has no error of its own for that.
func isEscape(err error) bool {
	return err != nil && strings.Contains(err.Error(), "escapes from parent")
}

// resolve is path below the folder, without links; last says whether the last
// element may be one.
func (r *Root) resolve(path, rest string, last bool) (string, error) {
	if rest == "" {
		return ".", nil
	}
	for end := 0; end < len(rest); {
		if i := strings.IndexByte(rest[end+1:], filepath.Separator); i < 0 {
			end = len(rest)
		} else {
			end += 1 + i
		}
		at := path[:len(path)-len(rest)+end]
		info, err := os.Lstat(at)
		if err != nil && (last || end < len(rest)) && errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if err != nil {
			return rest, nil // opening makes it, or says what is wrong
		}
		if !linked(info) {
			continue
		}
		if !last && end == len(rest) {
			return "", r.refuse(path, safefile.ErrOutside, "a link, and nothing is written through one: put the file itself there")
		}
		return r.follow(path, at)
	}
	return rest, nil
}

// follow is the end of a path that has a link at at.
func (r *Root) follow(path, at string) (string, error) {
	top, err := filepath.EvalSymlinks(r.Dir)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(path)
	missing := err
	made := ""
	for up := path; errors.Is(err, fs.ErrNotExist) && up != at; {
		// What is not there yet, in a folder that is a link. Where that leads counts
		// however much is missing below it: what lies outside is not to be told by
		// the difference.
		made = filepath.Join(filepath.Base(up), made)
		up = filepath.Dir(up)
		real, err = filepath.EvalSymlinks(up)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", r.refuse(at, ErrNowhere, "the link leads to nothing: remove it, or put the file itself there")
	case err != nil:
		return "", r.refuse(at, ErrNowhere, "the link cannot be followed: remove it, or put the file itself there")
	case !safefile.Inside(real, top):
		return "", r.refuse(at, safefile.ErrOutside, "the link leads out of %s: put the file itself there, or remove the link", r.Dir)
	}
	if name := safefile.GitIn(real, top); name != "" {
		return "", r.refuse(at, safefile.ErrOutside, "the link leads into the repository's own %s: put the file itself there, or remove the link", name)
	}
	if made != filepath.Base(made) && made != "" {
		return "", missing // more than the last element is not there
	}
	rel := strings.TrimPrefix(strings.TrimPrefix(real, top), string(filepath.Separator))
	return filepath.Join(rel, made), nil
}
