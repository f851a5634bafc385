//go:build unix

package runner

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// TestVerdicts is how a hook may end, on real processes.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	none, allow, ask, block := protocol.NoOpinion, protocol.Allow, protocol.Ask, protocol.Block
	for _, c := range []struct {
		hook, rule string
		verdict    Verdict
		exit       int
		signal     string
		decision   protocol.Decision
		reason     string // part of it
		warning    string // part of it; "" means none at all
	}{
		{"silent", "exit 0", OK, 0, "", none, "", ""},
		{"allow", "an outcome", OK, 0, "", allow, "fine", ""},
		{"ask", "an outcome", OK, 0, "", ask, "sure?", ""},
		{"block", "a block with its reason", Blocked, 2, "", block, "no, because of the reason", ""},
		{"block-mute", "empty stderr", Blocked, 2, "", block, "blocked this and gave no reason", ""},
		{"block-ws", "white space", Blocked, 2, "", block, "blocked this and gave no reason", ""},
		{"block-ff", "not UTF-8", Blocked, 2, "", block, "bad \uFFFD byte", ""},
		{"block-json", "stdout is ignored on 2", Blocked, 2, "", block, "why", ""},
		{"block-1mb", "1 MB of stderr", Blocked, 2, "", block, "[stderr cut here by agents-hooks, at 64 KiB]", ""},
		{"ansi", "no control bytes", Blocked, 2, "", block, "red", ""},
		{"one", "exit code 1", Failed, 1, "", none, "", "failed (exit code 1), so it decided nothing: set -e: cannot open"},
		{"kill", "killed", Failed, -1, "SIGKILL", none, "", "was ended by SIGKILL"},
		{"segv", "crashed", Failed, -1, "SIGSEGV", none, "", "was ended by SIGSEGV"},
		{"deny", "deny with exit 0", OK, 0, "", none, "denied", "exit with 2 and the reason on stderr"},
		{"wrong-type", "HM-IO-28", OK, 0, "", allow, "", "reason: want a string"},
		{"noise", "prefix", BadOutput, 0, "", none, "", "stdout is not one JSON object"},
		{"two", "two documents", BadOutput, 0, "", none, "", "stdout is not one JSON object"},
		{"bom", "byte order mark", BadOutput, 0, "", none, "", "byte order mark"},
		{"array", "array", BadOutput, 0, "", none, "", "stdout is not one JSON object"},
		{"number", "number", BadOutput, 0, "", none, "", "stdout is not one JSON object"},
		{"null", "null", BadOutput, 0, "", none, "", "stdout is not one JSON object"},
		{"trailing", "trailing text", BadOutput, 0, "", none, "", "stdout is not one JSON object"},
		{"stdout-ff", "not UTF-8", OK, 0, "", none, "a\uFFFDb", ""},
		{"30mb", "30 MB of stdout", BadOutput, 0, "", none, "", "stdout is over 1024 KiB"},
		{"30mb-block", "30 MB on both, exit 2", Blocked, 2, "", block, "[stderr cut here", ""},
		{"full-mb", "1 MiB is allowed", OK, 0, "", none, "", ""},
		{"over-mb", "one byte more is not", BadOutput, 0, "", none, "", "stdout is over 1024 KiB"},
		{"read", "stdin ends", OK, 0, "", allow, "", ""},
		{"follow", "HM-IO-34", OK, 0, "", none, "", "followup_message: means something on pre-agent-turn-stop and post-subagent only"},
		{"env", "HM-IO-54", OK, 0, "", none, "", "env: means something on pre-session only"},
		{"no-interpreter", "an interpreter that is not there", NotStarted, -1, "", none, "", `interpreter "/no/such/interpreter", named by the first line`},
		{"env-no-interpreter", "one that env does not find", NotStarted, 127, "", none, "", `interpreter "no-such-interpreter-xyz", named by the first line`},
		{"env-s-missing", "one that env -S does not find", NotStarted, 127, "", none, "", `interpreter "no-such-interpreter-xyz"`},
		{"crlf", "Windows line ends", NotStarted, -1, "", none, "", "has Windows line ends"},
		{"not-executable", "no executable", NotStarted, -1, "", none, "", "must not be executed: permission denied"},
		{"no-shebang", "a text file is for sh", Blocked, 2, "", block, "plain", ""},
		{"garbage", "no program", NotStarted, -1, "", none, "", "is not a program of this system"},
		{"gone", "no file", NotStarted, -1, "", none, "", "does not exist"},
	} {
		t.Run(c.hook, func(t *testing.T) {
			t.Parallel()
			r := runOne(t, newRunner(t), event(protocol.PreToolCall), hook(c.hook))
			if r.Verdict != c.verdict || r.Exit != c.exit || r.Signal != c.signal || r.Outcome.Decision != c.decision {
				t.Errorf("%s: verdict %s, exit %d, signal %q, decision %v; want %s, %d, %q, %v (warning %q)", c.rule,
					r.Verdict, r.Exit, r.Signal, r.Outcome.Decision, c.verdict, c.exit, c.signal, c.decision, r.Warning)
			}
			if !strings.Contains(r.Outcome.Reason, c.reason) {
				t.Errorf("%s: reason %q, want %q", c.rule, shorten(r.Outcome.Reason), c.reason)
			}
			if c.warning == "" && r.Warning != "" || !strings.Contains(r.Warning, c.warning) {
				t.Errorf("%s: warning %q, want %q", c.rule, r.Warning, c.warning)
			}
			if strings.ContainsRune(r.Outcome.Reason, 0x1b) {
				t.Errorf("%s: an escape sequence is left in %q", c.rule, r.Outcome.Reason)
			}
		})
	}
}

