// Package hooks gives the prompts of skills to coding agents, which own their
// messages and only let text be added. What package skills does exactly is done
// here as well as it can be:
//
//	pre-session             skills-session       persistent prompts again, after resume and compact
//	pre-agent-turn          skills-turn          after_user_input, before_first_agent; before_each_agent
//	                                             for the first step; before_planning in plan mode
//	post-tool-call          skills-tool          after_tool_call; before_each_agent for the next step
//	post-tool-call-failure  skills-tool-failure  the same
//
// Nothing can be taken out again, so that a prompt says itself how long it counts,
// and is given once in its scope: a turn, a step, the result of a tool.
// There is no hook on compaction itself: the session event that follows one (its
// source is compact) gives the persistent prompts again and forgets what was
// given. An agent without that event forgets nothing, and needs not: scopes end
// with their turn by themselves.
//
// # Steps
//
// A step is a call of the model. Agents report tool calls and not steps; that a
// call belongs to a new one is told by when it began: before the prompts of the
// last step were given, or right after, is that step. Calls that an agent runs one
// after another from one step, with pauses, count as several.
//
// # Trust
//
// The prompts of a project are somebody else's words. They are given once its
// user approved them as they are, like its hooks; until then they override
// nothing, no expression of theirs is tried, and one notice a session says so.
//
// The statements SKL-n of the tests are those of the behaviour's specification.
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
		{Key: "skills", Kind: setting.List, Env: "AGENTS_HOOKS_SKILLS_LIST", Seed: true, Meaning: "the skills whose prompts are given, in this order; empty: all that exist"},
		{Key: "budget", Kind: setting.Int, Default: "2000", Min: 100, Max: 48000, Meaning: "maximum number of characters that the prompts of one event add; earlier skills come first"},
		{Key: "step_gap", Kind: setting.Int, Default: "300", Min: 0, Max: 60000, Meaning: "milliseconds; a tool call that begins within this time after the prompts of a step belongs to that step"},
	}
}
