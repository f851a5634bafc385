package vscode

import "github.com/agents-hooks/agents-hooks/protocol"

const id = "vscode"

// Dialect is VS Code's agent mode.
var Dialect = &protocol.Dialect{
	ID:           id,
	Aliases:      []string{"vs-code", "code", "copilot-chat"},
	Name:         "VS Code",
	Doc:          "https://code.visualstudio.com/docs/copilot/customization/hooks",
	NativeEvents: natives,
	EventName:    eventName,
	Tools:        tools,
	ToolSource:   "source",
	Quirks:       quirks,
	Detect:       detect,
	Decode:       decode,
	Encode:       encode,
	NoOpinion:    protocol.EmptyObject,
	Config:       config,
	MCP:          servers,
	Programs:     []string{"code", "code-insiders"},
	Folder:       folder,
	Skills:       protocol.Skills{Project: ".agents/skills", User: func(s protocol.Site) string { return s.Join(s.Home, ".copilot") }},
	AlsoReads:    []string{"copilot-cli", "claude-code"},
	Borrows:      detect,
	BorrowSigns:  []string{"timestamp", "hookEventName"},
	Notes: []string{
		"hooks are a preview: an organisation may have switched them off, and the workspace must be trusted",
		"VS Code also runs the entries of Copilot CLI and Claude Code",
		"in a window without a folder, a project's hooks are not found",
	},
}

const (
	feedback = protocol.CanContext | protocol.CanMessage
	goingOn  = protocol.CanBlock | protocol.CanContinue | protocol.CanMessage
)

const most = protocol.MaxLimit

var natives = []protocol.Native{
	{Name: "SessionStart", MapsTo: []protocol.EventType{protocol.PreSession}, Can: feedback, Limit: most, Source: "source"},
	{Name: "UserPromptSubmit", MapsTo: []protocol.EventType{protocol.PreAgentTurn}, Can: protocol.CanBlock | feedback, Limit: most, Source: "source"},
	{Name: "Stop", MapsTo: []protocol.EventType{protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn},
		Can: goingOn, Limit: most, Source: "source"},
	{Name: "PreToolUse", MapsTo: []protocol.EventType{protocol.PreToolCall},
		Can: protocol.CanBlock | protocol.CanAsk | protocol.CanModify | protocol.CanAllow | feedback, Limit: most, Source: "source"},
	{Name: "PostToolUse", MapsTo: []protocol.EventType{protocol.PostToolCall}, Can: feedback, Limit: most, Source: "source"},
	{Name: "SubagentStart", MapsTo: []protocol.EventType{protocol.PreSubagent}, Can: feedback, Limit: most, Source: "source"},
	{Name: "SubagentStop", MapsTo: []protocol.EventType{protocol.PostSubagent}, Can: goingOn, Limit: most, Source: "source"},
	{Name: "PreCompact", MapsTo: []protocol.EventType{protocol.PreContextCompact}, Can: protocol.CanMessage, Limit: most, Source: "source"},
}

var (
	pathKeys     = []protocol.Key{{Portable: "file_path", Native: "filePath"}}
	editKeys     = []protocol.Key{{Portable: "file_path", Native: "filePath"}, {Portable: "old_string", Native: "oldString"}, {Portable: "new_string", Native: "newString"}}
	insertKeys   = []protocol.Key{{Portable: "file_path", Native: "filePath"}, {Portable: "new_string", Native: "code"}}
	notebookKeys = []protocol.Key{{Portable: "file_path", Native: "filePath"}, {Portable: "new_string", Native: "newCode"}}
	queryKeys    = []protocol.Key{{Portable: "pattern", Native: "query"}, {Portable: "path", Native: "includePattern"}}
	taskKeys     = []protocol.Key{{Portable: "subagent_type", Native: "agentName"}}
)

