package conformance

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
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
	agent := filepath.Join(t.TempDir(), "agent"+exeSuffix)
	if out, err := exec.Command("go", "build", "-o", agent, "../clients/go/agent").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	list = append(list, example{name: "go", command: []string{agent}}, example{name: "go by a stream", command: append([]string{agent}, stream...)})
	here, err := filepath.Abs("../clients")
	if err != nil {
		t.Fatal(err)
	}
	if node, err := exec.LookPath("node"); err == nil {
		list = append(list, example{name: "typescript", command: append([]string{node, filepath.Join(here, "typescript/examples/agent.js")}, stream...)})
	}
	if python, err := exec.LookPath("python3"); err == nil {
		list = append(list, example{"python", append([]string{python, filepath.Join(here, "python/examples/agent.py")}, stream...), pythonPath(filepath.Join(here, "python"))})
	}
	return list
}

func pythonPath(dir string) map[string]string {
	return map[string]string{"PYTHONPATH": dir, "PYTHONDONTWRITEBYTECODE": "1"}
}

func loopCases(t *testing.T) (list []Case) {
	t.Helper()
	all, err := Cases()
	if err != nil {
		t.Fatal(err)
	}
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
	if len(cases) < 20 {
		t.Fatalf("%d cases", len(cases))
	}
	for _, a := range theAgents(t) {
		t.Run(a.name, func(t *testing.T) {
			r, err := Run(context.Background(), Subject{Name: a.name, Loop: a.command, Env: a.env, Profiles: []Profile{AgentLoop}}, cases, Options{})
			if err != nil {
				t.Fatal(err)
			}
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
	faults := []struct{ does, file, old, new, caught string }{
		{"runs what is blocked", "agents_hooks/_hooks.py", "if before.blocked:\n            return before.reason", "if before.blocked:\n            return \"\"", "tool-blocked"},
		{"does not say why it is blocked", "agents_hooks/_hooks.py", "join(refused, before.additional_context)", "\"no\"", "tool-blocked"},
		{"blocks all calls of a step", "examples/agent.py", "self.read(\"tool\", r.text)", "self.read(\"tool\", r.text)\n                if r.refused:\n                    break", "one-of-two"},
		{"runs the input as the model wrote it", "agents_hooks/_hooks.py", "before.modified_input is None or before.blocked", "True", "input-changed"},
		{"tells of the input as the model wrote it", "agents_hooks/_hooks.py", "ended(name, given, result, error, id)", "ended(name, dict(input), result, error, id)", "input-changed"},
		{"asks nobody", "agents_hooks/_hooks.py", "if before.decision != \"ask\":", "if True:", "asked-no"},
		{"does not run what the person agreed to", "examples/agent.py", "return script()[\"yes\"]", "return script()[\"yes\"] and False", "asked-yes"},
		{"tells of a failure as a success", "agents_hooks/_hooks.py", "if error is not None:\n        return events.post_tool_call_failure", "if False:\n        return events.post_tool_call_failure", "tool-failed"},
		{"lets the model read what was replaced", "agents_hooks/_hooks.py", "if after.modified_output is not None:", "if False:", "output-replaced"},
		{"leaves out context of a prompt", "examples/agent.py", "self.read(\"user\", prompt)\n        self.read(\"user\", o.additional_context)", "self.read(\"user\", prompt)", "context"},
		{"sends a blocked prompt", "examples/agent.py", "return show(\"refused\", o.reason)\n        self.read(\"user\", prompt)", "show(\"refused\", o.reason)\n        self.read(\"user\", prompt)", "prompt-blocked"},
		{"begins a blocked session", "examples/agent.py", "sys.exit()", "pass", "session-blocked"},
		{"stops at a gate", "examples/agent.py", "if more is None:\n                break", "if True:\n                break", "gate"},
		{"takes a follow-up for nothing", "agents_hooks/_outcome.py", "if self.followup_message:", "if False:", "followup"},
		{"sends the ends of a turn the other way round", "examples/agent.py", "        self.session.dispatch(events.post_agent_turn_stop(said))\n        self.session.dispatch(events.post_agent_turn())", "        self.session.dispatch(events.post_agent_turn())\n        self.session.dispatch(events.post_agent_turn_stop(said))", "session"},
		{"has a session for each event", "agents_hooks/_hooks.py", "\"session_id\": self.id", "\"session_id\": uuid.uuid4().hex", "session"},
		{"forgets the end of the session", "examples/agent.py", "agent.session.dispatch(events.post_session(\"user_exit\"))", "pass", "session"},
		{"starts a blocked subagent", "examples/agent.py", "raise RuntimeError(o.reason)", "pass", "subagent-blocked"},
		{"does not tell of a subagent's end", "examples/agent.py", "more = self.session.dispatch(events.post_subagent(id, kind)).go_on", "more = None", "subagent"},
		{"compacts all the same", "examples/agent.py", "return show(\"refused\", o.reason)\n        self.history = self.history[-1:]", "show(\"refused\", o.reason)\n        self.history = self.history[-1:]", "compaction-blocked"},
		{"does not tell of a compaction", "examples/agent.py", "self.session.dispatch(events.post_context_compact(trigger))", "pass", "compaction"},
		{"keeps warnings from the person", "agents_hooks/_hooks.py", "self.hooks._tell(str(warning))", "pass", "person"},
		{"gives the model what is for the person", "examples/agent.py", "self.read(\"user\", o.additional_context)\n        while True:\n            said = self.think()", "self.read(\"user\", o.user_message)\n        while True:\n            said = self.think()", "person"},
		{"forgets variables", "examples/agent.py", "dict(o.env) or None", "None", "variables"},
		{"takes a failed hook for a block", "agents_hooks/_hooks.py", "if before.blocked:\n            return before.reason", "if before.blocked or before.warnings:\n            return \"no\"", "failed-hook"},
	}
	cases, stream := loopCases(t), []string{programs(t).small, "run", "--stream"}
	for _, f := range faults {
		t.Run(f.does, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS("../clients/python")); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, f.file)
			text, err := os.ReadFile(file)
			if err != nil || strings.Count(string(text), f.old) != 1 {
				t.Fatalf("%s has %d of %q: %v", f.file, strings.Count(string(text), f.old), f.old, err)
			}
			if err := os.WriteFile(file, []byte(strings.Replace(string(text), f.old, f.new, 1)), 0o644); err != nil {
				t.Fatal(err)
			}
			s := Subject{Name: f.does, Loop: append([]string{python, filepath.Join(dir, "examples/agent.py")}, stream...), Env: pythonPath(dir), Profiles: []Profile{AgentLoop}}
			r, err := Run(context.Background(), s, cases, Options{Run: []string{"agent-loop/" + f.caught}})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Cases) != 1 || r.Cases[0].Result != Failed {
				said, _ := json.Marshal(r.Cases)
				t.Errorf("agent-loop/%s did not catch it: %s", f.caught, said)
			}
		})
	}
}
