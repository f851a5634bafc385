package hooktest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// A trial is one way to run a hook that has broken others.
type trial struct {
	name string
	what string // what is different, for the report
	env  []string
	ev   *protocol.Event
	hook *discovery.Hook
	// spell writes the event in another way; nil for the promised one.
	spell func(*protocol.Event) []byte
	// cut says that the hook cannot know what it is asked: it is right to fail then, and wrong
	// to allow.
	cut bool
	// soft says that another answer may be right.
	soft bool
}

// maxTrialled bounds how many events of the tests go through all trials.
const maxTrialled = 4

// hostile runs all trials on events of the tests: first those that the hook stops, then one
// that it lets pass.
func (b *bench) hostile(ctx context.Context, scenes []scene) (results []trialResult) {
	stopped, passing, late := 0, 0, 0
	for _, s := range scenes {
		switch {
		case !s.reached || !ended(s.base):
			continue
		case stops(s.base):
			stopped++
		default:
			passing++
		}
		if stops(s.base) && stopped >= maxTrialled || !stops(s.base) && passing > 1 {
			continue
		}
		for _, tr := range b.trials(s.ev) {
			if ctx.Err() != nil {
				return results
			}
			if late == maxLate {
				results = append(results, trialResult{Trial: tr.name, Test: s.name, What: tr.what, Class: fragile, Detail: "left out: it ran out of time too often", Verdict: runner.Skipped, Exit: -1})
				break
			}
			r, _ := b.run(ctx, tr.hook, tr.ev, tr.env, tr.spell)
			if r.Verdict == runner.TimedOut && b.hook.Timeout <= patience {
				r, _ = b.run(ctx, tr.hook, tr.ev, tr.env, tr.spell)
			}
			if r.Verdict == runner.TimedOut {
				late++
			}
			results = append(results, judge(tr, s.base, r, b.hook.Timeout).of(s))
		}
		results = append(results, b.together(ctx, s, b.hook.Timeout).of(s))
	}
	return append(results, b.survivors())
}

// A hook has its own time limit in trials, too. One that exceeds it is run again, if that takes
// no longer than patience: a machine that was slow for a moment must not count as a hole. After
// maxLate such runs, no more are needed.
const (
	patience = 30 * time.Second
	maxLate  = 3
)

// settled runs the hook on an event, once more if it exceeded its time limit.
func (b *bench) settled(ctx context.Context, ev *protocol.Event) runner.Result {
	r := b.plain(ctx, ev)
	if r.Verdict == runner.TimedOut && b.hook.Timeout <= patience {
		r = b.plain(ctx, ev)
	}
	return r
}

// trials are all of them: each differs from the plain run in one thing.
func (b *bench) trials(ev *protocol.Event) []trial {
	var list []trial
	try := func(name, what string, differ func(*trial)) {
		tr := trial{name: name, what: what, env: b.host.Env, ev: ev, hook: b.hook}
		differ(&tr)
		list = append(list, tr)
	}
	for _, s := range spellings() {
		try(s.name, s.what, func(tr *trial) { tr.spell, tr.cut = s.spell, s.cut })
	}
	for _, a := range additions() {
		try(a.name, a.what, func(tr *trial) { tr.ev = withFields(ev, a.members...) })
	}
	try("path", "PATH with the system's folders only", func(tr *trial) { tr.env = setEnv(tr.env, "PATH", systemPath(b.host.GOOS)) })
	try("home", "no HOME", func(tr *trial) { tr.env = setEnv(tr.env, "HOME", "") })
	try("locale", "LC_ALL=C", func(tr *trial) { tr.env = setEnv(setEnv(tr.env, "LC_ALL", "C"), "LANG", "C") })
	if empty := filepath.Join(b.temp, "elsewhere"); os.MkdirAll(empty, 0o755) == nil {
		try("elsewhere", "started in an empty folder", func(tr *trial) {
			tr.ev, tr.soft = ev.Clone(), true
			tr.ev.WorkDir = empty
		})
	}
	if moved, err := b.moved(); err == nil {
		try("moved", "a copy that cannot be written, below blanks and quotes", func(tr *trial) { tr.hook = moved })
	}
	return list
}

// together runs the hook four times at once.
func (b *bench) together(ctx context.Context, s scene, limit time.Duration) trialResult {
	tr := trial{name: "together", what: "four of it at once"}
	results := make([]runner.Result, 4)
	var all sync.WaitGroup
	for i := range results {
		all.Go(func() { results[i], _ = b.run(ctx, b.hook, s.ev, b.host.Env, nil) })
	}
	all.Wait()
	worst := judge(tr, s.base, results[0], limit)
	for _, r := range results[1:] {
		if j := judge(tr, s.base, r, limit); rank(j.Class) < rank(worst.Class) {
			worst = j
		}
	}
	return worst
}

// survivors looks for processes that the trials left behind.
func (b *bench) survivors() trialResult {
	r := trialResult{Trial: "survivors", What: "processes alive after all of this", Class: passed, Verdict: runner.OK}
	list, known := processesWith(b.mark)
	switch {
	case !known:
		r.Detail = "not looked for on this system"
	case len(list) > 0:
		r.Class = leftBehind
		r.Detail = fmt.Sprintf("%d still running: %s", len(list), text.Clip(shell.Plain(strings.Join(list, ", ")), 160))
	}
	return r
}
