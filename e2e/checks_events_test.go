//go:build e2e && unix

package e2e

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/e2e/model"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// eventsIn reads a mark that holds events, one a line.
func (l *Lab) eventsIn(name string) []event {
	l.t.Helper()
	data, err := os.ReadFile(l.mark(name))
	if err != nil {
		return nil
	}
	var out []event
	for line := range strings.Lines(string(data)) {
		var e event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			l.t.Fatalf("a hook was not told one JSON object a line: %v: %s", err, line)
		}
		out = append(out, e)
	}
	return out
}

// everything is a session that makes an agent go through all that it has: a
// tool, a failing tool, a subagent with a tool of its own, and where the agent
// does it by itself a compaction.
func everything(l *Lab) model.Script {
	step := func(t model.Turn) model.Script { return func(*model.Request) model.Turn { return t } }
	first := calls(l.touch("ran"))
	first.InputTokens = l.Agent.Compact.Tokens
	steps := []model.Script{step(first)}
	if l.Agent.Failing.Name != "" {
		steps = append(steps, step(calls(l.Agent.Failing)))
	}
	steps = append(steps, l.delegate()...)
	steps = append(steps, step(l.dear("everything is done")))
	main, below := model.Steps(steps...), l.subjob()
	if after := l.Agent.Compact.After; after != "" {
		below = model.Split(after, main, below)
	}
	script := model.Split(promptMark, main, below)
	if mark := l.Agent.Compact.Mark; mark != "" {
		script = model.Split(mark, model.Play(l.summary()), script)
	}
	return script
}

// delegate are the steps that give a subagent its job and wait for it.
func (l *Lab) delegate() []model.Script {
	var steps []model.Script
	if l.Agent.Subagent != nil {
		steps = append(steps, func(*model.Request) model.Turn {
			return calls(l.Agent.Subagent("SUBJOB-42: do your part"))
		})
	}
	if l.Agent.Await != nil {
		steps = append(steps, func(r *model.Request) model.Turn { return calls(l.Agent.Await(r)) })
	}
	return steps
}

// subjob is what the subagent's model says.
func (l *Lab) subjob() model.Script {
	end := says("my part is done")
	if l.Agent.Finish.Name != "" {
		end = calls(l.Agent.Finish)
	}
	return model.Play(calls(l.touch("ran-below")), end)
}

// logAll puts a hook on each of the events, which keeps what it is told in a
// file of its own: events/TYPE.XXXXXX.
func (l *Lab) logAll() {
	dir := l.mark("events")
	must.Do(l.t, os.MkdirAll(dir, 0o755))
	for _, t := range protocol.EventTypes() {
		l.userHook(Hook{Name: "log-" + string(t), Trigger: string(t), Script: `f=$(mktemp '` + dir + `/` + string(t) + `.XXXXXX') && cat > "$f"`})
	}
}

// logged are the events that the hooks of logAll were told, by type, in the
// order of their time stamps.
func (l *Lab) logged() map[string][]event {
	l.t.Helper()
	names, _ := filepath.Glob(l.mark("events/*"))
	out := map[string][]event{}
	for _, name := range names {
		trigger, _, _ := strings.Cut(filepath.Base(name), ".")
		rel, err := filepath.Rel(l.Root, name)
		must.Do(l.t, err)
		out[trigger] = append(out[trigger], l.eventsIn(rel)...)
	}
	// the task of a subagent may come as a prompt as well, and says so
	out["pre-agent-turn"] = slices.DeleteFunc(out["pre-agent-turn"], func(e event) bool { return e.text("source") == "subagent" })
	for _, list := range out {
		sort.Slice(list, func(i, j int) bool { return list[i].text("timestamp") < list[j].text("timestamp") })
	}
	return out
}

