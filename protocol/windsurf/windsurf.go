package windsurf

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

const id = "windsurf"

// Dialect is Windsurf's Cascade.
var Dialect = &protocol.Dialect{
	ID:           id,
	Aliases:      []string{"cascade", "devin-desktop"},
	Name:         "Windsurf",
	Doc:          "https://docs.windsurf.com/windsurf/cascade/hooks",
	NativeEvents: natives,
	Others:       []string{"post_cascade_response_with_transcript", "post_setup_worktree"},
	EventName:    func(p protocol.Object) string { return p.Text("agent_action_name") },
	Untold:       []string{"post-tool-call.tool_response"},
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
	Programs:     []string{"windsurf"},
	Folder:       folder,
	Skills:       protocol.Skills{Project: ".windsurf/skills", User: folder},
	Notes: []string{
		"restart Windsurf",
		"the JetBrains plugin reads ~/.codeium/hooks.json instead; copy the entries there",
	},
}

const most = protocol.MaxLimit

// natives get --event as well, because payloads name their event in a way of their
// own.
var natives = []protocol.Native{
	{Name: "pre_user_prompt", MapsTo: []protocol.EventType{protocol.PreAgentTurn}, Can: protocol.CanBlock, Limit: most, Source: "documentation", Unnamed: true},
	{Name: "post_cascade_response", MapsTo: []protocol.EventType{protocol.PostAgentTurnStop, protocol.PostAgentTurn}, Limit: most, Source: "documentation", Unnamed: true},
	{Name: "pre_run_command", MapsTo: []protocol.EventType{protocol.PreToolCall}, Can: protocol.CanBlock, Limit: most, Source: "documentation", Unnamed: true},
	{Name: "pre_write_code", MapsTo: []protocol.EventType{protocol.PreToolCall}, Can: protocol.CanBlock, Limit: most, Source: "documentation", Unnamed: true},
	{Name: "pre_read_code", MapsTo: []protocol.EventType{protocol.PreToolCall}, Can: protocol.CanBlock, Limit: most, Source: "documentation", Unnamed: true},
	{Name: "pre_mcp_tool_use", MapsTo: []protocol.EventType{protocol.PreToolCall}, Can: protocol.CanBlock, Limit: most, Source: "documentation", Unnamed: true},
	{Name: "post_run_command", MapsTo: []protocol.EventType{protocol.PostToolCall}, Limit: most, Source: "documentation", Unnamed: true},
	{Name: "post_write_code", MapsTo: []protocol.EventType{protocol.PostToolCall}, Limit: most, Source: "documentation", Unnamed: true},
	{Name: "post_read_code", MapsTo: []protocol.EventType{protocol.PostToolCall}, Limit: most, Source: "documentation", Unnamed: true},
	{Name: "post_mcp_tool_use", MapsTo: []protocol.EventType{protocol.PostToolCall}, Limit: most, Source: "documentation", Unnamed: true},
}

// tools are named after the events; Cascade does not name them (windsurf/2).
var tools = protocol.Tools{
	{Native: "run_command", Name: protocol.Shell, Keys: []protocol.Key{{Portable: "command", Native: "command_line"}}},
	{Native: "write_code", Name: protocol.EditFile, Also: []string{protocol.WriteFile, "Edit", "Write"}},
	{Native: "read_code", Name: protocol.ReadFile},
}

var quirks = []protocol.Quirk{
	{ID: "windsurf/1", Seen: "2026 docs", Text: "it reads no answers; exit 2 with the reason on stderr blocks, and nothing else is possible"},
	{ID: "windsurf/2", Seen: "2026 docs", Text: "each kind of tool has its own event, and no name; we name them run_command, write_code, read_code and mcp__SERVER__TOOL"},
	{ID: "windsurf/3", Seen: "2026 docs", Text: "writing and editing are one event with a list of edits; a matcher tries EditFile, WriteFile, Edit and Write, and old_string and new_string are the first edit's"},
	{ID: "windsurf/4", Seen: "2026 docs", Text: "trajectory_id, the session, is reported to be empty on pre_user_prompt; we use execution_id, the turn, instead"},
	{ID: "windsurf/5", Seen: "2026 docs", Text: "only commands have a folder; elsewhere we use the entry's working directory, the root of the workspace"},
	{ID: "windsurf/6", Seen: "2026 docs", Text: "calls have no id; tool_use_id is derived from the call"},
	{ID: "windsurf/7", Seen: "2026 docs", Text: "entries have no documented time limit; we write none"},
	{ID: "windsurf/8", Seen: "2026 docs", Text: "post_cascade_response comes after the end and cannot make the agent go on; gates do not work"},
	{ID: "windsurf/9", Seen: "2026 docs", Text: "the file_path of a read may be a folder"},
}

var config = &protocol.Config{
	Shape:   protocol.FlatJSON,
	Events:  "hooks",
	Fields:  `{"show_output": false}`,
	Timeout: "-", // windsurf/7
	File:    file,
	Unit:    time.Second,
	Windows: protocol.QuotePowerShell,
}

// folder is where Windsurf keeps a user's files.
func folder(s protocol.Site) string { return s.Join(s.Home, ".codeium", "windsurf") }

func file(s protocol.Site) string {
	return s.ByScope(s.Join(s.Project, ".windsurf", "hooks.json"), s.Join(folder(s), "hooks.json"))
}
