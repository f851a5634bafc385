package setup

import (
	"testing"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/copilot"
)

func TestServedEvents(t *testing.T) {
	t.Parallel()
	d := &protocol.Dialect{NativeEvents: []protocol.Native{
		{Name: "Start", MapsTo: []protocol.EventType{protocol.PreSession}},
		{Name: "Prompt", MapsTo: []protocol.EventType{protocol.PreAgentTurn}},
		{Name: "Tool", MapsTo: []protocol.EventType{protocol.PreToolCall}},
		{Name: "After", MapsTo: []protocol.EventType{protocol.PostToolCall}, Instead: []protocol.EventType{protocol.PostToolCallFailure}},
		{Name: "Stop", MapsTo: []protocol.EventType{protocol.PreAgentTurnStop, protocol.PostAgentTurn}},
		{Name: "Sub", MapsTo: []protocol.EventType{protocol.PreSubagent}},
		{Name: "Hidden", MapsTo: []protocol.EventType{protocol.PreToolCall}, Manual: true},
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
		t.Run(tc.name, func(t *testing.T) {
			got := ""
			for _, name := range ServedEvents(d, []*discovery.Hook{&tc.hook}) {
				got += name + " "
			}
			if got != tc.events {
				t.Errorf("have %q, want %q", got, tc.events)
			}
		})
	}
}

func TestClosedEvents(t *testing.T) {
	t.Parallel()
	d := &protocol.Dialect{NativeEvents: []protocol.Native{
		{Name: "Prompt", MapsTo: []protocol.EventType{protocol.PreAgentTurn}, Can: protocol.CanBlock},
		{Name: "Tool", MapsTo: []protocol.EventType{protocol.PreToolCall}, Can: protocol.CanBlock | protocol.CanAsk},
		{Name: "Skill", MapsTo: []protocol.EventType{protocol.PreToolCall}, Can: protocol.CanBlock},
		{Name: "After", MapsTo: []protocol.EventType{protocol.PostToolCall}, Can: protocol.CanContext},
		{Name: "Stop", MapsTo: []protocol.EventType{protocol.PreAgentTurnStop}, Can: protocol.CanBlock | protocol.CanContinue},
		{Name: "Hidden", MapsTo: []protocol.EventType{protocol.PreToolCall}, Can: protocol.CanBlock, Manual: true},
	}}
	guard := discovery.Hook{Trigger: protocol.PreToolCall, Status: discovery.Ready, Layer: discovery.UserLayer}
	copilots := func(h *discovery.Hook) { h.Tongue = copilot.Dialect.Tongue }
	for _, tc := range []struct {
		name    string
		hook    func(h *discovery.Hook)
		general discovery.OnError
		scope   protocol.Scope
		events  string
	}{
		{"a hook whose failure is let pass", func(h *discovery.Hook) {}, "", protocol.UserScope, ""},
		{"one that says that it blocks", func(h *discovery.Hook) { h.OnError = discovery.OnErrorBlock }, "", protocol.UserScope, "Tool Skill "},
		{"the settings say so", func(h *discovery.Hook) {}, discovery.OnErrorBlock, protocol.UserScope, "Tool Skill "},
		{"the settings say so, and it does not", func(h *discovery.Hook) { h.OnError = discovery.OnErrorAllow }, discovery.OnErrorBlock, protocol.UserScope, ""},
		{"one of a program that blocks where it fails", copilots, "", protocol.UserScope, "Tool Skill "},
		{"one of such a program, at an event where it does not", func(h *discovery.Hook) { copilots(h); h.Trigger = protocol.PreAgentTurn }, "", protocol.UserScope, ""},
		{"one of such a program, and somebody lets it pass", func(h *discovery.Hook) { copilots(h); h.OnError = discovery.OnErrorAllow }, "", protocol.UserScope, ""},
		{"of an event that a hook stands at alone", func(h *discovery.Hook) { h.Trigger = protocol.PreAgentTurn }, discovery.OnErrorBlock, protocol.UserScope, "Prompt "},
		{"nothing is prevented after a call", func(h *discovery.Hook) { h.Trigger = protocol.PostToolCall }, discovery.OnErrorBlock, protocol.UserScope, ""},
		{"nobody is held at a stop", func(h *discovery.Hook) { h.Trigger = protocol.PreAgentTurnStop }, discovery.OnErrorBlock, protocol.UserScope, ""},
		{"nobody waits for an async hook", func(h *discovery.Hook) { h.Async = true }, discovery.OnErrorBlock, protocol.UserScope, ""},
		{"a disabled one blocks nothing", func(h *discovery.Hook) { h.Status = discovery.Disabled }, discovery.OnErrorBlock, protocol.UserScope, ""},
		{"a project's says nothing for its user", func(h *discovery.Hook) { h.Layer = discovery.ProjectLayer }, discovery.OnErrorBlock, protocol.UserScope, ""},
		{"a project's, installed for the project", func(h *discovery.Hook) { h.Layer = discovery.ProjectLayer }, discovery.OnErrorBlock, protocol.ProjectScope, "Tool Skill "},
	} {
		t.Run(tc.name, func(t *testing.T) {
			h, got := guard, ""
			tc.hook(&h)
			for _, name := range ClosedEvents(d, tc.scope, &discovery.Set{Hooks: []*discovery.Hook{&h}, Settings: discovery.Settings{OnError: tc.general}}) {
				got += name + " "
			}
			if got != tc.events {
				t.Errorf("have %q, want %q", got, tc.events)
			}
		})
	}
}
