package cursor

import "github.com/agents-hooks/agents-hooks/protocol"

const id = "cursor"

// Dialect is Cursor.
var Dialect = &protocol.Dialect{
	ID:             id,
	Aliases:        []string{"cursor-agent", "cursor-cli"},
	Name:           "Cursor",
	Doc:            "https://cursor.com/docs/hooks",
	NativeEvents:   natives,
	Others:         []string{"afterAgentResponse", "afterAgentThought"},
	Untold:         []string{"post-tool-call.tool_response"},
	Tools:          tools,
	ToolSource:     "documentation",
	Quirks:         quirks,
	FieldMax:       fieldMax,
	StopMax:        5, // cursor/6
	EchoesFollowup: true,
	Detect:         detect,
	Tells:          []string{"CURSOR_VERSION"},
	Decode:         decode,
	Encode:         encode,
	TakesEnv:       takesEnv,
	NoOpinion:      protocol.EmptyObject,
	Managed:        managed,
	Tongue:         tongue,
	Config:         config,
	Custom:         custom,
	MCP:            servers,
	Programs:       []string{"cursor", "cursor-agent"},
	Markers:        []string{"CURSOR_*"},
	Folder:         folder,
	Skills:         protocol.Skills{Project: ".cursor/skills", User: folder},
	AlsoReads:      []string{"claude-code"},
	AlsoReadsIf:    "third-party hooks are included in Cursor's settings (Rules, Skills, Subagents)",
	Borrows:        borrows,
	BorrowSigns:    []string{"cursor_version", "generation_id", "conversation_id"},
	Notes: []string{
		"Cursor picks up the change by itself",
		"a project's entries run only in a workspace that Cursor trusts",
		"if Cursor is set to include third-party hooks (Settings, Rules, Skills, Subagents), it also runs Claude Code's entries",
	},
}

// fieldMax is what recent clients take inline.
const fieldMax = 10_000

const (
	feedback = protocol.CanContext
	goingOn  = protocol.CanBlock | protocol.CanContinue
	verdict  = protocol.CanBlock | protocol.CanMessage
)

const most = protocol.MaxLimit

var natives = []protocol.Native{
	{Name: "sessionStart", MapsTo: []protocol.EventType{protocol.PreSession}, Can: feedback, Limit: most, Source: "documentation"},
	{Name: "sessionEnd", MapsTo: []protocol.EventType{protocol.PostSession}, Limit: most, Source: "documentation"},
	{Name: "beforeSubmitPrompt", MapsTo: []protocol.EventType{protocol.PreAgentTurn}, Can: protocol.CanBlock | feedback, Limit: most, Source: "documentation"},
	{Name: "stop", MapsTo: []protocol.EventType{protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn},
		Can: goingOn, Limit: most, Source: "documentation"},
	{Name: "preToolUse", MapsTo: []protocol.EventType{protocol.PreToolCall},
		Can: verdict | protocol.CanModify | feedback, Limit: most, Source: "documentation"},
	{Name: "postToolUse", Outcome: protocol.Ending{Sure: true}, MapsTo: []protocol.EventType{protocol.PostToolCall}, Can: protocol.CanOutput | feedback, Limit: most, Source: "documentation"}, // cursor/15
	{Name: "postToolUseFailure", MapsTo: []protocol.EventType{protocol.PostToolCallFailure}, Can: feedback, Limit: most, Source: "documentation"},
	{Name: "subagentStart", MapsTo: []protocol.EventType{protocol.PreSubagent}, Can: protocol.CanBlock, Limit: most, Source: "documentation"},
	{Name: "subagentStop", MapsTo: []protocol.EventType{protocol.PostSubagent}, Can: goingOn, Limit: most, Source: "documentation"},
	{Name: "preCompact", MapsTo: []protocol.EventType{protocol.PreContextCompact}, Can: protocol.CanMessage, Limit: most, Source: "documentation"},

	{Name: "beforeShellExecution", MapsTo: []protocol.EventType{protocol.PreToolCall}, Can: verdict | protocol.CanAsk, Limit: most, Source: "documentation", Manual: true},
	{Name: "beforeMCPExecution", MapsTo: []protocol.EventType{protocol.PreToolCall}, Can: verdict | protocol.CanAsk, Limit: most, Source: "documentation", Manual: true},
	{Name: "beforeReadFile", MapsTo: []protocol.EventType{protocol.PreToolCall}, Can: verdict, Limit: most, Source: "documentation", Manual: true},
	{Name: "afterShellExecution", MapsTo: []protocol.EventType{protocol.PostToolCall}, Limit: most, Source: "documentation", Manual: true},
	{Name: "afterMCPExecution", MapsTo: []protocol.EventType{protocol.PostToolCall}, Limit: most, Source: "documentation", Manual: true},
	{Name: "afterFileEdit", MapsTo: []protocol.EventType{protocol.PostToolCall}, Limit: most, Source: "documentation", Manual: true},
}

