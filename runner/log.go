package runner

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// How long the files of the run log are kept, so that "not once in 30 days" can be
// told, and what sessions remember.
const (
	LogDays     = 31
	sessionDays = 14
)

// Sizes of what a log line may hold, in bytes.
const (
	maxHookLog   = 4 << 10  // a hook's own log value
	maxInput     = 64 << 10 // an event, when debugging
	maxLogReason = 400      // why a hook decided as it did
	maxReasonIn  = 64 << 10 // a reason that is looked through for secrets
)

// A LogLine is one line of the run log: one event, or one async hook. Tool input and
// prompts are only in it if Input and Stderr are set, which debugging does; otherwise
// the event's own values are removed from the hooks' texts. What a hook changed in an
// input is logged (see change.go), unless settings say otherwise.
type LogLine struct {
	V           int
	ID          string // of this event
	Ref         string // of an async hook: the id of the event that started it
	Time        time.Time
	Agent       string
	Event       string
	NativeEvent string
	Tool        string // of a call: the portable name
	NativeTool  string // the agent's own, where that is another
	CallID      string // the agent's own id of the call
	Session     string
	Project     string
	Duration    time.Duration
	Decision    string
	Allowed     []string // the hooks that gave the permission, where Decision is one
	Hooks       []LogHook
	Async       []string // names of the async hooks that it started; each has a line of its own
	Warnings    []Warning
	Input       protocol.Raw // the event; debug

	about *protocol.Event // whose words must not be in it; nil when debugging
}

// A LogHook is the result of one hook.
type LogHook struct {
	Name     string
	Layer    discovery.LayerName
	Duration time.Duration
	Exit     int
	Signal   string
	Result   Verdict
	Decision string // "ask" or "allow", where it gave one; a block is its result
	Warning  string
	Async    bool
	Changed  bool         // it changed the input of the call
	Before   protocol.Raw // that input as it found it: what it changed of it, all of it when debugging
	After    protocol.Raw // and as it left it
	Log      protocol.Raw // its own "log" value
	Reason   string       // why it decided as it did: one line, but when debugging
	Stdout   string       // of an async hook
	Stderr   string       // of an async hook; of all of them when debugging

	own *own // what it can say by itself; nil if that is not known
}

// NewLogLine makes the line of a report. Unless debug is set, the event's own values
// are removed from all its texts when they are written, including texts that are added
// later.
func NewLogLine(rep Report, set *discovery.Set, start time.Time, debug bool) *LogLine {
	ev := rep.Event
	l := &LogLine{
		ID: rep.ID, Time: start, Duration: time.Since(start),
		Agent: ev.Agent, Event: string(ev.Type), NativeEvent: ev.NativeEvent,
		Session: ev.SessionID, Project: cmp.Or(set.Project, set.Root),
		Decision: rep.Outcome.Decision.String(),
	}
	if c := ev.Call; c != nil {
		l.Tool, l.CallID = c.Name, c.ID
		if c.NativeName != c.Name {
			l.NativeTool = c.NativeName
		}
	}
	for _, r := range rep.Results {
		l.Hooks = append(l.Hooks, logHook(r, debug, set.Settings.LogChanges))
	}
	for _, a := range rep.Async {
		l.Async = append(l.Async, a.Hook.Name)
	}
	l.Warnings = append(l.Warnings, rep.Warnings...)
	if debug {
		l.Input = ev.JSON()
	} else {
		l.about = ev
	}
	return l
}

func logHook(r Result, debug, changes bool) LogHook {
	h := LogHook{
		Name: r.Hook.Name, Layer: r.Hook.Layer, Duration: r.Duration, Exit: r.Exit, Signal: r.Signal,
		Result: r.Verdict, Warning: r.Warning, Async: r.Async,
		own: &own{hook: r.Hook},
	}
	if len(r.Outcome.Log) <= maxHookLog {
		h.Log = r.Outcome.Log
	}
	if d := r.Outcome.Decision; d == protocol.Ask || d == protocol.Allow {
		h.Decision = d.String()
	}
	if r.Outcome.Decision != protocol.NoOpinion || debug {
		h.Reason = r.Outcome.Reason
	}
	h.Changed = r.after != nil
	if debug {
		h.Stderr = r.Stderr
	}
	switch {
	case !h.Changed:
	case debug:
		h.Before, h.After = loggedInput(r.before.Raw()), loggedInput(r.after.Raw())
	case changes:
		was, is := changeOf(r.before, r.after)
		h.Before, h.After = was.Raw(), is.Raw()
	}
	return h
}

