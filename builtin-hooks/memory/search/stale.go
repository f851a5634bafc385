package search

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// settle is how old a change of a file must be before its time and size suffice to know that it
// has not changed since: file systems' clocks are coarse.
const settle = 2 * time.Second

// Seen is the state of a file when it was read.
type Seen struct {
	Size, MTime, At int64 // bytes; nanoseconds: when it was changed, and read
	Hash            []byte
}

// A Stale file has to be read.
type Stale struct {
	Source Source
	Seen   Seen
	Part   []byte
	Tail   bool // Part is what was added; the rest has not changed
}

// gone reports whether a file counts as missing: a refused file is not read, which affects
// nothing else.
func gone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, beneath.ErrRefused)
}

// A glance examines files that are in one folder, one after another, with one system call each.
type glance struct {
	dir    string
	in     *beneath.Root
	folder *beneath.Folder // nil: it cannot be opened
}

// same reports whether a file is certainly as it was read; if that is uncertain, Look finds
// out.
func (g *glance) same(s Source, before Seen) bool {
	dir, name := filepath.Split(s.Path)
	if dir != g.dir || s.In != g.in {
		g.close()
		g.dir, g.in = dir, s.In
		g.folder, _ = s.In.Folder(filepath.Clean(dir))
	}
	if g.folder == nil {
		return false
	}
	size, at, ok := g.folder.Written(name)
	return ok && before.asWritten(size, at)
}

func (g *glance) close() {
	if g.folder != nil {
		g.folder.Close()
	}
}

// asWritten reports whether a file of that size, written then, is certainly the one that was read.
func (s Seen) asWritten(size, at int64) bool {
	return s.Size == size && s.MTime == at && s.At-at > int64(settle)
}

// Look determines what is new in a file. A missing file is like an empty one.
func Look(s Source, before Seen, have bool, now time.Time) (w Stale, changed bool, err error) {
	info, err := s.In.Stat(s.Path)
	if err == nil && !info.Mode().IsRegular() {
		_, err = s.In.Open(s.Path) // the error says what it is, and that it is refused
	}
	if gone(err) {
		return Stale{Source: s, Seen: Seen{Hash: []byte{}}}, have && before.Size > 0, nil
	}
	if err != nil {
		return w, false, err
	}
	mtime := info.ModTime().UnixNano()
	if have && before.asWritten(info.Size(), mtime) {
		return w, false, nil
	}
	b, err := s.In.Read(s.Path, 0)
	if gone(err) {
		return Stale{Source: s, Seen: Seen{Hash: []byte{}}}, have && before.Size > 0, nil // mutant: only of a file that goes just now
	}
	if err != nil {
		return w, false, err
	}
	if s.Lines {
		// A line without a line break is still being written, unless it is complete: then
		// somebody typed it.
		end := bytes.LastIndexByte(b, '\n') + 1
		if _, err := protocol.ParseObject(b[end:]); err != nil {
			b = b[:end]
		}
	}
	sum := sha256.Sum256(b)
	w = Stale{s, Seen{int64(len(b)), mtime, now.UnixNano(), sum[:]}, b, false}
	if !have {
		return w, true, nil
	}
	if string(before.Hash) == string(sum[:]) {
		// Only its time has changed. That is recorded once it is reliable.
		return w, now.UnixNano()-mtime > int64(settle), nil
	}
	if n := before.Size; s.Lines && n > 0 && n < int64(len(b)) {
		if head := sha256.Sum256(b[:n]); string(head[:]) == string(before.Hash) {
			w.Part, w.Tail = b[n:], true
		}
	}
	return w, true, nil
}