func proveEvents(l *Lab) {
	l.logAll()
	l.install()
	r := l.run(everything(l)).well()
	if l.Agent.Late != "" {
		l.eventually(func() bool { return len(l.logged()) >= len(l.Agent.Events) })
	}
	once := l.logged() // of the first run: counted below
	if p := l.Agent.Compact.Prompt; p != "" {
		r = l.resume(p, model.Play(l.summary(), says("after the compaction"))).well()
	}
	all := l.logged()

	for _, t := range protocol.EventTypes() {
		want, got := slices.Contains(l.Agent.Events, string(t)), len(all[string(t)]) > 0
		if want != got && !t.Ours() {
			r.errorf("%s: reached a hook: %v, want %v (%s)", t, got, want, l.Agent.Never[string(t)])
		}
	}
	for trigger, list := range all {
		for _, e := range list {
			l.checkBase(r, trigger, e)
		}
	}
	l.checkAsked(r, once)
	for _, events := range []map[string][]event{once, all} {
		events["pre-subagent"] = slices.DeleteFunc(events["pre-subagent"], askedAtCall(events))
	}
	l.checkCounts(r, once)
	l.checkFields(r, all)
}

// askedAtCall tells the pre-subagent events that came with the call of the tool
// which starts the subagent, where the agent tells of the start by itself too.
func askedAtCall(events map[string][]event) func(event) bool {
	call := map[string]bool{}
	for _, e := range events["pre-tool-call"] {
		call[e.text("context", "native_event")] = true
	}
	atCall := func(e event) bool { return call[e.text("context", "native_event")] }
	if !slices.ContainsFunc(events["pre-subagent"], func(e event) bool { return !atCall(e) }) {
		return func(event) bool { return false }
	}
	return atCall
}

// checkAsked: hooks of pre-subagent are asked at the call, once, where they could
// not keep the agent from it later (HM-AGT-44).
func (l *Lab) checkAsked(r *Run, once map[string][]event) {
	l.t.Helper()
	asked, late := 0, false
	atCall := askedAtCall(once)
	for _, e := range once["pre-subagent"] {
		can, _ := e["context"].(map[string]any)["can"].([]any)
		if atCall(e) {
			asked++
		} else {
			late = !slices.Contains(can, any("block"))
		}
	}
	if want := map[bool]int{true: 1}[late]; asked != want {
		r.errorf("pre-subagent was asked %d times at the call, want %d: %v", asked, want, once["pre-subagent"])
	}
}

// checkBase: what every event carries.
func (l *Lab) checkBase(r *Run, trigger string, e event) {
	l.t.Helper()
	context, _ := e["context"].(map[string]any)
	native, _ := context["native"].(map[string]any)
	_, can := context["can"].([]any)
	if e.text("event_type") != trigger || e.text("session_id") == "" || e.text("work_dir") != l.Project ||
		e.text("context", "agent") != l.Agent.ID || e.text("context", "native_event") == "" || len(native) == 0 || !can {
		r.errorf("%s: base fields are wrong: %v", trigger, map[string]any(e))
	}
	if _, err := time.Parse(time.RFC3339, e.text("timestamp")); err != nil {
		r.errorf("%s: timestamp: %v", trigger, err)
	}
}

// stopEvents are those that tell of the end of a turn.
var stopEvents = []string{"pre-agent-turn-stop", "post-agent-turn", "post-agent-turn-stop"}

