//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// planned makes a workspace whose only node has a command for a criterion.
func planned(t *testing.T, s *exampleStage, title, command string) {
	t.Helper()
	must.Write(t, filepath.Join(s.project, "plan.md"), "# The "+title+"\n\n- [ ] "+title+"\n  - accept: cmd: "+command+" => it is right\n")
	if out, err := s.sh(t, "agents-hooks workspace init --from plan.md"); err != nil {
		t.Fatal(out)
	}
}

// The command of a criterion goes the way of an agent's own commands: guards judge it and
// may change it; what it starts ends with it when its time is over; and it runs in the
// project, wherever the caller is.
// BW-EVI-04, BW-EVI-05.
func TestCriteriaGoByTheGuards(t *testing.T) {
	t.Parallel()
	s := newExampleStage(t, "")
	run := func(line string, ends bool) string {
		t.Helper()
		out, err := s.sh(t, line)
		if (err == nil) != ends {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
		return out
	}
	must.Write(t, filepath.Join(s.home, ".config", "agents", "hooks.toml"), "[builtin.workspace]\nenabled = true\ncheck_seconds = 2\n")
	done := func(title string) string { return "agents-hooks workspace done " + title + " -m 'it works' --json" }
	planned(t, s, "Pushes", "git push --force")
	if out := run(done("Pushes"), true); !strings.Contains(out, "unproven") {
		t.Errorf("a guard is against it, and it says\n%s", out)
	}
	if log := run("cat .agents/workspace/The*/nodes/Pushes_*/Log.md", true); !strings.Contains(log, "not checked: git push --force: a hook blocked it") || !strings.Contains(log, "Do not force-push") {
		t.Error(log)
	}
	run("agents-hooks workspace archive --workspace 'The Pushes'", true)

	rewrites := filepath.Join(s.home, ".config", "agents", "hooks", "rewrites")
	must.Write(t, filepath.Join(rewrites, "HOOK.md"), "---\nname: rewrites\ndescription: Rewrites.\ntrigger: pre-tool-call\nmatcher: {command: '^npm '}\n---\n")
	must.Script(t, filepath.Join(rewrites, "scripts", "run"), "#!/bin/sh\ncat >/dev/null; echo '{\"modified_input\": {\"command\": \"pwd > changed\"}}'\n")
	planned(t, s, "Rewritten", "npm test")
	if out := run("mkdir -p deep/down && cd deep/down && "+done("Rewritten"), true); strings.Contains(out, "unproven") {
		t.Error(out)
	}
	if b, _ := os.ReadFile(filepath.Join(s.project, "changed")); strings.TrimSpace(string(b)) != s.project {
		t.Errorf("it ran in %q", b)
	}
	run("agents-hooks workspace archive --workspace 'The Rewritten'", true)

	planned(t, s, "Hangs", "(echo $$ > pid; sleep 600) & echo waits; wait")
	began := time.Now()
	out := run(done("Hangs"), false)
	if !strings.Contains(out, "CHECK_FAILED") || !strings.Contains(out, "in time") || !strings.Contains(out, "waits") {
		t.Error(out)
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("it took %v", took)
	}
	pid, _ := os.ReadFile(filepath.Join(s.project, "pid"))
	for line := range strings.Lines(run("ps -eo pgid,args", true)) {
		if group, args, _ := strings.Cut(strings.TrimSpace(line), " "); group == strings.TrimSpace(string(pid)) && !strings.Contains(args, "defunct") {
			t.Errorf("it is still there: %s", args)
		}
	}
	must.Write(t, filepath.Join(s.home, ".config", "agents", "hooks.toml"), "[builtin.workspace]\nenabled = true\nrun_checks = false\n")
	if out := run(done("Hangs"), true); !strings.Contains(out, "unproven") {
		t.Errorf("switched off:\n%s", out)
	}
}
