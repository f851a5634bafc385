//go:build e2e && unix

package e2e

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/agents-hooks/agents-hooks/e2e/model"
)

// stopRow is how often in a row hooks may make any agent go on, by default.
const stopRow = 5

// stops is how often in a row hooks may make this agent go on.
func (l *Lab) stops() int {
	if n := l.Agent.StopMax; n > 0 {
		return min(n, stopRow)
	}
	return stopRow
}

// once wraps a script that speaks the first time it is called and never again;
// each call leaves its event in the mark stops.
func (l *Lab) once(script string) string {
	return "cat >> '" + l.mark("stops") + "'\n" +
		"[ -e '" + l.mark("spoken") + "' ] && exit 0\n: > '" + l.mark("spoken") + "'\n" + script
}

func proveGate(l *Lab) {
	l.proveGoesOn(`echo "GATE-TEXT-77: the tests are red" >&2; exit 2`, "GATE-TEXT-77: the tests are red")
}

func proveFollowup(l *Lab) {
	l.proveGoesOn(`echo '{"followup_message": "FOLLOW-UP-78: now the docs"}'`, "FOLLOW-UP-78: now the docs")
}

// proveGoesOn: the agent wants to stop, the hook says go on once, the model does
// some more work, and then the agent does stop. The hook is told both times
// where it is.
func (l *Lab) proveGoesOn(script, text string) {
	l.userHook(Hook{Name: "gate", Trigger: "pre-agent-turn-stop", Script: l.once(script)})
	l.install()
	r := l.runOn(model.Play(says("I am done"), calls(l.touch("worked")), says("now I am done")))
	r.wantTurns(3)
	r.wantFirst(text, 1)
	r.wantMarks("worked")
	if l.Agent.Serve == nil {
		r.wantAnswer("now I am done")
	}
	type asked struct {
		active bool
		count  float64
		final  string
	}
	wants := []asked{{false, 0, "I am done"}, {true, 1, "now I am done"}}
	if l.stops() == 1 {
		wants = wants[:1] // it is not asked again
	}
	stops := l.eventsIn("stops")
	if len(stops) != len(wants) {
		r.fatalf("the gate was asked %d times, want %d", len(stops), len(wants))
	}
	for i, want := range wants {
		e := stops[i]
		final, _ := e["final_message"].(map[string]any)
		content, _ := final["content"].(string)
		if slices.Contains(l.Agent.Untold, "pre-agent-turn-stop.final_message") {
			want.final = ""
		}
		if e["stop_active"] != want.active || e["loop_count"] != want.count || !strings.Contains(content, want.final) {
			r.errorf("stop %d: stop_active %v, loop_count %v, final_message %v; want %+v", i, e["stop_active"], e["loop_count"], e["final_message"], want)
		}
	}
}

// proveLoopGuard: a hook that never lets the agent stop is overruled after
// stopRow times (or as often as the agent allows, if that is less), and the
// agent ends as it would have without it.
func proveLoopGuard(script, text string) func(*Lab) {
	return func(l *Lab) {
		l.userHook(Hook{Name: "never", Trigger: "pre-agent-turn-stop", Script: script})
		l.install()
		r := l.runOn(model.Play(says("I am done")))
		r.wantFirst(text, 1)
		r.wantTurns(1 + l.stops())
		if l.Agent.Serve == nil {
			r.wantAnswer("done")
		}
	}
}

// proveCrash: hooks that fail in every way leave the agent working. One of them
// prints what some agents would take for a verdict.
func proveCrash(l *Lab) {
	for _, trigger := range []string{"pre-session", "pre-agent-turn", "pre-tool-call", "post-tool-call", "pre-agent-turn-stop", "post-session"} {
		l.userHook(Hook{Name: "exit-one-" + trigger, Trigger: trigger, Script: `echo '{"decision": "block", "reason": "NEVER-TOLD", "hookSpecificOutput": {"permissionDecision": "deny"}}'; echo "NEVER-TOLD" >&2; exit 1`})
		l.userHook(Hook{Name: "segv-" + trigger, Trigger: trigger, Script: `kill -SEGV $$`})
		l.userHook(Hook{Name: "garbage-" + trigger, Trigger: trigger, Script: `printf '{"decision": "deny", \377 not json'`})
	}
	l.userHook(Hook{Name: "later", Trigger: "pre-tool-call", Matter: "priority: 1", Script: `: > '` + l.mark("later") + `'`})
	l.install()
	r := l.run(model.Play(calls(l.touch("ran")), says("all is well"))).well()
	r.wantTurns(2)
	r.wantMarks("ran", "later")
	r.wantAnswer("all is well")
	if r.first("NEVER-TOLD") >= 0 {
		r.errorf("the model was told what a crashed hook printed")
	}
}

// proveHang: a hook that does not end is ended, with its children, and the
// agent goes on.
func proveHang(l *Lab) {
	l.userHook(Hook{
		Name: "hang", Trigger: "pre-tool-call", Matter: "timeout: 200",
		Script: `trap '' TERM; sleep 300 & echo $! > '` + l.mark("child") + `'; sleep 300`,
	})
	l.install()
	r := l.run(model.Play(calls(l.touch("ran")), says("all is well"))).well()
	r.wantTurns(2)
	r.wantMarks("ran", "child")
	r.wantAnswer("all is well")
	text, err := os.ReadFile(l.mark("child"))
	if err != nil {
		r.fatalf("%v", err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		r.fatalf("%v", err)
	}
	if !l.eventually(func() bool { return dead(pid) }) {
		r.errorf("a child of the hook lives on as %d", pid)
	}
}

// dead reports whether a process is gone, or only waits for its parent to
// notice.
func dead(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(stat), ") Z ")
}

// proveAsync: the hook waits for a sign that is given only after the agent has
// ended, so an agent that waited for the hook would never end. Its limit is longer
// than the slowest agent takes to leave: one tells its maker's server for half a minute.
func proveAsync(l *Lab) {
	trigger := "post-tool-call"
	if !slices.Contains(l.Agent.Events, trigger) {
		trigger = "pre-tool-call"
	}
	l.userHook(Hook{
		Name: "later", Trigger: trigger, Matter: "async: true\ntimeout: 600000",
		Script: `while [ ! -e '` + l.mark("go") + `' ]; do sleep 0.05; done; cat > '` + l.mark("part") + `'; mv '` + l.mark("part") + `' '` + l.mark("async") + `'`,
	})
	l.install()
	r := l.run(model.Play(calls(l.touch("ran")), says("all is well"))).well()
	r.wantTurns(2)
	r.wantMarks("ran")
	r.wantNoMarks("async")
	l.write(l.mark("go"), "", 0o644)
	if !l.eventually(func() bool { return l.marked("async") }) {
		r.fatalf("the async hook never ran to its end")
	}
	if ev := l.eventsIn("async"); len(ev) != 1 || ev[0]["event_type"] != trigger {
		r.errorf("the async hook was told %v", ev)
	}
}
