package log

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/runlog"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/tally"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/order"
)

func statsCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:  "stats",
		Usage: "what hooks did: runs, blocks, failures, time",
		Description: "Adds up the run log of the last 30 days, or of what the flags pick: each hook\n" +
			"with the time that it took, the events of each agent, project and day, the\n" +
			"slowest runs, and hooks of this folder that did not run once.",
		Flags: append([]cli.Flag{
			cli.Offer(&cli.StringFlag{Name: "by", Usage: "sort hooks by `WHAT`: time, p95, median, runs, blocks, failures, name", Value: "time"},
				shell.Fixed("time", "p95", "median", "runs", "blocks", "failures", "name")),
		}, append(pickFlags(sh), shell.JSONFlag())...),
		Action: func(c *cli.Context) error {
			o, err := readStats(c)
			if err != nil {
				return err
			}
			s, err := collect(sh, o)
			if err != nil {
				return err
			}
			if s.Events == 0 && len(s.Hooks) == 0 && len(s.Strange) == 0 {
				if err := whyNothing(sh, o.pick, s.filter); err != nil || !o.json {
					return err
				}
			}
			return sh.Answer(o.json, s, func() { printStats(sh, s) })
		},
	}
}

type statsOptions struct {
	pick pickOptions
	by   string
	json bool
}

func readStats(c *cli.Context) (o statsOptions, err error) {
	o = statsOptions{by: c.String("by"), json: c.Bool("json")}
	if o.pick, err = readPick(c); err != nil {
		return o, err
	}
	if orders()[o.by] == nil {
		return o, shell.Usagef("stats: --by %q: want time, p95, median, runs, blocks, failures or name", o.by)
	}
	return o, nil
}

// stats are the answer. Their JSON form is stable.
type stats struct {
	Schema   int         `json:"schema"`
	Since    time.Time   `json:"since"`
	Until    time.Time   `json:"until"`
	LogFrom  *time.Time  `json:"log_from"`
	Events   int         `json:"events"`
	Blocked  int         `json:"blocked"`
	Asked    int         `json:"asked"`
	Sessions int         `json:"sessions"`
	Hooks    []hookStats `json:"hooks"`
	Agents   []countedBy `json:"agents"`
	Projects []countedBy `json:"projects"`
	Days     []countedBy `json:"days"`
	Slowest  []slowRun   `json:"slowest"`
	Never    []idleHook  `json:"never"`
	Strange  []oddity    `json:"strange"`
	NotRead  []string    `json:"not_read"`

	filter runlog.Filter
	whole  bool // nothing but the time is filtered, so hooks that never ran can be listed
}

type hookStats struct {
	Name     string              `json:"name"`
	Layer    discovery.LayerName `json:"layer"`
	Runs     int                 `json:"runs"`
	Blocks   int                 `json:"blocks"`
	Asks     int                 `json:"asks"`
	Allows   int                 `json:"allows"`
	Failures int                 `json:"failures"`
	TimeOuts int                 `json:"timeouts"`
	Skipped  int                 `json:"skipped"`
	Median   ms                  `json:"median_ms"`
	P95      ms                  `json:"p95_ms"`
	Max      ms                  `json:"max_ms"`
	Total    ms                  `json:"total_ms"`
	Last     time.Time           `json:"last"`
}

// countedBy are the figures of one agent, project or day.
type countedBy struct {
	Name     string `json:"name"`
	Events   int    `json:"events"`
	Blocked  int    `json:"blocked"`
	Asked    int    `json:"asked"`
	Runs     int    `json:"runs"`
	Failures int    `json:"failures"`
	Median   ms     `json:"median_ms"`
	P95      ms     `json:"p95_ms"`
	Total    ms     `json:"total_ms"`
}

type slowRun struct {
	Hook  string    `json:"hook"`
	Took  ms        `json:"ms"`
	At    time.Time `json:"time"`
	Agent string    `json:"agent"`
	Event string    `json:"event"`
}

type idleHook struct {
	Name  string              `json:"name"`
	Layer discovery.LayerName `json:"layer"`
	File  string              `json:"file"`
}

// ms is a duration that JSON has in milliseconds.
type ms time.Duration

