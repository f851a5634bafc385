package devin

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

const id = "devin-cli"

// Dialect is Devin on the command line.
var Dialect = &protocol.Dialect{
	ID:           id,
	Aliases:      []string{"devin"},
	Name:         "Devin CLI",
	Doc:          "https://docs.devin.ai/cli/extensibility/hooks/lifecycle-hooks",
	NativeEvents: natives,
	Tools:        tools,
	ToolSource:   "documentation",
	Quirks:       quirks,
	Detect:       detect,
	Decode:       decode,
	Encode:       encode,
	NoOpinion:    protocol.Silence,
	Config:       config,
	Programs:     []string{"devin"},
	Markers:      []string{"DEVIN_PROJECT_DIR"},
	Folder:       folder,
	Skills:       protocol.Skills{Project: ".devin/skills", User: folder},
	AlsoReads:    []string{"claude-code"},
	BorrowSigns:  []string{"prompt_id"},
	Notes: []string{
		"restart open sessions",
		"in a workspace in Restricted Mode no hooks run",
	},
}

const most = protocol.MaxLimit

// natives are the events that concern us.
var natives = []protocol.Native{
	{Name: "SessionStart", MapsTo: []protocol.EventType{protocol.PreSession}, Can: protocol.CanContext, Limit: most, Source: "documentation"},
	{Name: "SessionEnd", MapsTo: []protocol.EventType{protocol.PostSession}, Limit: time.Minute, Source: "documentation"},
	{Name: "UserPromptSubmit", MapsTo: []protocol.EventType{protocol.PreAgentTurn},
		Can: protocol.CanBlock | protocol.CanContext, Limit: most, Source: "documentation"},
	{Name: "Stop", MapsTo: []protocol.EventType{protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn},
		Can: protocol.CanBlock | protocol.CanContinue, Limit: most, Source: "documentation"},
	{Name: "PreToolUse", MapsTo: []protocol.EventType{protocol.PreToolCall}, Can: protocol.CanBlock | protocol.CanModify, Limit: most, Source: "documentation"},
	{Name: "PermissionRequest", MapsTo: []protocol.EventType{protocol.PermissionRequest}, Can: protocol.CanBlock | protocol.CanAllow, Limit: most, Source: "documentation"}, // devin-cli/9
	{Name: "PostToolUse", Outcome: protocol.Ending{Sure: true}, MapsTo: []protocol.EventType{protocol.PostToolCall}, Instead: []protocol.EventType{protocol.PostToolCallFailure},
		Can: protocol.CanContext, Limit: most, Source: "documentation"},
	{Name: "PostCompaction", MapsTo: []protocol.EventType{protocol.PostContextCompact}, Limit: most, Source: "documentation"},
}

// tools are those that the documentation names. Keys are the portable ones unless
// stated otherwise.
var tools = protocol.Tools{
	{Native: "exec", Name: protocol.Shell},
	{Native: "read", Name: protocol.ReadFile},
	{Native: "write", Name: protocol.WriteFile},
	{Native: "edit", Name: protocol.EditFile},
	{Native: "apply_patch", Name: protocol.EditFile, Also: []string{protocol.WriteFile}},
	{Native: "notebook_edit", Name: protocol.EditFile, Keys: []protocol.Key{
		{Portable: "file_path", Native: "notebook_path"}, {Portable: "new_string", Native: "new_source"}}},
	{Native: "grep", Name: protocol.Search},
	{Native: "glob", Name: protocol.Search},
	{Native: "webfetch", Name: protocol.Fetch},
	{Native: "websearch", Name: protocol.WebSearch},
	{Native: "run_subagent", Name: protocol.Task, Keys: []protocol.Key{{Portable: "prompt", Native: "task"}}},
}

const seen = "documentation of 2026-10"

var quirks = []protocol.Quirk{
	{ID: "devin-cli/1", Seen: seen, Text: "payloads have no cwd; we use DEVIN_PROJECT_DIR"},
	{ID: "devin-cli/2", Seen: seen, Text: "a tool call is blocked by a top-level decision block; Claude Code's permissionDecision is not used"},
	{ID: "devin-cli/3", Seen: seen, Text: "updatedInput is merged into the original; we print it complete"},
	{ID: "devin-cli/4", Seen: seen, Text: "there is no event for a failed tool; PostToolUse with success false becomes post-tool-call-failure"},
	{ID: "devin-cli/5", Seen: seen, Text: "it also runs Claude Code's entries, with its own payloads: prompt_id, and no transcript_path"},
	{ID: "devin-cli/6", Seen: seen, Text: "a project's hooks.v1.json holds only the events; in config.json they are under hooks"},
	{ID: "devin-cli/7", Seen: seen, Text: "the input of apply_patch is a patch; its paths become file_path and file_paths"},
	{ID: "devin-cli/8", Seen: seen, Text: "an answer cannot carry a message for the user"},
	{ID: "devin-cli/9", Seen: seen, Text: "a permission request is answered by a top-level decision approve or block"},
}
