//go:build unix

package runner

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Work in the background that fails, dies or meets a bound leaves a line in the run
// log, and what went well leaves none.
func TestWorkInTheBackgroundSaysWhyItEnded(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		"exit 0":                     "",
		"echo 'no room' >&2; exit 3": "left with 3: no room",
		"kill -SEGV $$":              "was ended by SIGSEGV",
		"echo tok" + "en=" + "ghp_" + strings.Repeat("a", 36) + " >&2; exit 1": "left with 1",
	} {
		t.Run(fmt.Sprintf("%.80q", script), func(t *testing.T) {
			state := t.TempDir()
			if exit := Work(state, []string{"/bin/sh", "-c", script}, "/", []string{"PATH=/usr/bin:/bin"}); exit != 0 {
				t.Errorf("%s: left with %d", script, exit)
			}
			files, _ := filepath.Glob(filepath.Join(state, "log", "*.jsonl"))
			var said string
			for _, f := range files {
				said += must.Read(t, f)
			}
			if (want == "") != (said == "") || !strings.Contains(said, want) || strings.Contains(said, "ghp_aaaa") {
				t.Errorf("%s: the log says %q, want %q", script, said, want)
			}
		})
	}
	if exit := Work(t.TempDir(), nil, "/", nil); exit == 0 {
		t.Error("nothing to do went well")
	}
}

// A command of ours gets no more memory than its bound, nor does what it starts.
func TestCommandsHaveABoundOfMemory(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("other systems bound it alone")
	}
	c := command{
		argv: []string{"/bin/sh", "-c", "sleep 0.1; head -c 40000000 /dev/zero | tail -c 40000000 | wc -c"}, dir: "/", env: []string{"PATH=/usr/bin:/bin"},
		time: deadlines{limit: time.Now().Add(30 * time.Second), grace: time.Second}, drain: time.Second,
	}
	if e := c.run(context.Background()); strings.TrimSpace(string(e.stdout.data)) != "40000000" {
		t.Fatalf("without a bound: %s%s", e.stdout.data, e.stderr.data)
	}
	c.memory = 32 << 20
	if e := c.run(context.Background()); strings.TrimSpace(string(e.stdout.data)) == "40000000" {
		t.Error("40 MB fit into 32 MiB")
	}
}

// What a failing hook wrote goes to an agent, and to its person, without the secrets
// in it: as a warning, and as the reason of a block that its failure is. What a hook
// itself says to the model is its own.
func TestSecretsOfAFailingHookAreNotTold(t *testing.T) {
	t.Parallel()
	token := strings.Join([]string{"ghp", strings.Repeat("a1B2", 9)}, "_")
	dir := t.TempDir()
	for name, front := range map[string]string{"fails": "priority: 900", "strict": "priority: 800\nmetadata:\n  on_error: block"} {
		write(filepath.Join(dir, "hooks", name, "HOOK.md"), "---\nname: "+name+"\ndescription: a test\ntrigger: pre-tool-call\n"+front+"\n---\n", 0o644)
		write(filepath.Join(dir, "hooks", name, "scripts", "run.sh"), "#!/bin/sh\necho 'cannot log in with "+token+"' >&2\nexit 1\n", 0o644)
	}
	r := newRunner(t)
	ev := event(protocol.PreToolCall)
	ev.WorkDir = t.TempDir()
	s := discovery.LoadEvent(discovery.Sources{User: dir, State: r.State, Home: dir, GOOS: runtime.GOOS}, ev.Type, ev.WorkDir)
	rep := r.Run(context.Background(), ev, s)
	said := rep.Outcome.Reason
	for _, w := range rep.Warnings {
		said += "\n" + w.Text
	}
	if rep.Outcome.Decision != protocol.Block || strings.Count(said, "cannot log in with") < 2 || strings.Contains(said, token) {
		t.Errorf("%v: %s", rep.Outcome.Decision, said)
	}
}
