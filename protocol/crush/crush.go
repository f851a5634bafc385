package crush

import "github.com/agents-hooks/agents-hooks/protocol"

const id = "crush"

// Dialect is Crush.
var Dialect = &protocol.Dialect{
	ID:           id,
	Aliases:      []string{"charm-crush"},
	Name:         "Crush",
	Observed:     "0.90.0",
	Doc:          "https://github.com/charmbracelet/crush/tree/main/docs/hooks",
	NativeEvents: natives,
	EventName:    func(p protocol.Object) string { return p.Text("event") },
	Tools:        tools,
	ToolSource:   "source",
	Quirks:       quirks,
	Detect:       detect,
	Decode:       decode,
	Encode:       encode,
	NoOpinion:    protocol.Silence,
	Config:       config,
	Custom:       custom,
	MCP:          servers,
	Programs:     []string{"crush"},
	Markers:      []string{"CRUSH", "CRUSH_EVENT", "CRUSH_SESSION_ID"},
	Folder:       folder,
	Skills:       protocol.Skills{Project: ".crush/skills", User: folder},
	Notes: []string{
		"restart open sessions",
		"hooks see only the main agent's calls, not those of its subagents",
	},
}

var natives = []protocol.Native{
	{Name: "PreToolUse", MapsTo: []protocol.EventType{protocol.PreToolCall},
		Can: protocol.CanBlock | protocol.CanModify | protocol.CanAllow | protocol.CanContext, Limit: protocol.MaxLimit, Source: "observed"},
}

// tools are the program's own list, and those of its subagents. Keys are the portable
// ones unless stated otherwise.
var tools = protocol.Tools{
	{Native: "bash", Name: protocol.Shell, Source: "observed"},
	{Native: "view", Name: protocol.ReadFile, Source: "observed"},
	{Native: "write", Name: protocol.WriteFile, Source: "observed"},
	{Native: "edit", Name: protocol.EditFile, Source: "observed"},
	{Native: "multiedit", Name: protocol.EditFile, Source: "observed"},
	{Native: "lsp_replace_symbol", Name: protocol.EditFile, Source: "observed"},
	{Native: "lsp_rename", Name: "lsp_rename", Also: []string{protocol.EditFile, protocol.WriteFile}, Does: protocol.Changes, Source: "observed"},
	{Native: "grep", Name: protocol.Search, Source: "observed"},
	{Native: "glob", Name: protocol.Search, Source: "observed"},
	{Native: "sourcegraph", Name: protocol.Search, Keys: []protocol.Key{{Portable: "pattern", Native: "query"}}},
	{Native: "fetch", Name: protocol.Fetch, Source: "observed"},
	{Native: "web_fetch", Name: protocol.Fetch},
	{Native: "agentic_fetch", Name: protocol.Fetch},
	{Native: "download", Name: protocol.Fetch, Also: []string{protocol.WriteFile}, Does: protocol.Changes, Source: "observed"},
	{Native: "web_search", Name: protocol.WebSearch},
	{Native: "agent", Name: protocol.Task, Source: "observed"},
	{Native: "job_output", Name: "job_output", Does: protocol.Nothing},
	{Native: "job_kill", Name: "job_kill", Does: protocol.Nothing, Source: "observed"},
	{Native: "ls", Name: "ls", Does: protocol.Nothing, Source: "observed"},
	{Native: "todos", Name: "todos", Does: protocol.Nothing, Source: "observed"},
	{Native: "question", Name: "question", Does: protocol.Nothing},
	{Native: "lsp_definition", Name: "lsp_definition", Does: protocol.Nothing},
	{Native: "lsp_references", Name: "lsp_references", Does: protocol.Nothing},
	{Native: "lsp_call_hierarchy", Name: "lsp_call_hierarchy", Does: protocol.Nothing},
	{Native: "lsp_symbols", Name: "lsp_symbols", Does: protocol.Nothing},
	{Native: "lsp_diagnostics", Name: "lsp_diagnostics", Does: protocol.Nothing},
	{Native: "lsp_restart", Name: "lsp_restart", Does: protocol.Nothing},
	{Native: "list_mcp_resources", Name: "list_mcp_resources", Does: protocol.Nothing},
	{Native: "read_mcp_resource", Name: "read_mcp_resource", Does: protocol.Nothing},
	{Native: "crush_info", Name: "crush_info", Does: protocol.Nothing},
	{Native: "crush_logs", Name: "crush_logs", Does: protocol.Nothing},
}

const (
	seen   = "0.90.0"
	source = "source of 0.90.0"
)

var quirks = []protocol.Quirk{
	{ID: "crush/1", Seen: seen, Text: "decision allow skips the user's approval; we print it only to give a permission"},
	{ID: "crush/2", Seen: seen, Text: "its only event is PreToolUse; a configuration may name others, which are never called; we register only PreToolUse"},
	{ID: "crush/3", Seen: seen, Text: "the event's name is the member event, and calls have no id"},
	{ID: "crush/4", Seen: source, Text: "updated_input is merged into the original, one level deep; we print it complete"},
	{ID: "crush/5", Seen: source, Text: "exit 49 and halt end the whole turn; we use neither"},
	{ID: "crush/6", Seen: seen, Text: "MCP tools are named mcp_SERVER_TOOL; a matcher tries every way to split the name, the first _ first"},
	{ID: "crush/7", Seen: seen, Text: "hooks run in a shell inside the program, with the system's commands and the user's PATH"},
	{ID: "crush/8", Seen: source, Text: "a crushrc, a script that adds hooks with hook add, is read in addition to crush.json, and hooks of both run; our entry stays in crush.json, which can be edited"},
}
