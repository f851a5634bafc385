//go:build unix

package runner

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// linesOf waits for the lines of async hooks, by the hook's name.
func linesOf(t *testing.T, state string, want int) map[string]LogLine {
	t.Helper()
	lines := map[string]LogLine{}
	eventually(t, "the lines of async hooks", func() bool {
		all := readLog(t, state)
		n := 0
		for _, l := range all {
			if l.Ref != "" {
				n++
				lines[l.Hooks[0].Name] = l
			}
		}
		return n >= want
	})
	return lines
}

// TestAsync holds what becomes of async hooks: started together, detached, with
// a line each.
func TestAsync(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := newRunner(t)
	r.Env = append(r.Env, "OUT="+dir)
	ev := canaryEvent()
	project := t.TempDir()
	slow := async(hook("hang"))
	slow.Timeout = 100 * time.Millisecond
	s := set(async(hook("async-io")), async(hook("async-2")), async(hook("async-ok")), async(hook("one")), async(hook("echo-both")), async(hook("no-interpreter")), async(builtin("late")), async(builtin("panic")), slow)
	s.Project, s.Root = project, project
	start := time.Now()
	rep := guarded(t, func() Report { return r.Run(context.Background(), ev, s) })
	if len(rep.Results) != 0 || len(rep.Async) != 9 || !rep.Outcome.Empty() {
		t.Fatalf("%d results, %d async, %+v", len(rep.Results), len(rep.Async), rep.Outcome)
	}
	must.Do(t, AppendLog(r.State, NewLogLine(rep, s, start, false)))
	if ws := r.Start(rep.Async, s); ws != nil {
		t.Fatal(ws)
	}
	lines := linesOf(t, r.State, 9)
	for _, c := range []struct {
		hook    string
		result  Verdict
		exit    int
		warning string
		layer   discovery.LayerName
	}{
		{"async-io", OK, 0, "", discovery.UserLayer},
		{"async-2", Blocked, 2, "its exit code 2 blocks nothing", discovery.UserLayer},
		{"async-ok", OK, 0, "of its answer only log is used", discovery.UserLayer},
		{"one", Failed, 1, "exit code 1", discovery.UserLayer},
		{"no-interpreter", NotStarted, -1, "does not exist", discovery.UserLayer},
		{"late", BadOutput, 0, "not one JSON object", discovery.BuiltinLayer},
		{"panic", Failed, -1, "panicked: a bug", discovery.BuiltinLayer},
		{"hang", TimedOut, -1, "after 100ms, its time limit", discovery.UserLayer},
	} {
		t.Run(c.hook, func(t *testing.T) {
			l := lines[c.hook]
			if len(l.Hooks) != 1 {
				t.Error("no line")
				return
			}
			h := l.Hooks[0]
			if h.Result != c.result || h.Exit != c.exit || !strings.Contains(h.Warning, c.warning) || c.warning == "" && h.Warning != "" || h.Layer != c.layer || !h.Async {
				t.Errorf("%+v", h)
			}
			if l.Ref != rep.ID || l.ID == rep.ID || l.Agent != "test-agent" || l.Event != "pre-tool-call" || l.NativeEvent != "Native" || l.Session != "s-1" || l.Project != project || l.Decision != "none" {
				t.Errorf("%+v", l)
			}
		})
	}
	if got := string(lines["async-ok"].Hooks[0].Log); got != `{"k": 1}` {
		t.Errorf("log value %s", got)
	}
	if got := lines["async-2"].Hooks[0].Stderr; got != "nobody hears\n" {
		t.Errorf("output goes to the run log: %q", got)
	}
	if got := must.Read(t, filepath.Join(dir, "async-io")); got != string(ev.JSON()) {
		t.Errorf("the event was %s", got)
	}
	if _, err := os.Stat(filepath.Join(dir, "tty")); err == nil {
		t.Error("an inherited pipe or terminal")
	}
	if got := must.Read(t, filepath.Join(dir, "late")); got != "built in\n" {
		t.Errorf("built-in: %q", got)
	}
	all := readLog(t, r.State)
	at := slices.IndexFunc(all, func(l LogLine) bool { return l.ID == rep.ID })
	if at < 0 || len(all[at].Async) != 9 {
		t.Errorf("the event's own line: %d", at)
	}
	filepath.WalkDir(r.State, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && hasCanary(must.Read(t, path)) {
			t.Errorf("input of the tool lies in %s: %s", path, must.Read(t, path))
		}
		return nil
	})
	eventually(t, "all places free again", func() bool { return len(LiveAsync(r.State)) == 0 })
}

