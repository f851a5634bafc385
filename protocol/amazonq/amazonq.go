package amazonq

import "github.com/agents-hooks/agents-hooks/protocol"

const id = "amazon-q"

// Dialect is Amazon Q's command line.
var Dialect = &protocol.Dialect{
	ID:           id,
	Aliases:      []string{"amazonq", "q", "q-cli"},
	Name:         "Amazon Q CLI",
	Doc:          "https://github.com/aws/amazon-q-developer-cli/blob/main/docs/hooks.md",
	NativeEvents: natives,
	Tools:        tools,
	ToolSource:   "source",
	Quirks:       quirks,
	FieldMax:     fieldMax,
	Detect:       detect,
	Tells:        []string{"QTERM_SESSION_ID", "TERM_SESSION_ID", "USER_PROMPT"},
	Decode:       decode,
	Encode:       encode,
	NoOpinion:    protocol.Silence,
	Config:       config,
	Programs:     []string{"qchat"},
	Folder:       folder,
	Notes: []string{
		"restart open sessions",
		"an agent added later needs the entries too: install again",
	},
}

// fieldMax keeps a text below the output that our entries ask for, at four bytes
// a character.
const fieldMax = 16_000

const most = protocol.MaxLimit

var natives = []protocol.Native{
	{Name: "agentSpawn", MapsTo: []protocol.EventType{protocol.PreSession}, Can: protocol.CanContext, Limit: most, Source: "source"},
	{Name: "userPromptSubmit", MapsTo: []protocol.EventType{protocol.PreAgentTurn}, Can: protocol.CanContext, Limit: most, Source: "source"},
	{Name: "stop", MapsTo: []protocol.EventType{protocol.PostAgentTurnStop, protocol.PostAgentTurn}, Limit: most, Source: "source"},
	{Name: "preToolUse", MapsTo: []protocol.EventType{protocol.PreToolCall}, Can: protocol.CanBlock, Limit: most, Source: "source"},
	{Name: "postToolUse", Outcome: protocol.Ending{Sure: true}, MapsTo: []protocol.EventType{protocol.PostToolCall}, Instead: []protocol.EventType{protocol.PostToolCallFailure},
		Limit: most, Source: "source"},
}

var (
	pathKeys  = []protocol.Key{{Portable: "file_path", Native: "path"}}
	writeKeys = []protocol.Key{
		{Portable: "file_path", Native: "path"},
		{Portable: "content", Native: "file_text"}, {Portable: "content", Native: "content"},
		{Portable: "old_string", Native: "old_str"}, {Portable: "new_string", Native: "new_str"},
	}
	editing = []string{protocol.EditFile}
)

// tools lists both the old names and those of Kiro's command line.
var tools = protocol.Tools{
	{Native: "execute_bash", Name: protocol.Shell},
	{Native: "execute_cmd", Name: protocol.Shell},
	{Native: "shell", Name: protocol.Shell},
	{Native: "fs_read", Name: protocol.ReadFile, Keys: pathKeys},
	{Native: "read", Name: protocol.ReadFile, Keys: pathKeys},
	{Native: "fs_write", Name: protocol.WriteFile, Also: editing, Keys: writeKeys},
	{Native: "write", Name: protocol.WriteFile, Also: editing, Keys: writeKeys},
	{Native: "grep", Name: protocol.Search},
	{Native: "glob", Name: protocol.Search},
	{Native: "web_fetch", Name: protocol.Fetch},
	{Native: "web_search", Name: protocol.WebSearch},
	{Native: "knowledge", Name: "knowledge", Does: protocol.Nothing},
	{Native: "todo_list", Name: "todo_list", Does: protocol.Nothing},
	{Native: "use_subagent", Name: "use_subagent", Does: protocol.Nothing},
	{Native: "delegate", Name: "delegate", Does: protocol.Nothing},
	{Native: "introspect", Name: "introspect", Does: protocol.Nothing},
	{Native: "use_aws", Name: "use_aws", Does: protocol.Nothing},
}

const seen = "source of 2026-08"

var quirks = []protocol.Quirk{
	{ID: "amazon-q/1", Seen: seen, Text: "each agent's file has its own hooks; ours go into all of them, and into q_cli_default.json, which replaces the built-in agent"},
	{ID: "amazon-q/2", Seen: seen, Text: "an agent's new file has no tools unless it names them; we write the default one like the built-in agent"},
	{ID: "amazon-q/3", Seen: seen, Text: "there is no session_id; we derive one from the working directory and the terminal"},
	{ID: "amazon-q/4", Seen: seen, Text: "tool calls have no id; tool_use_id is derived from the call, and is not treated as the agent's own"},
	{ID: "amazon-q/5", Seen: seen, Text: "answers are plain text, never JSON"},
	{ID: "amazon-q/6", Seen: seen, Text: "exit 2 blocks a tool call and nothing else"},
	{ID: "amazon-q/7", Seen: seen, Text: "10 KiB of output are kept unless an entry asks for more; ours asks for 64 KiB"},
	{ID: "amazon-q/8", Seen: seen, Text: "there is no event for a failed tool; postToolUse with success false becomes post-tool-call-failure"},
	{ID: "amazon-q/9", Seen: seen, Text: "fs_read takes several files, in operations; file_path is the first, file_paths are all"},
	{ID: "amazon-q/10", Seen: seen, Text: "fs_write writes or edits, depending on its command; the call is named after what it does"},
	{ID: "amazon-q/11", Seen: seen, Text: "MCP tools are named @SERVER/TOOL"},
	{ID: "amazon-q/12", Seen: seen, Text: "time limits are in milliseconds, as timeout_ms"},
	{ID: "amazon-q/13", Seen: seen, Text: "a stop cannot be blocked; there is no pre-agent-turn-stop"},
}
