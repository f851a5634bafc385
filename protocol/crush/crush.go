package crush

import "github.com/agents-hooks/agents-hooks/protocol"

const id = "crush"

// Dialect is Crush.
var Dialect = &protocol.Dialect{
	ID:         id,
	Aliases:    []string{"charm-crush"},
	Name:       "Crush",
	Doc:        "https://github.com/charmbracelet/crush/tree/main/docs/hooks",
	Natives:    natives,
	EventName:  func(p protocol.Object) string { return p.Text("event") },
	Tools:      tools,
	ToolSource: "source",
	Quirks:     quirks,
	Detect:     detect,
	Decode:     decode,
	Encode:     encode,
	NoOpinion:  noOpinion,
	Config:     config,
	MCP:        servers,
	Programs:   []string{"crush"},
	Markers:    []string{"CRUSH", "CRUSH_EVENT", "CRUSH_SESSION_ID"},
	Folder:     folder,
	Skills:     protocol.Skills{Project: ".crush/skills", User: folder},
	Notes: []string{
		"sessions that are open must be started again",
		"hooks see the calls of the main agent only, not those of its subagents",
	},
}

var natives = []protocol.Native{
	{Name: "PreToolUse", Feeds: []protocol.EventType{protocol.PreToolCall},
		Can: protocol.CanBlock | protocol.CanModify | protocol.CanAllow | protocol.CanContext, Limit: protocol.MaxLimit, Source: "source"},
}

// tools are those of the program's own list. Their keys are the portable ones
// but where stated.
var tools = protocol.Tools{
	{Native: "bash", Name: protocol.Shell},
	{Native: "view", Name: protocol.ReadFile},
	{Native: "write", Name: protocol.WriteFile},
	{Native: "edit", Name: protocol.EditFile},
	{Native: "multiedit", Name: protocol.EditFile},
	{Native: "grep", Name: protocol.Search},
	{Native: "glob", Name: protocol.Search},
	{Native: "sourcegraph", Name: protocol.Search, Keys: []protocol.Key{{Portable: "pattern", Native: "query"}}},
	{Native: "fetch", Name: protocol.Fetch},
	{Native: "web_fetch", Name: protocol.Fetch},
	{Native: "agentic_fetch", Name: protocol.Fetch},
	{Native: "download", Name: protocol.Fetch, Also: []string{protocol.WriteFile}, Does: protocol.Changes},
	{Native: "web_search", Name: protocol.WebSearch},
	{Native: "agent", Name: protocol.Task},
	{Native: "job_output", Name: "job_output", Does: protocol.Nothing},
	{Native: "job_kill", Name: "job_kill", Does: protocol.Nothing},
	{Native: "ls", Name: "ls", Does: protocol.Nothing},
	{Native: "todos", Name: "todos", Does: protocol.Nothing},
}

const seen = "source of 2026-08"

var quirks = []protocol.Quirk{
	{ID: "crush/1", Seen: seen, Text: "decision allow skips the user's approval; it is printed for a permission alone"},
	{ID: "crush/2", Seen: seen, Text: "newer versions have more events, and older ones refuse a configuration that names them; only PreToolUse is registered"},
	{ID: "crush/3", Seen: seen, Text: "the name of the event is the member event, and calls have no id"},
	{ID: "crush/4", Seen: seen, Text: "updated_input is laid over the original, one level deep; it is printed complete"},
	{ID: "crush/5", Seen: seen, Text: "exit 49 and halt end the whole turn; neither is used"},
	{ID: "crush/6", Seen: seen, Text: "tools of MCP servers are named mcp_SERVER_TOOL; each way to split the name is tried, the first _ first"},
	{ID: "crush/7", Seen: seen, Text: "hooks run in a shell inside the program, with the system's commands and the user's PATH"},
	{ID: "crush/8", Seen: seen, Text: "a crushrc, a script that adds hooks with hook add, is read beside crush.json, and hooks of both run; the entry stays in crush.json, which can be edited"},
}
