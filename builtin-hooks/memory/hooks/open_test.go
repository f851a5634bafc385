package hooks

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// fullDisk is what the test program does where no file has room.
var fullDisk func(dir string)

// TestMain runs the test program as an agent, which lives until it is killed, or on a full disk.
func TestMain(m *testing.M) {
	if dir := os.Getenv("MEMORY_TEST_FULL"); dir != "" {
		fullDisk(dir)
		os.Exit(0)
	}
	if os.Getenv("MEMORY_TEST_AGENT") != "" {
		_, _ = os.Stdin.Read(make([]byte, 1))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// agent is a process in which sessions run, until kill.
func agent(t *testing.T) (pid int, kill func()) {
	t.Helper()
	self, err := os.Executable()
	must.Do(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), "MEMORY_TEST_AGENT=1")
	in, err := cmd.StdinPipe()
	must.Do(t, errors.Join(err, cmd.Start()))
	kill = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = in.Close()
	}
	t.Cleanup(kill)
	return cmd.Process.Pid, kill
}

// in is what the hooks of an agent's process see: itself, below it a shell of each event.
func (s *scene) in(pid int) {
	shell := 1 << 30
	s.world.Processes = func() (string, []int) { shell++; return "here", []int{shell, pid, os.Getpid()} }
}

// of is an event of a session.
func (s *scene) of(session, name, can string, members ...string) string {
	s.t.Helper()
	return s.event(name, can, append(members, "session_id", strconv.Quote(session))...).AdditionalContext
}

// begin is a session in which something is asked and done.
func (s *scene) begin(session, prompt string) {
	s.t.Helper()
	s.of(session, "memory-load", "context", "source", `"startup"`)
	s.more(session, prompt)
}

func (s *scene) more(session, prompt string) {
	s.t.Helper()
	s.of(session, "memory-recall", "context", "prompt", strconv.Quote(prompt), "source", `"user"`)
	s.of(session, "memory-nudge", "context", "tool_name", `"WriteFile"`, "tool_input", `{"file_path": "`+session+`.go"}`, "tool_use_id", strconv.Quote(s.now.String()))
}

func (s *scene) summaries() []string {
	b, _ := os.ReadFile(filepath.Join(s.place().Dir, "local", "sessions.jsonl"))
	return slices.Collect(strings.Lines(string(b)))
}

// The session of an agent that was killed is compiled and told when the next one begins, once, with
// what is known of its end, and as of its last event; before that, and while the process runs, it
// is not. Where it goes on all the same, that is compiled too. BM-FBK-04, BM-FBK-15.
func TestAKilledSessionIsCompiled(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	pid, kill := agent(t)
	other, _ := agent(t)
	s.in(pid)
	s.begin("killed", "The dryer must stop above 82 degrees.")
	s.of("killed", "memory-session-save", "nothing", "final_message", `{"role": "assistant", "content": "We decided that readings older than 20 s count as missing."}`)
	s.more("killed", "Make the alarm ring until somebody presses the button.")
	s.in(other)
	if got := s.of("second", "memory-load", "context", "source", `"startup"`); strings.Contains(got, "dryer") {
		t.Errorf("its agent runs:\n%s", got)
	}
	kill()
	got := s.of("third", "memory-load", "context", "source", `"startup"`)
	wants(t, got, "noted automatically: The dryer must stop above 82 degrees.", "Make the alarm ring until somebody presses the button.", "We decided that readings older than 20 s count as missing.", "changed: killed.go", "ended: no last message was seen (cut_off)")
	wants(t, s.of("fourth", "memory-load", "context", "source", `"startup"`), "The dryer must stop")
	if list := s.summaries(); len(list) != 1 {
		t.Errorf("%q", list)
	}
	day, _ := os.ReadFile(s.place().Local(s.now))
	if n := strings.Count(string(day), `"session_end"`); n != 1 {
		t.Errorf("%d ends: %s", n, day)
	}
	// It is resumed, and killed again.
	pid, kill = agent(t)
	s.in(pid)
	s.of("killed", "memory-load", "context", "source", `"resume"`)
	s.more("killed", "The alarm rings twice.")
	kill()
	s.in(other)
	got = s.of("fifth", "memory-load", "context", "source", `"startup"`)
	wants(t, got, "The dryer must stop above 82 degrees.", "The alarm rings twice.")
	if n := strings.Count(got, "noted automatically: "); n != 1 {
		t.Errorf("told %d times:\n%s", n, got)
	}
}

// Where no process is known, or one outlives its sessions, or it ran on another machine, a session
// is over after hours without an event, as of the last one. BM-FBK-15.
func TestAnIdleSessionIsCompiled(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		place func(s *scene)
		idle  time.Duration
		told  bool
	}{
		{"no process is known", func(*scene) {}, 7 * time.Hour, true},
		{"lately", func(*scene) {}, 5 * time.Hour, false},
		{"the process lives", func(s *scene) { s.in(os.Getpid()) }, 7 * time.Hour, true},
		{"lately, and the process lives", func(s *scene) { s.in(os.Getpid()) }, 5 * time.Hour, false},
		{"lately, elsewhere", func(s *scene) {
			gone, kill := agent(s.t)
			kill()
			s.world.Processes = func() (string, []int) { return "elsewhere", []int{gone} }
		}, 5 * time.Hour, false},
		{"elsewhere", func(s *scene) {
			s.world.Processes = func() (string, []int) { return "elsewhere", []int{1 << 30} }
		}, 7 * time.Hour, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			c.place(s)
			s.begin("idle", "Paint the buoys.")
			last := s.now
			must.Do(t, os.Chtimes(filepath.Join(s.world.Session("idle"), "memory.spool"), last, last))
			s.now = s.now.Add(c.idle)
			s.in(os.Getpid())
			got := s.of("next", "memory-load", "context", "source", `"startup"`)
			if strings.Contains(got, "Paint the buoys.") != c.told {
				t.Errorf("told: %v\n%s", !c.told, got)
			}
			if list := s.summaries(); c.told && (len(list) != 1 || !strings.Contains(list[0], `"timestamp": "`+memory.Stamp(last)+`"`)) {
				t.Errorf("want one of %s: %q", memory.Stamp(last), list)
			}
		})
	}
}

// What the worker of a session could not keep is kept when the next one begins; while it may be at
// work nobody else compiles the session, and afterwards neither. BM-FBK-15.
func TestWhatAWorkerCouldNotKeepIsNotLost(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.begin("one", "Sort the poles by length.")
	s.of("one", "memory-sync", "nothing", "exit_reason", `"other"`)
	if got := s.of("early", "memory-load", "context", "source", `"startup"`); strings.Contains(got, "Sort the poles") {
		t.Errorf("compiled twice:\n%s", got)
	}
	local := filepath.Join(s.place().Dir, "local")
	must.Do(t, errors.Join(os.RemoveAll(local), os.WriteFile(local, nil, 0o600)))
	if err := Work(s.callOf("one"), memory.End{Session: "one", Reason: "other"}, nil); err == nil {
		t.Error("nothing is said of what was not kept")
	}
	must.Do(t, os.Remove(local))
	wants(t, s.of("two", "memory-load", "context", "source", `"startup"`), "noted automatically: Sort the poles by length. — changed: one.go", "(other)")
	must.Do(t, Work(s.callOf("one"), memory.End{Session: "one", Reason: "other"}, nil))
	s.now = s.now.Add(time.Hour)
	s.of("three", "memory-load", "context", "source", `"startup"`)
	if list := s.summaries(); len(list) != 1 {
		t.Errorf("%q", list)
	}
}
