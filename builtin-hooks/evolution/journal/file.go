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
	// wait is how long a journal may be held by another process.
	wait = 2 * time.Second
	// mostCommand is how many characters of a command are kept.
	mostCommand = 120
	// Kept is how long journals of sessions that are over are kept.
	Kept = 14 * 24 * time.Hour
)

// A File is the journal of one session. The zero value is that of no session:
// nothing is kept in it, and nothing is in it.
type File struct{ path string }

// Of is the journal of a session in the folder of evolution's data.
func Of(data, session string) File {
	if session == "" {
		return File{}
	}
	return File{filepath.Join(Folder(data), name(session)+".md")}
}

// Folder is where journals lie.
func Folder(data string) string { return filepath.Join(data, "journal") }

// name is a session's id as the name of a file: one that has other characters, or
// is long, gets a hash, so that no two are the same and none leaves the folder.
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

// Path is where the file is.
func (f File) Path() string { return f.path }

// Read is the journal as it stands, an empty one if there is none.
func (f File) Read() Journal { return Parse(f.text()) }

// Troubled is Read for who only asks about failures: an empty journal if there
// are none in it, which is what nearly every event finds.
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

// Begin starts the journal of a session anew: one that is there already, of a
// session with the same id, is kept aside as the previous one. Journals that are
// older than [Kept] go.
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

// sweep removes journals, and the locks of those that are gone.
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

// A Record is what is to be noted.
type Record struct {
	Tool     string // bash, edit or write
	Command  string // as it came: it is redacted and cut here
	Tagged   bool   // the agent said that it failed
	Signals  []signal.Key
	Failure  failure.Failure // of one that failed
	Feedback []Feedback
	// Hint is what is added on the third time of a signal, "" for none.
	Hint string
}

// Add appends a record, and returns it as an entry. What it says is in the file
// when Add returns; several processes may add at once.
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

// Mark notes that a review was asked for.
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

// write appends lines below the heading. The caller holds the file.
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

// lines is an entry as it is written.
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

// cut is a command as an entry shows it: the beginning of it, on one line, without
// the quotes that end it.
func cut(command string) string {
	return text.Head(strings.ReplaceAll(text.OneLine(command), "`", "'"), mostCommand)
}
