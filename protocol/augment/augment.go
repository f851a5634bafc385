package augment

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

const id = "augment"

// Dialect is Augment's agent.
var Dialect = &protocol.Dialect{
	ID:           id,
	Aliases:      []string{"auggie", "augment-code"},
	Name:         "Augment",
	Observed:     "0.36.0",
	Doc:          "https://docs.augmentcode.com/cli/hooks",
	NativeEvents: natives,
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
	Programs:     []string{"auggie"},
	Markers:      []string{"AUGMENT_AGENT", "AUGMENT_CONVERSATION_ID", "AUGMENT_HOOK_EVENT"},
	Folder:       folder,
	Skills:       protocol.Skills{Project: ".augment/skills", User: folder},
	Notes: []string{
		"restart open sessions",
		"hooks run only if Augment's server has enabled them for the account (enable_hooks)",
	},
}

const most = protocol.MaxLimit

var natives = []protocol.Native{
	{Name: "SessionStart", MapsTo: []protocol.EventType{protocol.PreSession}, Can: protocol.CanMessage, Limit: most, Source: "observed"},
	{Name: "SessionEnd", MapsTo: []protocol.EventType{protocol.PostSession}, Limit: time.Minute, Source: "observed"},
	{Name: "PromptSubmit", MapsTo: []protocol.EventType{protocol.PreAgentTurn}, Can: protocol.CanMessage, Limit: most, Source: "observed"},
	{Name: "Stop", MapsTo: []protocol.EventType{protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn},
		Can: protocol.CanMessage, Limit: most, Source: "observed"},
	{Name: "PreToolUse", MapsTo: []protocol.EventType{protocol.PreToolCall},
		Can: protocol.CanBlock | protocol.CanModify | protocol.CanMessage, Limit: most, Source: "observed"},
	{Name: "PostToolUse", Outcome: protocol.Ending{Sure: true, Exit: "^Here are the results from executing the command.\n<return-code>\n"}, MapsTo: []protocol.EventType{protocol.PostToolCall}, Instead: []protocol.EventType{protocol.PostToolCallFailure},
		Can: protocol.CanContext | protocol.CanMessage, Limit: most, Source: "observed"},
	{Name: "Notification", MapsTo: []protocol.EventType{protocol.Notification}, Limit: most, Source: "documentation"},
}

var pathKeys = []protocol.Key{{Portable: "file_path", Native: "path"}}

var editKeys = []protocol.Key{
	{Portable: "file_path", Native: "path"},
	{Portable: "old_string", Native: "old_str_1"}, {Portable: "old_string", Native: "old_str"},
	{Portable: "new_string", Native: "new_str_1"}, {Portable: "new_string", Native: "new_str"},
}

var taskKeys = []protocol.Key{{Portable: "prompt", Native: "instruction"}, {Portable: "description", Native: "name"}}

// tools is completed from the program's own list, which has two sets of tools. Keys
// are the portable ones unless stated otherwise.
var tools = protocol.Tools{
	{Native: "launch-process", Name: protocol.Shell, Source: "observed"},
	{Native: "view", Name: protocol.ReadFile, Keys: pathKeys, Source: "observed"},
	{Native: "save-file", Name: protocol.WriteFile, Keys: []protocol.Key{
		{Portable: "file_path", Native: "path"}, {Portable: "content", Native: "file_content"}}},
	{Native: "str-replace-editor", Name: protocol.EditFile, Keys: editKeys},
	{Native: "apply_patch", Name: protocol.EditFile, Also: []string{protocol.WriteFile}},
	{Native: "grep-search", Name: protocol.Search, Keys: []protocol.Key{
		{Portable: "pattern", Native: "query"}, {Portable: "path", Native: "directory_absolute_path"}}},
	{Native: "codebase-retrieval", Name: protocol.Search, Keys: []protocol.Key{{Portable: "pattern", Native: "information_request"}}},
	{Native: "web-fetch", Name: protocol.Fetch},
	{Native: "web-search", Name: protocol.WebSearch},
	{Native: "sub-agent", Name: protocol.Task, Keys: taskKeys},
	{Native: "bash", Name: protocol.Shell},
	{Native: "read", Name: protocol.ReadFile, Keys: pathKeys},
	{Native: "write", Name: protocol.WriteFile, Keys: pathKeys},
	{Native: "edit", Name: protocol.EditFile, Keys: pathKeys},
	{Native: "grep", Name: protocol.Search},
	{Native: "find", Name: protocol.Search},
	{Native: "write-process", Name: "write-process", Also: []string{protocol.Shell}, Does: protocol.Runs, Keys: []protocol.Key{{Portable: "command", Native: "input_text"}}},
	{Native: "remove-files", Name: "remove-files", Also: []string{protocol.EditFile, protocol.WriteFile}, Does: protocol.Deletes},
	{Native: "read-process", Name: "read-process", Does: protocol.Nothing},
	{Native: "kill-process", Name: "kill-process", Does: protocol.Nothing},
	{Native: "diagnostics", Name: "diagnostics", Does: protocol.Nothing},
}

var quirks = []protocol.Quirk{
	{ID: "augment/1", Seen: "0.36.0", Text: "hooks are off unless the server sends enable_hooks; install says so"},
	{ID: "augment/2", Seen: "0.36.0", Text: "exit 2 adds that a hook returned a blocking error; we print a block as JSON on exit 0"},
	{ID: "augment/3", Seen: "0.36.0", Text: "hookSpecificOutput on PromptSubmit makes it ignore the whole answer; we print only top-level members"},
	{ID: "augment/4", Seen: "0.36.0", Text: "permissionDecision ask is documented but ignored, and the tool runs; an ask becomes a block"},
	{ID: "augment/5", Seen: "0.36.0", Text: "additionalContext on SessionStart, PromptSubmit and PreToolUse is documented but never reaches the model; on PostToolUse it does"},
	{ID: "augment/6", Seen: "0.36.0", Text: "an answer to Stop is documented to make it go on but is discarded; hooks can only observe a stop"},
	{ID: "augment/7", Seen: "0.36.0", Text: "decision block on PostToolUse is ignored; feedback goes as additionalContext"},
	{ID: "augment/8", Seen: "0.36.0", Text: "there is no session_id and no cwd; we use conversation_id and the first of workspace_roots"},
	{ID: "augment/9", Seen: "0.36.0", Text: "tool calls have no id; tool_use_id is derived from the call, and is not treated as the agent's own"},
	{ID: "augment/10", Seen: "0.36.0", Text: "there is no event for a failed tool; PostToolUse with tool_error becomes post-tool-call-failure"},
	{ID: "augment/11", Seen: "0.36.0", Text: "a missing value is null, left out, or the string [undefined]; all mean the same"},
	{ID: "augment/12", Seen: "0.36.0", Text: "MCP tools are named TOOL_SERVER; without mcp_metadata a matcher tries every way to split the name, the last _ first"},
	{ID: "augment/13", Seen: "0.36.0", Text: "time limits are in milliseconds"},
	{ID: "augment/14", Seen: "0.36.0", Text: "each subagent is a separate tool, sub-agent-NAME; all become Task"},
	{ID: "augment/15", Seen: "0.36.0", Text: "the entry is documented as the path of a script but is split into words without a shell; a program with arguments works"},
}