// The agent kills the dispatcher's whole group right after the answer.
func TestAsyncSurvives(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule  string
		bytes int // of tool input: a large job does not fit into a pipe
	}{{"small", 10}, {"large", 1 << 20}} {
		t.Run(c.rule, func(t *testing.T) {
			t.Parallel()
			dir, state := t.TempDir(), t.TempDir()
			input := filepath.Join(dir, "input")
			write(input, strings.Repeat("x", c.bytes), 0o600)
			p := startRole(t, "async", os.Stderr, "STATE="+state, "OUT="+dir, "SELF="+self, "INPUT="+input, "HOOK="+hook("late").Entry.Path)
			eventually(t, "the dispatcher has answered", func() bool {
				_, err := os.Stat(filepath.Join(dir, "answered"))
				return err == nil
			})
			time.Sleep(100 * time.Millisecond)
			p.kill() // the whole group, which the dispatcher leads
			if s := guarded(t, p.wait); s.signal != "SIGKILL" {
				t.Fatalf("the dispatcher left by itself: %+v", s)
			}
			var live []AsyncRun
			eventually(t, "the async hook runs", func() bool {
				live = LiveAsync(state)
				return len(live) == 1
			})
			if live[0].Hook != "hook" || live[0].Pid == 0 || time.Since(live[0].Started) > time.Hour {
				t.Errorf("%+v", live)
			}
			write(filepath.Join(dir, "go"), "", 0o600)
			line := linesOf(t, state, 1)["hook"]
			if line.Hooks[0].Result != BadOutput || line.Hooks[0].Stdout != "seen\n" || line.Ref == "" {
				t.Errorf("%+v", line)
			}
			if must.Read(t, filepath.Join(dir, "late")) != "done\n" {
				t.Error("the hook did not finish")
			}
			filepath.WalkDir(state, func(path string, d os.DirEntry, err error) error {
				if err == nil && strings.Contains(d.Name(), "job-") {
					t.Errorf("the job lies around: %s", path)
				}
				return nil
			})
		})
	}
}

// asyncDispatcher answers, starts an async hook and lives on, as one that is
// about to be killed.
func asyncDispatcher() int {
	input, err := os.ReadFile(os.Getenv("INPUT"))
	if err != nil {
		return 1
	}
	r := &Runner{Env: testEnv(), State: os.Getenv("STATE"), Self: os.Getenv("SELF")}
	r.Env = slices.DeleteFunc(r.Env, func(kv string) bool { return strings.HasPrefix(kv, "RUNNER_TEST_ROLE=") })
	s := set(async(entryHook(os.Getenv("HOOK"))))
	ev := event(protocol.PreToolCall)
	var in protocol.Object
	in.SetText("command", string(input))
	ev.SetInput(in)
	rep := r.Run(context.Background(), ev, s)
	if ws := r.Start(rep.Async, s); ws != nil {
		return 1
	}
	write(filepath.Join(os.Getenv("OUT"), "answered"), "", 0o600)
	time.Sleep(time.Hour)
	return 0
}

// At most 32 alive a user; more are skipped, and logged.
func TestAsyncLimit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	fifo := filepath.Join(dir, "fifo")
	must.Do(t, syscall.Mkfifo(fifo, 0o600))
	r := newRunner(t)
	r.Env = append(r.Env, "OUT="+dir)
	s := set()
	ev := event(protocol.PreToolCall)
	var launches []Launch
	for range maxAsync + 2 {
		launches = append(launches, Launch{Hook: async(hook("gate")), Event: ev, Ref: "ref"})
	}
	if ws := r.Start(launches, s); ws != nil {
		t.Fatal(ws)
	}
	linesOf(t, r.State, 2) // those that found no place
	eventually(t, "all places taken", func() bool { return len(LiveAsync(r.State)) == maxAsync })
	// Whoever opens the other end lets all readers through. It is done again
	// until none is left: a hook may open its end a moment later.
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(10 * time.Millisecond):
				if f, err := os.OpenFile(fifo, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
					f.Close()
				}
			}
		}
	}()
	linesOf(t, r.State, maxAsync+2)
	close(done)
	all := readLog(t, r.State)
	skipped := 0
	for _, l := range all {
		if l.Hooks[0].Result == Skipped && strings.Contains(l.Hooks[0].Warning, "32 async hooks are running already") {
			skipped++
		}
	}
	if skipped != 2 {
		t.Errorf("%d skipped, want 2", skipped)
	}
}

// A place is taken before it says whose it is, and is taken for a moment by whoever looks
// whether it is free: none of that is seen by who lists the hooks that run. It runs alone, since a
// process that a test beside it forks has its locks, too, until it starts its program.
func TestLiveAsyncListsWhatRuns(t *testing.T) {
	take := func(t *testing.T, state, hook string) *os.File {
		t.Helper()
		f, ok := takeSlot(state, hook)
		if f == nil || !ok {
			t.Fatalf("%s: no place", hook)
		}
		return f
	}
	// meanwhile lists until other has ended.
	meanwhile := func(t *testing.T, state string, other func(), good func([]AsyncRun) bool) {
		done := make(chan struct{})
		go func() {
			defer close(done)
			other()
		}()
		for {
			select {
			case <-done:
				return
			default:
			}
			if live := LiveAsync(state); !good(live) {
				t.Errorf("%+v", live)
				<-done
				return
			}
		}
	}
	t.Run("while places are taken", func(t *testing.T) {
		t.Parallel()
		state := t.TempDir()
		take(t, state, "before").Close()
		meanwhile(t, state, func() {
			for range 100 {
				if f, _ := takeSlot(state, "now"); f != nil {
					f.Close()
				}
			}
		}, func(live []AsyncRun) bool {
			return len(live) == 0 || len(live) == 1 && live[0].Hook == "now" && live[0].Pid == os.Getpid()
		})
	})
	t.Run("while another lists them", func(t *testing.T) {
		t.Parallel()
		state := t.TempDir()
		take(t, state, "ended").Close()
		meanwhile(t, state, func() {
			for range 500 {
				LiveAsync(state)
			}
		}, func(live []AsyncRun) bool { return len(live) == 0 })
	})
	t.Run("where no hook has run", func(t *testing.T) {
		state := filepath.Join(t.TempDir(), "state")
		if live := LiveAsync(state); live != nil {
			t.Errorf("%+v", live)
		}
		if _, err := os.Stat(state); err == nil {
			t.Error("looking made the directory")
		}
	})
}

