//go:build unix

package runner

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// builtins are functions behind the contract of a process.
// begun has a word for each call of the builtin of that name that began.
var begun = make(chan struct{}, 1)

var builtins = map[string]Builtin{
	"silent": func(context.Context, []string, []byte, io.Writer, io.Writer) int { return 0 },
	"answer": func(_ context.Context, _ []string, _ []byte, out, _ io.Writer) int {
		io.WriteString(out, `{"additional_context": "from inside"}`)
		return 0
	},
	"block": func(_ context.Context, _ []string, _ []byte, out, errs io.Writer) int {
		io.WriteString(out, "ignored")
		io.WriteString(errs, "not this way")
		return 2
	},
	"three":  func(context.Context, []string, []byte, io.Writer, io.Writer) int { return 3 },
	"panic":  func(context.Context, []string, []byte, io.Writer, io.Writer) int { panic("a bug") },
	"goexit": func(context.Context, []string, []byte, io.Writer, io.Writer) int { runtime.Goexit(); return 2 },
	"nil-map": func(context.Context, []string, []byte, io.Writer, io.Writer) int {
		noMap()["x"]++
		return 2
	},
	"loop": func(context.Context, []string, []byte, io.Writer, io.Writer) int {
		for {
			time.Sleep(time.Millisecond) // spares the machine; nobody ends it
		}
	},
	"begins": func(context.Context, []string, []byte, io.Writer, io.Writer) int {
		begun <- struct{}{}
		for {
			time.Sleep(time.Millisecond)
		}
	},
	"obeys": func(ctx context.Context, _ []string, _ []byte, _, _ io.Writer) int {
		<-ctx.Done()
		time.Sleep(10 * time.Millisecond)
		return 2
	},
	"1gb": func(_ context.Context, _ []string, _ []byte, out, errs io.Writer) int {
		chunk := bytes.Repeat([]byte{'x'}, 1<<20)
		for range 512 {
			out.Write(chunk)
			errs.Write(chunk)
		}
		return 0
	},
	"1gb-block": func(_ context.Context, _ []string, _ []byte, out, errs io.Writer) int {
		chunk := bytes.Repeat([]byte{'x'}, 1<<20)
		for range 512 {
			out.Write(chunk)
			errs.Write(chunk)
		}
		return 2
	},
	"env": func(_ context.Context, env []string, stdin []byte, out, _ io.Writer) int {
		var o, answer protocol.Object
		event, _ := protocol.ParseObject(stdin)
		o.SetText("event", event.Text("event_type"))
		o.SetText("dir", variable(env, "AGENTS_HOOKS_STATE_DIR"))
		o.SetText("name", variable(env, "AGENTS_HOOKS_HOOK_NAME"))
		answer.Set("log", o.Raw())
		out.Write(answer.Append(nil))
		return 0
	},
	"late": func(_ context.Context, env []string, _ []byte, out, _ io.Writer) int {
		os.WriteFile(filepath.Join(variable(env, "OUT"), "late"), []byte("built in\n"), 0o600)
		io.WriteString(out, "seen")
		return 0
	},
}

func builtin(name string) *discovery.Hook {
	return &discovery.Hook{
		Name: name, Layer: discovery.BuiltinLayer, Entry: discovery.Entry{Builtin: true},
		Trigger: protocol.PreToolCall, Timeout: 30 * time.Second, Status: discovery.Ready,
	}
}

// Built-ins run behind the same contract as a process.
func TestBuiltin(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		verdict  Verdict
		exit     int
		decision protocol.Decision
		warning  string
	}{
		{"silent", OK, 0, protocol.NoOpinion, ""},
		{"answer", OK, 0, protocol.NoOpinion, ""},
		{"block", Blocked, 2, protocol.Block, ""},
		{"three", Failed, 3, protocol.NoOpinion, "exit code 3"},
		{"panic", Failed, -1, protocol.NoOpinion, "panicked: a bug at "},
		{"nil-map", Failed, -1, protocol.NoOpinion, "panicked: assignment to entry in nil map at "},
		{"goexit", Failed, -1, protocol.NoOpinion, "left without an exit code"},
		{"loop", TimedOut, -1, protocol.NoOpinion, "its time limit"},
		{"obeys", TimedOut, -1, protocol.NoOpinion, "its time limit"},
		{"1gb", BadOutput, 0, protocol.NoOpinion, "over 1024 KiB"},
		{"1gb-block", Blocked, 2, protocol.Block, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := builtin(c.name)
			if c.verdict == TimedOut {
				h.Timeout = 100 * time.Millisecond
			}
			r := runOne(t, newRunner(t), event(protocol.PreToolCall), h)
			if r.Verdict != c.verdict || r.Exit != c.exit || r.Outcome.Decision != c.decision || !strings.Contains(r.Warning, c.warning) || c.warning == "" && r.Warning != "" {
				t.Errorf("%s, exit %d, %v, %q; want %s, %d, %v, %q", r.Verdict, r.Exit, r.Outcome.Decision, r.Warning, c.verdict, c.exit, c.decision, c.warning)
			}
			if len(r.Stderr) > maxStderr+100 {
				t.Errorf("%d bytes of stderr kept", len(r.Stderr))
			}
		})
	}
	t.Run("a panic names the place", func(t *testing.T) {
		t.Parallel()
		if r := runOne(t, newRunner(t), event(protocol.PreToolCall), builtin("panic")); !strings.Contains(r.Warning, "builtin_test.go:") {
			t.Errorf("%q", r.Warning)
		}
	})
	t.Run("environment and input", func(t *testing.T) {
		t.Parallel()
		run := newRunner(t)
		r := runOne(t, run, event(protocol.PreToolCall), builtin("env"))
		want := `{"event": "pre-tool-call", "dir": "` + filepath.Join(run.State, "hooks", "builtin", "env") + `", "name": "env"}`
		if string(r.Outcome.Log) != want {
			t.Errorf("got %s, want %s", r.Outcome.Log, want)
		}
	})
	t.Run("told to end", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			<-begun
			cancel()
		}()
		rep := guarded(t, func() Report {
			return newRunner(t).Run(ctx, event(protocol.PreToolCall), set(builtin("begins")))
		})
		if rep.Results[0].Verdict != TimedOut || !strings.Contains(rep.Results[0].Warning, "told to end") {
			t.Errorf("%+v", rep.Results)
		}
	})
	t.Run("deadline", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		rep := guarded(t, func() Report {
			return newRunner(t).Run(ctx, event(protocol.PreToolCall), set(builtin("loop"), builtin("block")))
		})
		if rep.Results[0].Verdict != TimedOut || !strings.Contains(rep.Results[0].Warning, "whole event") || rep.Results[1].Verdict != Skipped {
			t.Errorf("%+v", rep.Results)
		}
	})
}

// noMap is a map that nobody made; behind a function, so that the bug of the
// test is not the linter's.
func noMap() map[string]int { return nil }
