// Package collector holds package otlp to the receiver of the OpenTelemetry Collector:
// what the built programs send is what that reads. A module of its own: what it
// downloads is linked by nothing of ours.
package collector

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/receiver"
	"go.opentelemetry.io/collector/receiver/otlpreceiver"
)

// A sink is a collector that stores what it gets.
type sink struct {
	mu    sync.Mutex
	spans map[string]ptrace.Span // by trace and span id
	times int
	attrs map[string]any // of the resource
}

func (s *sink) take(_ context.Context, traces ptrace.Traces) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range traces.ResourceSpans().All() {
		s.attrs = r.Resource().Attributes().AsRaw()
		s.attrs["schema"] = r.SchemaUrl()
		for _, scope := range r.ScopeSpans().All() {
			for _, span := range scope.Spans().All() {
				kept := ptrace.NewSpan()
				span.CopyTo(kept)
				s.spans[span.TraceID().String()+span.SpanID().String()] = kept
				s.times++
			}
		}
	}
	return nil
}

// start starts the collector's receiver on an address.
func start(t *testing.T, address string, s *sink) (stop func()) {
	t.Helper()
	ctx := context.Background()
	f := otlpreceiver.NewFactory()
	cfg := f.CreateDefaultConfig()
	conf := confmap.NewFromStringMap(map[string]any{"protocols": map[string]any{"http": map[string]any{"endpoint": address}}})
	if err := conf.Unmarshal(cfg); err != nil {
		t.Fatal(err)
	}
	traces, err := consumer.NewTraces(s.take)
	if err != nil {
		t.Fatal(err)
	}
	r, err := f.CreateTraces(ctx, receiver.Settings{ID: component.NewID(f.Type()), TelemetrySettings: componenttest.NewNopTelemetrySettings()}, cfg, traces)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Start(ctx, componenttest.NewNopHost()); err != nil {
		t.Fatal(err)
	}
	return sync.OnceFunc(func() { _ = r.Shutdown(ctx) })
}