func (d ms) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "%g", float64(time.Duration(d).Microseconds())/1000), nil
}

// statsDays is how far back stats look by default.
const statsDays = 30

// collect computes the totals of the lines that the options pick.
func collect(sh *shell.Shell, o statsOptions) (*stats, error) {
	f, err := o.pick.filter(sh)
	if err != nil {
		return nil, err
	}
	now := sh.Host.Now()
	if f.Since.IsZero() {
		f.Since = now.AddDate(0, 0, -statsDays)
	}
	s := &stats{Schema: 1, Since: f.Since, Until: now, filter: f, Hooks: []hookStats{}, Slowest: []slowRun{}, Never: []idleHook{}, NotRead: []string{}}
	if !f.Until.IsZero() {
		s.Until = f.Until
	}
	if first := runlog.First(sh.Host.State); !first.IsZero() {
		s.LogFrom = &first
	}
	t, errs := tally.Of(sh.Host.State, f, time.Local)
	for _, err := range errs {
		s.NotRead = append(s.NotRead, err.Error())
	}
	s.Events, s.Blocked, s.Asked, s.Sessions = t.Events, t.Blocked, t.Asked, t.Sessions
	for name, h := range t.Hooks {
		s.Hooks = append(s.Hooks, hookStats{
			name, h.Layer, h.Runs, h.Blocks, h.Asks, h.Allows, h.Failures, h.TimeOuts, h.Skipped,
			ms(h.Times.Quantile(0.5)), ms(h.Times.Quantile(0.95)), ms(h.Times.Max), ms(h.Times.Total), h.Last,
		})
	}
	order.By(s.Hooks, func(a, b hookStats) int { return cmp.Or(orders()[o.by](a, b), cmp.Compare(a.Name, b.Name)) })
	s.Agents, s.Projects, s.Days = counted(t.Agents), counted(t.Projects), counted(t.Days)
	for _, list := range [][]countedBy{s.Agents, s.Projects} {
		order.By(list, func(a, b countedBy) int { return b.Events - a.Events })
	}
	for _, r := range t.Slowest {
		s.Slowest = append(s.Slowest, slowRun{r.Hook, ms(r.Took), r.At, r.Agent, r.Event})
	}
	s.Strange = oddities(sh, f)
	if s.whole = o.pick == (pickOptions{command: o.pick.command, since: o.pick.since}); s.whole {
		s.Never = idle(sh, t)
	}
	return s, nil
}

// orders are the orders in which hooks can be sorted.
func orders() map[string]func(a, b hookStats) int {
	most := func(of func(hookStats) int64) func(a, b hookStats) int {
		return func(a, b hookStats) int { return cmp.Compare(of(b), of(a)) }
	}
	return map[string]func(a, b hookStats) int{
		"time":     most(func(h hookStats) int64 { return int64(h.Total) }),
		"p95":      most(func(h hookStats) int64 { return int64(h.P95) }),
		"median":   most(func(h hookStats) int64 { return int64(h.Median) }),
		"runs":     most(func(h hookStats) int64 { return int64(h.Runs) }),
		"blocks":   most(func(h hookStats) int64 { return int64(h.Blocks) }),
		"failures": most(func(h hookStats) int64 { return int64(h.Failures + h.TimeOuts) }),
		"name":     func(a, b hookStats) int { return cmp.Compare(a.Name, b.Name) },
	}
}

func counted(counts map[string]*tally.Count) []countedBy {
	list := []countedBy{}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		c := counts[name]
		list = append(list, countedBy{name, c.Events, c.Blocked, c.Asked, c.Runs, c.Failures, ms(c.Times.Quantile(0.5)), ms(c.Times.Quantile(0.95)), ms(c.Times.Total)})
	}
	return list
}

// idle are the hooks that could run here and did not.
func idle(sh *shell.Shell, t *tally.Tally) []idleHook {
	list := []idleHook{}
	for _, h := range hookset.Set(sh.Host, sh.Host.WorkDir).Hooks {
		if k := t.Hooks[h.Name]; h.Status == discovery.Ready && (k == nil || k.Runs == 0) {
			list = append(list, idleHook{h.Name, h.Layer, h.File})
		}
	}
	return list
}