// A hook that has no interest in its input is not at fault, however large that
// is; one that reads gets every byte and the end.
func TestLargeInput(t *testing.T) {
	t.Parallel()
	var in protocol.Object
	in.SetText("command", strings.Repeat("x", 5<<20))
	large := func() *protocol.Event { // one for each test: a run reads what an event does into it
		ev := event(protocol.PreToolCall)
		ev.SetInput(in)
		return ev
	}
	for _, c := range []struct {
		hook     string
		verdict  Verdict
		decision protocol.Decision
	}{
		{"silent", OK, protocol.NoOpinion},
		{"block", Blocked, protocol.Block},
		{"allow", OK, protocol.Allow},
		{"deny-unread", OK, protocol.Allow},
		{"read", OK, protocol.Allow},
	} {
		t.Run(c.hook, func(t *testing.T) {
			t.Parallel()
			r := runOne(t, newRunner(t), large(), hook(c.hook))
			if r.Verdict != c.verdict || r.Outcome.Decision != c.decision || r.Warning != "" {
				t.Errorf("verdict %s, decision %v, warning %q; want %s, %v, none", r.Verdict, r.Outcome.Decision, r.Warning, c.verdict, c.decision)
			}
		})
	}
	t.Run("every byte", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		r, ev := newRunner(t), large()
		r.Env = append(r.Env, "OUT="+dir)
		runOne(t, r, ev, hook("save"))
		if got, want := must.Read(t, filepath.Join(dir, "save")), string(ev.JSON()); got != want {
			t.Errorf("the hook read %d bytes, want %d", len(got), len(want))
		}
	})
	t.Run("nothing of it in argv or environment", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		r := newRunner(t)
		r.Env = append(r.Env, "OUT="+dir)
		big := large()
		big.SessionID = strings.Repeat("é", 5000)
		big.WorkDir = "/" + strings.Repeat("w", 9000)
		runOne(t, r, big, hook("env-dump"))
		for _, line := range strings.Split(must.Read(t, filepath.Join(dir, "env")), "\n") {
			if name, value, _ := strings.Cut(line, "="); strings.HasPrefix(name, "AGENTS_HOOKS_") && len(value) > 4<<10 {
				t.Errorf("%s has %d bytes", name, len(value))
			}
		}
	})
}

