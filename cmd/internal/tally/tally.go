// Package tally adds up the run log: for each hook how often it ran, its results and
// its times, and the events of each agent and each day.
//
//	t, errs := tally.Of(state, runlog.Filter{Since: since}, time.Local)
//	t.Hooks["no-force-push"].Times.Quantile(0.95)
//
// Memory depends only on the number of hooks, agents and days: times are counted in
// classes, see [Times]. Pieces of the log are read in parallel.
package tally

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/runlog"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// A Tally is the sum of the lines that a filter selects.
type Tally struct {
	Events      int // that hooks were asked about, or that could not be read
	Blocked     int
	Asked       int
	Sessions    int
	First, Last time.Time
	Hooks       map[string]*Hook
	Agents      map[string]*Count
	Days        map[string]*Count // by date in some time zone
	Projects    map[string]*Count // by their folders
	Slowest     []Run             // the longest first

	sessions map[session]bool
	day      day // of the line before
}

type session struct{ agent, id string }

// A day is a date in some time zone, with the results of its events.
type day struct {
	from, to time.Time
	count    *Count
}

// A Hook is what a hook did.
type Hook struct {
	Layer     discovery.LayerName // when it ran last
	Runs      int                 // started, whatever the result
	Blocks    int
	Asks      int
	Allows    int
	Failures  int // no verdict, no answer or no start; time-outs are not included
	TimeOuts  int
	Skipped   int // not run: the event's deadline had passed
	Last      time.Time
	Times     Times
	lastLayer time.Time
}

// A Count is the results of an agent's or a day's events.
type Count struct {
	Events   int
	Blocked  int
	Asked    int
	Runs     int   // of hooks
	Failures int   // of hooks, time-outs included
	Times    Times // of events; of the hook if one is selected
}

// A Run is one run of a hook.
type Run struct {
	Hook  string
	Took  time.Duration
	At    time.Time
	Agent string
	Event string
}

// mostSlow is how many of the slowest runs are kept.
const mostSlow = 5

// mostSessions limits what is stored to count sessions.
const mostSessions = 200_000

func empty() *Tally {
	return &Tally{Hooks: map[string]*Hook{}, Agents: map[string]*Count{}, Days: map[string]*Count{}, Projects: map[string]*Count{}, sessions: map[session]bool{}}
}

// Of adds up the lines that f selects; days are those of a time zone. What could not
// be read is left out and reported.
func Of(stateDir string, f runlog.Filter, place *time.Location) (*Tally, []error) {
	parts, err := runlog.Parts(stateDir, f)
	if err != nil {
		return empty(), []error{err}
	}
	errs := make([][]error, len(parts))
	tallies := make([]*Tally, min(len(parts), runtime.GOMAXPROCS(0)))
	var next atomic.Int64
	var wait sync.WaitGroup
	for i := range tallies {
		t := empty()
		tallies[i] = t
		wait.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(parts)); i = next.Add(1) - 1 {
				for l, err := range parts[i] {
					if err != nil {
						errs[i] = append(errs[i], err)
						continue
					}
					t.add(l, f.Hook, place)
				}
			}
		})
	}
	wait.Wait()
	all := empty()
	for _, t := range tallies {
		all.join(t)
	}
	all.Sessions = len(all.sessions)
	return all, slices.Concat(errs...)
}

// add counts a line. hook is the only one that counts, "" for all.
func (t *Tally) add(l *runner.LogLine, hook string, place *time.Location) {
	if t.First.IsZero() || l.Time.Before(t.First) {
		t.First = l.Time
	}
	if l.Time.After(t.Last) {
		t.Last = l.Time
	}
	counts := [...]*Count{at(t.Agents, l.Agent), t.dayOf(l.Time, place), at(t.Projects, l.Project)}
	if l.Ref == "" { // otherwise it is the end of an async hook, whose event was counted
		t.Events++
		if l.Session != "" && len(t.sessions) < mostSessions {
			t.sessions[session{l.Agent, l.Session}] = true
		}
		blocked, asked := l.Decision == protocol.Block.String(), l.Decision == protocol.Ask.String()
		t.Blocked += one(blocked)
		t.Asked += one(asked)
		for _, c := range counts {
			c.Events++
			c.Blocked += one(blocked)
			c.Asked += one(asked)
			if hook == "" {
				c.Times.Add(l.Duration)
			}
		}
	}
	for _, h := range l.Hooks {
		if hook != "" && h.Name != hook {
			continue
		}
		ran := at(t.Hooks, h.Name).add(l, h)
		failed := runlog.Broken(h.Result)
		for _, c := range counts {
			c.Runs += one(ran)
			if c.Failures += one(failed); ran && hook != "" {
				c.Times.Add(h.Duration)
			}
		}
		if ran {
			t.Slowest = slowest(t.Slowest, Run{h.Name, h.Duration, l.Time, l.Agent, l.Event})
		}
	}
}

