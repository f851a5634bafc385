package install

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// platforms 1.6: which agent runs whose entries, by scope; and what others read is
// installed before them.
func TestAgentsThatReadTogether(t *testing.T) {
	t.Parallel()
	one := &protocol.Dialect{ID: "one"}
	two := &protocol.Dialect{ID: "two", AlsoReads: []string{"one/project"}}
	three := &protocol.Dialect{ID: "three", AlsoReads: []string{"one", "two/user"}}
	for _, tc := range []struct {
		d     *protocol.Dialect
		id    string
		scope protocol.Scope
		want  bool
	}{
		{one, "one", protocol.UserScope, true}, {one, "two", protocol.UserScope, false},
		{two, "one", protocol.UserScope, false}, {two, "one", protocol.ProjectScope, true}, {two, "one", "", true},
		{three, "one", protocol.UserScope, true}, {three, "one", protocol.ProjectScope, true},
		{three, "two", protocol.UserScope, true}, {three, "two", protocol.ProjectScope, false}, {three, "four", "", false},
	} {
		if got := tc.d.Reads(tc.id, tc.scope); got != tc.want {
			t.Errorf("%s reads %s of %q: %t, want %t", tc.d.ID, tc.id, tc.scope, got, tc.want)
		}
	}
	for _, list := range [][]*protocol.Dialect{{one, two, three}, {three, two, one}, {two, three, one}, {three, one, two}} {
		got := ""
		for _, d := range readFirst(list) {
			got += d.ID + " "
		}
		if got != "one two three " {
			t.Errorf("the order is %s", got)
		}
	}
	for _, d := range agents.All() {
		for _, id := range d.AlsoReads {
			id, _, _ := strings.Cut(id, "/")
			if _, err := agentarg.Lookup(id); err != nil || id == d.ID {
				t.Errorf("%s also reads %q, which nobody knows", d.ID, id)
			}
		}
	}
}

func TestServedEvents(t *testing.T) {
	t.Parallel()
	d := &protocol.Dialect{Natives: []protocol.Native{
		{Name: "Start", Feeds: []protocol.EventType{protocol.PreSession}},
		{Name: "Prompt", Feeds: []protocol.EventType{protocol.PreAgentTurn}},
		{Name: "Tool", Feeds: []protocol.EventType{protocol.PreToolCall}},
		{Name: "After", Feeds: []protocol.EventType{protocol.PostToolCall}, Instead: []protocol.EventType{protocol.PostToolCallFailure}},
		{Name: "Stop", Feeds: []protocol.EventType{protocol.PreAgentTurnStop, protocol.PostAgentTurn}},
		{Name: "Sub", Feeds: []protocol.EventType{protocol.PreSubagent}},
		{Name: "Hidden", Feeds: []protocol.EventType{protocol.PreToolCall}, Manual: true},
	}}
	for _, tc := range []struct {
		name   string
		hook   discovery.Hook
		events string
	}{
		{"its event", discovery.Hook{Trigger: protocol.PreSession, Status: discovery.Ready}, "Start "},
		{"one that is not approved yet will be", discovery.Hook{Trigger: protocol.PreSession, Status: discovery.Untrusted}, "Start "},
		{"a disabled one is none", discovery.Hook{Trigger: protocol.PreSession, Status: discovery.Disabled}, ""},
		{"a second event of a native one", discovery.Hook{Trigger: protocol.PostAgentTurn, Status: discovery.Ready}, "Stop "},
		{"an event in place of another", discovery.Hook{Trigger: protocol.PostToolCallFailure, Status: discovery.Ready}, "After "},
		{"a stop needs the prompt that ends its row", discovery.Hook{Trigger: protocol.PreAgentTurnStop, Status: discovery.Ready}, "Prompt Stop "},
		{"a subagent needs the call that starts it", discovery.Hook{Trigger: protocol.PreSubagent, Status: discovery.Ready}, "Tool Sub "},
	} {
		got := ""
		for _, name := range setup.ServedEvents(d, []*discovery.Hook{&tc.hook}) {
			got += name + " "
		}
		if got != tc.events {
			t.Errorf("%s: have %q, want %q", tc.name, got, tc.events)
		}
	}
}

func TestProgramsThatWillBeGone(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	tool := &shell.Shell{Host: host.New([]string{"HOME=" + root, "GOCACHE=" + filepath.Join(root, "my cache")}, "linux", root, "", time.Now)}
	for path, want := range map[string]bool{
		"usr/local/bin/agents-hooks":               false,
		"go/bin/agents-hooks":                      false,
		"tmp/go-build123/b001/exe/agents-hooks":    true,
		".cache/go-build/ab/abcdef-d/agents-hooks": true,
		"my cache/ab/abcdef-d/agents-hooks":        true,
		"my cache 2/agents-hooks":                  false,
		"src/my-go-build/agents-hooks":             false,
	} {
		if got := setup.Passing(tool, filepath.Join(root, filepath.FromSlash(path))); got != want {
			t.Errorf("%s: %t, want %t", path, got, want)
		}
	}
}
