package conformance

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/builttest"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// An example is an agent of this repository that plays a script.
type example struct {
	name    string
	command []string
	env     map[string]string
}

// theAgents are those whose language is here. They ask the program that agents start;
// the one in Go also by itself.
func theAgents(t *testing.T) (list []example) {
	t.Helper()
	stream := []string{programs(t).small, "run", "--stream"}
	agent := builttest.Program(t, "clients/go/agent")
	list = append(list, example{name: "go", command: []string{agent}}, example{name: "go by a stream", command: append([]string{agent}, stream...)})
	here, err := filepath.Abs("../clients")
	must.Do(t, err)
	if node, err := exec.LookPath("node"); err == nil {
		list = append(list, example{name: "typescript", command: append([]string{node, filepath.Join(here, "typescript/examples/agent.js")}, stream...)})
	}
	if python, err := exec.LookPath("python3"); err == nil {
		list = append(list, example{"python", append([]string{python, filepath.Join(here, "python/examples/agent.py")}, stream...), pythonPath(filepath.Join(here, "python"))})
	}
	return list
}

// everyOf are every n-th of the cases, from i on.
func everyOf(cases []Case, i, n int) (some []Case) {
	for ; i < len(cases); i += n {
		some = append(some, cases[i])
	}
	return some
}

func pythonPath(dir string) map[string]string {
	return map[string]string{"PYTHONPATH": dir, "PYTHONDONTWRITEBYTECODE": "1"}
}

func loopCases(t *testing.T) (list []Case) {
	t.Helper()
	all, err := Cases()
	must.Do(t, err)
	for _, c := range all {
		if c.Profile == AgentLoop {
			list = append(list, c)
		}
	}
	return list
}

// The agents of this repository obey, in each language, whole sessions long.
func TestAgentsOfThisRepositoryPassTheLoop(t *testing.T) {
	cases := loopCases(t)
	if len(cases) < 35 {
		t.Fatalf("%d cases", len(cases))
	}
	agents := theAgents(t)
	for i, a := range agents {
		t.Run(a.name, func(t *testing.T) {
			cases := cases
			if !slowtest.Among(a.name, "go by a stream") {
				t.Skip("another way to the same cases: with -slow")
			}
			if !slowtest.On() { // some; -slow plays each by all
				cases = everyOf(cases, i, 8)
			}
			r, err := Run(context.Background(), Subject{Name: a.name, Loop: a.command, Env: a.env, Profiles: []Profile{AgentLoop}}, cases, Options{})
			must.Do(t, err)
			if err := r.Err(); err != nil {
				var b strings.Builder
				r.Text(&b, false)
				t.Errorf("%v\n%s", err, b.String())
			}
		})
	}
}

// The profile can fail: each change makes a wrong agent, and a case tells.
func TestWrongAgentsAreCaught(t *testing.T) {
	needsMinutes(t)
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("needs python3")
	}
	cases, stream := loopCases(t), []string{programs(t).small, "run", "--stream"}
	for _, w := range slices.Concat(wrongLoops, wrongCalls) {
		t.Run(w.does, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			must.Do(t, os.CopyFS(dir, os.DirFS("../clients/python")))
			for _, e := range w.edits {
				file := filepath.Join(dir, filepath.FromSlash(e.file))
				text, err := os.ReadFile(file)
				if err != nil || strings.Count(string(text), e.old) != 1 {
					t.Fatalf("%s has %d of %q: %v", e.file, strings.Count(string(text), e.old), e.old, err)
				}
				must.Write(t, file, strings.Replace(string(text), e.old, e.new, 1))
			}
			s := Subject{Name: w.does, Loop: append([]string{python, filepath.Join(dir, "examples", "agent.py")}, stream...), Env: pythonPath(dir), Profiles: []Profile{AgentLoop}}
			r, err := Run(context.Background(), s, cases, Options{Run: []string{"agent-loop/" + w.caught}})
			must.Do(t, err)
			if len(r.Cases) != 1 || r.Cases[0].Result != Failed {
				said, _ := json.Marshal(r.Cases)
				t.Errorf("agent-loop/%s did not catch it: %s", w.caught, said)
			}
		})
	}
}