// tools are those that the program offers a model, and the names that its
// documentation uses for some of them. Keys are the portable ones unless stated
// otherwise.
var tools = protocol.Tools{
	{Native: "run_in_terminal", Name: protocol.Shell},
	{Native: "runTerminalCommand", Name: protocol.Shell},
	{Native: "read_file", Name: protocol.ReadFile, Keys: pathKeys},
	{Native: "readFile", Name: protocol.ReadFile, Keys: pathKeys},
	{Native: "create_file", Name: protocol.WriteFile, Keys: pathKeys},
	{Native: "createFile", Name: protocol.WriteFile, Keys: pathKeys},
	{Native: "replace_string_in_file", Name: protocol.EditFile, Keys: editKeys},
	{Native: "multi_replace_string_in_file", Name: protocol.EditFile},
	{Native: "insert_edit_into_file", Name: protocol.EditFile, Keys: insertKeys},
	{Native: "editFiles", Name: protocol.EditFile, Keys: editKeys},
	{Native: "edit_notebook_file", Name: protocol.EditFile, Keys: notebookKeys},
	{Native: "apply_patch", Name: protocol.EditFile, Also: []string{protocol.WriteFile, "Edit", "Write"}},
	{Native: "grep_search", Name: protocol.Search, Keys: queryKeys},
	{Native: "file_search", Name: protocol.Search, Keys: queryKeys},
	{Native: "semantic_search", Name: protocol.Search, Keys: queryKeys},
	{Native: "fetch_webpage", Name: protocol.Fetch},
	{Native: "runSubagent", Name: protocol.Task, Keys: taskKeys},
	{Native: "run_subagent", Name: protocol.Task, Keys: taskKeys},
	{Native: "create_and_run_task", Name: "create_and_run_task", Also: []string{protocol.Shell}, Does: protocol.Runs | protocol.Learned},
	{Native: "create_directory", Name: "create_directory", Also: []string{protocol.EditFile, protocol.WriteFile}, Does: protocol.Changes, Keys: []protocol.Key{{Portable: "file_path", Native: "dirPath"}}},
	{Native: "run_notebook_cell", Name: "run_notebook_cell", Does: protocol.Nothing},
	{Native: "get_errors", Name: "get_errors", Does: protocol.Nothing},
	{Native: "read_notebook_cell_output", Name: "read_notebook_cell_output", Does: protocol.Nothing},
	{Native: "get_terminal_output", Name: "get_terminal_output", Does: protocol.Nothing},
	{Native: "list_dir", Name: "list_dir", Does: protocol.Nothing},
}

var quirks = []protocol.Quirk{
	{ID: "vscode/1", Seen: "2026-03 source", Text: "the documentation has sessionId and hookEventName, the source session_id and hook_event_name; we read both"},
	{ID: "vscode/2", Seen: "2026-03 source", Text: "on Stop and SubagentStop the source reads the decision inside hookSpecificOutput, the documentation shows it outside; we print it in both places"},
	{ID: "vscode/3", Seen: "2026-03 source", Text: "stopReason alone ends the turn; we print it only to block a prompt, with continue false"},
	{ID: "vscode/4", Seen: "2026-03 source", Text: "an answer whose hookEventName is not the event's own is ignored; ours always matches"},
	{ID: "vscode/5", Seen: "2026-03 source", Text: "matchers are parsed but ignored; we match hooks ourselves"},
	{ID: "vscode/6", Seen: "2026-03 source", Text: "a payload has cwd only if the entry resolves a folder, and the process starts in the home directory; we do not guess another folder"},
	{ID: "vscode/7", Seen: "2026-03 source", Text: "updatedInput is validated against the tool's schema, and dropped if it does not fit; we print it complete"},
	{ID: "vscode/8", Seen: "2026-07 docs", Text: "VS Code also runs the entries in Copilot CLI's folders and Claude Code's settings; we recognise its payload there and answer as for its own entries"},
	{ID: "vscode/9", Seen: "2026-03 source", Text: "MCP tools are named mcp_SERVER_TOOL, which is ambiguous; a matcher tries every way to split the name"},
	{ID: "vscode/10", Seen: "2026-03 source", Text: "fetch_webpage takes a list of URLs; url is the first of them"},
	{ID: "vscode/11", Seen: "2026-03 source", Text: "the input of apply_patch is a patch; its paths become file_path and file_paths"},
	{ID: "vscode/12", Seen: "2026-03 source", Text: "decision block on PostToolUse is accepted but undoes nothing; feedback goes as additionalContext"},
}
