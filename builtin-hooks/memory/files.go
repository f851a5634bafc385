package memory

import (
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

// Types are the types that a fact may have.
const Types = "WBOS"

// ParseFact reads a line of a daily file or of facts.jsonl; ok is false for
// events, and for what is no fact.
func ParseFact(o protocol.Object) (f Fact, ok bool) { return parseFact(o) }

// FactFiles are the files of the folder that hold facts, by their paths below it,
// the oldest first: those that hold in what is checked out.
func (p Place) FactFiles() []string {
	var out []string
	entries, _ := p.Within.List(filepath.Join(p.Dir, dailyDir))
	var at Checkout
	for _, e := range entries {
		if filepath.Ext(e.Name()) == ".jsonl" && !strings.HasPrefix(e.Name(), ".") && (p.EveryBranch || p.holds(e.Name(), &at)) {
			out = append(out, dailyDir+"/"+e.Name())
		}
	}
	entries, _ = p.Within.List(filepath.Join(p.Dir, localDir))
	for _, e := range entries {
		if day, ok := strings.CutSuffix(e.Name(), ".jsonl"); ok && len(day) == len(time.DateOnly) {
			out = append(out, localDir+"/"+e.Name())
		}
	}
	out = append(out, p.SharedFiles()...)
	return append(out, factsFile)
}

// SummaryFiles are the files of the folder that hold summaries: what agents wrote, and
// what was put together of what a session did.
func (p Place) SummaryFiles() []string { return []string{sessionsFile, localSessions} }

// BranchOf is the branch that the facts of a file wait for, "" if they hold everywhere.
func BranchOf(file string) string { return branchOf(filepath.Base(file)) }

// Lines calls f with each line of a file of the folder that is a JSON object, and
// whose it is; a line that is none costs that line only. A file that is not there
// has none.
func (p Place) Lines(file string, f func(protocol.Object, ledger.Whose)) error {
	return p.lines(p.Path(file), f)
}

// Path is the path of a file of the folder.
func (p Place) Path(file string) string { return filepath.Join(p.Dir, filepath.FromSlash(file)) }

// Read is the content of a file of the folder, whoever wrote it; nil if there is
// none.
func (p Place) Read(file string) ([]byte, error) { return p.files().Read(p.Path(file)) }

// Page is a page of the folder, MEMORY.md or NOTES.md, taken apart by whose it is.
func (p Place) Page(file string) (ledger.Parts, error) {
	b, err := p.Read(file)
	parts := p.Ledger.Page(string(Both(b)), Templates()...)
	for _, text := range []*string{&parts.Known, &parts.Own, &parts.Let, &parts.Rest} {
		*text = strings.ToValidUTF8(*text, "\uFFFD")
	}
	return parts, err
}

// ReplacePage replaces a page of the folder by what change makes of it.
func (p Place) ReplacePage(file string, change func(old []byte) ([]byte, error)) error {
	return p.files().UpdateDurable(p.Path(file), lockWait, func(old []byte) ([]byte, error) {
		content, err := change(old)
		if err == nil && content != nil {
			p.Ledger.NotePage(string(old), string(content), Templates()...)
		}
		return content, err
	})
}

// BringPage is ReplacePage for a page that was kept: what of it was written here is
// known, and what was not stays what nobody has looked at.
func (p Place) BringPage(file string, change func(old []byte) ([]byte, error)) error {
	return p.files().UpdateDurable(p.Path(file), lockWait, change)
}

// Rewrite changes lines of a file of the folder. change gets each line that is a
// JSON object, and says whether it is another now, and whether it stays; every
// other line stays byte for byte. An error of change leaves the file as it was.
func (p Place) Rewrite(file string, change func(o *protocol.Object) (changed, stays bool, err error)) error {
	return p.files().UpdateDurable(p.Path(file), lockWait, func(old []byte) ([]byte, error) {
		if old == nil {
			return nil, nil
		}
		out := make([]byte, 0, len(old)+256)
		for line := range strings.Lines(string(old)) {
			o, err := protocol.ParseObject([]byte(strings.TrimRight(line, "\r\n")))
			if err != nil {
				out = append(out, line...)
				continue
			}
			changed, stays, err := change(&o)
			switch {
			case err != nil:
				return nil, err
			case !stays:
			case changed:
				at := len(out)
				out = append(o.Append(out), '\n')
				p.Ledger.NoteLine([]byte(line), out[at:])
			default:
				out = append(out, line...)
			}
		}
		return out, nil
	})
}

// CurrentSession is the session that an agent last began here, for a command
// that was not told its own.
func (p Place) CurrentSession() string {
	b, err := p.Read(currentFile)
	if err != nil {
		return ""
	}
	if id := strings.TrimSpace(string(b)); ledger.Token(id) {
		return id
	}
	return "" // no id of a session: it came with the project
}

// Counted notes that a session saved a fact (BM-SAV-12), or a stage of itself.
func (p Place) Counted(f Fact) error {
	return p.updateState(f.Session, f.Time, saveWait, func(o *protocol.Object) {
		if f.Kind == "S" {
			count(o, "stage_summary_count")
		} else {
			count(o, "fact_count")
		}
	})
}

// Locked does something while no other process does something here as well: what
// looks at all entries before it adds one.
func (p Place) Locked(do func() error) error {
	if err := p.Make(); err != nil {
		return err
	}
	return p.files().Update(filepath.Join(p.Dir, stateDir, ".save"), saveWait, func([]byte) ([]byte, error) { return nil, do() })
}

// saveWait is how long a command waits for others that save: a hundred at once
// take their turns.
const saveWait = 5 * lockWait

// ParseSummary reads a line of sessions.jsonl.
func ParseSummary(o protocol.Object) Summary {
	s := Summary{
		ID: o.Text("id"), Session: o.Text("session_id"), Topic: o.Text("topic"), Text: o.Text("summary"),
		Source: o.Text("source"), Author: o.Text("author"), Auto: o.Bool("auto_generated"), Deleted: o.Text("deleted_at") != "",
	}
	s.Decisions = protocol.TextsOf(o.Get("decisions"))
	s.Todos = protocol.TextsOf(o.Get("todos"))
	s.Time, _ = time.Parse(time.RFC3339Nano, o.Text("timestamp"))
	return s
}
