package pi

import (
	"cmp"
	_ "embed"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/jsplugin"
	"github.com/agents-hooks/agents-hooks/protocol/internal/opencodelike"
)

const id = "pi"

// Dialect is Pi.
var Dialect = &protocol.Dialect{
	ID:           id,
	Aliases:      []string{"pi-coding-agent"},
	Name:         "Pi",
	Observed:     "1.6.0",
	Doc:          "https://github.com/earendil-works/pi/blob/main/packages/coding-agent/docs/extensions.md",
	NativeEvents: natives,
	Others:       others,
	EventName:    func(p protocol.Object) string { return p.Text("hook") },
	Tools:        tools,
	ToolSource:   "source",
	Quirks:       quirks,
	Detect:       detect,
	Decode:       decode,
	Encode:       opencodelike.Encode,
	TakesEnv:     opencodelike.TakesEnv,
	NoOpinion:    protocol.Silence,
	Config:       config,
	Programs:     []string{"pi"},
	Markers:      []string{"PI_CODING_AGENT"},
	Folder:       folder,
	Skills:       protocol.Skills{Project: ".agents/skills", User: protocol.SharedFolder},
	Notes: []string{
		"restart open programs, or give them /reload",
		"Pi loads a project's extension once the project is trusted (before version 0.79 without asking), and only in the project's folder, not in folders below it",
	},
}

//go:embed plugin.js
var part string

var config = &protocol.Config{
	Shape: protocol.Plugin,
	File:  file,
	Unit:  time.Millisecond,
	Text:  func() string { return jsplugin.Source(part) },
}

// folder is where Pi keeps a user's files, on every system.
func folder(s protocol.Site) string {
	return cmp.Or(s.Getenv("PI_CODING_AGENT_DIR"), s.Join(s.Home, ".pi", "agent"))
}

func file(s protocol.Site) string {
	return s.ByScope(s.Join(s.Project, ".pi", "extensions", "agents-hooks.js"), s.Join(folder(s), "extensions", "agents-hooks.js"))
}

const (
	most     = protocol.MaxLimit
	feedback = protocol.CanContext | protocol.CanMessage
)

// natives are the extension events that concern us. Their time limits are our
// extension's own: the agent has none.
var natives = []protocol.Native{
	{Name: "session_start", MapsTo: []protocol.EventType{protocol.PreSession}, Can: feedback, Limit: most, Source: "observed"},
	{Name: "session_shutdown", MapsTo: []protocol.EventType{protocol.PostSession}, Limit: 10 * time.Second, Source: "observed"},
	{Name: "input", MapsTo: []protocol.EventType{protocol.PreAgentTurn}, Can: protocol.CanBlock | feedback, Limit: most, Source: "observed"},
	{Name: "agent_end", MapsTo: []protocol.EventType{protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn},
		Instead: []protocol.EventType{protocol.PostAgentTurn},
		Can:     protocol.CanBlock | protocol.CanContinue | protocol.CanMessage,
		Lacks:   protocol.CanBlock | protocol.CanContinue,
		Limit:   most, Source: "observed"},
	{Name: "tool_call", MapsTo: []protocol.EventType{protocol.PreToolCall},
		Can: protocol.CanBlock | protocol.CanAsk | protocol.CanModify | feedback, Limit: most, Source: "observed"},
	{Name: "tool_result", Outcome: protocol.Ending{Sure: true}, MapsTo: []protocol.EventType{protocol.PostToolCall}, Instead: []protocol.EventType{protocol.PostToolCallFailure},
		Can: protocol.CanOutput | feedback, Limit: most, Source: "observed"},
	{Name: "session_before_compact", MapsTo: []protocol.EventType{protocol.PreContextCompact}, Can: protocol.CanBlock | feedback, Limit: most, Source: "observed"},
	{Name: "session_compact", MapsTo: []protocol.EventType{protocol.PostContextCompact}, Can: protocol.CanMessage, Limit: most, Source: "source"},
}

var pathKeys = []protocol.Key{{Portable: "file_path", Native: "path"}}

