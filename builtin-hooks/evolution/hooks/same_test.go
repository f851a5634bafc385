package hooks

import (
	"testing"
)

// Stuck is the same failure again: not another error of the same kind, not fewer of
// them, not the next step of a red and green loop. EV-FAI-02, EV-FAI-04.
func TestStuckIsTheSameFailure(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, command string
		outputs       []string
		stuck         bool
	}{
		{"the same twice", "go build ./...", []string{"# shop\n./cart.go:9:2: undefined: total", "# shop\n./cart.go:11:2: undefined: total"}, true},
		{"another name each time", "go build ./...", []string{"# shop\n./cart.go:9:2: undefined: total", "# shop\n./cart.go:9:2: undefined: price"}, false},
		{"five, then one", "npx jest", []string{"✕ adds\n✕ takes\n✕ sums\n✕ sorts\n✕ sends\nTests: 5 failed, 3 passed, 8 total", "✕ sends\nTests: 1 failed, 7 passed, 8 total"}, false},
		{"fewer of one error", "tsc", []string{"a.ts(1,1): error TS2304: Cannot find name 'x'.\na.ts(2,1): error TS2304: Cannot find name 'x'.\nFound 2 errors.", "a.ts(1,1): error TS2304: Cannot find name 'x'.\nFound 1 error."}, false},
		{"two tests of a loop", "pytest", []string{"FAILED test_a.py::test_add - assert 3 == 4", "", "FAILED test_a.py::test_sub - assert 3 == 4"}, false},
		{"one test that stays red", "pytest", []string{"FAILED test_a.py::test_add - assert 3 == 4", "FAILED test_a.py::test_add - assert 5 == 4"}, true},
		{"different errors one after another", "make", []string{"x.c:3:1: error: unknown type name 'foo'\nmake: *** [x.o] Error 1", "x.c:9:1: error: expected ';' before '}' token\nmake: *** [x.o] Error 1"}, false},
		{"what looks and fails", "docker ps", []string{"exit:Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?", "exit:Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?"}, true},
		{"an answer twice", "grep -q x y", []string{"exit:", "exit:"}, false},
	} {
		s := newScene(t)
		s.tool = func([]string) (string, error) { return geneAnswer, nil }
		said := ""
		for _, out := range c.outputs {
			said += s.before(c.command).AdditionalContext
			if out != "" {
				if len(out) >= 5 && out[:5] == "exit:" {
					out = out[5:]
				}
				said += s.fail(c.command, out)
			} else {
				said += s.end(c.command, 0, "")
			}
		}
		said += s.before(c.command).AdditionalContext
		if (said != "") != c.stuck {
			t.Errorf("%s: %q\n%+v", c.name, said, s.journal().Entries)
		}
	}
}

// end is what comes after a command, with the portable result; fail is a failure.
func (s *scene) end(line string, exit int, output string) string {
	return s.event("evolution-journal", "context", "tool_name", `"Shell"`, "tool_input", command(line), "tool_response", quote(output),
		"result", `{"ok": true, "exit_code": 0, "stdout": `+quote(output)+`}`, "tool_use_id", s.id()).AdditionalContext
}

func (s *scene) fail(line, output string) string {
	return s.event("evolution-failure", "context", "tool_name", `"Shell"`, "tool_input", command(line), "error", quote("Exit code 1\n"+output),
		"result", `{"ok": false, "exit_code": 1, "text": `+quote("Exit code 1\n"+output)+`}`, "tool_use_id", s.id()).AdditionalContext
}
