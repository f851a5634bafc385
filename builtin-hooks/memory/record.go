package memory

import (
	"bytes"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// The files of a memory folder, with the original's names.
const (
	coreFile     = "MEMORY.md"
	notesFile    = "NOTES.md"
	factsFile    = "facts.jsonl"
	sessionsFile = "sessions.jsonl"
	dailyDir     = "daily"
	stateDir     = "session_state"
	localDir     = "local"
	logsDir      = "logs"
	currentFile  = "current_session.txt"

	localSessions = localDir + "/" + sessionsFile
)

// lockWait is how long to wait for a file that another process has locked.
const lockWait = 2 * time.Second

// A Fact is one thing that is remembered.
type Fact struct {
	ID         string
	Kind       string // W the world, B what happened, O a preference, S a stage of a session
	Content    string
	Entities   []string
	Confidence float64
	Time       time.Time
	Session    string
	Origin     string // where it was imported from, "" if it was saved here
	Supersedes []string
	Beside     []string // facts that it was shown to contradict or to replace, and does not
	Asked      []string // facts that it may replace or contradict, of which nobody said so yet
	Deleted    bool
	DeletedAt  time.Time
	Updated    time.Time // when it was last edited; zero: never
	From       Source
	Since      time.Time    // it holds from then on; zero: always
	Until      time.Time    // it holds until then; zero: always
	User       bool         // from the user's memory, not the project's
	Decisions  []string     // of a stage
	Todos      []string     // of a stage
	Whose      ledger.Whose // who wrote it, if it was read
}

// A Source says who stated a fact, and where.
type Source struct {
	Author         string
	Branch, Commit string
	At             string // file:line
}

// Outlives reports whether a version of a fact was written after another one was deleted: by
// somebody who did not know that. Until somebody decides, what was done last counts.
func (f Fact) Outlives(deleted Fact) bool {
	return !f.Deleted && deleted.Deleted && f.Updated.After(deleted.DeletedAt)
}

// Holds reports whether a fact holds at a time.
func (f Fact) Holds(now time.Time) bool {
	return (f.Since.IsZero() || !now.Before(f.Since)) && (f.Until.IsZero() || now.Before(f.Until))
}

// Daily is the file of a day's facts and events, in UTC.
func (p Place) Daily(day time.Time) string { return p.Path(p.written(dailyFile(day))) }

func dailyFile(day time.Time) string {
	return dailyDir + "/" + day.UTC().Format(time.DateOnly) + ".jsonl"
}

// Stamp is a time as the files have it.
func Stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

// NewID is the id of an entry: its kind ("log", "sum"), the day and time, and what
// distinguishes it from others of the same millisecond (BM-STO-09).
func NewID(prefix string, now time.Time, random uint64) string {
	tail := "000000" + strconv.FormatUint(random, 36)
	return prefix + "-" + strings.Replace(now.UTC().Format("20060102150405.000"), ".", "", 1) + "-" + tail[len(tail)-6:]
}

// Event appends an event that is not a fact to the day's file, or to this machine's if the
// day's file goes into commits: when somebody worked, and in which folder, does not belong into
// commits, and a session must not change a file of theirs just by beginning (BM-GIT-12).
func (p Place) Event(kind, id string, now time.Time, members protocol.Object) error {
	o := protocol.Object{}
	o.SetText("id", id)
	o.SetText("type", kind)
	for _, m := range members {
		o.Set(m.Name, m.Value)
	}
	o.SetText("timestamp", Stamp(now))
	path := p.Daily(now)
	keeps, known := p.keepsOut()
	if p.Git == "commit" || p.Git == "ignore" && known && !keeps { // a clone's folder is committed all the same
		if err := p.makeLocal(); err != nil {
			return err
		}
		path = p.Local(now)
	}
	if err := p.ready(path); err != nil {
		return err
	}
	return p.files().Add(path, lockWait, o.Append(nil))
}

// Keep appends a fact to the day's file, as it is: the caller has redacted it.
func (p Place) Keep(f Fact) error { return p.KeepFact(f, "") }

// KeepFact is Keep for a fact with a topic key, "" for none: a later fact with the same key
// replaces it.
func (p Place) KeepFact(f Fact, topicKey string) error {
	var o, source protocol.Object
	o.SetText("id", f.ID)
	o.SetText("type", "fact")
	o.SetText("memory_type", f.Kind)
	o.SetText("content", f.Content)
	o.Set("entities", protocol.TextList(f.Entities))
	o.Set("confidence", strconv.AppendFloat(nil, f.Confidence, 'f', -1, 64))
	o.SetText("timestamp", Stamp(f.Time))
	source.SetText("session", f.Session)
	source.PutText("origin", f.Origin)
	for _, m := range [...][2]string{{"author", f.From.Author}, {"branch", f.From.Branch}, {"commit", f.From.Commit}, {"at", f.From.At}} {
		if m[1] != "" {
			source.SetText(m[0], m[1])
		}
	}
	o.Set("source", source.Raw())
	for _, m := range [...]struct {
		name string
		at   time.Time
	}{{"valid_from", f.Since}, {"valid_until", f.Until}} {
		if !m.at.IsZero() {
			o.SetText(m.name, Stamp(m.at))
		}
	}
	o.PutText("topic_key", topicKey)
	if len(f.Supersedes) > 0 {
		o.Set("supersedes", protocol.TextList(f.Supersedes))
	}
	if len(f.Beside) > 0 {
		o.Set("beside", protocol.TextList(f.Beside))
	}
	if len(f.Asked) > 0 {
		o.Set("asked", protocol.TextList(f.Asked))
	}
	for _, m := range [...]struct {
		name string
		list []string
	}{{"decisions", f.Decisions}, {"todos", f.Todos}} {
		if len(m.list) > 0 {
			o.Set(m.name, protocol.TextList(m.list))
		}
	}
	path, err := p.fileFor(f)
	if err != nil {
		return err
	}
	return p.append(path, o.Append(nil))
}

// Local is the file of what sessions did on a day, on this machine.
func (p Place) Local(day time.Time) string {
	return filepath.Join(p.Dir, localDir, day.UTC().Format(time.DateOnly)+".jsonl")
}

// fileFor is the file for a fact. What a session did stays on this machine, and contains what
// its user asked. What was found out on a branch stays with it until it is merged; a preference
// holds everywhere.
func (p Place) fileFor(f Fact) (string, error) {
	if f.Kind == "S" {
		return p.Local(f.Time), p.makeLocal()
	}
	if f.From.Branch == "" || f.Kind == "O" {
		return p.Daily(f.Time), nil
	}
	c := p.Checkout()
	if c.Main || c.Branch != f.From.Branch {
		return p.Daily(f.Time), nil
	}
	return p.forBranch(f, c)
}

// makeLocal creates the folder for what belongs to this machine, which git ignores.
func (p Place) makeLocal() error { return p.makeIgnored(localDir) }

// append adds a line to a file of the folder, and records that it was written here. If that
// cannot be recorded, the line is written even so, and the user is told: it will need approval.
func (p Place) append(path string, line []byte) error {
	p.Ledger.NoteLine(nil, line)
	if err := p.ready(path); err != nil {
		return err
	}
	return p.files().Add(path, lockWait, line)
}

// parseFact reads a line of a daily file or of facts.jsonl; ok is false for events, and for
// damaged lines.
func parseFact(o protocol.Object) (f Fact, ok bool) {
	f.ID, f.Content = OurID(o.Text("id")), strings.TrimSpace(o.Text("content"))
	if f.ID == "" && f.Content != "" {
		f.ID = idOfText(f.Content + "\x00" + o.Text("timestamp"))
	}
	f.Kind = o.Text("memory_type")
	switch t := o.Text("type"); t {
	case "fact":
	case "W", "B", "O", "S": // facts.jsonl
		f.Kind = t
	case "": // by hand: what has a content and says of itself to be nothing else
		if o.Has("summary") || o.Has("topic") {
			return f, false
		}
	case "preference", "action": // older
		if f.Kind == "" {
			f.Kind = map[string]string{"preference": "O", "action": "B"}[t]
		}
	default:
		return f, false
	}
	if f.Kind == "" {
		f.Kind = "W"
	}
	f.Confidence = 0.8
	if n, err := strconv.ParseFloat(string(o.Get("confidence")), 64); err == nil {
		f.Confidence = n
	}
	for _, name := range [...]string{"timestamp", "created_at"} {
		if t, err := time.Parse(time.RFC3339Nano, o.Text(name)); err == nil {
			f.Time = t
			break
		}
	}
	f.Entities = protocol.TextsOf(o.Get("entities"))
	f.Supersedes = OurIDs(protocol.TextsOf(o.Get("supersedes")))
	f.Beside = OurIDs(protocol.TextsOf(o.Get("beside")))
	f.Asked = OurIDs(protocol.TextsOf(o.Get("asked")))
	if f.Kind == "S" {
		f.Decisions, f.Todos = protocol.TextsOf(o.Get("decisions")), protocol.TextsOf(o.Get("todos"))
	}
	source := o.Sub("source")
	f.Session, f.Origin = source.Text("session"), source.Text("origin")
	f.From = Source{source.Text("author"), source.Text("branch"), source.Text("commit"), source.Text("at")}
	f.Since, _ = time.Parse(time.RFC3339Nano, o.Text("valid_from"))
	f.Until, _ = time.Parse(time.RFC3339Nano, o.Text("valid_until"))
	f.Updated, _ = time.Parse(time.RFC3339Nano, o.Text("updated_at"))
	if at := o.Text("deleted_at"); at != "" {
		f.Deleted = true
		f.DeletedAt, _ = time.Parse(time.RFC3339Nano, at)
	}
	return f, f.Content != ""
}

// Normal is a text as its words alone, in lower case, with one space between them, and a letter and its
// mark as one character: to look for it in what may quote or format it. Whether two texts say the
// same is told by package wording.
func Normal(said string) string {
	said = text.Composed(said)
	var b strings.Builder
	b.Grow(len(said))
	gap := false
	for _, r := range said {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '+' && r != '#' {
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// lines calls f with each line of a file that is a JSON object and may be used, and with its
// owner; an invalid line is skipped.
func (p Place) lines(path string, f func(protocol.Object, ledger.Whose)) error {
	return p.linesWith(path, func([]byte) bool { return true }, f)
}

// linesWith is lines for those that may be meant; the others are not even looked up in the ledger.
func (p Place) linesWith(path string, may func(line []byte) bool, f func(protocol.Object, ledger.Whose)) error {
	b, err := p.files().Read(path)
	if err != nil {
		return err
	}
	p.Ledger.About()
	for len(b) > 0 {
		line := b
		if i := bytes.IndexByte(b, '\n'); i >= 0 {
			line, b = b[:i], b[i+1:]
		} else {
			b = nil
		}
		if len(bytes.TrimSpace(line)) == 0 || !may(line) {
			continue
		}
		whose, line := InUse(p.Ledger, line)
		if whose == ledger.Nobody && (!p.Waiting || p.Ledger.Purged(ledger.LineKey(line))) {
			continue
		}
		if o, err := protocol.ParseObject(line); err == nil {
			f(o, whose)
		}
	}
	return nil
}

func number(n int64) protocol.Raw { return strconv.AppendInt(nil, n, 10) }
