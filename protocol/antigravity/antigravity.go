package antigravity

import "github.com/agents-hooks/agents-hooks/protocol"

const id = "antigravity"

// Dialect is Antigravity.
var Dialect = &protocol.Dialect{
	ID:           id,
	Aliases:      []string{"agy"},
	Name:         "Antigravity",
	Doc:          "https://antigravity.google/docs/hooks",
	NativeEvents: natives,
	EventName:    func(protocol.Object) string { return "" },
	Untold:       []string{"pre-agent-turn.prompt", "post-tool-call.tool_response"},
	Tools:        tools,
	ToolSource:   "documentation",
	Quirks:       quirks,
	Detect:       detect,
	Decode:       decode,
	Encode:       encode,
	NoOpinion:    noOpinion,
	Config:       config,
	Markers:      []string{"ANTIGRAVITY_AGENT"},
	Programs:     []string{"agy", "antigravity"},
	Folder:       folder,
	Skills:       protocol.Skills{Project: ".agents/skills", User: folder},
	Notes: []string{
		"restart open sessions",
		"some versions of agy run only the hooks of installed plugins; agy's log says how many it loaded",
	},
}

const most = protocol.MaxLimit

// natives are the events that concern us. PostInvocation comes after each request
// to the model and has no counterpart.
var natives = []protocol.Native{
	{Name: "PreInvocation", MapsTo: []protocol.EventType{protocol.PreAgentTurn}, Can: protocol.CanContext,
		Limit: most, Source: "documentation", Unnamed: true, Flat: true},
	{Name: "Stop", MapsTo: []protocol.EventType{protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn},
		Can: protocol.CanBlock | protocol.CanContinue, Limit: most, Source: "documentation", Unnamed: true, Flat: true},
	{Name: "PreToolUse", MapsTo: []protocol.EventType{protocol.PreToolCall}, Can: protocol.CanBlock | protocol.CanAsk,
		Limit: most, Source: "documentation", Unnamed: true},
	{Name: "PostToolUse", Outcome: protocol.Ending{Sure: true}, MapsTo: []protocol.EventType{protocol.PostToolCall}, Instead: []protocol.EventType{protocol.PostToolCallFailure},
		Limit: most, Source: "documentation", Unnamed: true},
}

// tools maps Antigravity's names and keys.
var tools = protocol.Tools{
	{Native: "run_command", Name: protocol.Shell, Keys: []protocol.Key{{Portable: "command", Native: "CommandLine"}}},
	{Native: "view_file", Name: protocol.ReadFile, Keys: []protocol.Key{
		{Portable: "file_path", Native: "AbsolutePath"}, {Portable: "file_path", Native: "TargetFile"}}},
	{Native: "write_to_file", Name: protocol.WriteFile, Keys: []protocol.Key{
		{Portable: "file_path", Native: "TargetFile"}, {Portable: "content", Native: "CodeContent"}}},
	{Native: "replace_file_content", Name: protocol.EditFile, Keys: []protocol.Key{
		{Portable: "file_path", Native: "TargetFile"}, {Portable: "old_string", Native: "TargetContent"}, {Portable: "new_string", Native: "ReplacementContent"}}},
	{Native: "multi_replace_file_content", Name: protocol.EditFile, Keys: []protocol.Key{{Portable: "file_path", Native: "TargetFile"}}},
	{Native: "grep_search", Name: protocol.Search, Keys: []protocol.Key{
		{Portable: "pattern", Native: "Query"}, {Portable: "path", Native: "SearchPath"}}},
	{Native: "find_by_name", Name: protocol.Search, Keys: []protocol.Key{
		{Portable: "pattern", Native: "Pattern"}, {Portable: "path", Native: "SearchDirectory"}}},
	{Native: "codebase_search", Name: protocol.Search, Keys: []protocol.Key{{Portable: "pattern", Native: "Query"}}},
	{Native: "read_url_content", Name: protocol.Fetch, Keys: []protocol.Key{{Portable: "url", Native: "Url"}}},
	{Native: "search_web", Name: protocol.WebSearch},
	{Native: "send_command_input", Name: "send_command_input", Also: []string{protocol.Shell}, Does: protocol.Runs, Keys: []protocol.Key{{Portable: "command", Native: "Input"}}},
	{Native: "list_dir", Name: "list_dir", Does: protocol.Nothing},
	{Native: "command_status", Name: "command_status", Does: protocol.Nothing},
}

const seen = "documentation of 2026-10"

var quirks = []protocol.Quirk{
	{ID: "antigravity/1", Seen: seen, Text: "payloads do not name their event; the entry's command does, and without it we infer it from the members"},
	{ID: "antigravity/2", Seen: seen, Text: "a tool call without a verdict is refused; for no opinion we print decision allow, which does not skip the user's approval"},
	{ID: "antigravity/3", Seen: seen, Text: "a stop without a verdict is an error; for no opinion we print decision stop"},
	{ID: "antigravity/4", Seen: seen, Text: "decision ask is not asked if the user once chose always to allow; we print force_ask"},
	{ID: "antigravity/5", Seen: seen, Text: "PreInvocation comes before each request to the model; only the first of a turn, invocationNum 0, is pre-agent-turn"},
	{ID: "antigravity/6", Seen: seen, Text: "context is injected as a step, ephemeralMessage"},
	{ID: "antigravity/7", Seen: seen, Text: "two calls may have the same stepIdx; tool_use_id is derived from the call, and is not treated as the agent's own"},
	{ID: "antigravity/8", Seen: seen, Text: "there is no event for a failed tool; PostToolUse with an error becomes post-tool-call-failure"},
	{ID: "antigravity/9", Seen: seen, Text: "entries are grouped under a name of ours; those of PreInvocation and Stop are not in a group"},
	{ID: "antigravity/10", Seen: seen, Text: "the meaning of exit codes is not documented; ours is always 0"},
	{ID: "antigravity/11", Seen: seen, Text: "members of a tool's input are capitalised: CommandLine, TargetFile"},
}
