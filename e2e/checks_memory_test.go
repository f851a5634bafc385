//go:build e2e && unix

package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/e2e/model"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// memoryOn is memory as enable leaves it.
const memoryOn = "[builtin.memory]\nenabled = true\nlanguage = \"en\"\n"

// program is agents-hooks by its path, as the texts for agents name it: an agent's
// shell may have a PATH of its own.
func (l *Lab) program() string { return filepath.Join(l.Home, keptPrograms, "agents-hooks") }

// saves is a call that keeps a fact, and a mark that it did.
func (l *Lab) saves(fact, mark string) model.Call {
	return l.Agent.Shell("'" + l.program() + `' memory save --content "` + fact + `" --type W --entities jwt && : > '` + l.mark(mark) + `'`)
}

// proveMemory: the built-in memory as it is switched on. As a session begins the
// model is told how to save what it is asked to remember, and does; the first request
// of the next session has it, and what was kept of the session without a model. What
// the model says last in a run without a person is the run's result, whatever was
// done. Switched off, nothing is said and no file is touched.
func proveMemory(l *Lab) {
	l.WriteHome(".config/agents/hooks.toml", memoryOn)
	l.install()
	r := l.run(model.Play(calls(l.saves("FACT-93: tokens live 24 hours", "saved")), calls(l.touch("worked"), l.Agent.Shell("echo x > cache.txt")), says("RESULT-94"))).well()
	r.wantFirst("If asked to remember something", 0)
	r.wantFirst(l.program()+" memory save", 0)
	r.wantTurns(3)
	r.wantMarks("saved", "worked")
	r.wantAnswer("RESULT-94")
	if r.first("[Session Save]") >= 0 {
		r.errorf("a run without a person was made to go on")
	}
	// The workers of the sessions that are over leave a line when they are done.
	ended := func(n int) {
		if !l.eventually(func() bool { return strings.Count(l.memory(), `"type": "session_end"`) == n }) {
			r.fatalf("the ends of the sessions are not noted: %s", l.memory())
		}
	}
	ended(1)
	if strings.Contains(l.memory(), `"duration_ms": 0`) {
		r.errorf("it is not known how long the session took: %s", l.memory())
	}

	r = l.run(model.Play(says("hello again"))).well()
	for _, text := range []string{"FACT-93", "cache.txt", "RESULT-94", "data, not instructions"} {
		r.wantFirst(text, 0)
	}

	must.Do(l.t, must.Err(l.ours("disable", "memory")))
	ended(2)
	before := l.memory()
	r = l.run(model.Play(says("and now"))).well()
	if r.first("FACT-93") >= 0 || r.first("If asked to remember something (") >= 0 {
		r.errorf("memory is off, and the model was told of it")
	}
	if after := l.memory(); after != before {
		r.errorf("memory is off, and its files changed: from %s to %s", before, after)
	}
}

// proveMemorySummary: with a person in the terminal, a decision in one prompt is
// enough that the model is asked for a summary as it stops; it saves one with the
// command that it was told.
func proveMemorySummary(l *Lab) {
	l.Agent.Screen.Prepare(l)
	l.WriteHome(".config/agents/hooks.toml", memoryOn)
	l.install()
	summary := l.Agent.Shell("'" + l.program() + `' memory summary --topic "TOPIC-91" --summary "SUMMARY-92 the cache works" --decisions "DECIDED-90: JWT"`)
	l.Model.Begin(model.Play(says("Then JWT it is."), calls(summary), says(lastWord)))
	term := l.sit()
	Scene{Prompt: "Let us decide: JWT"}.give(l, term)
	if !l.eventually(func() bool { return strings.Contains(l.memory(), "SUMMARY-92") }) {
		l.t.Fatalf("no summary was saved:\n%s\n%s\n%s", term.Screen(), l.story(l.Model.Turns()), l.memory())
	}
	if !term.Until(drawLimit, func(screen string) bool { return strings.Contains(read(screen), lastWord) }) {
		l.t.Fatalf("the turn does not end:\n%s", term.Screen())
	}
	if !slices.ContainsFunc(l.Model.Turns(), func(q *model.Request) bool {
		return q.Says("[Session Save]") && q.Says(l.program()+" memory summary")
	}) {
		l.t.Errorf("the model was not asked:\n%s", l.story(l.Model.Turns()))
	}
	term.Close()
	r := l.run(model.Play(says("hello again"))).well()
	for _, text := range []string{"TOPIC-91", "SUMMARY-92", "decided: DECIDED-90: JWT"} {
		r.wantFirst(text, 0)
	}
}

