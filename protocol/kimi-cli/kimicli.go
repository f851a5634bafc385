package kimicli

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/kimilike"
)

const id = "kimi-cli"

// Dialect is Kimi CLI.
var Dialect = &protocol.Dialect{
	ID:           id,
	Aliases:      []string{"kimi-legacy"},
	Name:         "Kimi CLI (legacy)",
	Doc:          "https://github.com/MoonshotAI/kimi-cli/tree/main/src/kimi_cli/hooks",
	NativeEvents: natives,
	Tools:        tools,
	ToolSource:   "source",
	Quirks:       quirks,
	StopMax:      1,
	Detect:       detect,
	Decode:       decode,
	Encode:       kimilike.Encode,
	NoOpinion:    protocol.Silence, // all that is printed on a prompt reaches the model, even an empty object
	Config:       config,
	MCP:          servers,
	Programs:     []string{"kimi-cli"},
	Folder:       folder,
	Skills:       protocol.Skills{Project: ".agents/skills", User: folder},
	Notes: []string{
		"restart open sessions",
		"there is no project configuration: the entries are the user's",
	},
}

const most = protocol.MaxLimit

var natives = []protocol.Native{
	{Name: "SessionStart", MapsTo: []protocol.EventType{protocol.PreSession}, Limit: most, Source: "source"},
	{Name: "SessionEnd", MapsTo: []protocol.EventType{protocol.PostSession}, Limit: 5 * time.Second, Source: "source"},
	{Name: "UserPromptSubmit", MapsTo: []protocol.EventType{protocol.PreAgentTurn}, Can: protocol.CanBlock, Limit: most, Source: "source"},
	{Name: "Stop", MapsTo: []protocol.EventType{protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn},
		Can: protocol.CanBlock | protocol.CanContinue, Limit: most, Source: "source"},
	{Name: "StopFailure", MapsTo: []protocol.EventType{protocol.PostAgentTurn}, Limit: most, Source: "source"},
	{Name: "PreToolUse", MapsTo: []protocol.EventType{protocol.PreToolCall}, Can: protocol.CanBlock, Limit: most, Source: "source"},
	{Name: "PostToolUse", Outcome: protocol.Ending{Sure: true}, MapsTo: []protocol.EventType{protocol.PostToolCall}, Limit: most, Source: "source"},
	{Name: "PostToolUseFailure", MapsTo: []protocol.EventType{protocol.PostToolCallFailure}, Limit: most, Source: "source"},
	{Name: "SubagentStart", MapsTo: []protocol.EventType{protocol.PreSubagent}, Limit: most, Source: "source"},
	{Name: "SubagentStop", MapsTo: []protocol.EventType{protocol.PostSubagent}, Limit: most, Source: "source"},
	{Name: "PreCompact", MapsTo: []protocol.EventType{protocol.PreContextCompact}, Limit: most, Source: "source"},
	{Name: "PostCompact", MapsTo: []protocol.EventType{protocol.PostContextCompact}, Limit: most, Source: "source"},
	{Name: "Notification", MapsTo: []protocol.EventType{protocol.Notification}, Limit: most, Source: "source"},
}

// pathKeys belong to the tools for files.
var pathKeys = []protocol.Key{{Portable: "file_path", Native: "path"}}

// tools is from the program's source. Keys are the portable ones unless stated
// otherwise.
var tools = protocol.Tools{
	{Native: "Shell", Name: protocol.Shell},
	{Native: "ReadFile", Name: protocol.ReadFile, Keys: pathKeys},
	{Native: "ReadMediaFile", Name: protocol.ReadFile, Keys: pathKeys},
	{Native: "WriteFile", Name: protocol.WriteFile, Keys: pathKeys},
	{Native: "StrReplaceFile", Name: protocol.EditFile, Keys: pathKeys},
	{Native: "Grep", Name: protocol.Search},
	{Native: "Glob", Name: protocol.Search, Keys: []protocol.Key{{Portable: "path", Native: "directory"}}},
	{Native: "FetchURL", Name: protocol.Fetch},
	{Native: "SearchWeb", Name: protocol.WebSearch},
	{Native: "Agent", Name: protocol.Task},
	{Native: "Task", Name: protocol.Task, Keys: []protocol.Key{{Portable: "subagent_type", Native: "subagent_name"}}},
}

var quirks = []protocol.Quirk{
	{ID: "kimi-cli/1", Seen: "1.49.0", Text: "a hook's output is documented as context but not used; we print none"},
	{ID: "kimi-cli/2", Seen: "1.49.0", Text: "JSON is read on exit 0 only, and only its permissionDecision deny counts, on a prompt and a stop as well"},
	{ID: "kimi-cli/3", Seen: "1.49.0", Text: "a stop can be blocked once a turn, and stop_hook_active is always false; our limit is 1 in a row"},
	{ID: "kimi-cli/4", Seen: "1.49.0", Text: "a call's id is tool_call_id, its result is tool_output, its error is a string"},
	{ID: "kimi-cli/5", Seen: "1.49.0", Text: "an edit is an object with old and new, or a list of them; for a single one we add old_string and new_string"},
	{ID: "kimi-cli/6", Seen: "1.49.0", Text: "an entry may have only event, matcher, command and timeout; any other key makes the program reject its configuration"},
	{ID: "kimi-cli/7", Seen: "1.49.0", Text: "nothing in a payload identifies the program; we recognise it by what is missing"},
	{ID: "kimi-cli/8", Seen: "1.49.0", Text: "a subagent's task and result are cut at 500 characters"},
	{ID: "kimi-cli/9", Seen: "1.49.0", Text: "hooks of SessionEnd get 5 s, whatever the entry says; we write 5 s"},
}

func decode(in protocol.Input) ([]*protocol.Event, error) {
	return kimilike.Decode(in, id, natives, tools), nil
}

// detect recognises Kimi CLI by a call's id, or by having all its members and none
// that other agents add to them (kimi-cli/7).
func detect(p protocol.Object) bool {
	name := p.Text("hook_event_name")
	if _, ours := protocol.FindNative(natives, name); !ours && name != "Notification" || p.Text("session_id") == "" || p.Text("cwd") == "" {
		return false
	}
	for _, foreign := range [...]string{
		"client_type", "conversation_id", "cursor_version", "generation_id", "model", "permission_mode", "prompt_id",
		"timestamp", "tool_use_id", "transcript_path", "turn_id", "workspace_roots",
	} {
		if p.Has(foreign) {
			return false
		}
	}
	return !p.Has("tool_name") || p.Text("tool_call_id") != ""
}
