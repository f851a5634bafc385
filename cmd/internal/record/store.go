package record

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/runner"
)

// The limits of what is stored, in bytes.
const (
	MaxLine    = 256 << 10
	MaxText    = 16 << 10
	MaxSession = 8 << 20
	MaxTotal   = 64 << 20

	// maxPayload is the size above which a payload is not even searched for secrets.
	maxPayload = 1 << 20
)

// lockWait is how long to wait for another writer.
const lockWait = 2 * time.Second

// A Store is a user's recordings, in the state directory. The zero values of its
// limits mean the constants above.
type Store struct {
	State                         string
	MaxLine, MaxSession, MaxTotal int64
}

func (s Store) dir() string                   { return filepath.Join(s.State, "record") }
func (s Store) projectDir(root string) string { return filepath.Join(s.dir(), hash(root)) }
func (s Store) marker(root string) string     { return filepath.Join(s.projectDir(root), "on") }

func hash(root string) string {
	sum := sha256.Sum256([]byte(root))
	return hex.EncodeToString(sum[:8])
}

// On reports whether a project's events are recorded. It makes one system call.
func (s Store) On(root string) bool {
	if s.State == "" || root == "" {
		return false
	}
	_, err := os.Lstat(s.marker(root))
	return err == nil
}

// hold keeps others from changing recordings.
func (s Store) hold() (release func(), err error) { return statefile.Hold(s.dir(), lockWait) }

// Start switches recording on for a project.
func (s Store) Start(root string, now time.Time) error {
	release, err := s.hold()
	if err != nil {
		return err
	}
	defer release()
	if err := os.MkdirAll(s.projectDir(root), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(s.projectDir(root), "project"), []byte(root+"\n"), 0o600); err != nil {
		return err
	}
	f, err := os.OpenFile(s.marker(root), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil // and keeps the time at which it was switched on
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(now.UTC().Format(time.RFC3339) + "\n")
	return errors.Join(err, f.Close())
}

// Stop switches recording off; what was recorded stays.
func (s Store) Stop(root string) error {
	release, err := s.hold()
	if err != nil {
		return err
	}
	defer release()
	err = os.Remove(s.marker(root))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Clear deletes a project's recordings, and returns the number of sessions. It does
// not change whether the project is recorded.
func (s Store) Clear(root string) (sessions int, err error) {
	release, err := s.hold()
	if err != nil {
		return 0, err
	}
	defer release()
	dir := s.projectDir(root)
	p, err := s.project(dir)
	if err != nil {
		return 0, err
	}
	if !p.On {
		return len(p.Sessions), os.RemoveAll(dir)
	}
	entries, err := os.ReadDir(dir)
	errs := []error{err}
	for _, e := range entries {
		if e.Name() != "on" && e.Name() != "project" {
			errs = append(errs, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return len(p.Sessions), errors.Join(errs...)
}

// Add stores an entry, and deletes the oldest data if there is too much.
func (s Store) Add(root string, e Entry) error {
	line := e.line(int(cmp.Or(s.MaxLine, MaxLine)))
	release, err := s.hold()
	if err != nil {
		return err
	}
	defer release()
	if !s.On(root) {
		return nil // switched off meanwhile: what was cleared must not come back
	}
	path := filepath.Join(s.projectDir(root), sessionFile(e.Agent, e.Session))
	before := size(path)
	if err := statefile.AppendHeld(path, line); err != nil {
		return err
	}
	after := size(path)
	if most := cmp.Or(s.MaxSession, MaxSession); after > most {
		if err := keepNewest(path, most/2); err != nil {
			return err
		}
	}
	// All sessions are only checked when this one has grown noticeably.
	if step := cmp.Or(s.MaxTotal, MaxTotal) / 64; before == 0 || before/step != after/step {
		return s.bound(path)
	}
	return nil
}

// sessionFile is the name of a session's file. Ids that are not plain names are
// replaced by a hash.
func sessionFile(agent, session string) string {
	plain := func(s string) string { return filepath.Base(runner.SessionDir("", s)) }
	return plain(cmp.Or(agent, "spec")) + "." + plain(cmp.Or(session, "none")) + ".jsonl"
}

func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// keepNewest removes the oldest lines from a file until at most n bytes are left. A
// reader sees either the old file or the new one.
func keepNewest(path string, n int64) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if int64(len(b)) > n {
		b = b[int64(len(b))-n:]
		b = b[bytes.IndexByte(b, '\n')+1:]
	}
	temp := path + ".new"
	if err := os.WriteFile(temp, b, 0o600); err != nil {
		os.Remove(temp)
		return err
	}
	return os.Rename(temp, path)
}

// bound removes the sessions that were written to longest ago, until the rest is
// within the limit. The session that is being written stays.
func (s Store) bound(current string) error {
	projects, err := s.Projects()
	if err != nil {
		return err
	}
	var all []Session
	total := int64(0)
	for _, p := range projects {
		for _, f := range p.Sessions {
			all = append(all, f)
			total += f.Bytes
		}
	}
	order.By(all, func(a, b Session) int { return a.Last.Compare(b.Last) })
	for _, f := range all {
		if total <= cmp.Or(s.MaxTotal, MaxTotal) {
			break
		}
		if f.Path == current {
			continue
		}
		if err := os.Remove(f.Path); err != nil {
			return err
		}
		total -= f.Bytes
	}
	return nil
}

// A Project is one whose events are or were recorded.
type Project struct {
	Root     string // "" if that is no longer known
	On       bool
	Since    time.Time // when it was switched on, zero if it is off
	Dir      string
	Sessions []Session // by time, the oldest first
}

// Bytes is how much is stored for a project.
func (p Project) Bytes() (n int64) {
	for _, f := range p.Sessions {
		n += f.Bytes
	}
	return n
}

// A Session is one file.
type Session struct {
	Path  string
	Bytes int64
	Last  time.Time // when it was last written to
}

// Project describes one project.
func (s Store) Project(root string) (Project, error) {
	p, err := s.project(s.projectDir(root))
	p.Root = root
	return p, err
}

// Projects describes all projects that are or were recorded, sorted by root. A state
// directory without recordings is not an error.
func (s Store) Projects() ([]Project, error) {
	entries, err := os.ReadDir(s.dir())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var list []Project
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		p, err := s.project(filepath.Join(s.dir(), e.Name()))
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	order.By(list, func(a, b Project) int { return strings.Compare(a.Root, b.Root) })
	return list, nil
}

func (s Store) project(dir string) (Project, error) {
	p := Project{Dir: dir}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return p, err
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case e.Name() == "on":
			p.On = true
			p.Since, _ = time.Parse(time.RFC3339, firstLine(path))
		case e.Name() == "project":
			p.Root = firstLine(path)
		case strings.HasSuffix(e.Name(), ".jsonl"):
			info, err := e.Info()
			if err != nil {
				continue // deleted meanwhile
			}
			p.Sessions = append(p.Sessions, Session{path, info.Size(), info.ModTime()})
		}
	}
	order.By(p.Sessions, func(a, b Session) int {
		return cmp.Or(a.Last.Compare(b.Last), strings.Compare(a.Path, b.Path))
	})
	return p, nil
}

func firstLine(path string) string {
	b, err := safefile.Read(path, 64<<10)
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(b), "\n")
	return line
}
