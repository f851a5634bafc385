// Package hooks has what memory does at an agent's events. The texts that an agent reads are in
// texts.go; package memory stores memories, package session the state of a session.
//
//	pre-session             memory-load          gives the memories
//	pre-agent-turn          memory-recall        counts the turn, recalls, delivers pending texts
//	post-tool-call          memory-nudge         records changed files, delivers pending texts
//	post-tool-call-failure  memory-failure       records the command that failed, the same
//	pre-context-compact     memory-flush         asks to save what matters
//	pre-agent-turn-stop     memory-session-save  asks for a summary
//	post-agent-turn         memory-turn-failure  records how a turn failed
//	post-session            memory-sync          starts the cleanup worker
//
// spec/MEMORY.md has the rules for each of them, by ids that tests cite.
package hooks

import (
	"errors"
	"path/filepath"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/compat"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Behaviour is memory, as package builtinhooks lists it.
func Behaviour() behaviour.Behaviour {
	return behaviour.Behaviour{
		Name:     "memory",
		Purpose:  "remembers decisions, preferences and sessions in plain files",
		Settings: memory.Settings,
		Keys:     memory.Keys,
		Markers:  []string{compat.MemoryDisable, ".agents/.memory-disable"},
		OffEnv:   []string{compat.NoAutoMemory},
		Hooks: []behaviour.Hook{
			{Name: "memory-load", Trigger: protocol.PreSession, Timeout: 10 * time.Second, Priority: 200, Run: placed(load),
				Description: "Gives the agent what is remembered of this project as a session begins."},
			{Name: "memory-flush", Trigger: protocol.PreContextCompact, Timeout: 5 * time.Second, Priority: 200, Run: placed(flush),
				Description: "Asks the agent to save what matters before its context is compacted."},
			{Name: "memory-recall", Trigger: protocol.PreAgentTurn, Timeout: 2 * time.Second, Priority: 200, Run: recall,
				Description: "Delivers what could not be said before, and memories that are about the prompt."},
			{Name: "memory-nudge", Trigger: protocol.PostToolCall, Timeout: 2 * time.Second, Priority: 200, Run: nudge,
				Description: "Notes which files a session changes, and asks early for what is to be saved."},
			{Name: "memory-failure", Trigger: protocol.PostToolCallFailure, Timeout: 2 * time.Second, Priority: 200, Run: nudge,
				Description: "Notes which command failed, and asks early for what is to be saved."},
			{Name: "memory-session-save", Trigger: protocol.PreAgentTurnStop, Timeout: 5 * time.Second, Priority: 200, LoopLimit: 1, Run: placed(save),
				Description: "Asks the agent for a summary of the session as it stops."},
			{Name: "memory-turn-failure", Trigger: protocol.PostAgentTurn, Timeout: 2 * time.Second, Priority: 200, Run: remember, Idle: wentWell,
				Description: "Notes how a turn ended that failed or was interrupted."},
			{Name: "memory-sync", Trigger: protocol.PostSession, Timeout: 30 * time.Second, Priority: 200, Run: placed(finish),
				Description: "Brings the index up to date and tidies up when a session is over."},
		},
	}
}

// placed runs a hook in the project that the session began in, and only if that is known: a
// memory folder must not appear wherever a program happens to have been started.
func placed(run func(*behaviour.Call) error) func(*behaviour.Call) error {
	return func(c *behaviour.Call) error {
		if !filepath.IsAbs(c.Project()) {
			return nil
		}
		err := home(c)
		sortBranches(c)
		return errors.Join(err, run(c))
	}
}

// sortBranches moves facts of branches to where the one that is checked out now has them, before
// they are read. What cannot be moved is read where it is.
func sortBranches(c *behaviour.Call) {
	if filepath.IsAbs(c.Project()) {
		_ = storeOf(c).SortBranches()
	}
}

// home makes a call one of the project that the session began in. Of a session whose beginning
// nobody saw, the first tool call that did something tells.
func home(c *behaviour.Call) error {
	return c.Home(func() string {
		for _, o := range c.State.Spooled(spoolName) {
			if project := o.Text("project"); project != "" {
				return project
			}
		}
		return ""
	})
}
