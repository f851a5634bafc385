package kilo_test

import (
	"fmt"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
	"github.com/agents-hooks/agents-hooks/protocol/kilo"
	"github.com/agents-hooks/agents-hooks/protocol/opencode"
)

func TestEvents(t *testing.T) { dialecttest.Events(t, kilo.Dialect, nil) }

// Every answer is the one that OpenCode gets (kilo/1).
func TestAnswers(t *testing.T) {
	for _, a := range dialecttest.Answers(t, kilo.Dialect, nil) {
		reply := opencode.Dialect.Encode(a.Event, a.Outcome)
		if string(a.Reply.Stdout) != string(reply.Stdout) || a.Reply.Exit != 0 || len(a.Reply.Stderr) > 0 {
			t.Errorf("kilo/1: %s, %s: %q, exit %d; OpenCode is told %q", a.Event.NativeEvent, a.Kind, a.Reply.Stdout, a.Reply.Exit, reply.Stdout)
		}
	}
}

func TestQuirks(t *testing.T) {
	for _, c := range []struct {
		scope protocol.Scope
		xdg   string
		want  string
	}{
		{protocol.UserScope, "", "/home/dev/.config/kilo/plugin/agents-hooks.js"},
		{protocol.UserScope, "/x", "/x/kilo/plugin/agents-hooks.js"},
		{protocol.ProjectScope, "", "/p/.kilo/plugin/agents-hooks.js"},
	} {
		t.Run(fmt.Sprintf("%s, XDG_CONFIG_HOME=%q", c.scope, c.xdg), func(t *testing.T) {
			site := protocol.Site{Scope: c.scope, Home: "/home/dev", Project: "/p", Env: func(n string) string {
				return map[string]string{"XDG_CONFIG_HOME": c.xdg}[n]
			}}
			if got := kilo.Dialect.Config.File(site); got != c.want {
				t.Errorf("kilo/2: %s with %q: %q, want %q", c.scope, c.xdg, got, c.want)
			}
		})
	}
	if ours, theirs := kilo.Dialect, opencode.Dialect; ours.EchoesFollowup != theirs.EchoesFollowup || ours.StopMax != theirs.StopMax {
		t.Errorf("kilo/1: echoes %v, at most %d stops", ours.EchoesFollowup, ours.StopMax)
	}
	for text, want := range map[string]bool{
		`{"hook": "chat.message", "agent": "kilo", "input": {}}`:     true,
		`{"hook": "chat.message", "agent": "opencode", "input": {}}`: false,
		`{"hook": "chat.message", "input": {}}`:                      false,
	} {
		t.Run(text, func(t *testing.T) {
			if got := kilo.Dialect.Detect(dialecttest.Object(t, text)); got != want {
				t.Errorf("kilo/3: %s is told: %v, want %v", text, got, want)
			}
		})
	}
	for _, name := range []string{"tool.definition", "event.session.drained"} {
		p := dialecttest.Object(t, `{"hook": "`+name+`", "agent": "kilo", "input": {"properties": {"sessionID": "s"}}}`)
		if events := dialecttest.Decode(t, kilo.Dialect, p, nil); len(events) != 0 {
			t.Errorf("kilo/4, kilo/5: %s is %s", name, events[0].Type)
		}
	}
	title := dialecttest.Object(t, `{"hook": "experimental.chat.system.transform", "agent": "kilo", "input": {"sessionID": "s"}, "output": {"system": []}}`)
	if events := dialecttest.Decode(t, kilo.Dialect, title, nil); len(events) != 0 {
		t.Errorf("kilo/6: a request is %s", events[0].Type)
	}
	unnamed := dialecttest.Object(t, `{"hook": "chat.message", "input": {}}`)
	if kilo.Dialect.Detect(unnamed) || !opencode.Dialect.Detect(unnamed) {
		t.Error("kilo/7: a frame that names nobody is not OpenCode's")
	}
}
