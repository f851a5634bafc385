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
		t.Run(c.name, func(t *testing.T) {
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
		})
	}
}

// An event that says nothing of how a command ended is judged by what was printed, until its agent
// has told of one that failed by the event for that. EV-FAI-10, EV-FAI-14, EV-FAI-15.
func TestWhatNobodySays(t *testing.T) {
	t.Parallel()
	bare := func(s *scene, line, output string) {
		s.event("evolution-journal", "context", "tool_name", `"Shell"`, "tool_input", command(line), "tool_response", quote(output), "tool_use_id", s.id())
	}
	failed := func(s *scene) (n int) {
		j := s.journal()
		for i := range j.Entries {
			if j.Entries[i].Failed() {
				n++
			}
		}
		return n
	}
	for _, c := range []struct {
		line, output string
		fails        bool
	}{
		{"sed -i s/a/b x", "sed: -e expression #1, char 5: unterminated `s' command", true},
		{"docker ps", "permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock", true},
		{"make deploy", "Makefile:2: *** missing separator.  Stop.", true},
		{"jq . x.json", "bash: line 1: jq: command not found", true},
		{"curl -s http://localhost/api", `{"errors":[{"message":"not found"}],"status":"failed"}`, false},
		{"docker logs web", "Error: connect ECONNREFUSED 127.0.0.1:5432", false},
		{`node -e "console.error('Error: shown')"`, "Error: shown", false},
		{"helm list", "web  default  3  failed  web-1.2", false},
		{"npm install", "npm warn deprecated har@5: this library is no longer supported\nadded 212 packages", false},
	} {
		t.Run(c.line, func(t *testing.T) {
			s := newScene(t)
			if bare(s, c.line, c.output); failed(s) != 0 != c.fails {
				t.Errorf("%s: %q", c.line, c.output)
			}
		})
	}
	s := newScene(t)
	s.fail("npm run build", "sh: 1: tsc: not found")
	bare(s, "npm test", "console.error Error: expected in test\nran 4 tests")
	if n := failed(s); n != 1 {
		t.Errorf("%d failures: %+v", n, s.journal().Entries)
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