// The exit status decides, whatever the hook leaves behind; what it left behind
// stays alone.
func TestOrphans(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		hook, rule string
		verdict    Verdict
		decision   protocol.Decision
	}{
		{"orphan-plain", "exit 0", OK, protocol.Ask},
		{"orphan-block", "exit 2", Blocked, protocol.Block},
		{"orphan-sid", "child in its own session", Blocked, protocol.Block},
		{"orphan-writer", "child that writes for ever", Blocked, protocol.Block},
		{"orphan-sid-wr", "the same in its own session", Blocked, protocol.Block},
		{"orphan-quiet", "survivors are left alone", OK, protocol.NoOpinion},
	} {
		t.Run(c.hook, func(t *testing.T) {
			t.Parallel()
			out := filepath.Join(t.TempDir(), "pids")
			r := newRunner(t)
			r.Env = append(r.Env, "OUT="+out)
			res := runOne(t, r, event(protocol.PreToolCall), hook(c.hook))
			ids := pids(t, out, 1)
			reap(t, ids)
			if res.Verdict != c.verdict || res.Outcome.Decision != c.decision {
				t.Errorf("%s: %s, %v; want %s, %v (%s)", c.rule, res.Verdict, res.Outcome.Decision, c.verdict, c.decision, res.Warning)
			}
			if c.decision == protocol.Block && !strings.HasPrefix(res.Outcome.Reason, "held") {
				t.Errorf("%s: what was written before the exit is gone: %q", c.rule, shorten(res.Outcome.Reason))
			}
			// A writer meets a closed pipe, and is free to end of that.
			if !strings.HasSuffix(c.hook, "writer") && !strings.HasSuffix(c.hook, "wr") && !alive(ids[0]) {
				t.Errorf("%s: the child was not left alone", c.rule)
			}
		})
	}
}

// The pipe is held past the time limit of a hook that has exited.
func TestExitWinsOverTimeout(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "pids")
	r := newRunner(t)
	r.Env = append(r.Env, "OUT="+out)
	r.Drain = 1500 * time.Millisecond
	h := hook("orphan-block")
	h.Timeout = time.Second
	res := runOne(t, r, event(protocol.PreToolCall), h)
	reap(t, pids(t, out, 1))
	if res.Verdict != Blocked {
		t.Errorf("verdict %s (%s), want %s", res.Verdict, res.Warning, Blocked)
	}
	if res.Duration < time.Second {
		t.Errorf("the pipe was held for %v only, which proves nothing", res.Duration)
	}
}

// At its limit a hook ends, and all that it started.
func TestTimeout(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		hook, rule string
		processes  int
	}{
		{"hang", "time limit", 1},
		{"tree", "grandchildren", 4},
		{"deaf", "SIGTERM is ignored", 1},
		{"deaf-child", "after the grace the group is killed in any case", 2},
		{"polite", "SIGTERM comes first", 1},
		{"half-answer", "a half answer is none", 0},
	} {
		t.Run(c.hook, func(t *testing.T) {
			t.Parallel()
			r := newRunner(t)
			if c.hook == "polite" {
				r.Grace = 20 * time.Second
			}
			res, ids, out := stopped(t, r, c.hook, c.processes)
			if res.Verdict != TimedOut || res.Outcome.Decision != protocol.NoOpinion || !strings.Contains(res.Warning, "its time limit") {
				t.Errorf("%s: verdict %s, decision %v, warning %q", c.rule, res.Verdict, res.Outcome.Decision, res.Warning)
			}
			for _, pid := range ids {
				eventually(t, c.rule+": a survivor", func() bool { return !alive(pid) })
			}
			if c.hook == "polite" && must.Read(t, out+".done") != "cleaned\n" {
				t.Errorf("%s: the hook could not clean up", c.rule)
			}
		})
	}
}

