package kimi

import (
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/kimilike"
)

const id = "kimi-code"

// Dialect is Kimi Code.
var Dialect = &protocol.Dialect{
	ID:           id,
	Aliases:      []string{"kimi"},
	Name:         "Kimi Code",
	Observed:     "2.1.0",
	Doc:          "https://moonshotai.github.io/kimi-code/en/customization/hooks.html",
	NativeEvents: natives,
	Others:       []string{"TaskStarted", "TurnStarted", "PermissionRequest", "PermissionResult", "SessionHeartbeat", "UserPromptQueued"},
	Tools:        tools,
	ToolSource:   "source",
	Quirks:       quirks,
	StopMax:      1,
	Detect:       detect,
	Decode:       decode,
	Encode:       kimilike.Encode,
	NoOpinion:    protocol.Silence, // all that is printed on a prompt reaches the model, even an empty object
	Overheard:    true,
	Config:       config,
	Custom:       custom,
	MCP:          servers,
	Programs:     []string{"kimi"},
	Folder:       folder,
	Skills:       protocol.Skills{Project: ".agents/skills", User: protocol.SharedFolder},
	Notes: []string{
		"restart open sessions",
		"there is no project configuration: the entries are the user's",
		"in print mode (-p) there is no event at the end of a session",
	},
}

const most = protocol.MaxLimit

var natives = []protocol.Native{
	{Name: "SessionStart", MapsTo: []protocol.EventType{protocol.PreSession}, Limit: most, Source: "observed"},
	{Name: "SessionEnd", MapsTo: []protocol.EventType{protocol.PostSession}, Limit: most, Source: "source"},
	{Name: "UserPromptSubmit", MapsTo: []protocol.EventType{protocol.PreAgentTurn},
		Can: protocol.CanBlock | protocol.CanContext, Limit: most, Source: "observed"},
	{Name: "Stop", MapsTo: []protocol.EventType{protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn},
		Can: protocol.CanBlock | protocol.CanContinue, Limit: most, Source: "observed"},
	{Name: "StopFailure", MapsTo: []protocol.EventType{protocol.PostAgentTurn}, Limit: most, Source: "observed"},
	{Name: "Interrupt", MapsTo: []protocol.EventType{protocol.PostAgentTurn}, Limit: most, Source: "observed"},
	{Name: "PreToolUse", MapsTo: []protocol.EventType{protocol.PreToolCall}, Can: protocol.CanBlock, Limit: most, Source: "observed"},
	{Name: "PostToolUse", Outcome: protocol.Ending{Sure: true}, MapsTo: []protocol.EventType{protocol.PostToolCall}, Limit: most, Source: "observed"},
	{Name: "PostToolUseFailure", MapsTo: []protocol.EventType{protocol.PostToolCallFailure}, Limit: most, Source: "observed"},
	{Name: "SubagentStart", MapsTo: []protocol.EventType{protocol.PreSubagent}, Limit: most, Source: "observed"},
	{Name: "SubagentStop", MapsTo: []protocol.EventType{protocol.PostSubagent}, Limit: most, Source: "observed"},
	{Name: "PreCompact", MapsTo: []protocol.EventType{protocol.PreContextCompact}, Limit: most, Source: "observed"},
	{Name: "PostCompact", MapsTo: []protocol.EventType{protocol.PostContextCompact}, Limit: most, Source: "observed"},
	{Name: "Notification", MapsTo: []protocol.EventType{protocol.Notification}, Limit: most, Source: "observed"},
}

// pathKeys belong to the tools for files.
var pathKeys = []protocol.Key{{Portable: "file_path", Native: "path"}}

// tools is completed from the captures and the program's documentation. Keys are the
// portable ones unless stated otherwise.
var tools = protocol.Tools{
	{Native: "Bash", Name: protocol.Shell, Source: "observed"},
	{Native: "Read", Name: protocol.ReadFile, Keys: pathKeys},
	{Native: "ReadMediaFile", Name: protocol.ReadFile, Keys: pathKeys},
	{Native: "Write", Name: protocol.WriteFile, Keys: pathKeys},
	{Native: "Edit", Name: protocol.EditFile, Keys: pathKeys},
	{Native: "Grep", Name: protocol.Search},
	{Native: "Glob", Name: protocol.Search},
	{Native: "FetchURL", Name: protocol.Fetch},
	{Native: "WebSearch", Name: protocol.WebSearch},
	{Native: "Agent", Name: protocol.Task},
}

var quirks = []protocol.Quirk{
	{ID: "kimi-code/1", Seen: "2.1.0", Text: "on UserPromptSubmit all output reaches the model, even {}; for no opinion we print nothing"},
	{ID: "kimi-code/2", Seen: "2.1.0", Text: "JSON is read on exit 0 only, and a top-level decision block is ignored; a denial is permissionDecision on exit 0, on a prompt and a stop as well"},
	{ID: "kimi-code/3", Seen: "2.1.0", Text: "with additionalContext on UserPromptSubmit the model sees the raw JSON; we print context as plain text, or as message if it begins with a brace"},
	{ID: "kimi-code/4", Seen: "2.1.0", Text: "the prompt is an array of parts; we join their texts into prompt"},
	{ID: "kimi-code/5", Seen: "2.1.0", Text: "a stop can be blocked once a turn: no Stop hook runs after that, and stop_hook_active is never true; our limit is 1 in a row"},
	{ID: "kimi-code/6", Seen: "2.1.0", Text: "Stop also fires when a subagent's turn ends, and nothing in it says so; a block makes the subagent go on"},
	{ID: "kimi-code/7", Seen: "2.1.0", Text: "a blocked call is also reported as PostToolUseFailure, with the reason as its error"},
	{ID: "kimi-code/8", Seen: "2.1.0", Text: "a tool's error is an object with code, message and retryable; error is its message"},
	{ID: "kimi-code/9", Seen: "2.1.0", Text: "a call's id is tool_call_id, and its result is tool_output, a string cut at 2,000 characters"},
	{ID: "kimi-code/10", Seen: "2.1.0", Text: "it waits for answers to SessionStart, SubagentStart and PreCompact but ignores them; it does not wait for those to PostToolUse and later events"},
	{ID: "kimi-code/11", Seen: "0.38.0", Text: "versions before 0.32.0 reject a configuration that names UserPromptQueued, TurnStarted, TaskStarted or SessionHeartbeat; we do not register them"},
	{ID: "kimi-code/12", Seen: "0.38.0", Text: "an entry may have only event, matcher, command and timeout; any other key makes the program reject its configuration"},
	{ID: "kimi-code/13", Seen: "2.1.0", Text: "a file's path is path, and an edit has old_string and new_string; we add file_path"},
	{ID: "kimi-code/14", Seen: "2.1.0", Text: "only what a hook adds to a prompt is shown to the user: notices of crashes, time-outs and the like wait for the next prompt, where the model sees them too; a hook's own message is for the user alone and is not shown"},
}

func decode(in protocol.Input) ([]*protocol.Event, error) {
	return kimilike.Decode(in, id, natives, tools), nil
}

// detect recognises Kimi Code by the name that it calls itself.
func detect(p protocol.Object) bool {
	return p.Text("client_type") == "kimi_code_cli"
}
