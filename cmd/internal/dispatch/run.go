package dispatch

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// Limits of the dispatcher's own memory: above the first it collects whatever it can, at the
// second it gives up. An event of the largest accepted size takes a quarter of the latter.
const (
	softMemory = 512 << 20
	hardMemory = 2 << 30
)

// bound applies them to this process, and watches them until ctx ends. Setting a limit costs a
// short event more than it could ever use, so it is set once an event takes longer; but at once
// if the environment sets its own memory limits, since a repository may have set those.
func bound(ctx context.Context, h host.Host) {
	memory := sync.OnceFunc(boundMemory)
	if h.GivenEnv("GOGC") != "" || h.GivenEnv("GOMEMLIMIT") != "" { // mutant: the watch sets the same bound a moment later
		memory()
	}
	watchEvent(ctx, memory)
}

func boundMemory() {
	debug.SetGCPercent(100)
	debug.SetMemoryLimit(softMemory)
}

// watchEvent takes care of events that take longer, until ctx ends: they get all cores, see
// package onecore, and a memory limit.
func watchEvent(ctx context.Context, memory func()) {
	time.AfterFunc(lookEvery, func() {
		if ctx.Err() == nil {
			runtime.SetDefaultGOMAXPROCS()
			memory()
			watchMemory(ctx)
		}
	})
}

// lookEvery is how often a longer event's memory is checked.
const lookEvery = 50 * time.Millisecond

func watchMemory(ctx context.Context) {
	var m runtime.MemStats
	if runtime.ReadMemStats(&m); m.Sys-m.HeapReleased > hardMemory {
		// Nothing recovers here: a crash is a signal, see crashBySignal.
		panic(fmt.Sprintf("more than %d MiB of memory", hardMemory>>20))
	}
	time.AfterFunc(lookEvery, func() {
		if ctx.Err() == nil {
			watchMemory(ctx)
		}
	})
}

// Share is how much of an agent's own time limit we use: the answer has to leave before the
// agent kills us.
const Share = 0.9

// deadline limits the whole event: by --deadline, and by nine tenths of the agent's own time
// limit.
func (c call) deadline(parent context.Context, from speaker) (context.Context, context.CancelFunc) {
	limit := c.opt.deadline
	if n, ok := from.dialect.Native(from.native); ok && n.Limit > 0 {
		if own := time.Duration(float64(n.Limit) * Share); limit == 0 || own < limit {
			limit = own
		}
	}
	if limit == 0 {
		return context.WithCancel(parent)
	}
	return context.WithDeadline(parent, time.Now().Add(limit))
}

// ran is what an event's hooks did.
type ran struct {
	loaded
	report runner.Report
}

func (c call) run(ctx context.Context, from speaker, ses *runner.Session, l loaded) ran {
	r := c.runner(from)
	r.Session, r.StopMax, r.Builtin = ses, from.dialect.StopMax, builtin.Find(c.host, l.world)
	rep := r.Run(ctx, l.event, l.set)
	builtin := func(r runner.Result) bool { return r.Hook.Entry.Builtin }
	if rep.Outcome.Decision == protocol.Block && rep.Event.Can.Has(protocol.CanBlock) && slices.ContainsFunc(rep.Results, builtin) {
		l.world.Dropped() // a block drops contexts
	}
	return ran{l, rep}
}

// begins asks the hooks of pre-subagent at the tool call that starts a subagent, if the agent
// cannot be stopped later. Only a block has an effect here: they are asked again when it
// starts, for everything else. Built-in hooks never block it.
func (c call) begins(ctx context.Context, from speaker, r ran) ran {
	task, starts := runner.TaskOf(r.report.Event)
	if !starts || r.report.Outcome.Decision == protocol.Block || !r.event.Can.Has(protocol.CanBlock) || !from.dialect.Loses(protocol.PreSubagent) {
		return r
	}
	ev := r.report.Event.Clone()
	ev.Type, ev.Call, ev.Deed, ev.Can = protocol.PreSubagent, nil, nil, protocol.CanBlock
	for _, name := range []string{"tool_name", "tool_input", "tool_use_id", "commands", "changes"} {
		ev.Fields.Delete(name)
	}
	ev.Fields.SetText("subagent_type", task.SubagentType)
	ev.Fields.SetText("subagent_name", task.Description)
	ev.Fields.SetText("task_description", task.Prompt)
	l, run := c.load(ctx, from, ev, nil), c.runner(from)
	run.Builtin = func(string) runner.Builtin {
		return func(context.Context, []string, []byte, io.Writer, io.Writer) int { return 0 }
	}
	rep := run.Run(ctx, ev, l.set)
	if rep.Outcome.Decision != protocol.Block {
		return r
	}
	r.report.Results = append(r.report.Results, rep.Results...)
	r.report.Warnings = append(r.report.Warnings, rep.Warnings...)
	r.report.Outcome = runner.Fold(r.report.Event, r.report.Results)
	r.world.Dropped()
	return r
}

// OwnShell is what runs a hook's sh script on Windows if no sh is on the PATH: the full program
// beside self, so that no event pays for an interpreter that few need.
func OwnShell(self string) []string {
	if runtime.GOOS != "windows" {
		return nil
	}
	return []string{filepath.Join(filepath.Dir(self), "agents-hooks.exe"), runner.ShellVerb}
}

func (c call) runner(from speaker) *runner.Runner {
	return &runner.Runner{Env: c.host.HookEnv(), State: c.host.State, Self: c.host.Self, Shell: OwnShell(c.host.Self), Home: c.host.Home, SupervisorArgs: c.brief(from.specForm()), Nested: c.nested, Alone: true}
}

// startAsync starts an event's async hooks. The answer is out.
func (c call) startAsync(from speaker, r ran) {
	if len(r.report.Async) > 0 {
		c.runner(from).Start(r.report.Async, r.set)
	}
}