// stopped runs a hook into its time limit. The limit has to come after the hook
// wrote down its processes, so a busy machine gets a longer one.
func stopped(t *testing.T, r *Runner, name string, processes int) (res Result, ids []int, out string) {
	t.Helper()
	for _, limit := range []time.Duration{400 * time.Millisecond, 2 * time.Second, 20 * time.Second} {
		out = filepath.Join(t.TempDir(), "pids")
		r.Env = append(testEnv(), "OUT="+out)
		h := hook(name)
		h.Timeout = limit
		res = runOne(t, r, event(protocol.PreToolCall), h)
		b, _ := os.ReadFile(out)
		if len(strings.Fields(string(b))) >= processes {
			break
		}
	}
	if processes > 0 {
		ids = pids(t, out, processes)
		reap(t, ids)
	}
	return res, ids, out
}

// A process that left the group is out of reach on Unix (documented); it
// must not hold up the answer.
func TestTimeoutEscaped(t *testing.T) {
	t.Parallel()
	res, _, _ := stopped(t, newRunner(t), "escaped", 1)
	if res.Verdict != TimedOut {
		t.Errorf("verdict %s (%s)", res.Verdict, res.Warning)
	}
}

// The deadline bounds the whole event.
func TestDeadline(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "pids")
	r := newRunner(t)
	r.Env = append(r.Env, "OUT="+out)
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	rep := guarded(t, func() Report {
		return r.Run(ctx, event(protocol.PreToolCall), set(hook("context"), hook("deaf"), hook("block"), hook("allow")))
	})
	var verdicts []string
	for _, res := range rep.Results {
		verdicts = append(verdicts, string(res.Verdict))
	}
	if got := strings.Join(verdicts, " "); got != "ok timeout skipped skipped" {
		t.Errorf("verdicts %q", got)
	}
	if rep.Outcome.Decision != protocol.NoOpinion || rep.Outcome.AdditionalContext != "first" {
		t.Errorf("the answer is %v, context %q", rep.Outcome.Decision, rep.Outcome.AdditionalContext)
	}
	if len(rep.Warnings) != 3 || rep.Warnings[0].Kind != "timeout" || rep.Warnings[1].Kind != "skipped" || !strings.Contains(rep.Warnings[0].Text, "the whole event") {
		t.Errorf("warnings %v", rep.Warnings)
	}
	for _, pid := range pids(t, out, 1) {
		eventually(t, "a survivor of the deadline", func() bool { return !alive(pid) })
	}
	t.Run("a skipped hook has failed", func(t *testing.T) {
		rep := guarded(t, func() Report {
			h := hook("silent")
			h.OnError = discovery.OnErrorBlock
			return r.Run(ctx, event(protocol.PreToolCall), set(hook("allow"), h))
		})
		if rep.Outcome.Decision != protocol.Block || rep.Results[1].Verdict != Skipped {
			t.Errorf("decision %v, results %+v", rep.Outcome.Decision, rep.Results)
		}
	})
}