// tools are those that come with the program. Extensions add others, among them the
// tools of MCP servers.
var tools = protocol.Tools{
	{Native: "bash", Name: protocol.Shell, Source: "observed"},
	{Native: "read", Name: protocol.ReadFile, Keys: pathKeys, Source: "observed"},
	{Native: "write", Name: protocol.WriteFile, Keys: pathKeys},
	{Native: "edit", Name: protocol.EditFile, Keys: pathKeys},
	{Native: "grep", Name: protocol.Search},
	{Native: "find", Name: protocol.Search},
	{Native: "ls", Name: protocol.Search},
}

var quirks = []protocol.Quirk{
	{ID: "pi/1", Seen: "0.73.1", Text: "hooks cannot be commands; our extension calls the dispatcher, with its own time limits"},
	{ID: "pi/2", Seen: "0.73.1", Text: "it has no permissions and never asks its user; our extension asks in the terminal interface, and elsewhere an ask becomes a block"},
	{ID: "pi/3", Seen: "0.73.1", Text: "an error in tool_call blocks the call, in any other event it is ignored; our extension never throws"},
	{ID: "pi/4", Seen: "0.73.1", Text: "a call's input is changed in place and not validated again"},
	{ID: "pi/5", Seen: "0.73.1", Text: "edit takes a list of edits with oldText and newText; hooks can read the first one as old_string and new_string"},
	{ID: "pi/6", Seen: "0.73.1", Text: "tool_result also reports failed calls, with isError; a command with a non-zero exit code is one"},
	{ID: "pi/7", Seen: "0.73.1", Text: "a call of a tool that does not exist, or with an invalid input, has no event"},
	{ID: "pi/8", Seen: "0.73.1", Text: "a prompt that is not sent leaves no trace: pi -p would exit with 0 and an earlier answer; our extension makes it exit with 1 and the reason on stderr"},
	{ID: "pi/9", Seen: "0.73.1", Text: "context at a session's start or with a prompt can only be a message beside the prompt, which the session keeps"},
	{ID: "pi/10", Seen: "0.73.1", Text: "pi -p does not wait for an extension at agent_end; our extension runs the hooks at the last message instead, and holds the program until they have answered"},
	{ID: "pi/11", Seen: "0.73.1", Text: "a message from the extension makes it go on; that is not a prompt and does not come back as input"},
	{ID: "pi/12", Seen: "0.73.1", Text: "agent_end comes after each failed attempt at a request; each becomes post-agent-turn"},
	{ID: "pi/13", Seen: "0.73.1", Text: "session_start says startup for a resumed session; if the session has messages, it becomes resume"},
	{ID: "pi/14", Seen: "0.73.1", Text: "its events do not say whether the user requested a compaction; it is auto if the context has reached the agent's limit, or the last request failed"},
	{ID: "pi/15", Seen: "0.73.1", Text: "an extension cannot add instructions for the summary; context goes as one of the messages that are summarised"},
	{ID: "pi/16", Seen: "0.73.1", Text: "/reload reloads extensions in the middle of a session; for hooks the session neither ends nor begins"},
	{ID: "pi/17", Seen: "0.73.1", Text: "pi -p compacts as it exits: session_before_compact comes together with session_shutdown, and session_compact after extensions have been detached; 1.6.0 waits for it"},
}

// others are the remaining events that an extension can listen to.
var others = []string{
	"after_provider_response", "agent_before_settle", "agent_settled", "agent_start", "before_agent_start", "before_provider_headers",
	"before_provider_request", "cache_warming_decision", "context", "context_with_system", "mcp_servers_change", "message_end", "message_start",
	"message_update", "model_select", "project_trust", "provider_stream_event", "resources_discover", "session_before_fork", "session_before_switch",
	"session_before_tree", "session_compact_failed", "session_info_changed", "session_tree", "thinking_level_select", "tool_execution_end",
	"tool_execution_start", "tool_execution_update", "turn_end", "turn_start", "ui_prompt_end", "ui_prompt_start", "user_bash",
}
