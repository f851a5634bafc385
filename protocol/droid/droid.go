package droid

import "github.com/agents-hooks/agents-hooks/protocol"

const id = "factory-droid"

// Dialect is Factory Droid.
var Dialect = &protocol.Dialect{
	ID:           id,
	Aliases:      []string{"droid", "factory"},
	Name:         "Factory Droid",
	Observed:     "0.215.0",
	Doc:          "https://docs.factory.ai/reference/hooks-reference",
	NativeEvents: natives,
	EventName:    eventName,
	Tools:        tools,
	ToolSource:   "documentation",
	Quirks:       quirks,
	Detect:       detect,
	Decode:       decode,
	Encode:       encode,
	NoOpinion:    protocol.Silence,
	Managed:      managed,
	Config:       config,
	Custom:       custom,
	MCP:          servers,
	Programs:     []string{"droid"},
	Markers:      []string{"FACTORY_PROJECT_DIR", "DROID_PROJECT_DIR", "DROID_PLUGIN_ROOT"},
	Folder:       folder,
	Skills:       protocol.Skills{Project: ".factory/skills", User: folder},
	Notes: []string{
		"Droid takes a snapshot of its hooks when it starts: restart open sessions",
		"droid exec does not report its own prompt, so hooks of pre-agent-turn do not run there",
		"if its file was changed from outside, Droid asks you to review it in /hooks",
	},
}

const (
	feedback = protocol.CanContext | protocol.CanMessage
	goingOn  = protocol.CanBlock | protocol.CanContinue | protocol.CanMessage
)

const most = protocol.MaxLimit

var natives = []protocol.Native{
	{Name: "SessionStart", MapsTo: []protocol.EventType{protocol.PreSession}, Instead: []protocol.EventType{protocol.PreSubagent},
		Can: feedback, Limit: most, Source: "observed"},
	{Name: "SessionEnd", MapsTo: []protocol.EventType{protocol.PostSession}, Limit: most, Source: "observed"},
	{Name: "UserPromptSubmit", MapsTo: []protocol.EventType{protocol.PreAgentTurn}, Can: protocol.CanBlock | feedback, Limit: most, Source: "documentation"},
	{Name: "Stop", MapsTo: []protocol.EventType{protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn},
		Can: goingOn, Limit: most, Source: "observed"},
	{Name: "PreToolUse", MapsTo: []protocol.EventType{protocol.PreToolCall},
		Can: protocol.CanBlock | protocol.CanModify | protocol.CanAllow | protocol.CanMessage, Limit: most, Source: "observed"},
	{Name: "PostToolUse", Outcome: protocol.Ending{Sure: true, Exit: "[Process exited with code ", JSON: true}, MapsTo: []protocol.EventType{protocol.PostToolCall}, Instead: []protocol.EventType{protocol.PostToolCallFailure},
		Can: feedback, Limit: most, Source: "observed"},
	{Name: "SubagentStop", MapsTo: []protocol.EventType{protocol.PostSubagent}, Can: protocol.CanMessage, Limit: most, Source: "observed"},
	{Name: "PreCompact", MapsTo: []protocol.EventType{protocol.PreContextCompact}, Can: protocol.CanMessage, Limit: most, Source: "documentation"},
	{Name: "Notification", MapsTo: []protocol.EventType{protocol.Notification}, Limit: most, Source: "documentation"},
}

var editKeys = []protocol.Key{{Portable: "old_string", Native: "old_str"}, {Portable: "new_string", Native: "new_str"}}

