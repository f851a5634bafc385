package journal

import (
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/signal"
)

// Enough is how often a signal has to come up before its session counts as stuck: the
// first failure is the agent's own business.
const Enough = 2

// Stuck are the signals that a command is about to meet again, the most frequent first:
// each came up at least twice in this session, was not resolved since, and concerns
// this command. The journal decides, not the wording of the command: a command is
// concerned if it belongs to the family of one that failed so, or to the class that the
// signal is about.
//
// The same again means the same failure ([failure.Failure.Same]): another failure with
// the same signal is a different matter, and one that got better is counted anew. If a
// journal has no failures, only the signals count; one that just says "it failed"
// (error:generic) is then the same only for the same command.
func Stuck(j Journal, command string) []Count {
	next := signal.Read(command)
	commands := make([]signal.Command, len(j.Entries))
	var open []Count
	var concerned []string
	for i := range j.Entries {
		e := &j.Entries[i]
		if e.Tool != "bash" && !e.Failed() {
			continue // writing a file resolves nothing
		}
		if e.Tool == "bash" {
			commands[i] = signal.Read(e.Command)
		}
		if !e.Failed() {
			open = slices.DeleteFunc(open, func(c Count) bool { return resolves(c.Key, commands[i], j.Entries[:i], commands) })
			continue
		}
		for _, s := range e.Signals {
			mine := next.Same(commands[i])
			if s.Key == signal.Generic && !mine && e.Failure.ID == "" {
				continue
			}
			c := again(&open, s.Key, e)
			if mine || slices.ContainsFunc(next.Classes, s.Key.Fits) {
				concerned = append(concerned, string(c.Key)+c.Failure.ID)
			}
		}
	}
	open = slices.DeleteFunc(open, func(c Count) bool {
		return c.N < Enough || !slices.Contains(concerned, string(c.Key)+c.Failure.ID)
	})
	sortCounts(open)
	return open
}

// again counts an occurrence of a failure with a signal.
func again(open *[]Count, key signal.Key, e *Entry) *Count {
	list := *open
	for i := range list {
		if c := &list[i]; c.Key == key && c.Failure.ID == e.Failure.ID {
			if c.N++; e.Failure.ID != "" && e.Failure.Better(&c.Failure) {
				c.N = 1
			}
			c.Failure = e.Failure
			return c
		}
	}
	*open = append(list, Count{Key: key, N: 1, Failure: e.Failure})
	return &(*open)[len(list)]
}

// A Cure is a failure that ended later in the session, and its signals.
type Cure struct {
	Failure failure.Failure
	Signals []signal.Key
}

// Cured are the failures of a session that ended with the success of their command, in
// the order in which they ended.
func (j *Journal) Cured() (list []Cure) {
	open := map[string]int{} // by ID: the last entry that had it
	commands := make([]signal.Command, len(j.Entries))
	for i := range j.Entries {
		e := &j.Entries[i]
		if e.Tool != "bash" {
			continue
		}
		commands[i] = signal.Read(e.Command)
		if e.Failed() {
			if e.Failure.ID != "" {
				open[e.Failure.ID] = i
			}
			continue
		}
		for k := range i {
			before := &j.Entries[k]
			if at, ok := open[before.Failure.ID]; !ok || at != k || !over(before, commands[k], commands[i]) {
				continue
			}
			delete(open, before.Failure.ID)
			c := Cure{Failure: before.Failure}
			for _, s := range before.Signals {
				c.Signals = append(c.Signals, s.Key)
			}
			list = append(list, c)
		}
	}
	return list
}

// over reports whether the success of a command shows that an earlier failure of a
// command is over.
func over(e *Entry, failed, now signal.Command) bool {
	return now.Same(failed) || slices.ContainsFunc(e.Signals, func(s Signal) bool { return slices.ContainsFunc(now.Classes, s.Key.Fits) })
}

// Tried reports whether anything was changed between the last two occurrences of a
// failure.
func (j *Journal) Tried(f failure.Failure) bool {
	seen, tried := 0, false
	for i := len(j.Entries) - 1; i >= 0; i-- {
		e := &j.Entries[i]
		switch {
		case e.Failure.ID == f.ID:
			if seen++; seen == 2 {
				return tried
			}
		case seen == 1 && (e.Tool != "bash" || !signal.Read(e.Command).Trivial):
			tried = true
		}
	}
	return tried
}

// resolves reports whether the success of a command shows that a signal is over: it is
// one of the commands that had it, or of the class of the signal.
func resolves(key signal.Key, c signal.Command, before []Entry, commands []signal.Command) bool {
	if slices.ContainsFunc(c.Classes, key.Fits) {
		return true
	}
	for i := range before {
		if c.Same(commands[i]) && slices.ContainsFunc(before[i].Signals, func(s Signal) bool { return s.Key == key }) {
			return true
		}
	}
	return false
}

// A Pending is a suggestion whose effect is not known yet.
type Pending struct {
	Gene    string
	Title   string
	Signals []signal.Key
	Failure string // the ID of the failure, "" if unknown
	Command string // the one about to run when it was made
	Call    string // the id of that call
	At      time.Time
}

// Outcome is what the end of a command says about a suggestion: Success, Failed, or ""
// if nothing. found are the signals of a command that failed, nil if it succeeded.
//
// Only a command of the family that the suggestion was made for, or of the class that
// its signal is about, says something: writing a file or running another program does
// not. Nor does a command that now fails differently. The call that got the suggestion
// was made before the agent could read it.
func (p *Pending) Outcome(tool, command, call string, failed bool, found []signal.Key, f failure.Failure) string {
	if tool != "bash" || call != "" && call == p.Call {
		return ""
	}
	c := signal.Read(command)
	fits := func(k signal.Key) bool { return slices.ContainsFunc(c.Classes, k.Fits) }
	switch {
	case !c.Same(signal.Read(p.Command)) && !slices.ContainsFunc(p.Signals, fits):
		return ""
	case !failed:
		return Success
	case p.Failure != "" && f.ID != "":
		if p.Failure == f.ID {
			return Failed
		}
	case slices.ContainsFunc(found, func(k signal.Key) bool { return slices.Contains(p.Signals, k) }):
		return Failed
	}
	return ""
}

// Expired reports whether so much time has passed that the effect of the suggestion can
// no longer be told.
func (p *Pending) Expired(now time.Time, life time.Duration) bool {
	return p.At.Add(life).Before(now) || p.At.After(now.Add(time.Minute))
}
