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
	"github.com/agents-hooks/agents-hooks/cmd/internal/translate"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
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
	// cut says that the hook cannot know what it is asked: that it fails is
	// right then, and that it allows is not.
	cut bool
	// soft says that another answer may be right.
	soft bool
}

// hostile runs all trials. base is how the hook ended on the plain event; a
// trial that takes ten times as long, and 5 s at least, has failed, so that one
// that hangs does not hang for all of its time limit each time.
func (b *bench) hostile(ctx context.Context, base runner.Result) []trialResult {
	limited := *b.hook
	limited.Timeout = min(limited.Timeout, max(5*time.Second, 10*base.Duration))
	full := b.hook.Timeout
	b.hook = &limited
	var results []trialResult
	for _, tr := range b.trials() {
		if ctx.Err() != nil {
			return results
		}
		r, _ := b.run(ctx, tr.hook, tr.ev, tr.env, tr.spell)
		results = append(results, judge(tr, base, r, full))
	}
	results = append(results, b.together(ctx, base, full))
	return append(results, b.survivors())
}

// trials are all of them: each is the plain run but for one thing.
func (b *bench) trials() []trial {
	var list []trial
	try := func(name, what string, differ func(*trial)) {
		tr := trial{name: name, what: what, env: b.host.Env, ev: b.ev, hook: b.hook}
		differ(&tr)
		list = append(list, tr)
	}
	for _, s := range spellings() {
		try(s.name, s.what, func(tr *trial) { tr.spell, tr.cut = s.spell, s.cut })
	}
	for _, a := range additions() {
		try(a.name, a.what, func(tr *trial) { tr.ev = withFields(b.ev, a.members...) })
	}
	for _, d := range agents.All() {
		if ev, ok := translate.Event(d, b.ev); ok && ev.Call != nil && ev != b.ev {
			try(d.ID, "the names and keys of "+d.Name, func(tr *trial) { tr.ev = ev })
		}
	}
	try("path", "PATH with the system's folders only", func(tr *trial) { tr.env = setEnv(tr.env, "PATH", systemPath(b.host.GOOS)) })
	try("home", "no HOME", func(tr *trial) { tr.env = setEnv(tr.env, "HOME", "") })
	try("locale", "LC_ALL=C", func(tr *trial) { tr.env = setEnv(setEnv(tr.env, "LC_ALL", "C"), "LANG", "C") })
	if empty := filepath.Join(b.temp, "elsewhere"); os.MkdirAll(empty, 0o755) == nil {
		try("elsewhere", "started in an empty folder", func(tr *trial) {
			tr.ev, tr.soft = b.ev.Clone(), true
			tr.ev.WorkDir = empty
		})
	}
	if moved, err := b.moved(); err == nil {
		try("moved", "a copy that cannot be written, below blanks and quotes", func(tr *trial) { tr.hook = moved })
	}
	return list
}

// together runs the hook four times at once.
func (b *bench) together(ctx context.Context, base runner.Result, limit time.Duration) trialResult {
	tr := trial{name: "together", what: "four of it at once"}
	results := make([]runner.Result, 4)
	var all sync.WaitGroup
	for i := range results {
		all.Go(func() { results[i], _ = b.run(ctx, b.hook, b.ev, b.host.Env, nil) })
	}
	all.Wait()
	worst := judge(tr, base, results[0], limit)
	for _, r := range results[1:] {
		if j := judge(tr, base, r, limit); rank(j.Class) < rank(worst.Class) {
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
