package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/signal"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

const (
	// wait is how long another process may hold a journal.
	wait = 2 * time.Second
	// mostCommand is how many characters of a command are kept.
	mostCommand = 120
	// Kept is how long journals of past sessions are kept.
	Kept = 14 * 24 * time.Hour
)

// A File is the journal of one session. The zero value belongs to no session: it is
// empty and keeps nothing.
type File struct{ path string }

// Of is the journal of a session in evolution's data folder.
func Of(data, session string) File {
	if session == "" {
		return File{}
	}
	return File{filepath.Join(Folder(data), name(session)+".md")}
}

// Folder is the folder of journals.
func Folder(data string) string { return filepath.Join(data, "journal") }

// name is a session's id as the name of a file: one that is long or has other
// characters gets a hash, so that no two are the same and none leads out of the folder.
func name(session string) string {
	plain := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, session)
	if plain == session && len(plain) <= 80 {
		return plain
	}
	sum := sha256.Sum256([]byte(session))
	return plain[:min(len(plain), 60)] + "-" + hex.EncodeToString(sum[:6])
}

// Path is the path of the file.
func (f File) Path() string { return f.path }

// Read is the current journal, an empty one if there is none.
func (f File) Read() Journal { return Parse(f.text()) }

// Troubled is Read for callers interested only in failures: it is empty if there are
// none, as on nearly every event.
func (f File) Troubled() Journal {
	text := f.text()
	if !strings.Contains(text, "\n  - signal:") {
		return Journal{}
	}
	return Parse(text)
}

func (f File) text() string {
	if f.path == "" {
		return ""
	}
	b, err := statefile.Read(f.path)
	if err != nil {
		return ""
	}
	return string(b)
}

// Begin starts the journal of a session: an existing one, of a session with the same
// id, is kept as the previous one. Journals older than [Kept] are removed.
func (f File) Begin(now time.Time) error {
	if f.path == "" {
		return nil
	}
	sweep(filepath.Dir(f.path), now.Add(-Kept))
	err := statefile.Move(f.path, strings.TrimSuffix(f.path, ".md")+".prev.md", wait)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// sweep removes old journals, and the locks of removed ones.
func sweep(dir string, before time.Time) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range list {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && info.ModTime().Before(before) {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// A Record is what has to be recorded.
type Record struct {
	Tool     string // bash, edit or write
	Command  string // unchanged: it is redacted and cut here
	Tagged   bool   // the agent said that it failed
	Signals  []signal.Key
	Failure  failure.Failure // if it failed
	Feedback []Feedback
	// Hint is added the third time that a signal comes up, "" for none.
	Hint string
}

// Add appends a record, and returns it as an entry. It is in the file when Add returns;
// several processes may add at once.
func (f File) Add(r Record, now time.Time) (Entry, error) {
	at := now.UTC().Format("15:04")
	e := Entry{Tool: r.Tool, Command: cut(redact.Memory.Text(r.Command)), At: at, Tagged: r.Tagged, Failure: r.Failure, Feedback: r.Feedback}
	if f.path == "" {
		return e, nil
	}
	release, err := statefile.Hold(f.path, wait)
	if err != nil {
		return e, err
	}
	defer release()
	var counts []Count
	if len(r.Signals) > 0 {
		j := f.Read()
		counts = j.Signals()
	}
	for _, k := range r.Signals {
		n := Signal{Key: k, Count: 1, At: at}
		for _, c := range counts {
			if c.Key == k {
				n.Count = c.N + 1
			}
		}
		e.Signals = append(e.Signals, n)
		if n.Count == 3 && r.Hint != "" && len(e.Hints) == 0 {
			e.Hints = []string{r.Hint}
		}
	}
	return e, f.write(e.lines(), now)
}

// Mark records that a review was requested.
func (f File) Mark(now time.Time) error {
	if f.path == "" {
		return nil
	}
	release, err := statefile.Hold(f.path, wait)
	if err != nil {
		return err
	}
	defer release()
	return f.write([]string{marker + " (at: " + now.UTC().Format(time.RFC3339) + ")"}, now)
}

// write appends lines below the heading. The caller holds the lock of the file.
func (f File) write(lines []string, now time.Time) error {
	if _, err := os.Lstat(f.path); errors.Is(err, fs.ErrNotExist) {
		lines = append([]string{"# Session Journal", "", "Started: " + now.UTC().Format(time.RFC3339)}, lines...)
	}
	all := make([][]byte, len(lines))
	for i, l := range lines {
		all[i] = []byte(l)
	}
	return statefile.AddHeld(f.path, all...)
}

// lines are the lines of an entry.
func (e *Entry) lines() []string {
	head := "- " + e.Tool + ": `" + e.Command + "` (" + e.At + ")"
	if e.Tagged {
		head += " [FAILED]"
	}
	out := []string{head}
	for _, s := range e.Signals {
		l := "  - signal:" + string(s.Key) + " (count: " + strconv.Itoa(s.Count) + ", at: " + s.At
		if s.TechStack != "" {
			l += " techStack=" + s.TechStack
		}
		out = append(out, l+")")
	}
	if e.Failure.ID != "" {
		out = append(out, "  - failure: "+FailureLine(&e.Failure))
	}
	for _, g := range e.Feedback {
		out = append(out, "  - gene_feedback: \""+text.OneLine(g.Title)+"\" gene_id="+text.OneLine(g.Gene)+" outcome="+g.Outcome)
	}
	for _, h := range e.Hints {
		out = append(out, "  - hint: "+text.OneLine(h))
	}
	return out
}

// cut is a command as entries show it: its beginning, on one line, without backquotes.
func cut(command string) string {
	return text.Head(strings.ReplaceAll(text.OneLine(command), "`", "'"), mostCommand)
}
