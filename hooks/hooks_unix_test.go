//go:build unix

package hooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/conformance"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// The package is the same runner as the program: what the cases of the suite want of a
// process they get of it. Left out are those that are about the process, and about
// events that this package does not let anybody write.
func TestThePackageIsTheSameRunner(t *testing.T) {
	all, err := conformance.Cases()
	must.Do(t, err)
	self, err := os.Executable()
	must.Do(t, err)
	folders, least := []string{"exit/*"}, 6
	if slowtest.On() {
		folders, least = []string{"fold/*", "modify/*", "order/*", "exit/*", "events/*", "async/*", "match/*", "failure/*"}, 160
	}
	r, err := conformance.Run(context.Background(), conformance.Subject{
		Name: "hooks", Run: []string{self}, Env: map[string]string{suiteRole: filepath.Join(built, "agents-hooks-run")},
		Profiles: []conformance.Profile{conformance.Runner, conformance.Config},
	}, all, conformance.Options{
		Run: folders,
		Skip: []string{
			"failure/deadline", "order/again-in-time", // a flag of the program; here the context is the limit
		},
	})
	must.Do(t, err)
	passed := 0
	for _, c := range r.Cases {
		switch c.Result {
		case conformance.Passed:
			passed++
		case conformance.Failed, conformance.Broken:
			t.Errorf("%s: %s %+v", c.ID, c.Result, c.Problems)
		}
	}
	if passed < least {
		t.Errorf("%d cases passed", passed)
	}
}

func TestWhatHooksSayIsObeyed(t *testing.T) {
	ways(t, func(t *testing.T, p *person, with func(Options) *Session) {
		p.hook("guard", "trigger: pre-tool-call\nmatcher: {command: forbidden}", `echo "not that" >&2; exit 2`)
		p.hook("rewrite", "trigger: pre-tool-call\nmatcher: {command: old}", `echo '{"modified_input": {"command": "new <&>"}, "additional_context": "it is new"}'`)
		p.hook("unsure", "trigger: pre-tool-call\nmatcher: {command: perhaps}", `echo '{"decision": "ask", "reason": "sure?"}'`)
		p.hook("hide", "trigger: post-tool-call\nmatcher: {command: secret}", `echo '{"modified_output": "hidden"}'`)
		p.hook("told", "trigger: post-tool-call-failure", `echo '{"additional_context": "try make"}'`)
		var asked, told []string
		yes := false
		s := with(Options{
			Agent: "mine",
			Ask:   func(_ context.Context, c Call, why string) bool { asked = append(asked, why); return yes },
			Tell:  func(text string) { told = append(told, text) },
		})
		run := func(_ context.Context, input json.RawMessage) (string, error) {
			if strings.Contains(string(input), "broken") {
				return "half", errors.New("exit 1")
			}
			return "did " + string(input), nil
		}
		for _, c := range []struct {
			command, text string
			ran           bool
		}{
			{"ls", `did {"command": "ls"}`, true},
			{"forbidden", "[guard] not that", false},
			{"old", "did {\"command\": \"new <&>\"}\n\n[rewrite] it is new", true},
			{"perhaps", "[unsure] sure?\n\nThe person said no.", false},
			{"secret", "hidden", true},
			{"broken", "half\n\nexit 1\n\n[told] try make", true},
		} {
			t.Run(c.command, func(t *testing.T) {
				r, err := s.Tool(t.Context(), Call{ID: "1", Name: "Shell", Input: json.RawMessage(`{"command": "` + c.command + `"}`)}, run)
				if text := strings.NewReplacer("[rewrite] it", "it", "[told] try", "try").Replace(c.text); err != nil || r.Ran != c.ran || r.Text != c.text && r.Text != text {
					t.Errorf("%q, ran %v, %v; want %q", r.Text, r.Ran, err, c.text)
				}
			})
		}
		yes = true
		if r, _ := s.Tool(t.Context(), Call{Name: "Shell", Input: json.RawMessage(`{"command": "perhaps"}`)}, run); !r.Ran || len(asked) != 2 || asked[0] != "[unsure] sure?" {
			t.Errorf("the person said yes: %+v, asked %q", r, asked)
		}
		if len(told) > 0 {
			t.Errorf("told %q", told)
		}
	})
}

