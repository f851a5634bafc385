package kimi

import (
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/kimilike"
)

const id = "kimi-code"

// Dialect is Kimi Code.
var Dialect = &protocol.Dialect{
	ID:         id,
	Aliases:    []string{"kimi"},
	Name:       "Kimi Code",
	Observed:   "2.1.0",
	Doc:        "https://moonshotai.github.io/kimi-code/en/customization/hooks.html",
	Natives:    natives,
	Others:     []string{"TaskStarted", "TurnStarted", "PermissionRequest", "PermissionResult", "SessionHeartbeat", "UserPromptQueued"},
	Tools:      tools,
	ToolSource: "source",
	Quirks:     quirks,
	StopMax:    1,
	Detect:     detect,
	Decode:     decode,
	Encode:     kimilike.Encode,
	NoOpinion:  kimilike.NoOpinion,
	Overheard:  true,
	Config:     config,
	Custom:     custom,
	MCP:        servers,
	Programs:   []string{"kimi"},
	Folder:     folder,
	Skills:     protocol.Skills{Project: ".agents/skills", User: protocol.SharedFolder},
	Notes: []string{
		"sessions that are open must be started again",
		"there is no configuration of a project: the entries are the user's",
		"in print mode (-p) there is no event at the end of a session",
	},
}

const most = protocol.MaxLimit

var natives = []protocol.Native{
	{Name: "SessionStart", Feeds: []protocol.EventType{protocol.PreSession}, Limit: most, Source: "observed"},
	{Name: "SessionEnd", Feeds: []protocol.EventType{protocol.PostSession}, Limit: most, Source: "source"},
	{Name: "UserPromptSubmit", Feeds: []protocol.EventType{protocol.PreAgentTurn},
		Can: protocol.CanBlock | protocol.CanContext, Limit: most, Source: "observed"},
	{Name: "Stop", Feeds: []protocol.EventType{protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn},
		Can: protocol.CanBlock | protocol.CanContinue, Limit: most, Source: "observed"},
	{Name: "StopFailure", Feeds: []protocol.EventType{protocol.PostAgentTurn}, Limit: most, Source: "observed"},
	{Name: "Interrupt", Feeds: []protocol.EventType{protocol.PostAgentTurn}, Limit: most, Source: "observed"},
	{Name: "PreToolUse", Feeds: []protocol.EventType{protocol.PreToolCall}, Can: protocol.CanBlock, Limit: most, Source: "observed"},
	{Name: "PostToolUse", Outcome: protocol.Ending{Sure: true}, Feeds: []protocol.EventType{protocol.PostToolCall}, Limit: most, Source: "observed"},
	{Name: "PostToolUseFailure", Feeds: []protocol.EventType{protocol.PostToolCallFailure}, Limit: most, Source: "observed"},
	{Name: "SubagentStart", Feeds: []protocol.EventType{protocol.PreSubagent}, Limit: most, Source: "observed"},
	{Name: "SubagentStop", Feeds: []protocol.EventType{protocol.PostSubagent}, Limit: most, Source: "observed"},
	{Name: "PreCompact", Feeds: []protocol.EventType{protocol.PreContextCompact}, Limit: most, Source: "observed"},
	{Name: "PostCompact", Feeds: []protocol.EventType{protocol.PostContextCompact}, Limit: most, Source: "observed"},
	{Name: "Notification", Feeds: []protocol.EventType{protocol.Notification}, Limit: most, Source: "observed"},
}

// pathKeys are those of the tools for files.
var pathKeys = []protocol.Key{{Portable: "file_path", Native: "path"}}

// tools is completed from the captures and the program's documentation. Its keys
// are the portable ones but where stated.
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
	{ID: "kimi-code/1", Seen: "2.1.0", Text: "on UserPromptSubmit whatever is printed reaches the model, {} too; no opinion is empty"},
	{ID: "kimi-code/2", Seen: "2.1.0", Text: "JSON is read on exit 0 only, and decision block at its top is not; a denial is permissionDecision on exit 0, on a prompt and a stop as well"},
	{ID: "kimi-code/3", Seen: "2.1.0", Text: "additionalContext on UserPromptSubmit shows the model the JSON itself; context is plain text, and one that begins with a brace goes as message"},
	{ID: "kimi-code/4", Seen: "2.1.0", Text: "the prompt is an array of parts; prompt is the text of them"},
	{ID: "kimi-code/5", Seen: "2.1.0", Text: "a stop is turned into going on once a turn: no Stop hook runs after that, and stop_hook_active is never true; at most 1 in a row"},
	{ID: "kimi-code/6", Seen: "2.1.0", Text: "Stop also fires when a subagent's turn ends, with nothing in it that tells; a block makes the subagent go on"},
	{ID: "kimi-code/7", Seen: "2.1.0", Text: "a blocked call is also reported as PostToolUseFailure, with the reason as its error"},
	{ID: "kimi-code/8", Seen: "2.1.0", Text: "the error of a tool is an object with code, message and retryable; error is its message"},
	{ID: "kimi-code/9", Seen: "2.1.0", Text: "the id of a call is tool_call_id, and its result is tool_output, a text cut at 2,000 characters"},
	{ID: "kimi-code/10", Seen: "2.1.0", Text: "answers to SessionStart, SubagentStart and PreCompact are waited for and ignored, those to PostToolUse and all later ones not even waited for"},
	{ID: "kimi-code/11", Seen: "0.38.0", Text: "a program before 0.32.0 refuses its whole configuration over UserPromptQueued, TurnStarted, TaskStarted or SessionHeartbeat; they are not registered"},
	{ID: "kimi-code/12", Seen: "0.38.0", Text: "an entry may have event, matcher, command and timeout; any other key makes the program refuse its configuration"},
	{ID: "kimi-code/13", Seen: "2.1.0", Text: "the path of a file is path, and of an edit old_string and new_string; file_path is added"},
	{ID: "kimi-code/14", Seen: "2.1.0", Text: "what a hook adds to a prompt is shown to the user, and nothing else is: crashes, time limits and the like wait for the next prompt and are told there, to the model too; a hook's own message is for the user alone and is not"},
}

func decode(in protocol.Input) ([]*protocol.Event, error) {
	return kimilike.Decode(in, id, natives, tools), nil
}

// detect tells Kimi Code by the name that it gives itself.
func detect(p protocol.Object) bool {
	return p.Text("client_type") == "kimi_code_cli"
}
