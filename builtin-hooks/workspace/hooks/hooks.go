// Package hooks has what workspaces do on the events of an agent. Package reminder decides
// what is said when, package workspace stores the files, package session the state of a
// session.
//
//	pre-session             workspace-context   the session's id, or the workspace
//	pre-agent-turn          workspace-reminder  a reminder; the workspace if it changed
//	post-tool-call          workspace-activity  records changed files, delivers pending texts
//	post-tool-call-failure  workspace-failure   records failed commands, delivers pending texts
//	pre-subagent            workspace-subagent  goal, rules and requirement
//	pre-agent-turn-stop     workspace-stop      asks to record a problem
//	pre-context-compact     workspace-compact   a row in the log
//	post-session            workspace-end       when the session was last seen
//
// For an unbound session an event reads one small file. The ids BW-… in the tests are the
// rules of spec/WORKSPACE.md.
package hooks

import (
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Behaviour is workspace, as package builtinhooks lists it.
func Behaviour() behaviour.Behaviour {
	return behaviour.Behaviour{
		Name:     "workspace",
		Purpose:  "keeps a bound session at its task: goal, rules, focus, reminders",
		Settings: workspace.Settings,
		Markers:  []string{".agents/.workspace-disable"},
		Hooks: []behaviour.Hook{
			{Name: "workspace-context", Trigger: protocol.PreSession, Timeout: 10 * time.Second, Priority: 300, Fresh: true, Run: begin,
				Description: "Tells a session its id or, if it is bound, the workspace that it works in."},
			{Name: "workspace-reminder", Trigger: protocol.PreAgentTurn, Timeout: 5 * time.Second, Priority: 300, Run: prompt,
				Description: "Reminds a bound session of what its focused node calls for."},
			{Name: "workspace-activity", Trigger: protocol.PostToolCall, Timeout: 2 * time.Second, Priority: 300, Run: activity,
				Description: "Hints at how a failed workspace tool is called, and notes what a bound session changes."},
			{Name: "workspace-failure", Trigger: protocol.PostToolCallFailure, Timeout: 2 * time.Second, Priority: 300, Run: failure,
				Description: "Hints at how a failed workspace tool is called, and notes commands that fail."},
			{Name: "workspace-subagent", Trigger: protocol.PreSubagent, Timeout: time.Second, Priority: 300, Run: subagent,
				Description: "Tells a subagent of a bound session the goal, the rules and what is to be done."},
			{Name: "workspace-stop", Trigger: protocol.PreAgentTurnStop, Timeout: 2 * time.Second, Priority: 300, LoopLimit: 1, Run: stop,
				Description: "Asks a bound session that stops at an unsolved problem to note it."},
			{Name: "workspace-compact", Trigger: protocol.PreContextCompact, Timeout: 2 * time.Second, Priority: 300, Run: compact,
				Description: "Notes in the log of the focused node that the context was compacted, and what was done."},
			{Name: "workspace-end", Trigger: protocol.PostSession, Timeout: 2 * time.Second, Priority: 300, Run: end,
				Description: "Notes when a bound session was last seen."},
		},
	}
}
