// Package hooks gives the prompts of skills to coding agents, which own their messages and
// only let text be added. So it can only approximate what package skills does exactly:
//
//	pre-session             skills-session       persistent prompts again, after resume and compact
//	pre-agent-turn          skills-turn          after_user_input, before_first_agent; before_each_agent
//	                                             for the first step; before_planning in plan mode
//	post-tool-call          skills-tool          after_tool_call; before_each_agent for the next step
//	post-tool-call-failure  skills-tool-failure  the same
//
// A prompt cannot be removed again, so it says itself how long it applies, and is given once
// in its scope: a turn, a step, the result of a tool. There is no hook on compaction itself:
// the session event after it (with source compact) gives the persistent prompts again and
// resets what was given. An agent without that event needs no reset, since scopes end with
// their turn.
//
// # Steps
//
// A step is one model call. Agents report tool calls but not steps, so steps are inferred
// from timing: a tool call that began before the prompts of the last step were given, or
// right after, belongs to that step. If an agent pauses between the calls of one step, they
// count as several steps.
//
// # Trust
//
// A project's prompts are somebody else's text. Like its hooks, they are given only after the
// user has approved their current bytes; until then they override nothing, their expressions
// are not evaluated, and one notice a session says so.
package hooks

import (
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/setting"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Behaviour is the prompts of skills, as package builtinhooks lists it.
func Behaviour() behaviour.Behaviour {
	const limit = 2 * time.Second
	return behaviour.Behaviour{
		Name:     "skills",
		Purpose:  "gives the agent the prompts of its skills at the right moment",
		Settings: settings,
		Markers:  []string{".agents/.skills-disable"},
		Hooks: []behaviour.Hook{
			{Name: "skills-session", Trigger: protocol.PreSession, Timeout: limit, Priority: 150, Run: began, Idle: unmarked,
				Description: "Gives the lasting prompts of skills again after a compaction or a resume."},
			{Name: "skills-turn", Trigger: protocol.PreAgentTurn, Timeout: limit, Priority: 150, Run: turn, Idle: bare,
				Description: "Gives the agent the prompts of skills that belong to a new request."},
			{Name: "skills-tool", Trigger: protocol.PostToolCall, Timeout: limit, Priority: 150, Run: tool,
				Description: "Gives the agent the prompts of skills that belong to a tool's result."},
			{Name: "skills-tool-failure", Trigger: protocol.PostToolCallFailure, Timeout: limit, Priority: 150, Run: tool,
				Description: "Gives the agent the prompts of skills that belong to a tool's failure."},
		},
	}
}

func settings() []setting.Setting {
	return []setting.Setting{
		{Key: "language", Kind: setting.Choice, Words: []string{"auto", "zh", "en"}, Default: "auto", Env: "AGENTS_HOOKS_LANGUAGE", Meaning: "language of the text around a prompt; `auto` uses the locale"},
		{Key: "skills", Kind: setting.List, Env: "AGENTS_HOOKS_SKILLS_LIST", Meaning: "the skills whose prompts are given, in this order; empty: all that exist"},
		{Key: "budget", Kind: setting.Int, Default: "2000", Min: 100, Max: 8000, Meaning: "maximum number of characters that the prompts of one event add; earlier skills come first; an event carries no more than 8000"},
		{Key: "step_gap", Kind: setting.Int, Default: "300", Min: 0, Max: 60000, Meaning: "milliseconds; a tool call that begins within this time after the prompts of a step belongs to that step"},
	}
}