// dayOf is the count of an event's day, mostly the same day as before.
func (t *Tally) dayOf(when time.Time, place *time.Location) *Count {
	if d := t.day; d.count == nil || when.Before(d.from) || !when.Before(d.to) {
		local := when.In(place)
		from := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, place)
		if from.Day() != local.Day() { // a day that has no midnight
			from = when
		}
		t.day = day{from, from.AddDate(0, 0, 1), at(t.Days, local.Format(time.DateOnly))}
	}
	return t.day.count
}

// add counts a run of the hook, if it is one.
func (k *Hook) add(l *runner.LogLine, h runner.LogHook) (ran bool) {
	if !l.Time.Before(k.lastLayer) {
		k.Layer, k.lastLayer = h.Layer, l.Time
	}
	switch h.Result {
	case runner.Skipped:
		k.Skipped++
		return false
	case runner.Blocked:
		k.Blocks++
	case runner.TimedOut:
		k.TimeOuts++
	case runner.Failed, runner.BadOutput, runner.NotStarted:
		k.Failures++
	}
	k.Asks += one(h.Decision == protocol.Ask.String())
	k.Allows += one(h.Decision == protocol.Allow.String())
	k.Runs++
	k.Times.Add(h.Duration)
	if l.Time.After(k.Last) {
		k.Last = l.Time
	}
	return true
}

func (t *Tally) join(o *Tally) {
	if t.First.IsZero() || !o.First.IsZero() && o.First.Before(t.First) {
		t.First = o.First
	}
	if o.Last.After(t.Last) {
		t.Last = o.Last
	}
	t.Events, t.Blocked, t.Asked = t.Events+o.Events, t.Blocked+o.Blocked, t.Asked+o.Asked
	for s := range o.sessions {
		if len(t.sessions) < mostSessions {
			t.sessions[s] = true
		}
	}
	for name, h := range o.Hooks {
		at(t.Hooks, name).join(h)
	}
	for name, c := range o.Agents {
		at(t.Agents, name).join(c)
	}
	for name, c := range o.Days {
		at(t.Days, name).join(c)
	}
	for name, c := range o.Projects {
		at(t.Projects, name).join(c)
	}
	for _, r := range o.Slowest {
		t.Slowest = slowest(t.Slowest, r)
	}
}

func (k *Hook) join(o *Hook) {
	if !o.lastLayer.Before(k.lastLayer) {
		k.Layer, k.lastLayer = o.Layer, o.lastLayer
	}
	if o.Last.After(k.Last) {
		k.Last = o.Last
	}
	k.Runs, k.Blocks, k.Asks, k.Allows = k.Runs+o.Runs, k.Blocks+o.Blocks, k.Asks+o.Asks, k.Allows+o.Allows
	k.Failures, k.TimeOuts, k.Skipped = k.Failures+o.Failures, k.TimeOuts+o.TimeOuts, k.Skipped+o.Skipped
	k.Times.join(&o.Times)
}

func (c *Count) join(o *Count) {
	c.Events, c.Blocked, c.Asked, c.Runs, c.Failures = c.Events+o.Events, c.Blocked+o.Blocked, c.Asked+o.Asked, c.Runs+o.Runs, c.Failures+o.Failures
	c.Times.join(&o.Times)
}

// slowest keeps the longest runs, the longest first.
func slowest(list []Run, r Run) []Run {
	if len(list) == mostSlow && r.Took <= list[mostSlow-1].Took {
		return list
	}
	i, _ := slices.BinarySearchFunc(list, r, func(a, b Run) int {
		if a.Took >= b.Took {
			return -1
		}
		return 1
	})
	list = slices.Insert(list, i, r)
	return list[:min(len(list), mostSlow)]
}

func at[T any](m map[string]*T, name string) *T {
	v := m[name]
	if v == nil {
		v = new(T)
		m[name] = v
	}
	return v
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
