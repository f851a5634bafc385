package journal

import (
	"regexp"
	"slices"
	"sync"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/signal"
)

// An Episode is a failure from its first occurrence until the command succeeded or the
// session ended.
type Episode struct {
	Failure failure.Failure // at its last occurrence
	Signals []signal.Key
	Times   int
	// Steps is how much was done since the second occurrence, which brings the
	// suggestion; the success is included.
	Steps int
	Over  bool // the command succeeded
	Again bool // it was tried again after the second time, with whatever result
	Worse bool // after the second time there were more failures than before
	Diff  Diff // between the last occurrence and the success

	second, last, most int
}

// A Diff is what was different when a command that had failed succeeded: facts, and
// nothing from inside files or variables.
type Diff struct {
	Files       []string // that were edited or written
	Commands    []string // that were run, without arguments
	Environment []string // variables that were set only then
	Proof       string   // the command that succeeded, without arguments
}

// Episodes are the episodes of a session, in the order in which they began.
func (j *Journal) Episodes() []Episode {
	var list []Episode
	commands := make([]signal.Command, len(j.Entries))
	for i := range j.Entries {
		e := &j.Entries[i]
		if e.Tool != "bash" {
			continue
		}
		commands[i] = signal.Read(e.Command)
		for k := range list {
			if ep := &list[k]; !ep.Over && commands[i].Same(commands[ep.last]) && ep.Times >= Enough {
				ep.Again = true
				ep.Worse = ep.Worse || e.Failed() && ep.most > 0 && e.Failure.Count > ep.most
			}
		}
		if e.Failed() {
			list = begun(list, e, i)
			continue
		}
		for k := range list {
			if ep := &list[k]; !ep.Over && over(&j.Entries[ep.last], commands[ep.last], commands[i]) {
				ep.Over, ep.Diff = true, j.diff(ep.last, i)
				if ep.Times >= Enough {
					ep.Steps = i - ep.second
				}
			}
		}
	}
	for k := range list {
		if ep := &list[k]; !ep.Over && ep.Times >= Enough {
			ep.Steps = len(j.Entries) - 1 - ep.second
		}
	}
	return list
}

// begun adds one more occurrence of a failure.
func begun(list []Episode, e *Entry, i int) []Episode {
	if e.Failure.ID == "" {
		return list
	}
	k := slices.IndexFunc(list, func(ep Episode) bool { return !ep.Over && ep.Failure.ID == e.Failure.ID })
	if k < 0 {
		k = len(list)
		list = append(list, Episode{most: e.Failure.Count})
	}
	ep := &list[k]
	if ep.Times++; ep.Times == Enough {
		ep.second, ep.most = i, e.Failure.Count
	}
	ep.Failure, ep.last = e.Failure, i
	for _, s := range e.Signals {
		if !slices.Contains(ep.Signals, s.Key) {
			ep.Signals = append(ep.Signals, s.Key)
		}
	}
	return list
}

// variable is a variable that a command line sets. It is compiled on demand: most
// events do not need it.
var variable = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[\s;&|(])(?:export\s+|env\s+)?([A-Za-z_][A-Za-z0-9_]*)=`)
})

func variables(command string) (names []string) {
	for _, m := range variable().FindAllStringSubmatch(command, -1) {
		names = append(names, m[1])
	}
	return names
}

const mostFacts = 12 // of each kind

// diff is what was done between a failed entry and a successful one.
func (j *Journal) diff(failed, now int) (d Diff) {
	before := variables(j.Entries[failed].Command)
	add := func(to *[]string, words ...string) {
		for _, w := range words {
			if w != "" && !slices.Contains(*to, w) && len(*to) < mostFacts {
				*to = append(*to, w)
			}
		}
	}
	for i := failed + 1; i <= now; i++ {
		e := &j.Entries[i]
		if e.Tool != "bash" {
			add(&d.Files, e.Command)
			continue
		}
		for _, v := range variables(e.Command) {
			if !slices.Contains(before, v) {
				add(&d.Environment, v)
			}
		}
		if families := signal.Read(e.Command).Families; i < now {
			add(&d.Commands, families...)
		} else if len(families) > 0 {
			d.Proof = families[len(families)-1]
		}
	}
	return d
}