// tools are those of the documentation; some of its pages call Execute, Create and
// FetchUrl Bash, Write and WebFetch. Keys are the portable ones unless stated
// otherwise.
var tools = protocol.Tools{
	{Native: "Execute", Name: protocol.Shell, Source: "observed"},
	{Native: "Bash", Name: protocol.Shell},
	{Native: "Read", Name: protocol.ReadFile},
	{Native: "Create", Name: protocol.WriteFile, Source: "observed"},
	{Native: "Write", Name: protocol.WriteFile},
	{Native: "Edit", Name: protocol.EditFile, Keys: editKeys},
	{Native: "MultiEdit", Name: protocol.EditFile, Keys: editKeys},
	{Native: "ApplyPatch", Name: protocol.EditFile, Also: []string{protocol.WriteFile, "Edit", "Create", "Write"}},
	{Native: "Grep", Name: protocol.Search},
	{Native: "Glob", Name: protocol.Search, Keys: []protocol.Key{{Portable: "pattern", Native: "patterns"}, {Portable: "path", Native: "folder"}}},
	{Native: "FetchUrl", Name: protocol.Fetch},
	{Native: "WebFetch", Name: protocol.Fetch},
	{Native: "WebSearch", Name: protocol.WebSearch},
	{Native: "Task", Name: protocol.Task, Source: "observed"},
	{Native: "LS", Name: "LS", Does: protocol.Nothing},
	{Native: "TodoWrite", Name: "TodoWrite", Does: protocol.Nothing},
}

var quirks = []protocol.Quirk{
	{ID: "factory-droid/1", Seen: "0.215.0", Text: "permissionDecision allow skips the user's permission prompt; we print it only to give a permission, since a changed input does not need it"},
	{ID: "factory-droid/2", Seen: "2026-07 docs", Text: "some pages show sessionId, hookEventName and the like, others session_id and hook_event_name; we read both"},
	{ID: "factory-droid/3", Seen: "2026-07 docs", Text: "updatedInput is merged into the input; we print it complete all the same"},
	{ID: "factory-droid/4", Seen: "0.215.0", Text: "a hooks.json hides the hooks in the settings beside it; if there is one, we write the entry to both, and Droid runs the command once"},
	{ID: "factory-droid/5", Seen: "0.215.0", Text: "some pages put the events of hooks.json under hooks, where they never fire; we write them at the top level"},
	{ID: "factory-droid/6", Seen: "2026-07 docs", Text: "calls have no id; tool_use_id is derived from the call"},
	{ID: "factory-droid/7", Seen: "2026-07 docs", Text: "there is no event for a failed tool; PostToolUse with success false or an error in tool_response becomes post-tool-call-failure"},
	{ID: "factory-droid/8", Seen: "2026-07 docs", Text: "decision block on PostToolUse prompts the model at once; feedback goes as additionalContext"},
	{ID: "factory-droid/9", Seen: "0.215.0", Text: "a Stop hook that always blocks loops for ever; only our own limit ends it"},
	{ID: "factory-droid/10", Seen: "2026-07 docs", Text: "the input of ApplyPatch is a patch; its paths become file_path and file_paths"},
	{ID: "factory-droid/11", Seen: "0.215.0", Text: "droid exec ignores permissionDecision ask and runs the tool; an ask becomes a block"},
	{ID: "factory-droid/12", Seen: "0.215.0", Text: "settings.local.json is documented but its hooks never fire; a project's entry goes into settings.json, which is committed"},
	{ID: "factory-droid/13", Seen: "0.215.0", Text: "a subagent is a separate session, whose SessionStart has calling_session_id; it becomes pre-subagent of the calling session"},
	{ID: "factory-droid/14", Seen: "0.215.0", Text: "a subagent's Stop and SessionEnd do not say that it is one; we report them as those of a session"},
	{ID: "factory-droid/15", Seen: "0.215.0", Text: "a subagent's task comes as the prompt of a UserPromptSubmit; its source is subagent"},
	{ID: "factory-droid/16", Seen: "0.215.0", Text: "decision block on SubagentStop is documented but ignored; the subagent's own Stop can make it go on"},
	{ID: "factory-droid/17", Seen: "0.215.0", Text: "nothing fires after a failed tool, including a command with a non-zero exit code"},
	{ID: "factory-droid/18", Seen: "0.215.0", Text: "stderr of a hook with exit 1 is put before the tool's result; ours is always exit 0"},
	{ID: "factory-droid/19", Seen: "0.215.0", Text: "CLAUDE_ENV_FILE names a file for session variables that is not read by a shell: a value cannot contain a quote; we do not use it"},
}
