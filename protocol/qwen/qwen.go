package qwen

import "github.com/agents-hooks/agents-hooks/protocol"

const id = "qwen-code"

// Dialect is Qwen Code.
var Dialect = &protocol.Dialect{
	ID:             id,
	Aliases:        []string{"qwen"},
	Name:           "Qwen Code",
	Observed:       "0.24.4",
	Doc:            "https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks",
	NativeEvents:   natives,
	Others:         []string{"InstructionsLoaded", "MessageDisplay", "PermissionDenied", "PostToolBatch", "SessionDelete", "TodoCompleted", "TodoCreated", "UserPromptExpansion"},
	Tools:          tools,
	ToolSource:     "source",
	Usage:          usage,
	Quirks:         quirks,
	StopMax:        8, // qwen-code/11
	EchoesFollowup: true,
	Detect:         detect,
	Decode:         decode,
	Encode:         encode,
	NoOpinion:      protocol.EmptyObject, // qwen-code/1
	Managed:        managed,
	Config:         config,
	Custom:         custom,
	MCP:            servers,
	Programs:       []string{"qwen"},
	Markers:        []string{"QWEN_CODE", "QWEN_CODE_SESSION_ID", "QWEN_PROJECT_DIR", "QWEN_CODE_PROJECT_DIR", "QWEN_CODE_PROMPT_ID"},
	Folder:         folder,
	Skills:         protocol.Skills{Project: ".qwen/skills", User: folder},
	PlanMode:       true,
	Notes: []string{
		"restart open sessions",
		"a project's entries run only in a folder that Qwen Code trusts",
		"a run with -p ends without SessionEnd, so hooks of post-session do not run there",
	},
}

const (
	context = protocol.CanContext
	goingOn = protocol.CanBlock | protocol.CanContinue
)

const most = protocol.MaxLimit

var natives = []protocol.Native{
	{Name: "SessionStart", MapsTo: []protocol.EventType{protocol.PreSession}, Can: context, Limit: most, Source: "observed"},
	{Name: "SessionEnd", MapsTo: []protocol.EventType{protocol.PostSession}, Limit: most, Source: "observed"},
	{Name: "UserPromptSubmit", MapsTo: []protocol.EventType{protocol.PreAgentTurn}, Can: protocol.CanBlock | context, Limit: most, Source: "observed"},
	{Name: "Stop", MapsTo: []protocol.EventType{protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn},
		Can: goingOn | protocol.CanMessage, Limit: most, Source: "observed"},
	{Name: "StopFailure", MapsTo: []protocol.EventType{protocol.PostAgentTurn}, Limit: most, Source: "documentation"},
	{Name: "PreToolUse", MapsTo: []protocol.EventType{protocol.PreToolCall},
		Can: protocol.CanBlock | protocol.CanAsk, Limit: most, Source: "observed"},
	{Name: "PermissionRequest", MapsTo: []protocol.EventType{protocol.PermissionRequest}, Can: protocol.CanBlock | protocol.CanAllow, Limit: most, Source: "documentation"}, // qwen-code/15
	{Name: "PostToolUse", Outcome: protocol.Ending{Sure: true, Exit: "\nExit Code: "}, MapsTo: []protocol.EventType{protocol.PostToolCall}, Can: context, Limit: most, Source: "observed"},
	{Name: "PostToolUseFailure", MapsTo: []protocol.EventType{protocol.PostToolCallFailure}, Can: context, Limit: most, Source: "observed"},
	{Name: "SubagentStart", MapsTo: []protocol.EventType{protocol.PreSubagent}, Limit: most, Source: "observed"},
	{Name: "SubagentStop", MapsTo: []protocol.EventType{protocol.PostSubagent}, Can: goingOn, Limit: most, Source: "observed"},
	{Name: "PreCompact", MapsTo: []protocol.EventType{protocol.PreContextCompact}, Can: context, Limit: most, Source: "observed"},
	{Name: "PostCompact", MapsTo: []protocol.EventType{protocol.PostContextCompact}, Limit: most, Source: "observed"},
	{Name: "Notification", MapsTo: []protocol.EventType{protocol.Notification}, Limit: most, Source: "observed"},
}

