//go:build unix

package runner

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// stops plays stops of one session and returns how often the agent went on, and
// the last report.
func stops(t *testing.T, r *Runner, n int, ev func() *protocol.Event, s *discovery.Set) (on int, last Report) {
	t.Helper()
	for range n {
		last = guarded(t, func() Report { return r.Run(context.Background(), ev(), s) })
		if goesOn(last.Event, &last.Outcome) {
			on++
		}
	}
	return on, last
}

func stopEvent() *protocol.Event { return event(protocol.PreAgentTurnStop) }

// asUsual are the limits of a user who says nothing.
var asUsual = discovery.Settings{StopRow: discovery.DefaultStopRow, StopTotal: discovery.DefaultStopTotal}

// A gate that always says no does not hold the agent for ever.
func TestLoopGuard(t *testing.T) {
	t.Parallel()
	stop := func(h *discovery.Hook) *discovery.Hook { return on(protocol.PreAgentTurnStop, h) }
	limited := func(n int, h *discovery.Hook) *discovery.Hook { h.LoopLimit = n; return h }
	for _, c := range []struct {
		rule     string
		set      *discovery.Set
		stopMax  int
		settings discovery.Settings
		can      protocol.Can
		on       int
		verdicts string // of the last stop
		told     string
	}{
		{"exit 2 counts", set(stop(hook("block"))), 0, asUsual, canAll, 5, "block=block", "5 times in a row"},
		{"follow-ups count", set(stop(hook("follow"))), 0, asUsual, canAll, 5, "follow=ok", "5 times in a row"},
		{"stop_limit", set(stop(hook("block"))), 0, discovery.Settings{StopRow: 2, StopTotal: 20}, canAll, 2, "block=block", "2 times in a row"},
		{"stop_limit = 0: none at all", set(stop(hook("block"))), 0, discovery.Settings{StopTotal: 20}, canAll, 0, "block=block", "stop_limit of 0"},
		{"stop_limit = {total = 0}: none at all", set(stop(hook("follow"))), 8, discovery.Settings{StopRow: 5}, canAll, 0, "follow=ok", "stop_limit of 0"},
		{"never above the agent's own", set(stop(hook("block"))), 1, asUsual, canAll, 1, "block=block", "1 time in a row"},
		{"at the limit later hooks have their turn", set(stop(hook("block")), stop(hook("context"))), 0, asUsual, canAll, 5, "block=block context=ok", "may stop now"},
		{"a hook's own loop_limit", set(limited(1, stop(hook("follow")))), 0, asUsual, canAll, 1, "follow=ok", "its own limit"},
		{"which is not that of others", set(limited(1, stop(hook("follow"))), stop(hook("block"))), 0, asUsual, canAll, 5, "follow=ok block=block", "its own limit"},
		{"a failing hook never counts", set(stop(hook("one")), stop(hook("noise"))), 0, asUsual, canAll, 0, "one=failed noise=bad_output", ""},
		{"a failure that blocks counts", set(onError(discovery.OnErrorBlock, stop(hook("one")))), 0, asUsual, canAll, 5, "one=failed", "5 times in a row"},
		{"what the agent cannot carry does not count", set(stop(hook("block"))), 0, asUsual, protocol.CanMessage, 0, "block=block", ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			t.Parallel()
			r := newRunner(t)
			r.Session, r.StopMax = OpenSession(r.State, "a", "s"), c.stopMax
			c.set.Settings = c.settings
			went, last := stops(t, r, 7, func() *protocol.Event { ev := stopEvent(); ev.Can = c.can; return ev }, c.set)
			if went != c.on {
				t.Errorf("went on %d times, want %d", went, c.on)
			}
			if verdicts(last) != c.verdicts {
				t.Errorf("verdicts %q, want %q", verdicts(last), c.verdicts)
			}
			told := ""
			for _, w := range last.Warnings {
				if w.Kind == "loop" {
					told += w.Text
				}
			}
			if !strings.Contains(told, c.told) || c.told == "" && told != "" {
				t.Errorf("told %q, want %q", told, c.told)
			}
			if c.can == protocol.CanMessage && len(r.Session.read().counts) != 0 {
				t.Error("counted what was never carried")
			}
			if r.Session.PromptArrived("a new question"); c.on > 0 {
				if went, _ := stops(t, r, 1, stopEvent, c.set); went != 1 {
					t.Error("a new prompt begins no new row")
				}
			}
		})
	}
}

// Hooks are told how often the agent went on; nobody remembers without a
// session.
func TestLoopCount(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := newRunner(t)
	r.Env = append(r.Env, "OUT="+dir)
	r.Session = OpenSession(r.State, "a", "s")
	s := set(on(protocol.PreAgentTurnStop, hook("save")), on(protocol.PreAgentTurnStop, hook("block")))
	read := func() string { return must.Read(t, filepath.Join(dir, "save")) }
	stops(t, r, 1, stopEvent, s)
	if got := read(); !strings.Contains(got, `"stop_active": false, "loop_count": 0`) {
		t.Errorf("first: %s", got)
	}
	stops(t, r, 2, stopEvent, s)
	if got := read(); !strings.Contains(got, `"stop_active": true, "loop_count": 2`) {
		t.Errorf("third: %s", got)
	}
	stops(t, r, 1, func() *protocol.Event {
		ev := stopEvent()
		ev.Fields.Set("stop_active", protocol.Raw("false")) // Kimi says so always
		ev.Fields.Set("loop_count", protocol.Raw("7"))
		return ev
	}, s)
	if got := read(); !strings.Contains(got, `"stop_active": true, "loop_count": 7`) {
		t.Errorf("the agent counts too: %s", got)
	}
	r.Session = nil
	if on, _ := stops(t, r, 8, stopEvent, s); on != 8 {
		t.Errorf("without a session: went on %d times of 8", on)
	}
}

// Two windows on one session, and more: the limit holds for all together.
func TestLoopGuardTogether(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	went := make(chan bool)
	const windows = 12
	for range windows {
		go func() {
			r := &Runner{Env: testEnv(), State: state, Session: OpenSession(state, "a", "s")}
			rep := r.Run(context.Background(), stopEvent(), set(on(protocol.PreAgentTurnStop, hook("block"))))
			went <- goesOn(rep.Event, &rep.Outcome)
		}()
	}
	n := guarded(t, func() (n int) {
		for range windows {
			if <-went {
				n++
			}
		}
		return n
	})
	if n != 5 {
		t.Errorf("went on %d times, want 5", n)
	}
}

// Each subagent has a row of its own.
func TestLoopGuardSubagents(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	r.Session = OpenSession(r.State, "a", "s")
	s := set(on(protocol.PostSubagent, hook("follow")))
	for _, id := range []string{"agent-1", "../agent 2", ""} {
		t.Run(fmt.Sprintf("%q", id), func(t *testing.T) {
			went, _ := stops(t, r, 7, func() *protocol.Event {
				ev := event(protocol.PostSubagent)
				ev.Fields.SetText("agent_id", id)
				return ev
			}, s)
			if went != 5 {
				t.Errorf("subagent %q went on %d times", id, went)
			}
		})
	}
	if row, _ := r.Session.StopCount(); row != 0 {
		t.Errorf("the session's own row is %d", row)
	}
}
