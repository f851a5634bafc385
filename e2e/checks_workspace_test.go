//go:build e2e && unix

package e2e

import (
	"regexp"
	"strings"

	"github.com/agents-hooks/agents-hooks/e2e/model"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

var (
	toldBind   = regexp.MustCompile(`\(session_bind\): (.* workspace session bind --session-id (\S+) --workspace-id) WORKSPACE_ID`)
	toldUnbind = strings.NewReplacer("session bind", "session unbind", " --workspace-id", "")
	toldID     = regexp.MustCompile(`ws-[0-9a-z]+-[0-9a-z]+`)
)

// proveWorkspace: the built-in workspaces. The model is told the id
// of its session and how to bind it, and runs that very command; from its next
// prompt on it is told the workspace and what the focused node calls for. Another
// session of the same folder is told nothing of it, until it binds itself; unbound
// it is told nothing more.
func proveWorkspace(l *Lab) {
	l.WriteHome(".config/agents/hooks.toml", "[builtin.workspace]\nenabled = true\nlanguage = \"en\"\n")
	l.install()
	l.makeWorkspace()

	r := l.run(l.binds("first")).well()
	r.wantMarks("first")
	r.wantFirst("<tanmi-session-info>", 0)
	r.wantFirst("<tanmi-workspace-suggestion>", 0)
	l.wantSilent(r, 0)
	first := l.toldBind(r)[2]

	r = l.resume(promptMark+": go on.", model.Play(says("I go on"))).well()
	r.wantFirst("Session id: "+first, 0)
	l.wantTold(r)
	// What is not news is not said again, but an unsolved problem is.
	before := said(r, "<tanmi-workspace-context>")
	r = l.resume(promptMark+": and further.", model.Play(says("I go on"))).well()
	if l.Agent.ID == "codex" && said(r, "<tanmi-workspace-context>") > before+1 {
		r.errorf("the context came %d times", said(r, "<tanmi-workspace-context>"))
	}

	r = l.run(l.binds("second")).well()
	r.wantMarks("second")
	l.wantSilent(r, 0)
	second := l.toldBind(r)
	if second[2] == first {
		r.errorf("two sessions have the id %s", first)
	}
	unbind := toldUnbind.Replace(second[1]) + " && : > '" + l.mark("unbound") + "'"
	r = l.resume(promptMark+": go on.", model.Play(calls(l.Agent.Shell(unbind)), says("unbound"))).well()
	l.wantTold(r)
	r.wantMarks("unbound")
	contexts, reminders := said(r, "<tanmi-workspace-context>"), said(r, "<tanmi-smart-reminder>")
	r = l.resume(promptMark+": and now something else.", model.Play(says("fine"))).well()
	if said(r, "<tanmi-workspace-context>") > contexts || said(r, "<tanmi-smart-reminder>") > reminders {
		r.errorf("unbound, and the model is still told of the workspace")
	}
}

// makeWorkspace makes what the check is about, as a person would.
func (l *Lab) makeWorkspace() {
	l.t.Helper()
	for _, args := range [][]string{
		{"workspace", "init", "WORKSPACE-51", "--goal", "GOAL-52 tokens in place of sessions"},
		{"workspace", "node", "create", "NODE-53", "--parent-id", "root", "--type", "execution", "--requirement", "NEED-54 check the signature"},
		{"workspace", "rules", "--action", "add", "--rule", "RULE-55 keys come from the environment"},
	} {
		must.Do(l.t, must.Err(l.ours(args...)))
	}
	list, err := l.ours("workspace", "node", "list", "--json")
	must.Do(l.t, err)
	node := regexp.MustCompile(`node-[0-9a-z]+-[0-9a-z]+`).FindString(list)
	for _, args := range [][]string{
		{"workspace", "node", "transition", "--node-id", node, "--action", "start"},
		{"workspace", "problem", "update", "--node-id", node, "--problem", "PROBLEM-56 no public key", "--next-step", "STEP-57 ask for it"},
	} {
		must.Do(l.t, must.Err(l.ours(args...)))
	}
}

// binds is a model that does what it was told: it runs the command by which its
// session is bound, with the workspace that was suggested.
func (l *Lab) binds(mark string) model.Script {
	return model.Steps(func(r *model.Request) model.Turn {
		all := strings.Join(r.Texts(), "\n")
		m := toldBind.FindStringSubmatch(all)
		if m == nil {
			return says("nobody told me")
		}
		return calls(l.Agent.Shell(m[1] + " " + toldID.FindString(all) + " && : > '" + l.mark(mark) + "'"))
	}, func(*model.Request) model.Turn { return says("bound") })
}

// toldBind is the command that a run was told, and the id of its session.
func (l *Lab) toldBind(r *Run) []string {
	l.t.Helper()
	if len(r.Turns) > 0 {
		if m := toldBind.FindStringSubmatch(strings.Join(r.Turns[0].Texts(), "\n")); m != nil {
			return m
		}
	}
	r.fatalf("the model was not told how to bind")
	return nil
}

// wantTold: the workspace and the reminder are in the first request.
func (l *Lab) wantTold(r *Run) {
	l.t.Helper()
	for _, text := range []string{"<tanmi-workspace-context>", "GOAL-52", "RULE-55", "NODE-53", "NEED-54", "<tanmi-smart-reminder>", "PROBLEM-56", "STEP-57"} {
		r.wantFirst(text, 0)
	}
}

// wantSilent: nothing of the workspace but its name and goal is in a request.
func (l *Lab) wantSilent(r *Run, turn int) {
	l.t.Helper()
	for _, text := range []string{"<tanmi-workspace-context>", "<tanmi-smart-reminder>", "RULE-55", "PROBLEM-56"} {
		if len(r.Turns) > turn && r.Turns[turn].Says(text) {
			r.errorf("a session that is bound to nothing was told %s", text)
		}
	}
}

// said counts how often a text stands in the last request of a run.
func said(r *Run, text string) int {
	if len(r.Turns) == 0 {
		return 0
	}
	return strings.Count(strings.Join(r.Turns[len(r.Turns)-1].Texts(), "\n"), text)
}
