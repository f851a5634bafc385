package memory

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Summary says what a session was about.
type Summary struct {
	ID, Session, Topic, Text string
	Decisions, Todos         []string
	Time                     time.Time
	Author                   string
	Source                   string // layer1_rules, layer3_auto, layer4_stop
	Auto                     bool   // compiled automatically, not written by anybody
	Deleted                  bool
	Whose                    ledger.Whose // who wrote it, if it was read
}

// ErrSaved says that a session already has its summary (BM-FBK-05).
var ErrSaved = errors.New("already_saved")

// autoSource is the source of an automatic summary.
const autoSource = "layer3_auto"

// KeepSummary appends a summary, unless the session has one that somebody wrote: then it
// returns ErrSaved. With again, another one of the same session may follow, which replaces the
// earlier one when summaries are read.
func (p Place) KeepSummary(s Summary, again bool) error {
	kept, stoodIn := false, false
	err := p.UpdateState(s.Session, s.Time, func(o *protocol.Object) {
		if o.Bool("summary_saved") && !again && o.Text("summary_source") != autoSource {
			return
		}
		kept, stoodIn = true, o.Text("summary_source") == autoSource
		o.Set("summary_saved", protocol.Raw("true"))
		o.SetText("summary_source", s.Source)
		o.SetText("summary_at", s.Time.UTC().Format(time.RFC3339Nano))
	})
	if err != nil {
		return err
	}
	if !kept && s.Session != "" {
		return ErrSaved
	}
	var o protocol.Object
	o.SetText("id", s.ID)
	o.SetText("session_id", s.Session)
	o.SetText("topic", s.Topic)
	o.SetText("summary", s.Text)
	o.Set("decisions", protocol.TextList(s.Decisions))
	o.Set("todos", protocol.TextList(s.Todos))
	o.SetText("timestamp", Stamp(s.Time))
	o.PutText("source", s.Source)
	if s.Auto {
		o.Set("auto_generated", protocol.Raw("true"))
	}
	o.PutText("author", s.Author)
	file := p.written(sessionsFile)
	if stoodIn && !s.Auto { // the automatic one is removed
		err := p.Rewrite(localSessions, func(o *protocol.Object) (bool, bool, error) { return false, o.Text("session_id") != s.Session, nil })
		if err != nil {
			return err
		}
	}
	if s.Auto {
		// It contains what was asked: that stays on this machine.
		if err := p.makeLocal(); err != nil {
			return err
		}
		file = localSessions
	}
	return p.append(p.Path(file), o.Append(nil))
}

// Summarised is when somebody wrote the summary of a session, zero if nobody did.
func (p Place) Summarised(session string) (at time.Time) {
	if saved, _ := p.Saved(session); saved {
		at, _ = time.Parse(time.RFC3339Nano, p.state(session).Text("summary_at"))
	}
	return at
}

// Later is the name under which the work of a session after its summary is kept (BM-FBK-13).
func Later(session string) string { return session + laterSuffix }

// Earlier is the session whose later work this is, or the session itself.
func Earlier(session string) string { return strings.TrimSuffix(session, laterSuffix) }

const laterSuffix = "-later"

// StagePart separates the parts of a stage: what was asked, then what was done.
const StagePart = " — "

// StageRoom is how many characters a stage has, and stagesRoom those of a session together.
const (
	StageRoom  = 1200
	stagesRoom = 1500
)

// Aggregate compiles a summary from the stages of a session, if nobody wrote one (BM-FBK-01). made
// is false if there is nothing to compile: the facts that an agent saved say themselves what is in
// them (BM-FBK-12).
func (p Place) Aggregate(session, id string, now time.Time) (made bool, err error) {
	if session == "" {
		return false, nil
	}
	if saved, _ := p.Saved(session); saved {
		return false, nil
	}
	state := p.state(session)
	s := Summary{ID: id, Session: session, Time: now, Source: autoSource, Auto: true}
	var stages []string
	for _, f := range p.factsSince(now.AddDate(0, 0, -7)) {
		if f.Session == session && !f.Deleted && f.Whose == ledger.Own && f.Kind == "S" {
			stages = append(stages, text.OneLine(f.Content))
			s.Decisions, s.Todos = append(s.Decisions, f.Decisions...), append(s.Todos, f.Todos...)
		}
	}
	known := len(stages)
	if known == 0 || state.Bool("summary_saved") && state.Int("auto_of") >= int64(known) {
		return false, nil // there is nothing, or all of it is said already
	}
	topic, _, _ := strings.Cut(stages[0], StagePart)
	s.Topic, s.Text = text.Clip(topic, 100), text.Clip(strings.Join(stages, " → "), stagesRoom)
	err = p.KeepSummary(s, false)
	if errors.Is(err, ErrSaved) {
		return false, nil
	}
	if err == nil {
		err = p.UpdateState(session, now, func(o *protocol.Object) { o.Set("auto_of", number(int64(known))) })
	}
	return err == nil, err
}

// An End says how a session ended.
type End struct {
	Session, Reason, Error string
	DurationMS             int64
	Unseen                 bool // what changed since its last event may be others' doing
}

// Ended records how a session ended (BM-FBK-08).
func (p Place) Ended(id string, e End, now time.Time) error {
	var o protocol.Object
	o.SetText("reason", e.Reason)
	o.Set("duration_ms", number(e.DurationMS))
	o.SetText("session_id", e.Session)
	o.PutText("error", e.Error)
	return p.Event("session_end", id, now, o)
}

// keepStates is how long the state of a session is kept after its last change: a session that
// is resumed later is counted from the beginning.
const keepStates = 30 * 24 * time.Hour

// CleanStates removes the states of sessions that ended long ago, each with its lock
// (BM-FBK-11).
func (p Place) CleanStates(now time.Time) error {
	entries, err := p.Within.List(filepath.Join(p.Dir, stateDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		info, bad := e.Info()
		if bad != nil || e.IsDir() || !strings.HasSuffix(e.Name(), ".json") || now.Sub(info.ModTime()) <= keepStates {
			continue
		}
		for _, name := range [...]string{e.Name() + ".lock", e.Name()} {
			gone := p.Within.Remove(filepath.Join(p.Dir, stateDir, name))
			if !errors.Is(gone, fs.ErrNotExist) { // another session that ends removes it too
				err = errors.Join(err, gone)
			}
		}
	}
	return err
}

// CleanLogs removes log files that are older than some days, and nothing else (BM-FBK-09).
func (p Place) CleanLogs(days int, now time.Time) error {
	oldest := now.UTC().AddDate(0, 0, -days).Format(time.DateOnly)
	entries, err := p.Within.List(filepath.Join(p.Dir, logsDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		day, isLog := strings.CutSuffix(e.Name(), ".log")
		if _, bad := time.Parse(time.DateOnly, day); isLog && bad == nil && day < oldest {
			err = errors.Join(err, p.Within.Remove(filepath.Join(p.Dir, logsDir, e.Name())))
		}
	}
	return err
}
