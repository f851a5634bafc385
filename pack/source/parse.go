package source

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/pack"
)

// How a source is fetched.
const (
	Git     = "git"
	Archive = "archive"
	Folder  = "folder"
)

// A Source is a parsed address.
type Source struct {
	Kind    string
	Address string // as in a lock: an address, or a path
	Path    string // of a folder or an archive on this machine, absolute; else ""
	Ref     string // of git
	Dir     string // below it, with slashes, "" for the top
}

// Here is the base of relative paths: the current folder, the user's home, and for
// paths in a lock the project, "" if there is none.
type Here struct{ WorkDir, Home, Project string }

// Parse parses SOURCE[@REF][//DIR] as a user types it.
func Parse(text string, here Here) (Source, error) {
	s, err := parse(text, here)
	if err != nil {
		return s, fmt.Errorf("the source %q %w", text, err)
	}
	return s, nil
}

func parse(text string, here Here) (s Source, err error) {
	if err := plain(text); err != nil {
		return s, err
	}
	rest := text
	from := 0
	if scheme := strings.Index(rest, "://"); scheme > 0 {
		from = scheme + len("://")
	}
	if i := strings.Index(rest[from:], "//"); i >= 0 && !existing(rest, here) {
		rest, s.Dir = rest[:from+i], strings.Trim(rest[from+i:], "/")
		if s.Dir != "" {
			if err := pack.CheckPath(s.Dir); err != nil {
				return s, fmt.Errorf("names a folder that is refused: %w", err)
			}
		}
	}
	return s, s.resolve(rest, here)
}

// plain is an error for characters that no address contains.
func plain(text string) error {
	switch {
	case text == "":
		return errors.New("is empty")
	case strings.HasPrefix(text, "-"):
		return errors.New("begins with a hyphen, as an option of git would")
	case len(text) > 2000:
		return errors.New("is longer than 2000 bytes")
	case strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return errors.New("contains control characters")
	}
	return nil
}

// resolve finds out what an address without its folder is.
func (s *Source) resolve(rest string, here Here) error {
	switch {
	case strings.Contains(rest, "://"):
		return s.url(rest)
	case isPath(rest) || existing(rest, here):
		return s.local(rest, here)
	case strings.Contains(rest, "::"):
		return errors.New("names a helper that git would start: use https://, ssh:// or file://")
	case scpLike(rest):
		at := strings.IndexByte(rest, ':')
		address, ref := cutRef(rest, at)
		host := address[:at]
		if _, h, ok := strings.Cut(host, "@"); ok {
			host = h
		}
		if host == "" || host[0] == '-' || strings.HasPrefix(address[at+1:], "-") {
			return errors.New("names a host or a path that begins with a hyphen, as an option of ssh would")
		}
		s.Kind, s.Address = Git, address
		return s.ref(ref)
	}
	address, ref := cutRef(rest, 0)
	owner, name, ok := strings.Cut(address, "/")
	if ok && ordinary(owner) && ordinary(name) {
		s.Kind, s.Address = Git, "https://github.com/"+owner+"/"+strings.TrimSuffix(name, ".git")
		return s.ref(ref)
	}
	return errors.New("is neither an address, nor owner/name, nor a path that is there")
}

func (s *Source) url(rest string) error {
	begin := strings.Index(rest, "://") + len("://")
	slash := strings.IndexByte(rest[begin:], '/')
	if slash < 0 {
		return errors.New("has no path")
	}
	address, ref := cutRef(rest, begin+slash)
	u, err := url.Parse(address)
	if err != nil {
		return errors.New("is not an address")
	}
	if _, secret := u.User.Password(); secret {
		return errors.New("contains a password, which would end up in the lock: leave it to git's credential helper")
	}
	if strings.HasPrefix(u.Hostname(), "-") || strings.HasPrefix(u.User.Username(), "-") {
		return errors.New("names a host or a user that begins with a hyphen, as an option of ssh would")
	}
	s.Address = address
	switch u.Scheme {
	case "https", "ssh":
		if u.Hostname() == "" {
			return errors.New("names no host")
		}
		if s.Kind = Git; u.Scheme == "https" && isArchive(u.Path) {
			s.Kind = Archive
			if ref != "" {
				return errors.New("is an archive, which has no branches: leave the @" + ref + " out")
			}
			return nil
		}
	case "file":
		if u.Host != "" && u.Host != "localhost" || !strings.HasPrefix(u.Path, "/") {
			return errors.New("is not file:///absolute/path")
		}
		s.Kind = Git
	case "http", "git":
		return errors.New("would be fetched without encryption: use https:// or ssh://")
	default:
		return fmt.Errorf("has the scheme %q: use https://, ssh:// or file://", u.Scheme)
	}
	return s.ref(ref)
}