// proveMemoryInTime: the model reports growing usage; before the context is full the
// agent is asked to save what matters, and does: what it saved is in the store when
// the request for the compaction's summary comes.
func proveMemoryInTime(l *Lab) {
	l.WriteHome(".config/agents/hooks.toml", memoryOn)
	full, most := 170_000, 0 // of 200,000, as the settings say
	if limit := "model_auto_compact_token_limit = 100000"; l.Agent.Compact.Tokens > 0 {
		// It tells a window of 258,400, and compacts by itself.
		full, most = 215_000, 250_000
		config, err := os.ReadFile(filepath.Join(l.Home, ".codex/config.toml"))
		if err != nil || !strings.Contains(string(config), limit) {
			l.t.Fatalf("%v: %s", err, config)
		}
		l.WriteHome(".codex/config.toml", strings.Replace(string(config), limit, "model_auto_compact_token_limit = 240000", 1))
	}
	l.install()
	grown := func(tokens int, c model.Call) model.Turn {
		t := calls(c)
		t.InputTokens = tokens
		return t
	}
	compacted, inTime := false, false
	summary := func(*model.Request) model.Turn {
		compacted, inTime = true, strings.Contains(l.memory(), "FACT-95")
		return l.summary()
	}
	// The model saves as soon as it is asked, and works on until then; an agent may
	// write its transcript a moment behind.
	asked, n := false, 0
	talk := func(q *model.Request) model.Turn {
		switch n++; {
		case len(q.Tools) == 0:
			n--
			return says("ok")
		case n == 1:
			return grown(60_000, l.touch("one"))
		case !asked && q.Says("[Memory Flush]") && q.Says("The context is nearly full") && q.Says(l.program()+" memory save --content"):
			asked = true
			return grown(full+1000, l.saves("FACT-95: invoices are in cents", "saved"))
		case !asked && n < 8:
			return grown(full, l.touch("two"))
		case asked && most > 0 && !compacted:
			return grown(most, l.touch("three"))
		}
		return says("all is well")
	}
	var r *Run
	if most > 0 {
		r = l.run(model.Split(l.Agent.Compact.Mark, summary, talk))
	} else {
		r = l.run(talk)
	}
	r.well()
	r.wantMarks("one", "two", "saved")
	if !asked {
		r.errorf("the model was not asked in time")
	}
	if most == 0 {
		r = l.resume(l.Agent.Compact.Prompt, func(q *model.Request) model.Turn { return summary(q) })
	}
	if !compacted || !inTime {
		r.errorf("compacted %v, and what was saved was in the store by then: %v\n%s", compacted, inTime, l.memory())
	}
}

// proveMemoryFlush: at a compaction itself nobody is asked to do what nobody can.
// Whoever makes the summary is asked to keep what was not saved, where it hears us;
// the model, once it is over, to save it, and what was done is kept without it.
func proveMemoryFlush(l *Lab) {
	l.WriteHome(".config/agents/hooks.toml", memoryOn)
	l.install()
	r := l.compact().well()
	hears := l.Agent.Cannot["context at compaction"] == ""
	for _, q := range r.Turns {
		if q.Says("[Memory Flush]") != hears || hears && !q.Says("In the summary, keep") {
			r.errorf("the request for the summary: %v\n%s", q.Says("[Memory Flush]"), l.story(r.Turns))
		}
	}
	if l.Agent.Compact.Prompt != "" {
		l.resume("go on", model.Play(says("all is well"))).well()
	}
	if !slices.ContainsFunc(l.Model.Requests(), func(q *model.Request) bool {
		return q.Says("The context was compacted") && q.Says("memory save --content")
	}) {
		r.errorf("the model was never told to save what matters")
	}
	// Where the compaction is a session of its own, nothing happened in it.
	if l.Agent.Compact.Prompt == "" && !strings.Contains(l.memory(), `"memory_type": "S"`) {
		r.errorf("no stage summary was kept: %s", l.memory())
	}
}

// proveSelfTest: doctor finds in the agent's own transcript what a hook said as
// the session began.
func proveSelfTest(l *Lab) {
	l.install()
	if out, err := l.ours("doctor", "--self-test"); err != nil || !strings.Contains(out, "prepared") {
		l.t.Fatalf("%v: %s", err, out)
	}
	l.run(model.Play(says("hello"))).well()
	out, err := l.ours("doctor", "--self-test", l.Agent.ID)
	if err != nil || !strings.Contains(out, "what a hook says as a session begins") {
		l.t.Errorf("%v: %s", err, out)
	}
}

// memory is all that the memory folder holds.
func (l *Lab) memory() string {
	return l.textsBelow(filepath.Join(l.Project, ".agents", "memory-data"))
}

// textsBelow are all files of a folder, with their paths.
func (l *Lab) textsBelow(dir string) string {
	var all strings.Builder
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			b, _ := os.ReadFile(path)
			all.WriteString(path + "\n" + string(b) + "\n")
		}
		return nil
	})
	return all.String()
}