// What a model wrote that is no JSON, or has a name twice, is called by nobody: a guard
// would judge one of the two, and the tool might take the other.
func TestAnInputWithTwoReadingsIsNotCalled(t *testing.T) {
	ways(t, func(t *testing.T, p *person, with func(Options) *Session) {
		p.hook("guard", "trigger: pre-tool-call", `echo x >>"$HOME/asked"`)
		var told []string
		s := with(Options{Strict: true, Tell: func(text string) { told = append(told, text) }})
		for input, why := range map[string]string{
			`{"command": "ls"`: "it is not JSON",
			`1, "b": 2`:        "it is not JSON",
			`{"command": "ls", "command": "rm -rf /"}`:            `"command" stands twice`,
			`{"edits": [{"a": 1, "a": 2}]}`:                       `"a" stands twice`,
			"{\"command\": \"caf\xe9\"}":                          "not UTF-8",
			strings.Repeat("[", 1200) + strings.Repeat("]", 1200): "1000",
		} {
			t.Run(fmt.Sprintf("%.80q", input), func(t *testing.T) {
				r, err := s.Tool(t.Context(), Call{Name: "Shell", Input: json.RawMessage(input)}, func(context.Context, json.RawMessage) (string, error) {
					t.Errorf("%.40q was called", input)
					return "", nil
				})
				if err != nil || r.Ran || r.Text != r.Refused || !strings.Contains(strings.ReplaceAll(r.Text, ",", ""), why) {
					t.Errorf("%.40q: %+v %v, want %q", input, r, err, why)
				}
			})
		}
		if _, err := os.Stat(filepath.Join(p.home, "asked")); err == nil || len(told) > 0 {
			t.Errorf("hooks were asked: %v; told %q", err, told)
		}
	})
}

// The session counts how often it went on, and what was said once is not said again; by
// its id, so that it does not matter which of the two ways asks.
func TestASessionIsRemembered(t *testing.T) {
	ways(t, func(t *testing.T, p *person, with func(Options) *Session) {
		p.hook("gate", "trigger: pre-agent-turn-stop\nmetadata: {loop_limit: 2}", `echo '{"followup_message": "more"}'`)
		p.hook("env", "trigger: pre-session", `echo '{"env": {"A": "1", "N": 2}, "user_message": "hello"}'`)
		must.Do(t, os.MkdirAll(filepath.Join(p.home, "x"), 0o755))
		var told []string
		s := with(Options{Tell: func(text string) { told = append(told, text) }})
		o, err := s.Dispatch(t.Context(), PreSession("startup"))
		if err != nil || o.Env["A"] != "1" || o.Env["N"] != "2" || len(told) != 1 || !strings.Contains(told[0], "hello") {
			t.Errorf("%+v %v, told %q", o, err, told)
		}
		var on []bool
		for range 4 {
			o, err := s.Dispatch(t.Context(), PreAgentTurnStop("done"))
			must.Do(t, err)
			_, more := o.GoOn()
			on = append(on, more)
		}
		if !slices.Equal(on, []bool{true, true, false, true}) && !slices.Equal(on, []bool{true, true, false, false}) {
			t.Errorf("went on %v", on)
		}
	})
}

// Ending the context ends the hook that runs, and what it started.
func TestEndingTheContextEndsTheHook(t *testing.T) {
	ways(t, func(t *testing.T, p *person, with func(Options) *Session) {
		p.hook("slow", "trigger: pre-tool-call", `echo $$ >"$HOME/pid"; sleep 600`)
		s := with(Options{})
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			for {
				if b, _ := os.ReadFile(filepath.Join(p.home, "pid")); len(b) > 1 {
					cancel()
					return
				}
				time.Sleep(5 * time.Millisecond)
			}
		}()
		if _, err := s.Dispatch(ctx, PreToolCall("1", "Shell", map[string]string{})); !Cancelled(err) {
			t.Errorf("%v, want cancelled", err)
		}
		p.hook("slow", "trigger: pre-tool-call", `exit 0`)
		if o, err := s.Dispatch(t.Context(), PreToolCall("1", "Shell", map[string]string{})); err != nil || o.Blocked() {
			t.Errorf("the event after it: %+v %v", o, err)
		}
	})
}

