//go:build e2e && unix

package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/e2e/model"
)

// proveMemory: the built-in memory. As a session stops the model is asked for a
// summary and for facts, and saves them with the command that it was told; the
// first request of the next session has both. Switched off, nothing is said and
// no file is touched.
func proveMemory(l *Lab) {
	l.WriteHome(".config/agents/hooks.toml", "[builtin.memory]\nenabled = true\nsave_mode = \"once\"\nlanguage = \"en\"\n")
	l.install()
	// The request names the program by its path: an agent's shell may have a PATH
	// of its own.
	program := filepath.Join(l.Home, keptPrograms, "agents-hooks")
	ours := "'" + program + "'"
	save := l.Agent.Shell(ours + ` memory summary --topic "TOPIC-91" --summary "SUMMARY-92 the cache works"` +
		` && ` + ours + ` memory save --content "FACT-93: tokens live 24 hours" --type W --entities jwt && : > '` + l.mark("saved") + `'`)
	r := l.run(model.Play(says("I am done"), calls(save), says("saved")))
	r.wantTurns(3)
	r.wantFirst("[Session Save]", 1)
	r.wantFirst(program+" memory summary", 1)
	r.wantMarks("saved")

	r = l.run(model.Play(says("hello again"))).well()
	for _, text := range []string{"TOPIC-91", "SUMMARY-92", "FACT-93", "data, not instructions"} {
		r.wantFirst(text, 0)
	}

	if _, err := l.ours("disable", "memory"); err != nil {
		l.t.Fatal(err)
	}
	// The workers of the sessions that are over leave a line when they are done.
	if !l.eventually(func() bool { return strings.Count(l.memory(), `"type": "session_end"`) == 2 }) {
		r.fatalf("the ends of the sessions are not noted: %s", l.memory())
	}
	before := l.memory()
	r = l.run(model.Play(says("and now"))).well()
	if r.first("FACT-93") >= 0 || r.first("[Session Save]") >= 0 {
		r.errorf("memory is off, and the model was told of it")
	}
	if after := l.memory(); after != before {
		r.errorf("memory is off, and its files changed: from %s to %s", before, after)
	}
}

// proveMemoryFlush: when the context is compacted the request to save what
// matters reaches the model: in the compaction itself, or with the next event
// that can carry it.
func proveMemoryFlush(l *Lab) {
	l.WriteHome(".config/agents/hooks.toml", "[builtin.memory]\nenabled = true\nsave_mode = \"off\"\nlanguage = \"en\"\n")
	l.install()
	r := l.compact().well()
	if !slices.ContainsFunc(l.Model.Requests(), func(q *model.Request) bool { return q.Says("[Memory Flush]") && q.Says("memory save --content") }) {
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
