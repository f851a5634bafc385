package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/runner"
)

// log --follow prints what is there, then what is added, until a
// signal ends it well.
func TestLogFollow(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no interrupt for one process there")
	}
	home := t.TempDir()
	state := filepath.Join(home, ".local", "state", "agents-hooks")
	add := func(id string, at time.Time) {
		t.Helper()
		must.Do(t, runner.AppendLog(state, &runner.LogLine{V: 1, ID: id, Time: at, Agent: "x", Event: "pre-session", Decision: "none"}))
	}
	add("0000000000000001", time.Now().Add(-48*time.Hour))
	add("0000000000000002", time.Now())
	cmd := exec.Command("agents-hooks", "log", "--follow", "--json")
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_STATE_HOME=")
	out, err := cmd.StdoutPipe()
	must.Do(t, err)
	must.Do(t, cmd.Start())
	lines := make(chan string)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			lines <- s.Text()
		}
	}()
	next := func(id string) {
		t.Helper()
		select {
		case line := <-lines:
			if !strings.Contains(line, id) {
				t.Fatalf("line %q, want that of %s", line, id)
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("no line of %s", id)
		}
	}
	next("0000000000000001")
	next("0000000000000002")
	add("0000000000000003", time.Now())
	next("0000000000000003")
	add("0000000000000004", time.Now())
	next("0000000000000004")
	must.Do(t, cmd.Process.Signal(os.Interrupt))
	for range lines {
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("an interrupt is its usual end: %v", err)
	}
}
