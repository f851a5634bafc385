// Package draft keeps material for genes: a failure that recurred in a session and was
// fixed at its end without a review. A draft is derived from the session's journal
// alone: the message, what was changed and run between the last failure and the
// success, and the command that proved it.
//
//	draft-SCOPE.json   in evolution's data: at most [Most] of a scope, the newest last
//
// A draft is not a gene: it has no steps, is never offered for a failure, and never
// leaves the machine. Each draft is shown to at most two agents and forgotten after two
// weeks, or with its journal; `evolution review` shows them to the user.
package draft

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/journal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/signal"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

const (
	// Most is how many drafts a scope keeps.
	Most = 5

	ofSession = 2 // drafts per session
	tellings  = 2 // times that one draft is shown
	changes   = 6 // changes listed in a draft
	held      = 500 * time.Millisecond
)

// A Draft is the material of one fixed failure.
type Draft struct {
	Session string
	At      time.Time
	Failed  string   // the command that failed
	Times   int      // how often
	Message string   // of the failure
	Signals []string // error:timeout
	Changed []string // files, and commands that succeeded, between failure and success
	Proof   string   // the command that succeeded
	Told    int      // how many agents were shown it
}

// Of returns the drafts of a session.
func Of(j *journal.Journal, session string, at time.Time) (list []Draft) {
	for _, cure := range j.Cured() {
		d := Draft{Session: session, At: at, Message: cure.Failure.Text}
		last := -1
		for i := range j.Entries {
			if j.Entries[i].Failure.ID == cure.Failure.ID {
				last = i
				d.Times++
			}
		}
		if d.Times < journal.Enough || d.Message == "" {
			continue // failing once is no obstacle
		}
		for _, s := range cure.Signals {
			d.Signals = append(d.Signals, string(s))
		}
		d.Failed = j.Entries[last].Command
		d.between(j.Entries[last+1:])
		if d.Proof != "" && len(list) < ofSession && !helped(j.Entries[last:]) {
			list = append(list, d)
		}
	}
	return list
}

// helped reports whether a learned gene helped: then there is nothing new to describe.
func helped(entries []journal.Entry) bool {
	return slices.ContainsFunc(entries, func(e journal.Entry) bool {
		return slices.ContainsFunc(e.Feedback, func(f journal.Feedback) bool {
			return f.Outcome == journal.Success && !strings.HasPrefix(f.Gene, "seed_")
		})
	})
}

// between collects what was changed after the last failure, up to the command that
// proved the fix.
func (d *Draft) between(entries []journal.Entry) {
	failed := signal.Read(d.Failed)
	for i := range entries {
		e := &entries[i]
		if e.Failed() {
			continue
		}
		command := signal.Read(e.Command)
		switch {
		case e.Tool == "bash" && command.Same(failed):
			d.Proof = e.Command
			return
		case e.Tool == "bash" && command.Trivial || slices.Contains(d.Changed, e.Command) || len(d.Changed) == changes:
		default:
			d.Changed = append(d.Changed, e.Command)
		}
	}
	// Another command of the same kind has proved it.
	for i := len(entries) - 1; i >= 0 && d.Proof == ""; i-- {
		if e := &entries[i]; e.Tool == "bash" && !e.Failed() {
			d.Proof = e.Command
		}
	}
}

func file(dir, scope string) string { return evolution.ScopeFile(dir, "draft", scope) }

// Keep adds drafts to those of a scope.
func Keep(dir, scope string, list []Draft) error {
	if len(list) == 0 {
		return nil
	}
	return update(dir, scope, func(all []Draft) []Draft {
		all = slices.DeleteFunc(all, func(d Draft) bool { return d.Session == list[0].Session })
		all = append(all, list...)
		return all[max(0, len(all)-Most):]
	})
}

// List returns the drafts of a scope.
func List(dir, scope string, now time.Time) ([]Draft, error) {
	b, err := statefile.Read(file(dir, scope))
	if err != nil || b == nil {
		return nil, err
	}
	return fresh(parse(b), now), nil
}

// Tell returns the newest draft that may still be shown to an agent, and records that
// it was shown; ok is false if there is none.
func Tell(dir, scope string, now time.Time) (d Draft, ok bool, err error) {
	// Nearly always there is none, and then nothing is locked.
	if all, err := List(dir, scope, now); err != nil || len(all) == 0 {
		return d, false, err
	}
	err = update(dir, scope, func(all []Draft) []Draft {
		all = fresh(all, now)
		for i := len(all) - 1; i >= 0; i-- {
			if all[i].Told < tellings {
				all[i].Told++
				d, ok = all[i], true
				break
			}
		}
		return all
	})
	return d, ok, err
}

// Done removes the drafts of a session: somebody has described the solution.
func Done(dir, scope, session string) error {
	if b, err := statefile.Read(file(dir, scope)); err != nil || b == nil {
		return err
	}
	return update(dir, scope, func(all []Draft) []Draft {
		return slices.DeleteFunc(all, func(d Draft) bool { return d.Session == session })
	})
}

func fresh(all []Draft, now time.Time) []Draft {
	return slices.DeleteFunc(all, func(d Draft) bool { return now.Sub(d.At) > journal.Kept })
}

func update(dir, scope string, change func([]Draft) []Draft) error {
	return statefile.Update(filepath.Clean(file(dir, scope)), held, func(old []byte) ([]byte, error) {
		return append(raw(change(parse(old))), '\n'), nil
	})
}

// parse reads what raw writes; what cannot be read counts as no drafts.
func parse(b []byte) (list []Draft) {
	o, err := protocol.ParseObject(b)
	if err != nil {
		return nil
	}
	for _, e := range protocol.ElementsOf(o.Get("drafts")) {
		m := protocol.ObjectOf(e)
		d := Draft{
			Session: m.Text("session"), At: time.UnixMilli(int64(number(m.Get("ts")))), Failed: m.Text("failed"), Times: number(m.Get("times")),
			Message: m.Text("message"), Signals: protocol.TextsOf(m.Get("signals")), Changed: protocol.TextsOf(m.Get("changed")), Proof: m.Text("proof"), Told: number(m.Get("told")),
		}
		if d.Session != "" && d.Message != "" {
			list = append(list, d)
		}
	}
	return list
}

func raw(list []Draft) []byte {
	var o protocol.Object
	o.Set("drafts", protocol.ListOf(list, func(d Draft) protocol.Raw {
		var m protocol.Object
		m.SetText("session", d.Session)
		m.Set("ts", strconv.AppendInt(nil, d.At.UnixMilli(), 10))
		m.SetText("failed", d.Failed)
		m.Set("times", strconv.AppendInt(nil, int64(d.Times), 10))
		m.SetText("message", d.Message)
		m.Set("signals", protocol.TextList(d.Signals))
		m.Set("changed", protocol.TextList(d.Changed))
		m.SetText("proof", d.Proof)
		m.Set("told", strconv.AppendInt(nil, int64(d.Told), 10))
		return m.Raw()
	}))
	return o.Append(nil)
}

func number(r protocol.Raw) int {
	n, err := strconv.Atoi(string(r))
	if err != nil {
		return 0
	}
	return n
}