// pathKeys are the names that Cursor's tools have used for a file.
var pathKeys = []protocol.Key{{Portable: "file_path", Native: "path"}, {Portable: "file_path", Native: "target_file"}}

var writeKeys = []protocol.Key{
	{Portable: "file_path", Native: "path"}, {Portable: "file_path", Native: "target_file"}, {Portable: "content", Native: "contents"}}

// tools are the types that the documentation names, and the tools' own names where a
// client reports them. Keys are the portable ones unless stated otherwise.
var tools = protocol.Tools{
	{Native: "Shell", Name: protocol.Shell},
	{Native: "Read", Name: protocol.ReadFile, Keys: pathKeys},
	{Native: "Write", Name: protocol.WriteFile, Also: []string{protocol.EditFile, "Edit"}, Keys: writeKeys}, // cursor/9
	{Native: "StrReplace", Name: protocol.EditFile, Keys: pathKeys},
	{Native: "Edit", Name: protocol.EditFile, Keys: pathKeys},
	{Native: "EditNotebook", Name: protocol.EditFile, Keys: []protocol.Key{{Portable: "file_path", Native: "target_notebook"}}},
	{Native: "Delete", Name: "Delete", Also: []string{protocol.EditFile, protocol.WriteFile}, Does: protocol.Deletes, Keys: pathKeys},
	{Native: "Grep", Name: protocol.Search},
	{Native: "Glob", Name: protocol.Search, Keys: []protocol.Key{{Portable: "pattern", Native: "glob_pattern"}, {Portable: "path", Native: "target_directory"}}},
	{Native: "SemanticSearch", Name: protocol.Search, Keys: []protocol.Key{{Portable: "pattern", Native: "query"}}},
	{Native: "WebFetch", Name: protocol.Fetch},
	{Native: "WebSearch", Name: protocol.WebSearch, Keys: []protocol.Key{{Portable: "query", Native: "search_term"}}},
	{Native: "Task", Name: protocol.Task},
}

var quirks = []protocol.Quirk{
	{ID: "cursor/1", Seen: "3.20", Text: "a hooks.json with :// in a command is dropped whole and silently; our command has none"},
	{ID: "cursor/2", Seen: "2026-08 docs", Text: "most events have no cwd, or an empty one; we use the first of workspace_roots, else CURSOR_PROJECT_DIR"},
	{ID: "cursor/3", Seen: "2026-08 docs", Text: "ask on preToolUse is accepted but not enforced; it becomes a block"},
	{ID: "cursor/4", Seen: "3.20", Text: "additional_context on preToolUse, postToolUseFailure and beforeSubmitPrompt is not documented, but clients accept it; we print it"},
	{ID: "cursor/5", Seen: "2026-08 docs", Text: "preToolUse and one of beforeShellExecution, beforeMCPExecution and beforeReadFile fire for the same call; we register only preToolUse"},
	{ID: "cursor/6", Seen: "2026-08 docs", Text: "a stop has only a count of how often it went on (loop_count, at most 5 by default); we derive stop_active from it"},
	{ID: "cursor/7", Seen: "2026-08 docs", Text: "an aborted or failed turn, and a subagent that did not complete, cannot be made to go on"},
	{ID: "cursor/8", Seen: "2026-08 docs", Text: "MCP tools are named MCP:TOOL, without the server; a matcher also tries mcp__TOOL"},
	{ID: "cursor/9", Seen: "2026-08 docs", Text: "edits are reported as Write; the matcher also tries EditFile and Edit"},
	{ID: "cursor/10", Seen: "2026-08 docs", Text: "tool_output, result_json and the tool_input of the MCP events are JSON inside a string; hooks get the parsed value"},
	{ID: "cursor/11", Seen: "2026.09.02", Text: "a Claude Code entry that Cursor runs gets Cursor's payload; we recognise the payload and answer in both forms"},
	{ID: "cursor/12", Seen: "2026.09.02", Text: "cursor-agent writes a byte order mark before the payload; we skip it"},
	{ID: "cursor/13", Seen: "2026-08 docs", Text: "on Windows a workspace root is written /c:/…; we strip the leading slash"},
	{ID: "cursor/14", Seen: "2026-08 docs", Text: "session_id comes only at the two ends of a session; conversation_id has the same value, and we use that"},
	{ID: "cursor/15", Seen: "2026-08 docs", Text: "updated_mcp_tool_output replaces only the result of an MCP tool; any other result stays"},
}