// What cannot be started is told of, hook by hook.
func TestAsyncCannotStart(t *testing.T) {
	t.Parallel()
	for _, self := range []string{"", "/no/such/dispatcher"} {
		r := newRunner(t)
		r.Self = self
		ws := r.Start([]Launch{{Hook: async(hook("late")), Event: event(protocol.PreToolCall)}}, set())
		if len(ws) != 1 || ws[0].Hook != "late" || ws[0].Kind != "async" || !strings.Contains(ws[0].Text, "could not be started") {
			t.Errorf("%q: %v", self, ws)
		}
		lines := readLog(t, r.State)
		if len(lines) != 1 || lines[0].Hooks[0].Name != "late" || lines[0].Hooks[0].Result != NotStarted || !lines[0].Hooks[0].Async {
			t.Errorf("%q: the run log has %+v", self, lines)
		}
	}
}

// A supervisor that is given nonsense runs nothing.
func TestSuperviseNonsense(t *testing.T) {
	t.Parallel()
	for _, in := range []string{"", "{", "[]", `{"launches": [{"event": 1}]}`, `{"launches": [{"event": -1}], "events": []}`} {
		t.Run(fmt.Sprintf("%q", in), func(t *testing.T) {
			if exit := Supervise(strings.NewReader(in), nil, nil); exit != 1 {
				t.Errorf("%q: exit %d", in, exit)
			}
		})
	}
}

// A job says the same after the pipe.
func TestJobRoundTrip(t *testing.T) {
	t.Parallel()
	r := &Runner{State: "/state dir", Self: "/s\"elf", Grace: 3, Drain: 4}
	s := set()
	s.Project, s.Root, s.Settings.Debug = "/p", "/r", true
	a, b := canaryEvent(), event(protocol.PostSession)
	h := hook("late")
	h.Timeout = 1234567
	spoken := []told{{stdin: []byte("{\"a\": 1}\n"), env: []string{"A=1", "B"}}}
	want := []Launch{{h, a, "1", nil}, {builtin("late"), b, "1", nil}, {h, a, "1", spoken}}
	text := newJob(r, want, s).append(nil)
	if n := bytes.Count(text, []byte("CANARYprompt33")); n != 1 {
		t.Errorf("the event stands there %d times", n)
	}
	j, err := parseJob(text)
	must.Do(t, err)
	j.find(func(name, state string) Builtin {
		if state != r.State {
			t.Errorf("the built-in hook gets state %q, want that of the dispatcher, %q", state, r.State)
		}
		return testBuiltin(name, state)
	})
	if j.runner.Builtin("late") == nil || j.runner.Builtin("nobody") != nil {
		t.Error("built-in hooks are not found by their names")
	}
	if j.runner.State != r.State || j.runner.Self != r.Self || j.runner.Grace != 3 || j.runner.Drain != 4 || j.project != "/p" || j.root != "/r" || !j.debug {
		t.Errorf("%+v", j)
	}
	for i, l := range j.launches {
		w := want[i]
		if string(l.Event.JSON()) != string(w.Event.JSON()) || l.Event.Agent != w.Event.Agent || l.Event.NativeEvent != w.Event.NativeEvent || l.Ref != "1" {
			t.Errorf("event %d: %s", i, l.Event.JSON())
		}
		if l.Hook.Name != w.Hook.Name || l.Hook.Layer != w.Hook.Layer || l.Hook.Dir != w.Hook.Dir || l.Hook.Timeout != w.Hook.Timeout ||
			l.Hook.Entry.Path != w.Hook.Entry.Path || !slices.Equal(l.Hook.Entry.Argv, w.Hook.Entry.Argv) || l.Hook.Entry.Builtin != w.Hook.Entry.Builtin {
			t.Errorf("hook %d: %+v", i, l.Hook)
		}
	}
}

// A place that cannot be opened leaves the others.
func TestAPlaceThatCannotBeOpenedIsPassedOver(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	dir := filepath.Join(state, "async")
	if err := os.MkdirAll(slotPath(dir, 0), 0o700); err != nil { // a folder in its place
		t.Fatal(err)
	}
	f, ok := takeSlot(state, "h")
	if !ok || f == nil {
		t.Fatalf("no place was taken: %v", ok)
	}
	defer f.Close()
	if f.Name() != slotPath(dir, 1) {
		t.Errorf("took %s", f.Name())
	}
}