func (s *Source) local(rest string, here Here) error {
	p := rest
	if home, ok := strings.CutPrefix(p, "~/"); ok && here.Home != "" {
		p = filepath.Join(here.Home, home)
	}
	if !filepath.IsAbs(p) {
		p = filepath.Join(here.WorkDir, p)
	}
	p = filepath.Clean(p)
	info, err := os.Stat(p)
	if err != nil {
		if at := strings.LastIndexByte(rest, '@'); at > 0 && existing(rest[:at], here) {
			return errors.New("is a path, which has no branches: file:///absolute/path@" + rest[at+1:] + " for a git repository on this machine")
		}
		return &nowhere{err}
	}
	s.Kind, s.Path, s.Address = Folder, p, relative(p, here.Project)
	if !info.IsDir() {
		if s.Kind = Archive; !isArchive(p) {
			return errors.New("is neither a folder nor a .tar.gz")
		}
	}
	return nil
}

// Locked is the source that a lock names, at the pinned commit. A lock is not trusted:
// it is parsed by the same rules as what a user types.
func Locked(address, dir, ref string, here Here) (Source, error) {
	var s Source
	fail := func(err error) (Source, error) { return s, fmt.Errorf("the source %q of the lock %w", address, err) }
	if err := plain(address); err != nil {
		return fail(err)
	}
	if dir != "" {
		if err := pack.CheckPath(dir); err != nil {
			return fail(fmt.Errorf("names a folder that is refused: %w", err))
		}
	}
	s.Dir = dir
	if here.Project != "" {
		here.WorkDir = here.Project // relative paths in it start there
	}
	if err := s.resolve(address, here); err != nil {
		return fail(err)
	}
	if s.Kind == Git {
		if s.Ref != "" {
			return fail(errors.New("has a @REF of its own"))
		}
		if err := s.ref(ref); err != nil {
			return fail(err)
		}
	}
	return s, nil
}

// ref is an error for a name that has another meaning for git.
func (s *Source) ref(ref string) error {
	if ref == "" {
		return nil
	}
	bad := ref[0] == '-' || ref[0] == '/' || strings.HasSuffix(ref, "/") || strings.HasSuffix(ref, ".lock") || strings.HasSuffix(ref, ".") ||
		strings.Contains(ref, "..") || strings.Contains(ref, "@{") || strings.Contains(ref, "//") || len(ref) > 250 ||
		strings.ContainsFunc(ref, func(r rune) bool { return r <= ' ' || r == 0x7f || strings.ContainsRune(`~^:?*[\`, r) })
	if bad {
		return fmt.Errorf("has %q after its @, which cannot be a branch, tag or commit", ref)
	}
	s.Ref = ref
	return nil
}

// cutRef cuts an address at the last @ after some place.
func cutRef(s string, from int) (address, ref string) {
	at := strings.LastIndexByte(s[from:], '@')
	if at < 0 {
		return s, ""
	}
	return s[:from+at], s[from+at+1:]
}

// isPath reports whether a text can only be a path.
func isPath(s string) bool {
	return s == "." || s == ".." || strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../") || strings.HasPrefix(s, "~/") || filepath.IsAbs(s) || strings.HasPrefix(s, `.\`) || strings.HasPrefix(s, `..\`)
}

// existing reports whether a file of that name exists in the current folder.
func existing(s string, here Here) bool {
	if strings.Contains(s, "://") {
		return false
	}
	p := s
	if home, ok := strings.CutPrefix(p, "~/"); ok {
		p = filepath.Join(here.Home, home)
	}
	if !filepath.IsAbs(p) {
		p = filepath.Join(here.WorkDir, p)
	}
	_, err := os.Lstat(p)
	return err == nil && !strings.Contains(s, "//")
}

// scpLike reports whether a text is [user@]host:path.
func scpLike(s string) bool {
	colon := strings.IndexByte(s, ':')
	return colon > 1 && !strings.Contains(s[:colon], "/") && colon+1 < len(s)
}

func ordinary(s string) bool {
	return s != "" && s[0] != '-' && s[0] != '.' && strings.Trim(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz0123456789-_.") == ""
}

func isArchive(p string) bool {
	p = strings.ToLower(p)
	return strings.HasSuffix(p, ".tar.gz") || strings.HasSuffix(p, ".tgz")
}

// relative is a path as a project's lock has it: relative to the project if it is in
// it.
func relative(p, project string) string {
	if project != "" {
		if rel, err := filepath.Rel(project, p); err == nil && filepath.IsLocal(rel) {
			return "./" + filepath.ToSlash(rel)
		}
	}
	return p
}

// Name is a source's name if its pack has none: its last element.
func (s Source) Name() string {
	last := s.Dir
	if last == "" {
		last = strings.TrimRight(filepath.ToSlash(s.Address), "/")
		if s.Path != "" {
			last = filepath.ToSlash(s.Path)
		}
		if i := strings.LastIndexByte(last, ':'); i >= 0 && !strings.Contains(last[i:], "/") {
			last = last[i+1:]
		}
	}
	last = path.Base(last)
	for _, suffix := range []string{".git", ".tar.gz", ".tgz"} {
		last = strings.TrimSuffix(last, suffix)
	}
	return last
}

// String is a source as a user types it.
func (s Source) String() string {
	text := s.Address
	if s.Ref != "" {
		text += "@" + s.Ref
	}
	if s.Dir != "" {
		text += "//" + s.Dir
	}
	return text
}

// nowhere is the error for a path that does not exist or must not be read.
type nowhere struct{ err error }

func (*nowhere) Error() string   { return "is a path, and nothing is there" }
func (n *nowhere) Unwrap() error { return n.err }