// text is a text of a hook, or of a warning of a kind, as the log may hold it. by is
// what that hook can say by itself.
func (l *LogLine) text(s string, kind Verdict, by *own) string {
	switch {
	case s == "":
		return ""
	case l.about != nil && quotes(kind):
		return redact.Log.Without(s, l.brought, by.has)
	}
	return redact.Log.Text(s)
}

// brought are the values that the event brought along: a failing script often
// repeats its input. The base members of the event are not among them: the line
// names the session anyway.
func (l *LogLine) brought(yield func(string) bool) {
	more := true
	each := func(leaf string) bool {
		if leaf != "true" && leaf != "false" {
			more = yield(leaf)
		}
		return more
	}
	for _, m := range l.about.Fields {
		if more && m.Name != "tool_name" && m.Name != "tool_use_id" {
			protocol.Leaves(m.Value, each)
		}
	}
	if native := l.about.Context.Get("native"); more && native != nil {
		protocol.Leaves(native, each)
	}
}

// ownOf is what the hook of a name can say by itself.
func (l *LogLine) ownOf(name string) *own {
	for i := range l.Hooks {
		if l.Hooks[i].Name == name {
			return l.Hooks[i].own
		}
	}
	return nil
}

// reason is why a hook decided as it did, on one line. A secret may be on several
// lines, as keys in PEM are, be named on the line before its own, or be broken where a
// line was full. So the text is searched with its lines kept, and with them joined;
// what hides more is logged.
func (l *LogLine) reason(s string, by *own) string {
	if l.about == nil {
		return redact.Log.Text(s)
	}
	if len(s) > maxReasonIn {
		return "a reason of " + strconv.Itoa(len(s)>>10) + " KiB"
	}
	if strings.ContainsAny(s, "\r\n\t") {
		joined := l.text(text.OneLine(l.text(s, OK, by)), OK, by)
		lines := strings.FieldsFunc(s, func(r rune) bool { return r == '\r' || r == '\n' })
		for i := range lines {
			lines[i] = text.OneLine(lines[i])
		}
		s = l.text(strings.Join(lines, ""), OK, by)
		if left(joined) <= left(s) {
			s = joined
		}
	} else {
		s = l.text(s, OK, by)
	}
	if len(s) > maxLogReason {
		s = text.Clip(s, maxLogReason)
	}
	return s
}

// left is how much of a text there is besides blanks and marks.
func left(s string) int {
	return len(strings.ReplaceAll(strings.ReplaceAll(s, " ", ""), redact.Mark, ""))
}

// quotes reports whether the warning of a verdict, or of that kind, may hold
// words of the hook. The others are the dispatcher's own.
func quotes(v Verdict) bool {
	switch v {
	case OK, Blocked, Failed, TimedOut, BadOutput, "answer", "deny_json":
		return true
	}
	return false
}

// Append appends the line and its newline to dst, in the shape of spec/log.schema.json,
// with secrets redacted.
func (l *LogLine) Append(dst []byte) []byte {
	o := make(protocol.Object, 0, 20)
	o.Set("v", protocol.Raw("1"))
	o.SetText("id", l.ID)
	o.PutText("ref", l.Ref)
	o.SetText("time", protocol.Timestamp(l.Time))
	o.SetText("agent", l.Agent)
	o.SetText("event", l.Event)
	o.SetText("native_event", l.NativeEvent)
	o.PutText("tool", bounded(l.Tool))
	o.PutText("native_tool", bounded(l.NativeTool))
	o.PutText("call", bounded(l.CallID))
	o.SetText("session", bounded(l.Session))
	o.SetText("project", bounded(l.Project))
	o.Set("duration_ms", milliseconds(l.Duration))
	o.SetText("decision", l.Decision)
	if len(l.Allowed) > 0 {
		o.Set("allowed_by", protocol.TextList(l.Allowed))
	}
	o.Set("hooks", protocol.ListOf(l.Hooks, l.hookLine))
	if len(l.Async) > 0 {
		o.Set("async", protocol.TextList(l.Async))
	}
	o.Set("warnings", protocol.ListOf(l.Warnings, l.warningLine))
	if len(l.Input) > 0 {
		o.Set("input", loggedInput(l.Input))
	}
	return append(o.Append(dst), '\n')
}

func (l *LogLine) warningLine(w Warning) protocol.Raw {
	var o protocol.Object
	o.SetText("hook", w.Hook)
	o.SetText("kind", w.Kind)
	o.SetText("text", l.text(w.Text, Verdict(w.Kind), l.ownOf(w.Hook)))
	return o.Raw()
}

