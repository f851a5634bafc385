package memory

import (
	"bytes"
	"path/filepath"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// The files of a memory folder, for the commands that work on them.
const (
	CoreFile     = coreFile
	NotesFile    = notesFile
	FactsFile    = factsFile
	SessionsFile = sessionsFile
	DailyDir     = dailyDir
	LocalDir     = localDir
)

// Types are the types that a fact can have.
const Types = "WBOS"

// ParseFact reads a line of a daily file or of facts.jsonl; ok is false for events, and for
// anything else that is not a fact.
func ParseFact(o protocol.Object) (f Fact, ok bool) { return parseFact(o) }

// FactFiles are the files of the folder with facts that hold in the present checkout, by their
// paths below the folder, the oldest first, as far as they are read ([Place.afford]).
func (p Place) FactFiles() []string {
	var out []string
	var at Checkout
	for _, file := range p.days() {
		if p.EveryBranch || p.holds(file, &at) {
			out = append(out, file)
		}
	}
	entries, _ := p.Within.List(filepath.Join(p.Dir, localDir))
	for _, e := range entries {
		if day, ok := strings.CutSuffix(e.Name(), ".jsonl"); ok && len(day) == len(time.DateOnly) {
			out = append(out, localDir+"/"+e.Name())
		}
	}
	out = append(out, p.SharedFiles()...)
	return p.afford(append(out, bothOf(factsFile)...))
}

// SummaryFiles are the files of the folder with summaries: those that agents wrote, and those
// compiled from what a session did.
func (p Place) SummaryFiles() []string { return p.afford(append(bothOf(sessionsFile), localSessions)) }

// BranchOf is the branch to which a file's facts belong until it is merged, "" if they hold everywhere.
func BranchOf(file string) string { return branchOf(filepath.Base(file)) }

// Lines calls f with each line of a file of the folder that is a JSON object, and with its
// owner; an invalid line is skipped. A file that does not exist has no lines.
func (p Place) Lines(file string, f func(protocol.Object, ledger.Whose)) error {
	return p.lines(p.Path(file), f)
}

// LinesOf is Lines for the objects with some ids.
func (p Place) LinesOf(file string, ids map[string]bool, f func(protocol.Object, ledger.Whose)) error {
	return p.linesWith(p.Path(file), func(line []byte) bool { return mayName(line, ids) }, func(o protocol.Object, whose ledger.Whose) {
		if ids[IDOf(o)] {
			f(o, whose)
		}
	})
}

// mayName reports whether a line may be an object with one of some ids. One that contains a
// backslash may write any of them in another way, and the id of one without any follows from its text,
// or, where it is not of our form, from itself.
func mayName(line []byte, ids map[string]bool) bool {
	if ids[""] || bytes.IndexByte(line, '\\') >= 0 || !bytes.Contains(line, []byte(`"id"`)) {
		return true
	}
	for {
		_, rest, has := bytes.Cut(line, []byte(`"id"`))
		if !has {
			return false
		}
		line = rest
		rest = bytes.TrimLeft(rest, " \t\r")
		if len(rest) == 0 || rest[0] != ':' {
			continue
		}
		rest = bytes.TrimLeft(rest[1:], " \t\r")
		if len(rest) == 0 || rest[0] != '"' {
			continue
		}
		if end := bytes.IndexByte(rest[1:], '"'); end >= 0 {
			if id := rest[1 : 1+end]; ids[string(id)] || !hasOurForm(id) {
				return true
			}
		}
	}
}

// Path is the path of a file of the folder.
func (p Place) Path(file string) string { return filepath.Join(p.Dir, filepath.FromSlash(file)) }

// Read is the content of a file of the folder, whoever wrote it; nil if it does not exist.
func (p Place) Read(file string) ([]byte, error) { return p.files().Read(p.Path(file)) }

// Page is a file of a page of the folder, divided by owner.
func (p Place) Page(file string) (ledger.Parts, error) {
	b, err := p.Read(file)
	parts := p.Ledger.Page(string(Both(b)), Templates()...)
	for _, text := range []*string{&parts.Known, &parts.Own, &parts.Let, &parts.Rest} {
		*text = strings.ToValidUTF8(*text, "\uFFFD")
	}
	return parts, err
}

// ReplacePage replaces a page of the folder with the result of change, which is asked again if
// somebody edits the page meanwhile.
func (p Place) ReplacePage(file string, change func(old []byte) ([]byte, error)) error {
	return p.files().Amend(p.Path(file), lockWait, func(old []byte) ([]byte, error) {
		content, err := change(old)
		if err == nil && content != nil {
			p.Ledger.NotePage(string(old), string(content), Templates()...)
		}
		return content, err
	})
}

// BringPage is ReplacePage for an earlier version of a page: the parts of it that were written
// here are known, and the others still wait for approval.
func (p Place) BringPage(file string, change func(old []byte) ([]byte, error)) error {
	return p.files().Amend(p.Path(file), lockWait, change)
}

// Rewrite changes lines of a file of the folder. change gets each line that is a JSON object,
// and says whether it has changed it, and whether it stays; all other lines stay byte for byte,
// and so does what somebody appends meanwhile. If change returns an error, the file stays as it is.
func (p Place) Rewrite(file string, change func(o *protocol.Object) (changed, stays bool, err error)) error {
	type result struct{ line, is string }
	var results []result // of the last reading
	return p.files().Amend(p.Path(file), lockWait, func(old []byte) ([]byte, error) {
		if old == nil {
			return nil, nil
		}
		// Somebody changed the file after it was read: change counts what it gets, and gets a line once.
		known := map[string][]string{}
		for _, r := range results {
			known[r.line] = append(known[r.line], r.is)
		}
		results = results[:0]
		out := make([]byte, 0, len(old)+256)
		for line := range strings.Lines(string(old)) {
			is := line
			if list := known[line]; len(list) > 0 {
				is, known[line] = list[0], list[1:]
			} else if o, err := protocol.ParseObject([]byte(strings.TrimRight(line, "\r\n"))); err == nil {
				changed, stays, err := change(&o)
				switch {
				case err != nil:
					return nil, err
				case !stays:
					is = ""
				case changed:
					is = string(append(o.Append(nil), '\n'))
					p.Ledger.NoteLine([]byte(line), []byte(is))
				}
			}
			results = append(results, result{line, is})
			out = append(out, is...)
		}
		return out, nil
	})
}

// CurrentSession is the session that an agent last began here, for a command that was not told
// its session.
func (p Place) CurrentSession() string {
	b, err := p.Read(currentFile)
	if err != nil {
		return ""
	}
	if id := strings.TrimSpace(string(b)); ledger.Token(id) {
		return id
	}
	return "" // not a session's id: it came with the project
}

// Counted records that a session saved a fact (BM-SAV-12), or a stage of itself.
func (p Place) Counted(f Fact) error {
	return p.updateState(f.Session, f.Time, saveWait, func(o *protocol.Object) {
		if f.Kind == "S" {
			count(o, "stage_summary_count")
		} else {
			count(o, "fact_count")
		}
	})
}

// Locked does something while no other process does anything here: for operations that look at
// all entries before they add one.
func (p Place) Locked(do func() error) error {
	if err := p.Make(); err != nil {
		return err
	}
	return p.files().Update(filepath.Join(p.Dir, stateDir, ".save"), saveWait, func([]byte) ([]byte, error) { return nil, do() })
}

// saveWait is how long a command waits for others that save: a hundred at once take turns.
const saveWait = 5 * lockWait

// ParseSummary reads a line of sessions.jsonl.
func ParseSummary(o protocol.Object) Summary {
	s := Summary{
		ID: OurID(o.Text("id")), Session: o.Text("session_id"), Topic: o.Text("topic"), Text: o.Text("summary"),
		Source: o.Text("source"), Author: o.Text("author"), Auto: o.Bool("auto_generated"), Deleted: o.Text("deleted_at") != "",
	}
	s.Decisions = protocol.TextsOf(o.Get("decisions"))
	s.Todos = protocol.TextsOf(o.Get("todos"))
	s.Time, _ = time.Parse(time.RFC3339Nano, o.Text("timestamp"))
	return s
}
