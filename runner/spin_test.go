//go:build unix

package runner

import (
	"context"
	"fmt"
	"io"
	"maps"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// spinning is a dispatcher with built-in hooks that never come back: one on every
// thread that Go would run, the second also writes without end.
func spinning() int {
	var hooks []*discovery.Hook
	functions := maps.Clone(builtins)
	for i := range runtime.GOMAXPROCS(0) + 1 {
		h := builtin("silent")
		h.Name, h.Timeout = fmt.Sprint("spin-", i), 50*time.Millisecond
		functions[h.Name] = func(_ context.Context, _ []string, _ []byte, out, _ io.Writer) int {
			n := 0
			for {
				if n++; i == 1 {
					out.Write([]byte("x"))
				}
			}
		}
		hooks = append(hooks, h)
	}
	last := builtin("answer")
	rep := (&Runner{Builtin: func(name string) Builtin { return functions[name] }}).Run(context.Background(), event(protocol.PreToolCall), set(append(hooks, last)...))
	for _, r := range rep.Results {
		fmt.Print(r.Verdict, " ")
	}
	fmt.Print(rep.Outcome.AdditionalContext)
	return 0
}

// Built-in code that never comes back cannot be killed inside the process: the
// answer is given in time all the same, and the process ends, which takes the
// code along.
func TestBuiltinThatNeverEndsEndsWithTheProcess(t *testing.T) {
	t.Parallel()
	got := inRole(t, "spin")
	want := strings.Repeat("timeout ", runtime.GOMAXPROCS(0)+1) + "ok from inside"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What several hooks ask of one stop becomes one message, each part with
// its name; nobody's is lost.
func TestAStopGetsOneMessage(t *testing.T) {
	t.Parallel()
	r, functions := newRunner(t), map[string]Builtin{}
	r.Builtin = func(name string) Builtin { return functions[name] }
	ask := func(name, text string) *discovery.Hook {
		h := on(protocol.PreAgentTurnStop, builtin("silent"))
		h.Name = name
		functions[name] = func(_ context.Context, _ []string, _ []byte, out, _ io.Writer) int {
			fmt.Fprintf(out, `{"followup_message": %q}`, text)
			return 0
		}
		return h
	}
	ev := event(protocol.PreAgentTurnStop)
	ev.Can = protocol.CanAll
	rep := guarded(t, func() Report {
		return r.Run(context.Background(), ev, set(ask("workspace-stop", "solve it"), ask("memory-session-save", "save it"), ask("evolution-review", "review it")))
	})
	want := "[workspace-stop] solve it\n\n[memory-session-save] save it\n\n[evolution-review] review it"
	if rep.Outcome.FollowupMessage != want {
		t.Errorf("got %q", rep.Outcome.FollowupMessage)
	}
}

// At the start of a session the texts stand in the order of priority, one
// blank line between them.
func TestContextsAreInTheOrderOfTheirHooks(t *testing.T) {
	t.Parallel()
	var hooks []*discovery.Hook
	r, functions := newRunner(t), map[string]Builtin{}
	r.Builtin = func(name string) Builtin { return functions[name] }
	for _, name := range []string{"workspace-context", "memory-load", "skills-session", "evolution-start"} {
		h := on(protocol.PreSession, builtin("silent"))
		h.Name = name
		functions[name] = func(_ context.Context, _ []string, _ []byte, out, _ io.Writer) int {
			fmt.Fprintf(out, `{"additional_context": "<%s>"}`, name)
			return 0
		}
		hooks = append(hooks, h)
	}
	ev := event(protocol.PreSession)
	ev.Can = protocol.CanAll
	rep := guarded(t, func() Report { return r.Run(context.Background(), ev, set(hooks...)) })
	want := "[workspace-context]\n<workspace-context>\n\n[memory-load]\n<memory-load>\n\n[skills-session]\n<skills-session>\n\n[evolution-start]\n<evolution-start>"
	if rep.Outcome.AdditionalContext != want {
		t.Errorf("got %q", rep.Outcome.AdditionalContext)
	}
}

// Output and Detach are how a built-in hook reaches what is not linked here.
func TestOutput(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	out, err := Output(ctx, []string{"/bin/sh", "-c", `cat; echo "$X"`}, "/", []string{"X=y"}, []byte("in "))
	if err != nil || string(out) != "in y\n" {
		t.Errorf("%q, %v", out, err)
	}
	if _, err := Output(ctx, []string{"/bin/sh", "-c", "echo no >&2; exit 3"}, "/", nil, nil); err == nil || !strings.Contains(err.Error(), "left with 3: no") {
		t.Error(err)
	}
	if _, err := Output(ctx, []string{"/nonexistent"}, "/", nil, nil); err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Error(err)
	}
	brief, stop := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer stop()
	late := guarded(t, func() error {
		_, err := Output(brief, []string{"/bin/sh", "-c", "exec sleep 60"}, "/", []string{"PATH=/usr/bin:/bin"}, nil)
		return err
	})
	if late == nil || !strings.Contains(late.Error(), "took too long") {
		t.Error(late)
	}
	if err := Detach(nil, "/", nil); err == nil {
		t.Error("no program was started")
	}
}