// checkCounts: what happens once is told once.
func (l *Lab) checkCounts(r *Run, once map[string][]event) {
	l.t.Helper()
	if l.Agent.Apart != "" && len(once["pre-session"]) > 0 {
		main := once["pre-session"][0].text("session_id")
		for trigger := range once {
			once[trigger] = slices.DeleteFunc(once[trigger], func(e event) bool { return e.text("session_id") != main })
		}
	}
	for _, trigger := range []string{"post-session", "pre-agent-turn", "pre-agent-turn-stop", "post-agent-turn", "post-agent-turn-stop", "pre-subagent", "post-subagent"} {
		want := 1
		if l.Agent.StopsBelow != "" && slices.Contains(stopEvents, trigger) {
			want++
		}
		if slices.Contains(l.Agent.Events, trigger) && len(once[trigger]) != want {
			r.errorf("%s was told %d times in one plain run, want %d: %v", trigger, len(once[trigger]), want, once[trigger])
		}
	}
	started := 0
	for _, e := range once["pre-session"] {
		if e.text("source") == "startup" {
			started++
		}
	}
	if started != 1 && !slices.Contains(l.Agent.Untold, "pre-session.source") {
		r.errorf("the start of the session was told %d times", started)
	}
	shells := 0
	for _, e := range once["pre-tool-call"] {
		if command := e.text("tool_input", "command"); strings.HasSuffix(command, l.mark("ran")) {
			shells++
			tool, native := l.Agent.native(e)
			if e.text("tool_name") != "Shell" || tool != l.Agent.ShellTool || native != command ||
				e.text("tool_use_id") == "" {
				r.errorf("the shell call was told as %v", map[string]any(e))
			}
		}
	}
	if shells != 1 {
		r.errorf("the shell call was told %d times", shells)
	}
}

// native is the shell tool and its command as the agent itself told them.
func (a *Agent) native(e event) (tool, command string) {
	if a.Native != nil {
		return a.Native(e)
	}
	return e.text("context", "native", "tool_name"), e.text("context", "native", "tool_input", a.ShellKey)
}

// checkFields: what each kind of event carries beside the base fields.
func (l *Lab) checkFields(r *Run, all map[string][]event) {
	l.t.Helper()
	for _, want := range []struct {
		trigger string
		path    []string
		holds   string // "": anything but nothing
	}{
		{"pre-session", []string{"source"}, "startup"},
		{"post-session", []string{"exit_reason"}, ""},
		{"pre-agent-turn", []string{"prompt"}, promptMark},
		{"pre-agent-turn-stop", []string{"final_message", "content"}, "everything is done"},
		{"pre-agent-turn-stop", []string{"status"}, "completed"},
		{"post-tool-call", []string{"tool_name"}, "Shell"},
		{"post-tool-call-failure", []string{"error"}, ""},
		{"pre-subagent", []string{"subagent_type"}, ""},
		{"post-subagent", []string{"subagent_type"}, ""},
		{"pre-context-compact", []string{"trigger"}, ""},
	} {
		list := all[want.trigger]
		if len(list) == 0 {
			continue // its absence was judged above
		}
		if slices.Contains(l.Agent.Untold, want.trigger+"."+want.path[0]) {
			got := list[0].text(want.path...)
			written := want.path[0] == "final_message" && l.readsFinal() && strings.Contains(got, want.holds)
			if got != "" && !written {
				r.errorf("%s: %s is %q, and the recipe says that it is not told", want.trigger, want.path[0], got)
			}
			continue
		}
		if got := list[0].text(want.path...); got == "" || !strings.Contains(got, want.holds) {
			r.errorf("%s: %s is %q, want %q in it: %v", want.trigger, strings.Join(want.path, "."), got, want.holds, map[string]any(list[0]))
		}
	}
	if list := all["post-tool-call"]; len(list) > 0 && list[0]["tool_response"] == nil {
		r.errorf("post-tool-call has no tool_response: %v", map[string]any(list[0]))
	}
}

// readsFinal: the last message is read from the transcript, where an agent has written it
// there by the time that hooks are asked.
func (l *Lab) readsFinal() bool {
	d, ok := agents.Lookup(l.Agent.ID)
	return ok && d.Final != nil
}

