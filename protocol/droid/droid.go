package droid

import "github.com/agents-hooks/agents-hooks/protocol"

const id = "factory-droid"

// Dialect is Factory Droid.
var Dialect = &protocol.Dialect{
	ID:        id,
	Aliases:   []string{"droid", "factory"},
	Name:      "Factory Droid",
	Doc:       "https://docs.factory.ai/reference/hooks-reference",
	Natives:   natives,
	Tools:     tools,
	Quirks:    quirks,
	Detect:    detect,
	Decode:    decode,
	Encode:    encode,
	NoOpinion: func(string) protocol.Reply { return protocol.Reply{} },
	Config:    config,
	Programs:  []string{"droid"},
	Markers:   []string{"FACTORY_PROJECT_DIR", "DROID_PROJECT_DIR", "DROID_PLUGIN_ROOT"},
	Folder:    folder,
	Notes: []string{
		"Droid takes a snapshot at its start: sessions that are open must be started again",
		"Droid asks for a look at /hooks where its file was changed from outside",
	},
}

const (
	feedback = protocol.CanContext | protocol.CanMessage
	goingOn  = protocol.CanBlock | protocol.CanContinue | protocol.CanMessage
)

const most = protocol.MaxLimit

var natives = []protocol.Native{
	{Name: "SessionStart", Feeds: []protocol.EventType{protocol.PreSession}, Can: feedback, Limit: most, Source: "documentation"},
	{Name: "SessionEnd", Feeds: []protocol.EventType{protocol.PostSession}, Limit: most, Source: "documentation"},
	{Name: "UserPromptSubmit", Feeds: []protocol.EventType{protocol.PreAgentTurn}, Can: protocol.CanBlock | feedback, Limit: most, Source: "documentation"},
	{Name: "Stop", Feeds: []protocol.EventType{protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn},
		Can: goingOn, Limit: most, Source: "documentation"},
	{Name: "PreToolUse", Feeds: []protocol.EventType{protocol.PreToolCall},
		Can: protocol.CanBlock | protocol.CanAsk | protocol.CanModify | protocol.CanMessage, Limit: most, Source: "documentation"},
	{Name: "PostToolUse", Feeds: []protocol.EventType{protocol.PostToolCall}, Instead: []protocol.EventType{protocol.PostToolCallFailure},
		Can: feedback, Limit: most, Source: "documentation"},
	{Name: "SubagentStop", Feeds: []protocol.EventType{protocol.PostSubagent}, Can: goingOn, Limit: most, Source: "documentation"},
	{Name: "PreCompact", Feeds: []protocol.EventType{protocol.PreContextCompact}, Can: protocol.CanMessage, Limit: most, Source: "documentation"},
}

var editKeys = []protocol.Key{{Portable: "old_string", Native: "old_str"}, {Portable: "new_string", Native: "new_str"}}

// tools are those of the documentation; Bash, Write and WebFetch are what some of
// its pages call Execute, Create and FetchUrl. Its keys are the portable ones but
// where stated.
var tools = protocol.Tools{
	{Native: "Execute", Name: protocol.Shell},
	{Native: "Bash", Name: protocol.Shell},
	{Native: "Read", Name: protocol.ReadFile},
	{Native: "Create", Name: protocol.WriteFile},
	{Native: "Write", Name: protocol.WriteFile},
	{Native: "Edit", Name: protocol.EditFile, Keys: editKeys},
	{Native: "MultiEdit", Name: protocol.EditFile, Keys: editKeys},
	{Native: "ApplyPatch", Name: protocol.EditFile, Also: []string{protocol.WriteFile, "Edit", "Create", "Write"}},
	{Native: "Grep", Name: protocol.Search},
	{Native: "Glob", Name: protocol.Search, Keys: []protocol.Key{{Portable: "pattern", Native: "patterns"}, {Portable: "path", Native: "folder"}}},
	{Native: "FetchUrl", Name: protocol.Fetch},
	{Native: "WebFetch", Name: protocol.Fetch},
	{Native: "WebSearch", Name: protocol.WebSearch},
	{Native: "Task", Name: protocol.Task},
}

var quirks = []protocol.Quirk{
	{ID: "factory-droid/1", Seen: "2026-07 docs", Text: "permissionDecision allow skips the person's permission prompt; it is never printed, a changed input needs none"},
	{ID: "factory-droid/2", Seen: "2026-07 docs", Text: "some pages have sessionId, hookEventName and the like, others session_id and hook_event_name; both are read"},
	{ID: "factory-droid/3", Seen: "2026-07 docs", Text: "updatedInput is laid over the input; it is printed complete all the same"},
	{ID: "factory-droid/4", Seen: "0.186.0", Text: "hooks.json is said to hide the hooks of the settings, and 0.186 to read those of the settings only; where there is a hooks.json, the entry stands in both, and Droid runs the same command once"},
	{ID: "factory-droid/5", Seen: "2026-07 docs", Text: "some pages have the events of hooks.json below hooks, others at its top; the file's own form is kept"},
	{ID: "factory-droid/6", Seen: "2026-07 docs", Text: "calls have no id; tool_use_id is made of the call"},
	{ID: "factory-droid/7", Seen: "2026-07 docs", Text: "there is no event for a tool that failed; PostToolUse with success false or an error in tool_response is post-tool-call-failure"},
	{ID: "factory-droid/8", Seen: "2026-07 docs", Text: "decision block on PostToolUse prompts the model at once; feedback goes as additionalContext"},
	{ID: "factory-droid/9", Seen: "2026-07 docs", Text: "no limit is known of how often a Stop can be blocked; only our own guard ends it"},
	{ID: "factory-droid/10", Seen: "2026-07 docs", Text: "ApplyPatch holds a patch; its paths become file_path and file_paths"},
}
