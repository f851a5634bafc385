package junie

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

const id = "junie"

// Dialect is Junie.
var Dialect = &protocol.Dialect{
	ID:           id,
	Aliases:      []string{"junie-cli"},
	Name:         "Junie CLI",
	Doc:          "https://junie.jetbrains.com/docs/junie-cli-hooks.html",
	NativeEvents: natives,
	Others:       []string{"PermissionRequest"},
	Tools:        tools,
	ToolSource:   "documentation",
	Quirks:       quirks,
	Detect:       detect,
	Tells:        []string{"TERM_SESSION_ID"},
	Decode:       decode,
	Encode:       encode,
	NoOpinion:    protocol.EmptyObject, // junie/3
	Config:       config,
	MCP:          servers,
	Programs:     []string{"junie"},
	Folder:       folder,
	Skills:       protocol.Skills{Project: ".junie/skills", User: folder},
	Notes: []string{
		"restart open sessions",
		"hooks are an early-access feature; a stable version may run only those of SessionStart",
	},
}

const most = protocol.MaxLimit

// natives are the events that concern us. PermissionRequest must never be registered:
// there, a hook that says nothing approves (junie/2).
var natives = []protocol.Native{
	{Name: "SessionStart", MapsTo: []protocol.EventType{protocol.PreSession}, Limit: most, Source: "documentation"},
	{Name: "SessionEnd", MapsTo: []protocol.EventType{protocol.PostSession}, Limit: time.Minute, Source: "documentation"},
	{Name: "UserPromptSubmit", MapsTo: []protocol.EventType{protocol.PreAgentTurn}, Can: protocol.CanBlock, Limit: most, Source: "documentation"},
	{Name: "Stop", MapsTo: []protocol.EventType{protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn},
		Can: protocol.CanBlock | protocol.CanContinue | protocol.CanMessage, Limit: most, Source: "documentation"},
	{Name: "StopFailure", MapsTo: []protocol.EventType{protocol.PostAgentTurn}, Limit: time.Minute, Source: "documentation"},
	{Name: "PreToolUse", MapsTo: []protocol.EventType{protocol.PreToolCall},
		Can: protocol.CanBlock | protocol.CanAsk | protocol.CanModify | protocol.CanAllow | protocol.CanContext | protocol.CanMessage, Limit: most, Source: "documentation"},
}

// tools have the names in Junie's documentation. Keys are the portable ones.
var tools = protocol.Tools{
	{Native: "Bash", Name: protocol.Shell},
	{Native: "Read", Name: protocol.ReadFile},
	{Native: "Write", Name: protocol.WriteFile},
	{Native: "Edit", Name: protocol.EditFile},
	{Native: "Grep", Name: protocol.Search},
	{Native: "Glob", Name: protocol.Search},
	{Native: "WebFetch", Name: protocol.Fetch},
	{Native: "WebSearch", Name: protocol.WebSearch},
	{Native: "Agent", Name: protocol.Task},
	{Native: "Task", Name: protocol.Task},
}

const seen = "documentation of 2026-10"

var quirks = []protocol.Quirk{
	{ID: "junie/1", Seen: seen, Text: "payloads have no session_id and no cwd; we derive the session from the process's folder"},
	{ID: "junie/2", Seen: seen, Text: "a silent hook for PermissionRequest approves; we never register one"},
	{ID: "junie/3", Seen: seen, Text: "stdout that is not JSON is shown to the model; for no opinion we print {}"},
	{ID: "junie/4", Seen: seen, Text: "hooks of SessionStart, SessionEnd and StopFailure run in the background; their answers are not used"},
	{ID: "junie/5", Seen: seen, Text: "a prompt is blocked by exit 2 only"},
	{ID: "junie/6", Seen: seen, Text: "hooks in a project's file are ignored; we install none there"},
	{ID: "junie/7", Seen: seen, Text: "there is no event after a tool call"},
	{ID: "junie/8", Seen: seen, Text: "decision allow skips the user's approval; we print it only to give a permission"},
	{ID: "junie/9", Seen: seen, Text: "nothing in a payload identifies Junie; only the entry's --agent does"},
}