func (l *LogLine) hookLine(h LogHook) protocol.Raw {
	o := make(protocol.Object, 0, 15)
	o.SetText("name", h.Name)
	o.SetText("layer", string(h.Layer))
	o.Set("duration_ms", milliseconds(h.Duration))
	o.Set("exit", protocol.Raw(strconv.Itoa(h.Exit)))
	o.SetText("signal", h.Signal)
	o.SetText("result", string(h.Result))
	o.PutText("decision", h.Decision)
	o.SetText("warning", l.text(h.Warning, h.Result, h.own))
	o.Set("async", protocol.Raw(strconv.FormatBool(h.Async)))
	if h.Changed {
		o.Set("changed_input", protocol.Raw("true"))
	}
	if len(h.Before) > 0 {
		o.Set("input_before", h.Before)
		o.Set("input_after", h.After)
	}
	if len(h.Log) > 0 {
		o.Set("log", h.Log)
	}
	o.PutText("reason", l.reason(h.Reason, h.own))
	o.PutText("stdout", l.text(h.Stdout, OK, h.own))
	o.PutText("stderr", l.text(h.Stderr, OK, h.own))
	return o.Raw()
}

// milliseconds is a duration in milliseconds, to the microsecond.
func milliseconds(d time.Duration) protocol.Raw {
	return strconv.AppendFloat(nil, float64(d.Microseconds())/1000, 'f', -1, 64)
}

var errNoState = errors.New("there is no state directory")

// LogPath is the run log's file for a time: one for each day, in UTC.
func LogPath(stateDir string, t time.Time) string {
	return filepath.Join(stateDir, "log", t.UTC().Format("2006-01-02")+".jsonl")
}

// AppendLog adds a line to the run log, in one write. The first line of a day deletes
// old files.
func AppendLog(stateDir string, l *LogLine) error {
	if stateDir == "" {
		return errNoState
	}
	path := LogPath(stateDir, l.Time)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|atOnce, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		f, err = newDay(stateDir, path, l.Time)
	}
	if err != nil {
		return err
	}
	line := make([]byte, 0, 1024)
	if openEnd(f) {
		line = append(line, '\n')
	}
	_, err = f.Write(l.Append(line))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// openEnd reports whether the last line of a file has no end, because somebody edited
// it. It may also be one that another dispatcher is writing just now, page by page: then
// an empty line follows that one, which readers pass over.
func openEnd(f *os.File) bool {
	var last [1]byte
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return false
	}
	_, err = f.ReadAt(last[:], info.Size()-1)
	return err == nil && last[0] != '\n'
}

func newDay(stateDir, path string, now time.Time) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) { // another dispatcher was first, and cleans up
		return os.OpenFile(path, os.O_RDWR|os.O_APPEND|atOnce, 0o600)
	}
	if err == nil {
		cleanUp(stateDir, now)
	}
	return f, err
}

// cleanUp removes log files and sessions that are too old, and
// answers that nobody asked for again. What it cannot remove stays for another
// day.
func cleanUp(stateDir string, now time.Time) {
	oldest := LogPath("", now.AddDate(0, 0, -LogDays))
	names, _ := os.ReadDir(filepath.Join(stateDir, "log"))
	for _, e := range names {
		if day, ok := strings.CutSuffix(e.Name(), ".jsonl"); ok && isDay(day) && e.Name() < filepath.Base(oldest) {
			os.Remove(filepath.Join(stateDir, "log", e.Name()))
		}
	}
	sweep(filepath.Join(stateDir, "dedup"), "", 1)
	if _, err := os.Stat(filepath.Join(stateDir, "tmp")); err == nil {
		go removeTemps(stateDir, now)
	}
	sessions := filepath.Join(stateDir, "sessions")
	names, _ = os.ReadDir(sessions)
	for _, e := range names {
		dir := filepath.Join(sessions, e.Name())
		if e.IsDir() && newest(dir).Before(now.AddDate(0, 0, -sessionDays)) {
			os.RemoveAll(dir)
		}
	}
}

func isDay(s string) bool {
	_, err := time.Parse("2006-01-02", s)
	return err == nil
}

// newest is when a directory or a file in it was last changed.
func newest(dir string) time.Time {
	var last time.Time
	if info, err := os.Stat(dir); err == nil {
		last = info.ModTime()
	}
	names, _ := os.ReadDir(dir)
	for _, e := range names {
		if info, err := e.Info(); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	return last
}

// loggedInput is an event as the debug log keeps it: secrets blotted out, and
// only its size if it is large.
func loggedInput(raw protocol.Raw) protocol.Raw {
	if len(raw) > maxInput {
		return protocol.Raw(`{"omitted_bytes": ` + strconv.Itoa(len(raw)) + "}")
	}
	clean, _ := redact.Log.JSON(raw, nil)
	return clean
}

// bounded is a text that may come from a payload.
func bounded(s string) string {
	if len(s) > maxEnvValue {
		return text.HeadBytes(s, maxEnvValue)
	}
	return s
}
