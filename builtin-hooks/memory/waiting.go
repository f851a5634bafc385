package memory

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// TrustName is the name of a repository's memory among the things that need approval.
const TrustName = "memory"

// News is like Unapproved, but if nothing was waiting at the last call, it does not read files
// again that have not changed since.
func (p Place) News(now time.Time) ([]ledger.File, error) {
	files, err := p.unapproved(p.looked())
	if err == nil && len(files) == 0 {
		p.Ledger.Look(TrustName, now)
	}
	return files, err
}

// looked is the time at which nothing was waiting in the folder; zero: never.
func (p Place) looked() time.Time {
	const coarse = 2 * time.Second // the resolution of file systems' clocks
	if at := p.Ledger.Looked(TrustName); !at.IsZero() {
		return at.Add(-coarse)
	}
	return time.Time{}
}

// changed says whether a file of the folder was changed since a time.
func (p Place) changed(since time.Time) func(file string) bool {
	return func(file string) bool {
		info, err := p.Within.Stat(p.Path(file))
		return err != nil || !info.ModTime().Before(since)
	}
}

// Unapproved are the files of the folder with texts that this machine did not write and that
// are not approved. A user's own folder has none.
func (p Place) Unapproved() ([]ledger.File, error) { return p.unapproved(time.Time{}) }

// unapproved examines files that were changed since a time.
func (p Place) unapproved(since time.Time) (files []ledger.File, err error) {
	if p.Ledger == nil {
		return nil, nil
	}
	changed := p.changed(since)
	for _, name := range Pages() {
		if !changed(name) {
			continue
		}
		b, err := p.Read(name)
		if errors.Is(err, beneath.ErrRefused) {
			continue // it is not read, and that was reported
		}
		if err != nil {
			return files, err
		}
		if f, ok := p.Ledger.PageFile(name, string(Both(b)), Templates()...); ok {
			files = append(files, f)
		}
	}
	for _, name := range append(p.FactFiles(), p.SummaryFiles()...) {
		if !changed(name) {
			continue
		}
		b, err := p.Read(name)
		if errors.Is(err, beneath.ErrRefused) {
			continue // it is not read, and that was reported
		}
		if err != nil {
			return files, err
		}
		if f, ok := p.Ledger.LinesFile(name, string(b), p.tells(string(b))); ok {
			files = append(files, f)
		}
	}
	return files, nil
}

// tells reports whether a line of a file is a valid fact or summary, or deletes one that is in
// use or waits itself: an unapproved line must not remove anything, either.
func (p Place) tells(file string) func(line string) bool {
	var told map[string]bool
	return func(line string) bool {
		o, err := protocol.ParseObject([]byte(line))
		if err != nil {
			return false
		}
		if o.Text("deleted_at") != "" {
			if told == nil {
				told = p.told(file)
			}
			return told[IDOf(o)]
		}
		_, fact := parseFact(o)
		return fact || o.Text("summary") != "" || o.Text("topic") != ""
	}
}

// InUse is whose a line is, and the line as it is in use. One that was let in, and that somebody else
// has marked as deleted since, is in use as it was until that is let in, too (BM-WHO-11).
func InUse(l *ledger.Ledger, line []byte) (ledger.Whose, []byte) {
	key := ledger.LineKey(line)
	whose := l.Of(key)
	if whose != ledger.Nobody || l.Purged(key) || !bytes.Contains(line, []byte(`"deleted_at"`)) {
		return whose, line
	}
	o, err := protocol.ParseObject(bytes.TrimSpace(line))
	if err != nil {
		return whose, line
	}
	o.Delete("deleted_at")
	o.Delete("deleted_by")
	was := o.Append(nil)
	if whose = l.Of(ledger.LineKey(was)); whose == ledger.Nobody {
		return whose, line
	}
	return whose, was
}

// told are the ids of the lines of a file that are in use and not deleted, or that wait: they are let
// in together with what deletes them, so that no agent is told of them in between.
func (p Place) told(file string) map[string]bool {
	ids := map[string]bool{}
	for line := range strings.Lines(file) {
		o, err := protocol.ParseObject([]byte(strings.TrimSpace(line)))
		if err != nil {
			continue
		}
		id, deleted := IDOf(o), o.Text("deleted_at") != ""
		if deleted {
			whose, used := InUse(p.Ledger, []byte(line))
			if whose == ledger.Nobody {
				continue
			}
			deleted = bytes.Contains(used, []byte(`"deleted_at"`))
		}
		_, seen := ids[id]
		ids[id] = !deleted && (!seen || ids[id])
	}
	return ids
}

// NoteLines records as written here the waiting lines of the day's file and of the summaries
// that theirs recognizes as the agent's.
func (p Place) NoteLines(now time.Time, theirs func(text string) bool) error {
	files := p.SummaryFiles()
	for _, file := range p.FactFiles() {
		if strings.HasPrefix(filepath.Base(file), now.UTC().Format(time.DateOnly)) {
			files = append(files, file)
		}
	}
	for _, file := range files {
		path := p.Path(file)
		b, err := p.files().Read(path)
		if err != nil {
			return err
		}
		p.Ledger.About()
		for line := range strings.Lines(string(b)) {
			if p.Ledger.Of(ledger.LineKey([]byte(line))) != ledger.Nobody {
				continue
			}
			o, err := protocol.ParseObject([]byte(strings.TrimSpace(line)))
			if err != nil {
				continue
			}
			if f, ok := parseFact(o); ok && theirs(f.Content) || !ok && o.Text("summary") != "" && theirs(o.Text("topic")) && theirs(o.Text("summary")) {
				p.Ledger.NoteLine(nil, []byte(line))
			}
		}
	}
	return nil
}

// NotePieces does the same for the pieces of a page.
func (p Place) NotePieces(file string, theirs func(ledger.Piece) bool) error {
	b, err := p.Read(file)
	if err != nil {
		return err
	}
	b = Both(b)
	waiting := p.Ledger.Page(string(b), Templates()...).Waiting
	for _, piece := range ledger.Pieces(string(b)) {
		if slices.Contains(waiting, piece.Key) && theirs(piece) {
			if err := p.Ledger.Note(piece.Key); err != nil {
				return err
			}
		}
	}
	return nil
}
