package hooks

import "testing"

// What its agent says went well is no failure, whatever it prints and whether or not
// there is an exit code; where a filter comes last the code is the filter's, and what
// stands is one. EV-FAI-06, EV-FAI-10.
func TestWhatWentWellIsNoFailure(t *testing.T) {
	t.Parallel()
	const broken = "src/a.ts(1,2): error TS2322: Type 'a' is not assignable to type 'b'.\nFound 1 error."
	for _, c := range []struct {
		name, command, output, result string
		failed                        bool
	}{
		{"errors that are shown", "python report.py", "ERROR: 3 orders failed\nTraceback (most recent call last):\nValueError: bad", `{"ok": true, "stdout": "x"}`, false},
		{"a build that says so of others", "npm run build", "npm ERR! old log\nBUILD FAILED", `{"ok": true}`, false},
		{"two commands that both went well", "npm ci && npx tsc", broken, `{"ok": true, "exit_code": 0}`, false},
		{"a filter comes last", "npx tsc | tail -5", broken, `{"ok": true}`, true},
		{"a pipe that keeps the code", "set -o pipefail; npx tsc | tail -5", broken, `{"ok": true}`, false},
		{"nobody knows how it ended", "npx tsc", broken, `{}`, true},
		{"it did not go well", "npx tsc", broken, `{"ok": false}`, true},
		{"an exit code", "npx tsc", broken, `{"ok": false, "exit_code": 2}`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t)
			s.event("evolution-journal", "context", "tool_name", `"Shell"`, "tool_input", command(c.command), "tool_response", quote(c.output), "result", c.result, "tool_use_id", s.id())
			if j := s.journal(); (len(j.Signals()) > 0) != c.failed {
				t.Errorf("%s: %+v", c.name, j.Entries)
			}
		})
	}
}