// freeAddress is one that nobody listens on.
func freeAddress(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// A machine is a user's, with the programs as installed and one hook.
type machine struct {
	t       *testing.T
	bin     string
	home    string
	project string
}

func newMachine(t *testing.T, address string) *machine {
	t.Helper()
	m := &machine{t: t, bin: t.TempDir(), home: t.TempDir()}
	m.project = filepath.Join(m.home, "src", "api")
	build := exec.Command("go", "build", "-tags", "nethttpomithttp2", "-o", m.bin, "./cmd/agents-hooks", "./cmd/agents-hooks-run")
	build.Dir = "../../../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	hook := filepath.Join(m.home, ".config/agents/hooks/guard")
	for path, text := range map[string]string{
		filepath.Join(hook, "HOOK.md"):                     "---\nname: guard\ndescription: says no to rm\ntrigger: pre-tool-call\nmatcher:\n  command: ^rm\n---\n",
		filepath.Join(hook, "scripts/run"):                 "#!/bin/sh\necho 'the file is CANARY-content' >&2\nexit 2\n",
		filepath.Join(m.home, ".config/agents/hooks.toml"): "[export]\notlp = \"http://" + address + "\"\n",
		filepath.Join(m.project, ".git/HEAD"):              "",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func (m *machine) run(stdin string, name string, args ...string) (string, error) {
	cmd := exec.Command(filepath.Join(m.bin, name), args...)
	cmd.Env = []string{"HOME=" + m.home, "PATH=" + os.Getenv("PATH")}
	cmd.Dir, cmd.Stdin = m.project, strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// event is one from Claude Code, in agent form.
func (m *machine) event(session, native, more string) string {
	m.t.Helper()
	payload := fmt.Sprintf(`{"session_id": %q, "transcript_path": "/t", "cwd": %q, "hook_event_name": %q%s}`, session, m.project, native, more)
	out, err := m.run(payload, "agents-hooks-run", "run", "--agent=claude-code", "--home="+m.home)
	if err != nil {
		m.t.Fatalf("%v: %s", err, out)
	}
	return out
}

// session plays a session of two calls, one of which is blocked: 6 spans.
func (m *machine) session(id string) {
	m.t.Helper()
	m.event(id, "SessionStart", `, "source": "startup"`)
	m.event(id, "UserPromptSubmit", `, "prompt": "CANARY-prompt"`)
	m.event(id, "PreToolUse", `, "tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "call-1"`)
	m.event(id, "PostToolUse", `, "tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_response": {"stdout": "CANARY-output"}, "tool_use_id": "call-1"`)
	if out := m.event(id, "PreToolUse", `, "tool_name": "Bash", "tool_input": {"command": "rm CANARY-input"}, "tool_use_id": "call-2"`); !strings.Contains(out, "deny") {
		m.t.Fatalf("not blocked: %s", out)
	}
	m.event(id, "Stop", "")
	m.event(id, "SessionEnd", `, "reason": "exit"`)
}

const spansOfASession = 5 // a session, a turn, two calls, a hook

func (s *sink) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.spans)
}

// eventually waits for a condition.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(60 * time.Second); !ok(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// What agents do arrives at a real collector without anybody asking for it: events
// alone start the sender, and nothing that was said or called is included.
func TestTheRealCollector(t *testing.T) {
	address := freeAddress(t)
	s := &sink{spans: map[string]ptrace.Span{}}
	defer start(t, address, s)()
	m := newMachine(t, address)
	m.session("session-1")
	eventually(t, "the spans of a session", func() bool { return s.count() >= spansOfASession })
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.attrs["service.name"] != "agents-hooks" || s.attrs["schema"] != "https://opentelemetry.io/schemas/1.41.0" {
		t.Errorf("resource %v", s.attrs)
	}
	byName := map[string][]ptrace.Span{}
	byID := map[string]ptrace.Span{}
	for _, span := range s.spans {
		byName[span.Name()] = append(byName[span.Name()], span)
		byID[span.SpanID().String()] = span
		if span.EndTimestamp() < span.StartTimestamp() || time.Since(span.StartTimestamp().AsTime()) > time.Hour {
			t.Errorf("%s from %v to %v", span.Name(), span.StartTimestamp(), span.EndTimestamp())
		}
		if text := fmt.Sprint(span.Attributes().AsRaw()); strings.Contains(text, "CANARY") || strings.Contains(text, m.home) {
			t.Errorf("%s: contents: %s", span.Name(), text)
		}
	}
	for name, n := range map[string]int{"session claude-code": 1, "invoke_agent claude-code": 1, "execute_tool Bash": 2, "execute_hook guard": 1} {
		t.Run(name, func(t *testing.T) {
			if len(byName[name]) != n {
				t.Fatalf("%d of %q, want %d; all: %v", len(byName[name]), name, n, byName)
			}
		})
	}
	hook := byName["execute_hook guard"][0]
	tool := byID[hook.ParentSpanID().String()]
	turn := byID[tool.ParentSpanID().String()]
	session := byID[turn.ParentSpanID().String()]
	for _, c := range []struct {
		span ptrace.Span
		want map[string]any
	}{
		{hook, map[string]any{"gen_ai.operation.name": "execute_hook", "agents_hooks.hook.name": "guard", "agents_hooks.hook.verdict": "block", "agents_hooks.hook.exit_code": int64(2), "agents_hooks.event": "pre-tool-call", "agents_hooks.native_event": "PreToolUse"}},
		{tool, map[string]any{"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "Bash", "gen_ai.tool.call.id": "call-2", "agents_hooks.decision": "block", "error.type": "blocked"}},
		{turn, map[string]any{"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "claude-code", "gen_ai.conversation.id": "session-1"}},
		{session, map[string]any{"gen_ai.conversation.id": "session-1", "agents_hooks.project": "api", "agents_hooks.blocked": int64(1), "agents_hooks.turns": int64(1)}},
	} {
		t.Run(c.span.Name(), func(t *testing.T) {
			have := c.span.Attributes().AsRaw()
			for k, v := range c.want {
				if have[k] != v {
					t.Errorf("%s: %s is %v, want %v", c.span.Name(), k, have[k], v)
				}
			}
		})
	}
	if tool.Status().Code() != ptrace.StatusCodeError || !session.ParentSpanID().IsEmpty() {
		t.Errorf("status %v, parent of the session %v", tool.Status(), session.ParentSpanID())
	}
}

// What happened while the collector was down arrives once it is back, whatever else
// was killed in between.
func TestACollectorThatWasDown(t *testing.T) {
	address := freeAddress(t)
	m := newMachine(t, address)
	for i := range 3 {
		m.session(fmt.Sprint("down-", i))
	}
	out, err := m.run("", "agents-hooks", "export", "--once")
	if err == nil || !strings.Contains(out, "connection refused") || !strings.Contains(out, "nothing is lost") {
		t.Fatalf("%v: %s", err, out)
	}
	s := &sink{spans: map[string]ptrace.Span{}}
	defer start(t, address, s)()
	if out, err := m.run("", "agents-hooks", "export", "--once"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if n := s.count(); n != 3*spansOfASession || s.times != n {
		t.Errorf("%d spans, sent %d times, want %d", n, s.times, 3*spansOfASession)
	}
}