func TestManyAtOnce(t *testing.T) {
	ways(t, func(t *testing.T, p *person, with func(Options) *Session) {
		p.hook("guard", "trigger: pre-tool-call\nmatcher: {command: forbidden}", `echo "not that" >&2; exit 2`)
		s := with(Options{})
		var all sync.WaitGroup
		for i := range 12 {
			all.Go(func() {
				command := []string{"ls", "forbidden"}[i%2]
				o, err := s.Dispatch(t.Context(), PreToolCall("1", "Shell", map[string]string{"command": command}))
				if err != nil || o.Blocked() != (i%2 == 1) {
					t.Errorf("%s: %+v %v", command, o, err)
				}
			})
		}
		all.Wait()
	})
}

// A value that has no JSON, and an option that means nothing, are said where they are.
func TestMistakesAreNamed(t *testing.T) {
	if _, err := New(Options{Can: []string{"blok"}}); err == nil || !strings.Contains(err.Error(), `"blok"`) {
		t.Error(err)
	}
	if _, err := New(Options{WorkDir: "x"}); err == nil || !strings.Contains(err.Error(), `"x"`) {
		t.Error(err)
	}
	ways(t, func(t *testing.T, p *person, with func(Options) *Session) {
		var e *Error
		if _, err := with(Options{}).Dispatch(t.Context(), PreToolCall("1", "Shell", func() {})); !errors.As(err, &e) || e.Kind != "unreadable" || !strings.Contains(e.Text, "tool_input of pre-tool-call") {
			t.Error(err)
		}
	})
}

// A program that is killed is started again: between two events, and over one, which is
// asked about once more where a guard could have prevented it.
func TestAKilledProgramIsStartedAgain(t *testing.T) {
	p := newPerson(t)
	p.hook("guard", "trigger: pre-tool-call", `
echo x >>"$HOME/asked"
if [ ! -e "$HOME/once" ]; then : >"$HOME/once"; kill -9 $PPID; sleep 60; fi
echo "not that" >&2; exit 2`)
	h, err := New(Options{Env: p.env(), WorkDir: p.home, Program: []string{filepath.Join(built, "agents-hooks-run"), "run", "--stream"}})
	must.Do(t, err)
	defer h.Close()
	s := h.Session("")
	forbidden := PreToolCall("1", "Shell", map[string]string{"command": "x"})
	if o, err := s.Dispatch(t.Context(), forbidden); err != nil || !o.Blocked() {
		t.Fatalf("%+v %v", o, err)
	}
	if b, _ := os.ReadFile(filepath.Join(p.home, "asked")); string(b) != "x\nx\n" {
		t.Errorf("asked %q", b)
	}
	for range 3 {
		pid := h.engine.(*program).stream.cmd.Process.Pid
		must.Do(t, syscall.Kill(pid, syscall.SIGKILL))
		if o, err := s.Dispatch(t.Context(), forbidden); err != nil || !o.Blocked() {
			t.Fatalf("%+v %v", o, err)
		}
	}
}

// Where there is no program, or none that speaks the protocol, work goes on with a word
// to the person, or does not if the agent is strict.
func TestWithoutAProgramWorkGoesOn(t *testing.T) {
	for _, program := range [][]string{{"/nowhere/agents-hooks-run"}, {"sh", "-c", "exit 3"}, {"sh", "-c", "echo no; cat"}, {"sh", "-c", `while read l; do echo '{"schema": 1, "hello": {"stream": 2}}'; done`}} {
		t.Run(strings.Join(program, " "), func(t *testing.T) {
			var told []string
			o := Options{Program: program, Tell: func(text string) { told = append(told, text) }}
			for _, o.Strict = range []bool{false, true} {
				h, err := New(o)
				must.Do(t, err)
				r, err := h.Session("").Tool(t.Context(), Call{Name: "Shell"}, func(context.Context, json.RawMessage) (string, error) { return "did", nil })
				var gone *Error
				if o.Strict != errors.As(err, &gone) || r.Ran == o.Strict {
					t.Errorf("%q, strict %v: %+v %v", program, o.Strict, r, err)
				}
				_ = h.Close()
			}
			if len(told) != 2 || !strings.Contains(told[0], program[0]) {
				t.Errorf("%q: told %q", program, told)
			}
		})
	}
}
