package gemini

import "github.com/agents-hooks/agents-hooks/protocol"

const id = "gemini-cli"

// Dialect is Gemini CLI.
var Dialect = &protocol.Dialect{
	ID:             id,
	Aliases:        []string{"gemini"},
	Name:           "Gemini CLI",
	Observed:       "0.61.0",
	Doc:            "https://github.com/google-gemini/gemini-cli/tree/main/docs/hooks",
	NativeEvents:   natives,
	Others:         []string{"BeforeModel", "AfterModel", "BeforeToolSelection"},
	Tools:          tools,
	ToolSource:     "source",
	Usage:          usage,
	Quirks:         quirks,
	EchoesFollowup: true,
	Detect:         detect,
	Decode:         decode,
	Encode:         encode,
	NoOpinion:      protocol.EmptyObject, // gemini-cli/1
	Managed:        managed,
	Tongue:         tongue,
	Config:         config,
	Custom:         custom,
	MCP:            servers,
	Programs:       []string{"gemini"},
	Markers:        []string{"GEMINI_CLI", "GEMINI_SESSION_ID"},
	Folder:         folder,
	Skills:         protocol.Skills{Project: ".gemini/skills", User: folder},
	Notes: []string{
		"restart open sessions",
		"in an untrusted folder no hooks run at all",
	},
}

const feedback = protocol.CanContext | protocol.CanMessage

const most = protocol.MaxLimit

var natives = []protocol.Native{
	{Name: "SessionStart", MapsTo: []protocol.EventType{protocol.PreSession}, Can: feedback, Limit: most, Source: "observed"},
	{Name: "SessionEnd", MapsTo: []protocol.EventType{protocol.PostSession}, Can: protocol.CanMessage, Limit: most, Source: "observed"},
	{Name: "BeforeAgent", MapsTo: []protocol.EventType{protocol.PreAgentTurn}, Can: protocol.CanBlock | feedback, Limit: most, Source: "observed"},
	{Name: "AfterAgent", MapsTo: []protocol.EventType{protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn},
		Can: protocol.CanBlock | protocol.CanContinue | protocol.CanMessage, Limit: most, Source: "observed"},
	{Name: "BeforeTool", MapsTo: []protocol.EventType{protocol.PreToolCall},
		Can: protocol.CanBlock | protocol.CanAsk | protocol.CanModify | protocol.CanMessage, Halts: true, Limit: most, Source: "observed"},
	{Name: "AfterTool", Outcome: protocol.Ending{Sure: true, Exit: "\nExit Code: "}, MapsTo: []protocol.EventType{protocol.PostToolCall}, Instead: []protocol.EventType{protocol.PostToolCallFailure},
		Can: protocol.CanOutput | feedback, Halts: true, Limit: most, Source: "observed"},
	{Name: "PreCompress", MapsTo: []protocol.EventType{protocol.PreContextCompact}, Can: protocol.CanMessage, Limit: most, Matcher: "manual", Source: "observed"},
	{Name: "Notification", MapsTo: []protocol.EventType{protocol.Notification}, Can: protocol.CanMessage, Limit: most, Source: "observed"},
}

// pathKeys are a search's: newer versions call the folder dir_path.
var pathKeys = []protocol.Key{{Portable: "path", Native: "dir_path"}}

var taskKeys = []protocol.Key{{Portable: "subagent_type", Native: "agent_name"}}

// tools is completed from the captures and the program's own list of tools. Its
// keys are the portable ones unless stated otherwise.
var tools = protocol.Tools{
	{Native: "run_shell_command", Name: protocol.Shell, Source: "observed"},
	{Native: "read_file", Name: protocol.ReadFile, Keys: []protocol.Key{{Portable: "file_path", Native: "absolute_path"}}},
	{Native: "read_many_files", Name: protocol.ReadFile},
	{Native: "write_file", Name: protocol.WriteFile},
	{Native: "replace", Name: protocol.EditFile},
	{Native: "grep_search", Name: protocol.Search, Keys: pathKeys},
	{Native: "search_file_content", Name: protocol.Search, Keys: pathKeys},
	{Native: "glob", Name: protocol.Search, Keys: pathKeys},
	{Native: "web_fetch", Name: protocol.Fetch},
	{Native: "google_web_search", Name: protocol.WebSearch},
	{Native: "invoke_agent", Name: protocol.Task, Keys: taskKeys},
	{Native: "delegate_to_agent", Name: protocol.Task, Keys: taskKeys},
	{Native: "list_directory", Name: "list_directory", Does: protocol.Nothing},
	{Native: "save_memory", Name: "save_memory", Does: protocol.Nothing},
	{Native: "write_todos", Name: "write_todos", Does: protocol.Nothing},
}

var quirks = []protocol.Quirk{
	{ID: "gemini-cli/1", Seen: "0.61.0", Text: "if stdout is empty, stderr is taken as the answer; for no opinion we print {} and leave stderr empty"},
	{ID: "gemini-cli/2", Seen: "0.61.0", Text: "any exit code above 1 with some output denies; ours is always 0"},
	{ID: "gemini-cli/3", Seen: "0.61.0", Text: "tool calls have no id; tool_use_id is derived from the call, and is not treated as the agent's own"},
	{ID: "gemini-cli/4", Seen: "0.61.0", Text: "additionalContext on BeforeTool does not reach the model; we do not print it"},
	{ID: "gemini-cli/5", Seen: "0.61.0", Text: "PreCompress with trigger auto fires before every request to the model; our entry's matcher excludes it"},
	{ID: "gemini-cli/6", Seen: "0.61.0", Text: "the reason that makes it go on comes back as the prompt of a BeforeAgent; we do not report that as an event"},
	{ID: "gemini-cli/7", Seen: "0.61.0", Text: "without a terminal, context given at the start precedes the first prompt in <hook_context>; we strip it"},
	{ID: "gemini-cli/8", Seen: "0.61.0", Text: "there is no event for a failed tool; AfterTool with tool_response.error becomes post-tool-call-failure"},
	{ID: "gemini-cli/9", Seen: "0.61.0", Text: "a denial on AfterTool replaces the tool's result, as an error, and we use it only for that; feedback goes as additionalContext"},
	{ID: "gemini-cli/10", Seen: "0.61.0", Text: "ask without a terminal ends the program with no output; we print it all the same"},
	{ID: "gemini-cli/11", Seen: "0.61.0", Text: "an AfterAgent hook that always denies loops for ever, 554 times in 20 s; only our own limit ends it"},
	{ID: "gemini-cli/12", Seen: "0.61.0", Text: "time limits are in milliseconds"},
	{ID: "gemini-cli/13", Seen: "0.61.0", Text: "MCP tools are named mcp_SERVER_TOOL, which cannot be split; mcp_context has both parts"},
	{ID: "gemini-cli/14", Seen: "0.61.0", Text: "tool_input in an answer is documented as merged but used as it is; we print it complete"},
	{ID: "gemini-cli/15", Seen: "0.61.0", Text: "web_fetch takes its URLs inside a prompt; url is the first of them"},
	{ID: "gemini-cli/16", Seen: "0.61.0", Text: "its terminal shows a denied call as failed or not at all, and never the reason; we send the reason as a message as well"},
}
