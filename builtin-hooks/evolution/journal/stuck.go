package journal

import (
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/signal"
)

// Enough is how often a signal has to come up before its session counts as stuck:
// the first failure is the agent's own business.
const Enough = 2

// Stuck is the signal that a command is about to run into again: it came up at
// least twice in this session, was not resolved since, and concerns this command
// (EVO-16, EVO-17). n is how often it came up since it was resolved last.
func Stuck(j Journal, command string) (key signal.Key, n int, ok bool) {
	list := AllStuck(j, command)
	if len(list) == 0 {
		return "", 0, false
	}
	return list[0].Key, list[0].N, true
}

// AllStuck are all such signals, the most frequent first. The trigger is the
// journal, not the wording of the command: a command is concerned if it is of the
// family of one that failed so, or of the class that the signal is about.
//
// What a command has nothing to do with does not count: a failure that only says
// "it failed" (error:generic) is the same one only if the same command has it.
func AllStuck(j Journal, command string) []Count {
	next := signal.Read(command)
	if next.Trivial {
		return nil
	}
	commands := make([]signal.Command, len(j.Entries))
	var open []Count
	var concerned []signal.Key
	for i := range j.Entries {
		e := &j.Entries[i]
		if e.Tool != "bash" && !e.Failed() {
			continue // that a file was written settles nothing
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
			if s.Key == signal.Generic && !mine {
				continue
			}
			open = add(open, s.Key)
			if mine || slices.ContainsFunc(next.Classes, s.Key.Fits) {
				concerned = append(concerned, s.Key)
			}
		}
	}
	open = slices.DeleteFunc(open, func(c Count) bool { return c.N < Enough || !slices.Contains(concerned, c.Key) })
	sortCounts(open)
	return open
}

// resolves reports whether the success of a command shows that a signal is over:
// one of the commands that had it has succeeded, or one of its class.
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

// A Pending is a suggestion that was made and of which it is not known yet what
// became of it.
type Pending struct {
	Gene    string
	Title   string
	Signals []signal.Key
	Command string // that was about to run when it was made
	Call    string // the id of that call
	At      time.Time
}

// Outcome is what the end of a command says of a suggestion (EVO-14): Success,
// Failed, or "" if it says nothing. found are the signals of a command that
// failed, nil if it succeeded.
//
// Only a command of the family that the suggestion was made for, or of the class
// that its signal is about, says something: that a file was written or that
// another program ran does not. A command that now fails in another way says
// nothing either. The call with which the suggestion was made came before the
// agent could have read it.
func (p *Pending) Outcome(tool, command, call string, failed bool, found []signal.Key) string {
	if tool != "bash" || call != "" && call == p.Call {
		return ""
	}
	c := signal.Read(command)
	about := c.Same(signal.Read(p.Command))
	for _, k := range p.Signals {
		about = about || slices.ContainsFunc(c.Classes, k.Fits)
	}
	switch {
	case !about:
		return ""
	case !failed:
		return Success
	case slices.ContainsFunc(found, func(k signal.Key) bool { return slices.Contains(p.Signals, k) }):
		return Failed
	}
	return ""
}

// Expired reports whether so much time has passed that nobody can tell any more
// what the suggestion did.
func (p *Pending) Expired(now time.Time, life time.Duration) bool {
	return p.At.Add(life).Before(now) || p.At.After(now.Add(time.Minute))
}