// The dispatcher is told to end: the running hook is stopped with its group, and
// the event gets its answer.
func TestCancelled(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "pids")
	r := newRunner(t)
	r.Env = append(r.Env, "OUT="+out)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		for {
			// All four have to be there: one that is killed before it has written
			// its number leaves none.
			if b, err := os.ReadFile(out); err == nil && len(strings.Fields(string(b))) == 4 {
				cancel()
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	rep := guarded(t, func() Report {
		return r.Run(ctx, event(protocol.PreToolCall), set(hook("tree"), hook("block")))
	})
	if rep.Results[0].Verdict != TimedOut || !strings.Contains(rep.Results[0].Warning, "told to end") || rep.Results[1].Verdict != Skipped {
		t.Errorf("results %+v", rep.Results)
	}
	for _, pid := range pids(t, out, 4) {
		eventually(t, "a survivor of the cancellation", func() bool { return !alive(pid) })
	}
}

// Failure to start for want of resources is a failure like any other: fail open,
// and say so.
func TestNoProcess(t *testing.T) {
	t.Parallel()
	t.Run("environment too large", func(t *testing.T) {
		t.Parallel()
		r := newRunner(t)
		r.Env = append(r.Env, "BIG="+strings.Repeat("x", 3<<20))
		res := runOne(t, r, event(protocol.PreToolCall), hook("block"))
		if res.Verdict != NotStarted || !strings.Contains(res.Warning, "environment is too large") {
			t.Errorf("%s: %s", res.Verdict, res.Warning)
		}
	})
	for _, c := range []struct{ role, want string }{
		{"no-files", "too many open files"},
		{"no-forks", "the system can start no further process"},
	} {
		t.Run(c.role, func(t *testing.T) {
			t.Parallel()
			if runtime.GOOS != "linux" {
				t.Skip("limits of processes differ from system to system")
			}
			out := inRole(t, c.role, "HOOK="+hook("block").Entry.Path)
			if !strings.HasPrefix(out, "not_started none ") || !strings.Contains(out, c.want) {
				t.Errorf("got %q, want %q", out, c.want)
			}
		})
	}
}

// A script that somebody has open for writing is tried again.
func TestTextFileBusy(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "run")
	write(path, "#!/bin/sh\nexit 2\n", 0o755)
	h := hook("block")
	h.Entry = discovery.Entry{Path: path, Argv: []string{path}}
	var res Result
	for range 3 { // a busy machine may close the file too late
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		must.Do(t, err)
		go func() {
			time.Sleep(20 * time.Millisecond)
			f.Close()
		}()
		if res = runOne(t, newRunner(t), event(protocol.PreToolCall), h); res.Verdict == Blocked {
			return
		}
	}
	t.Errorf("go.dev/issue/22315: %s: %s", res.Verdict, res.Warning)
}

// An interpreter that is looked up, and a script that it could not read.
func TestInterpreters(t *testing.T) {
	t.Parallel()
	entry := func(argv ...string) *discovery.Hook {
		h := hook("no-shebang")
		h.Entry = discovery.Entry{Path: argv[1], Argv: argv}
		return h
	}
	path := hook("no-shebang").Entry.Path
	for _, c := range []struct {
		rule    string
		hook    *discovery.Hook
		env     []string
		verdict Verdict
		warning string
	}{
		{"sh without any environment", entry("sh", path), []string{}, Blocked, ""},
		{"a relative PATH is not followed", entry("sh", path), []string{"PATH=."}, Blocked, ""},
		{"missing interpreter, PATH named", entry("no-such-python", path), []string{"PATH=/nowhere"}, NotStarted, `interpreter "no-such-python" was not found in PATH "/nowhere:`},
		{"sh leaves with 2 when it cannot read", entry("sh", "/no/such/run.sh"), nil, NotStarted, `entry "/no/such/run.sh" cannot be read`},
		{"no entry", &discovery.Hook{Name: "empty", Trigger: protocol.PreToolCall, Status: discovery.Ready}, nil, NotStarted, "no entry to start"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			t.Parallel()
			r := newRunner(t)
			if c.env != nil {
				r.Env = c.env
			}
			res := runOne(t, r, event(protocol.PreToolCall), c.hook)
			if res.Verdict != c.verdict || !strings.Contains(res.Warning, c.warning) {
				t.Errorf("%s: %s; want %s: %s", res.Verdict, res.Warning, c.verdict, c.warning)
			}
		})
	}
}

// What a shell means by its exit code is said where the hook itself was silent.
func TestAnExitCodeIsSaidInWords(t *testing.T) {
	for _, c := range []struct {
		exit         int
		stderr, want string
	}{
		{1, "", "failed (exit code 1), so it decided nothing"},
		{1, "\n boom\nmore", "failed (exit code 1), so it decided nothing: boom"},
		{126, "", "failed (exit code 126: command cannot be executed), so it decided nothing"},
		{127, " \n", "failed (exit code 127: command not found), so it decided nothing"},
		{127, "eslint: command not found", "failed (exit code 127), so it decided nothing: eslint: command not found"},
	} {
		t.Run(fmt.Sprintf("exit %d, %q", c.exit, c.stderr), func(t *testing.T) {
			if got := undecided(c.exit, c.stderr); got != c.want {
				t.Errorf("%d, %q: %q, want %q", c.exit, c.stderr, got, c.want)
			}
		})
	}
}