// proveSubagentContext: what a pre-subagent hook says reaches the subagent's
// model, and only it.
func proveSubagentContext(l *Lab) {
	l.userHook(Hook{Name: "brief", Trigger: "pre-subagent", Script: `echo '{"additional_context": "BRIEFING-64"}'`})
	l.install()
	steps := append(l.delegate(), func(*model.Request) model.Turn { return says("all is well") })
	r := l.run(model.Split(promptMark, model.Steps(steps...), l.subjob())).well()
	r.wantMarks("ran-below")
	for _, q := range r.Turns {
		if below := !q.Says(promptMark); below != q.Says("BRIEFING-64") {
			r.errorf("request %d: of the subagent: %v, briefed: %v", q.Seq, below, q.Says("BRIEFING-64"))
		}
	}
}

// Hooks fire below the main conversation too, headless as every run here is;
// what an agent does not deliver there stands in its recipe.
func proveSubagentGuard(l *Lab) {
	guard := forbid
	guard.Matter = "matcher:\n  tool: '^Shell$'\n  pattern: 'ran-below'"
	l.userHook(guard)
	l.install()
	steps := append(l.delegate(), func(*model.Request) model.Turn { return says("all is well") })
	r := l.run(model.Split(promptMark, model.Steps(steps...), l.subjob())).well()
	r.wantNoMarks("ran-below")
	if !slices.ContainsFunc(r.Turns, func(q *model.Request) bool { return !q.Says(promptMark) && q.Says(forbidReason) }) {
		r.errorf("the subagent's model was not told the reason")
	}
}

// proveSubagentFollowup: a subagent that wants to end is told to go on, once.
func proveSubagentFollowup(l *Lab) {
	l.userHook(Hook{Name: "more", Trigger: "post-subagent", Script: l.once(`echo '{"followup_message": "SUB-FOLLOW-UP-66"}'`)})
	l.install()
	steps := append(l.delegate(), func(*model.Request) model.Turn { return says("all is well") })
	r := l.run(model.Split(promptMark, model.Steps(steps...), l.subjob())).well()
	told := 0
	for _, q := range r.Turns {
		if !q.Says(promptMark) && q.Says("SUB-FOLLOW-UP-66") {
			told++
		}
	}
	if told != 1 {
		r.errorf("the subagent's model was told in %d requests, want 1", told)
	}
	r.wantAnswer("all is well")
}

// dear is a turn of text that makes a compaction worth while.
func (l *Lab) dear(text string) model.Turn {
	if l.Agent.Compact.Cost > 0 {
		text += strings.Repeat(" and much more was said", 2000)
	}
	return model.Turn{Text: text, InputTokens: l.Agent.Compact.Cost}
}

// summary is what the model says when it is asked for one.
func (l *Lab) summary() model.Turn { return says(cmp.Or(l.Agent.Compact.Summary, "a summary")) }

// compact lets a session be, and then has it compacted; or has it grow so much
// that the agent does it by itself.
func (l *Lab) compact() *Run {
	if l.Agent.Compact.Prompt == "" {
		first := calls(l.touch("ran"))
		first.InputTokens = l.Agent.Compact.Tokens
		talk := model.Play(first, calls(l.touch("ran-on")), l.dear("all is well"))
		r := l.run(model.Split(l.Agent.Compact.Mark, model.Play(l.summary()), talk))
		r.Turns = slices.DeleteFunc(l.Model.Requests(), func(q *model.Request) bool { return !q.Says(l.Agent.Compact.Mark) })
		return r
	}
	l.run(model.Play(calls(l.touch("ran")), l.dear("all is well"))).well()
	return l.resume(l.Agent.Compact.Prompt, model.Play(l.summary()))
}

func proveCompactContext(l *Lab) {
	l.userHook(Hook{Name: "keep", Trigger: "pre-context-compact", Script: `echo '{"additional_context": "KEEP-IN-SUMMARY-15"}'`})
	l.install()
	l.compact().well().wantFirst("KEEP-IN-SUMMARY-15", 0)
}

func proveCompactBlock(l *Lab) {
	l.userHook(Hook{Name: "not-now", Trigger: "pre-context-compact", Script: `echo "NOT-NOW-16" >&2; exit 2`})
	l.install()
	r := l.compact()
	r.wantTurns(0)
}
