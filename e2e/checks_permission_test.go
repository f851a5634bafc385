//go:build e2e && unix

package e2e

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/e2e/model"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// asking runs a command of the model for which the agent would ask its person.
func (l *Lab) asking(name string) *Run {
	l.t.Helper()
	call := l.touch(name)
	if l.Agent.AskingShell != nil {
		call = l.Agent.AskingShell("echo ran > " + l.mark(name))
	}
	script := model.Play(calls(call), says("all is well"))
	if l.Agent.Ask != nil {
		return l.Agent.Ask(l, script)
	}
	if l.Agent.Asking == nil {
		l.t.Fatal("nothing is known that this agent asks for; want a reason in Cannot")
	}
	return l.start(script, l.Agent.Asking(l, promptMark+": do what the script says."))
}

// Without a word of a hook the command does not run, which is what makes the
// other rows mean something.
func proveDenied(l *Lab) {
	l.userHook(Hook{Name: "deny", Trigger: "permission-request", Matter: "matcher:\n  tool: '^Shell$'\n  command: 'forbidden'",
		Script: `echo ran > "$MARKS/denied"; echo "PERMISSION-REASON-64" >&2; exit 2`})
	l.install()
	r := l.asking("forbidden")
	r.wantMarks("denied")
	r.wantNoMarks("forbidden")
	if r.TimedOut {
		r.errorf("the agent still waits for an answer")
	}
	if l.Agent.But["hook denies a permission"] == "" {
		r.wantFirst("PERMISSION-REASON-64", 1)
	}
}

// allows says allow, as the person's own hook.
func allows(trigger string) Hook {
	return Hook{Name: "allow", Trigger: trigger, Matter: "matcher:\n  tool: '^Shell$'\nmetadata:\n  may_allow: true",
		Script: `echo ran > "$MARKS/asked"; echo '{"decision": "allow", "reason": "READ-ONLY-17"}'`}
}

// proveAllowed: what the agent would ask for runs because a hook of the person's
// says so, and the log has by whose word; without that hook it does not run.
func proveAllowed(trigger string) func(*Lab) {
	return func(l *Lab) {
		l.install()
		r := l.asking("unasked")
		r.wantNoMarks("unasked")
		l.userHook(allows(trigger))
		r = l.asking("wanted")
		r.wantMarks("asked", "wanted")
		if out, err := l.ours("log", "--json"); err != nil || !strings.Contains(out, `"allowed_by"`) {
			r.errorf("the log does not say by whose word: %v, %s", err, clip(out, 2000))
		}
	}
}

// proveNotAllowed: a project's hook gives no permission, though it runs and says
// that it may.
func proveNotAllowed(l *Lab) {
	if l.Agent.TrustProject != nil {
		l.Agent.TrustProject(l)
	}
	for _, trigger := range []string{"pre-tool-call", "permission-request"} {
		h := allows(trigger)
		h.Name += "-" + trigger
		l.projectHook(h)
	}
	l.install()
	must.Do(l.t, must.Err(l.ours("trust", "--yes")))
	r := l.asking("unwanted")
	r.wantMarks("asked")
	r.wantNoMarks("unwanted")
}

// proveOutput: the model reads what a hook says, and nothing of what the tool
// said.
func proveOutput(l *Lab) {
	l.userHook(Hook{Name: "redact", Trigger: "post-tool-call", Matter: "matcher:\n  tool: '^Shell$'",
		Script: `grep -q 'SECRET[-]OUTPUT-28' && echo ran > "$MARKS/seen"; printf '%s\n' '{"modified_output": "REPLACED-91: \"quoted\" <b> 中文\nsecond line"}'`})
	l.install()
	r := l.run(model.Play(calls(l.Agent.Shell(`printf '%s-%s-28\n' SECRET OUTPUT`)), says("all is well"))).well()
	r.wantMarks("seen")
	r.wantTurns(2)
	if i := r.first("SECRET-OUTPUT-28"); i >= 0 {
		r.errorf("the model read the output in request %d", i)
	}
	r.wantFirst("REPLACED-91", 1)
	r.wantFirst("second line", 1)
}

// proveNotification: a hook is told that the agent wants its person, and its exit
// code changes nothing.
func proveNotification(l *Lab) {
	l.userHook(Hook{Name: "tell", Trigger: "notification", Script: `cat >> "$MARKS/told"; echo "of no account" >&2; exit 2`})
	if l.Agent.Notices == "asked by a hook" {
		l.userHook(Hook{Name: "ask", Trigger: "pre-tool-call", Script: `echo '{"decision": "ask", "reason": "sure?"}'`})
	}
	l.install()
	r := l.run
	if l.Agent.Notices == "asking" {
		r = func(s model.Script) *Run { return l.start(s, l.Agent.Asking(l, promptMark)) }
	}
	end := r(model.Play(calls(l.touch("ran")), says("all is well")))
	told := l.eventsIn("told")
	if len(told) == 0 {
		end.fatalf("no hook was told")
	}
	for _, e := range told {
		l.checkBase(end, "notification", e)
		if e.text("message") == "" || e.text("kind") == "" {
			end.errorf("a notice without a message or a kind: %v", map[string]any(e))
		}
	}
}
