package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/statefile"
)

// A File is one that holds something nobody has looked at.
type File struct {
	Name  string // below its folder, with slashes
	Text  string // as it is
	Known string // what of it may be told
	Keys  []Key  // what may not
}

// PageFile is a page as a File; ok is false if all of it is known.
func (l *Ledger) PageFile(name, text string, forms ...string) (f File, ok bool) {
	parts := l.Page(text, forms...)
	return File{name, text, parts.Known, parts.Waiting}, len(parts.Waiting) > 0
}

// LinesFile is a file of lines as a File. tells reports whether a line says
// something that would be told; nil: each does.
func (l *Ledger) LinesFile(name, text string, tells func(line string) bool) (f File, ok bool) {
	f = File{Name: name}
	l.About()
	if !l.lacks(text) {
		return f, false
	}
	var known, all strings.Builder
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		k := LineKey([]byte(bare))
		switch {
		case bare == "" || l.Purged(k):
			continue
		case l.Of(k) != Nobody:
			known.WriteString(line)
		case tells != nil && !tells(bare):
			continue
		default:
			f.Keys = append(f.Keys, k)
		}
		all.WriteString(line)
	}
	f.Text, f.Known = all.String(), known.String()
	return f, len(f.Keys) > 0
}

// lacks reports whether a line is not known.
func (l *Ledger) lacks(text string) bool {
	for line := range bytes.Lines([]byte(text)) {
		if k := LineKey(line); l.Of(k) == Nobody && !l.Purged(k) && len(bytes.TrimSpace(line)) > 0 {
			return true
		}
	}
	return false
}

// Looked is when it was last seen that nothing waits in what a name stands for; zero if
// never.
func (l *Ledger) Looked(name string) time.Time {
	if l == nil || l.path == "" {
		return time.Time{}
	}
	info, err := os.Stat(l.path + "." + name)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// Look notes that nothing waits there now.
func (l *Ledger) Look(name string, now time.Time) {
	if l == nil || l.path == "" {
		return
	}
	path := l.path + "." + name
	if os.Chtimes(path, now, now) == nil {
		return
	}
	if os.MkdirAll(filepath.Dir(path), 0o700) == nil && os.WriteFile(path, nil, 0o600) == nil {
		_ = os.Chtimes(path, now, now) // else everything is looked through the next time
	}
}

// Digest stands for what waits in some files: the same for the same, "" for nothing.
func Digest(files []File) string {
	h, n := sha256.New(), 0
	for _, f := range files {
		io.WriteString(h, f.Name+"\x00")
		for _, k := range f.Keys {
			h.Write(k[:])
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Once reports whether something is said for the first time in this repository:
// the last thing that was said about a subject is remembered.
func (l *Ledger) Once(subject, digest string) bool {
	if l == nil || l.path == "" {
		return false
	}
	said := errors.New("said already")
	err := statefile.Update(l.path+".said", wait, func(old []byte) ([]byte, error) {
		var lines []string
		for line := range strings.Lines(string(old)) {
			name, was, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
			if name == subject && was == digest {
				return nil, said
			}
			if name != subject && name != "" {
				lines = append(lines, line)
			}
		}
		return []byte(strings.Join(append(lines, subject+" "+digest+"\n"), "")), nil
	})
	return !errors.Is(err, said)
}

// Count is how many pieces wait in some files.
func Count(files []File) (n int) {
	for _, f := range files {
		n += len(f.Keys)
	}
	return n
}

// Keys are what waits in some files.
func Keys(files []File) (keys []Key) {
	for _, f := range files {
		keys = append(keys, f.Keys...)
	}
	return keys
}
