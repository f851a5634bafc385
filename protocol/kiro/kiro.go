package kiro

import "github.com/agents-hooks/agents-hooks/protocol"

const id = "kiro"

// Dialect is Kiro.
var Dialect = &protocol.Dialect{
	ID:           id,
	Aliases:      []string{"kiro-cli", "kiro-ide"},
	Name:         "Kiro",
	Doc:          "https://kiro.dev/docs/hooks",
	NativeEvents: natives,
	Others:       []string{"postFileSave"},
	Tools:        tools,
	ToolSource:   "documentation",
	Quirks:       quirks,
	Detect:       detect,
	Tells:        []string{"USER_PROMPT"},
	Decode:       decode,
	Encode:       encode,
	NoOpinion:    protocol.Silence,
	Config:       config,
	Custom:       custom,
	MCP:          servers,
	Programs:     []string{"kiro", "kiro-cli"},
	Folder:       folder,
	Skills:       protocol.Skills{Project: ".kiro/skills", User: folder},
	Notes: []string{
		"the IDE lists the hooks, and each can be switched off there",
		"kiro-cli up to version 2 reads the files of its agents instead: for it, install amazon-q",
	},
}

const most = protocol.MaxLimit

// natives are the events that concern us. The events for files, tasks and a hook's
// button have no counterpart.
var natives = []protocol.Native{
	{Name: "sessionStart", As: "SessionStart", MapsTo: []protocol.EventType{protocol.PreSession}, Can: protocol.CanContext, Limit: most, Source: "documentation"},
	{Name: "userPromptSubmit", As: "UserPromptSubmit", MapsTo: []protocol.EventType{protocol.PreAgentTurn},
		Can: protocol.CanBlock | protocol.CanContext, Limit: most, Source: "documentation"},
	{Name: "stop", As: "Stop", MapsTo: []protocol.EventType{protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn},
		Can: protocol.CanBlock | protocol.CanContinue, Limit: most, Source: "documentation"},
	{Name: "preToolUse", As: "PreToolUse", MapsTo: []protocol.EventType{protocol.PreToolCall}, Can: protocol.CanBlock, Limit: most, Source: "documentation"},
	{Name: "postToolUse", As: "PostToolUse", Outcome: protocol.Ending{Sure: true}, MapsTo: []protocol.EventType{protocol.PostToolCall}, Instead: []protocol.EventType{protocol.PostToolCallFailure},
		Limit: most, Source: "documentation"},
}

var (
	pathKeys  = []protocol.Key{{Portable: "file_path", Native: "path"}}
	writeKeys = []protocol.Key{{Portable: "file_path", Native: "path"}, {Portable: "content", Native: "text"}, {Portable: "content", Native: "file_text"}}
	editKeys  = []protocol.Key{
		{Portable: "file_path", Native: "path"},
		{Portable: "old_string", Native: "oldStr"}, {Portable: "old_string", Native: "old_str"},
		{Portable: "new_string", Native: "newStr"}, {Portable: "new_string", Native: "new_str"},
	}
)

// tools have the ids in Kiro's documentation, and those of its IDE.
var tools = protocol.Tools{
	{Native: "execute_bash", Name: protocol.Shell},
	{Native: "execute_pwsh", Name: protocol.Shell, Does: protocol.RawShell},
	{Native: "read_file", Name: protocol.ReadFile, Keys: pathKeys},
	{Native: "fs_read", Name: protocol.ReadFile, Keys: pathKeys},
	{Native: "fs_write", Name: protocol.WriteFile, Also: []string{protocol.EditFile}, Keys: writeKeys},
	{Native: "fs_append", Name: protocol.EditFile, Keys: writeKeys},
	{Native: "str_replace", Name: protocol.EditFile, Keys: editKeys},
	{Native: "grep_search", Name: protocol.Search, Keys: []protocol.Key{{Portable: "pattern", Native: "query"}}},
	{Native: "file_search", Name: protocol.Search, Keys: []protocol.Key{{Portable: "pattern", Native: "query"}}},
	{Native: "web_fetch", Name: protocol.Fetch},
	{Native: "web_search", Name: protocol.WebSearch},
	{Native: "executeBash", Name: protocol.Shell},
	{Native: "executePwsh", Name: protocol.Shell, Does: protocol.RawShell},
	{Native: "fsWrite", Name: protocol.WriteFile, Also: []string{protocol.EditFile}, Keys: writeKeys},
	{Native: "fsAppend", Name: protocol.EditFile, Keys: writeKeys},
	{Native: "strReplace", Name: protocol.EditFile, Keys: editKeys},
	{Native: "controlBashProcess", Name: "controlBashProcess", Also: []string{protocol.Shell}, Does: protocol.Runs},
	{Native: "controlPwshProcess", Name: "controlPwshProcess", Also: []string{protocol.Shell}, Does: protocol.RawShell},
	{Native: "deleteFile", Name: "deleteFile", Also: []string{protocol.EditFile, protocol.WriteFile}, Does: protocol.Deletes, Keys: []protocol.Key{{Portable: "file_path", Native: "targetFile"}}},
	{Native: "smartRelocate", Name: "smartRelocate", Also: []string{protocol.EditFile, protocol.WriteFile}, Does: protocol.Moves},
	{Native: "semanticRename", Name: "semanticRename", Also: []string{protocol.EditFile, protocol.WriteFile}, Does: protocol.Changes},
}

const seen = "documentation of 2026-10"

var quirks = []protocol.Quirk{
	{ID: "kiro/1", Seen: seen, Text: "its files write events as SessionStart, its payloads as sessionStart; we read both"},
	{ID: "kiro/2", Seen: seen, Text: "exit 2 blocks a prompt in the IDE only; the command line goes on"},
	{ID: "kiro/3", Seen: seen, Text: "its documentation contradicts itself on exit codes other than 0 and 2; we use no other"},
	{ID: "kiro/4", Seen: seen, Text: "a stop is answered in JSON, all other events in plain text or not at all"},
	{ID: "kiro/5", Seen: seen, Text: "the payload of SessionStart, and whether its text reaches the model, is not documented"},
	{ID: "kiro/6", Seen: seen, Text: "tool calls have no id; tool_use_id is derived from the call, and is not treated as the agent's own"},
	{ID: "kiro/7", Seen: seen, Text: "there is no event for a failed tool; postToolUse with success false becomes post-tool-call-failure"},
	{ID: "kiro/8", Seen: seen, Text: "MCP tools are named mcp_SERVER_TOOL; a matcher tries every way to split the name, the first _ first"},
	{ID: "kiro/9", Seen: seen, Text: "it does not say whether a hook made it go on before; only our own limit ends a loop"},
}