// notebookKeys belong to the tools for notebooks.
var notebookKeys = []protocol.Key{{Portable: "file_path", Native: "notebook_path"}, {Portable: "new_string", Native: "new_source"}}

// tools is completed from the captures and the program's own list of tools; task,
// search_file_content and read_many_files are from older versions. Keys are the
// portable ones unless stated otherwise.
var tools = protocol.Tools{
	{Native: "run_shell_command", Name: protocol.Shell, Source: "observed"},
	{Native: "read_file", Name: protocol.ReadFile, Keys: []protocol.Key{{Portable: "file_path", Native: "absolute_path"}}},
	{Native: "read_many_files", Name: protocol.ReadFile},
	{Native: "write_file", Name: protocol.WriteFile},
	{Native: "edit", Name: protocol.EditFile},
	{Native: "notebook_edit", Name: protocol.EditFile, Keys: notebookKeys},
	{Native: "grep_search", Name: protocol.Search},
	{Native: "search_file_content", Name: protocol.Search},
	{Native: "glob", Name: protocol.Search},
	{Native: "web_fetch", Name: protocol.Fetch},
	{Native: "web_search", Name: protocol.WebSearch},
	{Native: "agent", Name: protocol.Task},
	{Native: "task", Name: protocol.Task},
	{Native: "monitor", Name: "monitor", Also: []string{protocol.Shell}, Does: protocol.Runs},
	{Native: "list_directory", Name: "list_directory", Does: protocol.Nothing},
	{Native: "save_memory", Name: "save_memory", Does: protocol.Nothing},
	{Native: "todo_write", Name: "todo_write", Does: protocol.Nothing},
}

var quirks = []protocol.Quirk{
	{ID: "qwen-code/1", Seen: "0.24.4", Text: "if stdout is empty, stderr is taken as the answer; for no opinion we print {} and leave stderr empty"},
	{ID: "qwen-code/2", Seen: "0.24.4", Text: "exit 2 with empty stderr lets the tool run; we print a block as JSON on exit 0"},
	{ID: "qwen-code/3", Seen: "0.24.4", Text: "updatedInput on PreToolUse is documented but ignored; inputs cannot be changed"},
	{ID: "qwen-code/4", Seen: "0.24.4", Text: "additionalContext on PreToolUse does not reach the model; we do not print it"},
	{ID: "qwen-code/5", Seen: "0.24.4", Text: "UserPromptSubmit fires again after every round of tools, with an empty prompt; we do not report that as an event"},
	{ID: "qwen-code/6", Seen: "0.24.4", Text: "the text that makes it go on comes back as the prompt of a UserPromptSubmit; we do not report that as an event"},
	{ID: "qwen-code/7", Seen: "0.24.4", Text: "SessionStart also fires after a compaction, but its context is not in the next request; it becomes pre-session with source compact, without context"},
	{ID: "qwen-code/8", Seen: "0.24.4", Text: "additionalContext on SubagentStart does not reach the subagent; we do not print it"},
	{ID: "qwen-code/9", Seen: "0.24.4", Text: "additionalContext on Stop is ignored; we print a follow-up as a block"},
	{ID: "qwen-code/10", Seen: "0.24.4", Text: "PreCompact cannot be blocked; context joins the instructions for the summary"},
	{ID: "qwen-code/11", Seen: "0.24.4", Text: "the 9th block of Stop in a row is overridden; our limit is 8"},
	{ID: "qwen-code/12", Seen: "0.24.4", Text: "time limits are in seconds, but values from 1000 are read as milliseconds, as in older versions; we write milliseconds"},
	{ID: "qwen-code/13", Seen: "0.24.4", Text: "decision block on PostToolUse has no effect; feedback goes as additionalContext"},
	{ID: "qwen-code/14", Seen: "0.24.4", Text: "prompt is what goes to the model, with commands expanded; submitted_prompt, if present, is what the user typed, and we use that"},
	{ID: "qwen-code/15", Seen: "0.24.4", Text: "without a user present, a tool that needs a permission is refused before any hook runs; PermissionRequest fires only in an interactive session"},
	{ID: "qwen-code/16", Seen: "0.24.4", Text: "systemMessage is shown only at Stop, on stderr in a run with -p; earlier messages wait for the Stop"},
}
