package setup

import (
	"testing"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

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
		for _, name := range ServedEvents(d, []*discovery.Hook{&tc.hook}) {
			got += name + " "
		}
		if got != tc.events {
			t.Errorf("%s: have %q, want %q", tc.name, got, tc.events)
		}
	}
}
