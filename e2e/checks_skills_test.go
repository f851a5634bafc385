//go:build e2e && unix

package e2e

import (
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/e2e/model"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// skill writes the prompts of a skill below a folder of skills: each is an entry
// of hooks.json without its name and file, and its text is its name.
func (l *Lab) skill(dir, name string, prompts map[string]string) {
	l.t.Helper()
	var entries []string
	hooks := filepath.Join(dir, name, "hooks")
	for prompt, entry := range prompts {
		entries = append(entries, `{"name": "`+prompt+`", "file": "`+prompt+`.md", `+entry+`}`)
		l.write(filepath.Join(hooks, prompt+".md"), "TEXT-"+prompt+"\n", 0o644)
	}
	l.write(filepath.Join(hooks, "hooks.json"), `{"hooks": [`+strings.Join(entries, ", ")+`]}`, 0o644)
}

// copies is how often the model is told a text in one request.
func copies(q *model.Request, text string) (n int) {
	for _, s := range q.Texts() {
		n += strings.Count(s, text)
	}
	return n
}

func (r *Run) wantCopies(text string, want ...int) {
	r.l.t.Helper()
	for i, n := range want {
		if i >= len(r.Turns) {
			r.errorf("there is no request %d", i)
			return
		}
		if got := copies(r.Turns[i], text); got != n {
			r.errorf("request %d says %s %d times, want %d", i, text, got, n)
		}
	}
}

// proveSkills: each prompt of a skill reaches the model with the event that it
// belongs to, once in its scope; what it was told stays in its history. The
// project's are given once they are trusted.
func proveSkills(l *Lab) {
	l.WriteHome(".config/agents/hooks.toml", "[builtin.skills]\nenabled = true\nlanguage = \"en\"\nstep_gap = 0\n")
	l.skill(filepath.Join(l.Home, ".agents/skills"), "mine", map[string]string{
		"INPUT": `"timing": "after_user_input", "role": "user", "persistent": false`,
		"FIRST": `"timing": "before_first_agent", "role": "system", "persistent": false`,
		"EACH":  `"timing": "before_each_agent", "role": "system", "persistent": false`,
		"PLAN":  `"timing": "before_planning", "role": "system", "persistent": false`,
		"AFTER": `"timing": "after_tool_call", "role": "system", "persistent": false, "tool_filter": ["Bash"]`,
		"OTHER": `"timing": "after_tool_call", "role": "system", "persistent": false, "tool_filter": ["Fetch"]`,
	})
	l.skill(filepath.Join(l.Project, ".agents/skills"), "theirs", map[string]string{
		"THEIRS": `"timing": "after_user_input", "role": "system", "persistent": false`,
	})
	l.install()
	r := l.run(model.Play(calls(l.touch("one")), calls(l.touch("two")), says("all is well"))).well()
	r.wantTurns(3)
	r.wantMarks("one", "two")
	r.wantCopies("TEXT-INPUT", 1, 1, 1)
	r.wantCopies("TEXT-FIRST", 1, 1, 1)
	r.wantCopies("TEXT-EACH", 1, 2, 3)
	r.wantCopies("TEXT-AFTER", 0, 1, 2)
	for _, text := range []string{"TEXT-PLAN", "TEXT-OTHER", "TEXT-THEIRS"} {
		r.wantCopies(text, 0, 0, 0)
	}
	if !r.Turns[0].Says(`<skill-prompt skill="mine" hook="INPUT" timing="after_user_input">`) {
		r.errorf("the prompt stands in no fence")
	}

	l.trustAll()
	r = l.run(model.Play(says("all is well"))).well()
	r.wantCopies("TEXT-THEIRS", 1)
	r.wantCopies("TEXT-INPUT", 1)
	must.Do(l.t, must.Err(l.ours("disable", "skills")))
	l.run(model.Play(says("all is well"))).well().wantCopies("skill-prompt", 0)
}

// trustAll approves what the project has, as a person would.
func (l *Lab) trustAll() {
	l.t.Helper()
	must.Do(l.t, must.Err(l.ours("trust", "--yes")))
}

// proveSkillShell: a command in the text of a slash command runs before the model is
// asked, and a guard of commands keeps it from running all the same.
func proveSkillShell(l *Lab) {
	text := func(mark string) string {
		return "---\nallowed-tools: Bash(touch:*)\n---\n\nState: !`touch " + l.mark(mark) + "`\n\n" + promptMark + ": do it\n"
	}
	l.WriteHome(".claude/commands/fine.md", text("fine"))
	l.WriteHome(".claude/commands/deploy.md", text("forbidden"))
	l.userHook(Hook{Name: "guard", Trigger: "pre-tool-call", Matter: "matcher:\n  command: forbidden", Script: `echo "SKILL-REASON-19" >&2; exit 2`})
	l.install()
	r := l.start(model.Play(says("all is well")), l.Agent.Args(l, "/fine"))
	r.wantMarks("fine")
	r = l.start(model.Play(says("all is well")), l.Agent.Args(l, "/deploy"))
	r.wantNoMarks("forbidden")
}

// proveSkillsCompact: a persistent prompt stands in the context again after that
// was compacted, and only once.
func proveSkillsCompact(l *Lab) {
	l.WriteHome(".config/agents/hooks.toml", "[builtin.skills]\nenabled = true\n")
	l.skill(filepath.Join(l.Home, ".agents/skills"), "mine", map[string]string{
		"LASTING": `"timing": "after_tool_call", "role": "system", "persistent": true, "max_copies": 1, "tool_filter": ["Shell"]`,
		"PASSING": `"timing": "after_tool_call", "role": "system", "persistent": false, "max_copies": 1, "tool_filter": ["Shell"]`,
	})
	l.install()
	r := l.compact().well()
	if l.Agent.Compact.Prompt != "" {
		r = l.resume(promptMark+": go on", model.Play(says("all is well"))).well()
		r.wantCopies("TEXT-PASSING", 0) // what was told before is gone
	} else {
		r.Turns = l.Model.Requests()
	}
	last := r.Turns[len(r.Turns)-1]
	if n := copies(last, "TEXT-LASTING"); n != 1 {
		r.errorf("after the compaction the model is told the persistent prompt %d times, want 1", n)
	}
	if r.first("TEXT-LASTING") < 0 {
		r.errorf("the persistent prompt was never given")
	}
}
