package droid

import "github.com/agents-hooks/agents-hooks/protocol"

const id = "factory-droid"

// Dialect is Factory Droid.
var Dialect = &protocol.Dialect{
	ID:         id,
	Aliases:    []string{"droid", "factory"},
	Name:       "Factory Droid",
	Observed:   "0.215.0",
	Doc:        "https://docs.factory.ai/reference/hooks-reference",
	Natives:    natives,
	EventName:  eventName,
	Tools:      tools,
	ToolSource: "documentation",
	Quirks:     quirks,
	Detect:     detect,
	Decode:     decode,
	Encode:     encode,
	NoOpinion:  func(string) protocol.Reply { return protocol.Reply{} },
	Managed:    managed,
	Config:     config,
	Custom:     custom,
	MCP:        servers,
	Programs:   []string{"droid"},
	Markers:    []string{"FACTORY_PROJECT_DIR", "DROID_PROJECT_DIR", "DROID_PLUGIN_ROOT"},
	Folder:     folder,
	Skills:     protocol.Skills{Project: ".factory/skills", User: folder},
	Notes: []string{
		"Droid takes a snapshot at its start: sessions that are open must be started again",
		"droid exec does not tell its own prompt, so that hooks of pre-agent-turn do not run there",
		"Droid asks for a look at /hooks where its file was changed from outside",
	},
}

const (
	feedback = protocol.CanContext | protocol.CanMessage
	goingOn  = protocol.CanBlock | protocol.CanContinue | protocol.CanMessage
)

const most = protocol.MaxLimit

var natives = []protocol.Native{
	{Name: "SessionStart", Feeds: []protocol.EventType{protocol.PreSession}, Instead: []protocol.EventType{protocol.PreSubagent},
		Can: feedback, Limit: most, Source: "observed"},
	{Name: "SessionEnd", Feeds: []protocol.EventType{protocol.PostSession}, Limit: most, Source: "observed"},
	{Name: "UserPromptSubmit", Feeds: []protocol.EventType{protocol.PreAgentTurn}, Can: protocol.CanBlock | feedback, Limit: most, Source: "documentation"},
	{Name: "Stop", Feeds: []protocol.EventType{protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn},
		Can: goingOn, Limit: most, Source: "observed"},
	{Name: "PreToolUse", Feeds: []protocol.EventType{protocol.PreToolCall},
		Can: protocol.CanBlock | protocol.CanModify | protocol.CanAllow | protocol.CanMessage, Limit: most, Source: "observed"},
	{Name: "PostToolUse", Outcome: protocol.Ending{Sure: true, Exit: "[Process exited with code ", JSON: true}, Feeds: []protocol.EventType{protocol.PostToolCall}, Instead: []protocol.EventType{protocol.PostToolCallFailure},
		Can: feedback, Limit: most, Source: "observed"},
	{Name: "SubagentStop", Feeds: []protocol.EventType{protocol.PostSubagent}, Can: protocol.CanMessage, Limit: most, Source: "observed"},
	{Name: "PreCompact", Feeds: []protocol.EventType{protocol.PreContextCompact}, Can: protocol.CanMessage, Limit: most, Source: "documentation"},
	{Name: "Notification", Feeds: []protocol.EventType{protocol.Notification}, Limit: most, Source: "documentation"},
}

var editKeys = []protocol.Key{{Portable: "old_string", Native: "old_str"}, {Portable: "new_string", Native: "new_str"}}

// tools are those of the documentation; Bash, Write and WebFetch are what some of
// its pages call Execute, Create and FetchUrl. Its keys are the portable ones but
// where stated.
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
	{ID: "factory-droid/1", Seen: "0.215.0", Text: "permissionDecision allow skips the user's permission prompt; it is printed for a permission alone, a changed input needs none"},
	{ID: "factory-droid/2", Seen: "2026-07 docs", Text: "some pages have sessionId, hookEventName and the like, others session_id and hook_event_name; both are read"},
	{ID: "factory-droid/3", Seen: "2026-07 docs", Text: "updatedInput is laid over the input; it is printed complete all the same"},
	{ID: "factory-droid/4", Seen: "0.215.0", Text: "hooks.json hides the hooks of the settings beside it; where there is one, the entry stands in both, and Droid runs the same command once"},
	{ID: "factory-droid/5", Seen: "0.215.0", Text: "some pages have the events of hooks.json below hooks, where they never fire; they stand at its top"},
	{ID: "factory-droid/6", Seen: "2026-07 docs", Text: "calls have no id; tool_use_id is made of the call"},
	{ID: "factory-droid/7", Seen: "2026-07 docs", Text: "there is no event for a tool that failed; PostToolUse with success false or an error in tool_response is post-tool-call-failure"},
	{ID: "factory-droid/8", Seen: "2026-07 docs", Text: "decision block on PostToolUse prompts the model at once; feedback goes as additionalContext"},
	{ID: "factory-droid/9", Seen: "0.215.0", Text: "a Stop that is always blocked goes on for ever; only our own guard ends it"},
	{ID: "factory-droid/10", Seen: "2026-07 docs", Text: "ApplyPatch holds a patch; its paths become file_path and file_paths"},
	{ID: "factory-droid/11", Seen: "0.215.0", Text: "permissionDecision ask is ignored by droid exec and the tool runs; an ask becomes a block"},
	{ID: "factory-droid/12", Seen: "0.215.0", Text: "settings.local.json is documented and its hooks never fire; a project's entry stands in its settings.json, which git carries"},
	{ID: "factory-droid/13", Seen: "0.215.0", Text: "a subagent is a session of its own, whose SessionStart has calling_session_id; it is pre-subagent of the session that called"},
	{ID: "factory-droid/14", Seen: "0.215.0", Text: "the Stop and SessionEnd of a subagent do not tell that it is one; they are told as those of a session"},
	{ID: "factory-droid/15", Seen: "0.215.0", Text: "the task of a subagent comes as the prompt of a UserPromptSubmit; source is subagent"},
	{ID: "factory-droid/16", Seen: "0.215.0", Text: "decision block on SubagentStop is ignored, though documented; what makes a subagent go on is its own Stop"},
	{ID: "factory-droid/17", Seen: "0.215.0", Text: "nothing fires after a tool that failed, a command that ends with another code than 0 among them"},
	{ID: "factory-droid/18", Seen: "0.215.0", Text: "what a hook prints to stderr with exit 1 is put before the tool's result; exit 0 always"},
	{ID: "factory-droid/19", Seen: "0.215.0", Text: "CLAUDE_ENV_FILE names a file for variables of the session, which is no shell's: a quote in a value cannot be said; it is not used"},
}
