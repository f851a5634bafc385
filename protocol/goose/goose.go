package goose

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

const id = "goose"

// Dialect is Goose.
var Dialect = &protocol.Dialect{
	ID:           id,
	Aliases:      []string{"block-goose"},
	Name:         "Goose",
	Doc:          "https://github.com/aaif-goose/goose/blob/main/crates/goose/src/hooks/mod.rs",
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
	Markers:      []string{"GOOSE_TERMINAL"},
	Programs:     []string{"goose"},
	Folder:       folder,
	Skills:       protocol.Skills{Project: ".goose/skills", User: folder},
	Notes: []string{
		"restart open sessions",
		"Goose lists the plugin agents-hooks in its config.yaml, where you can switch it off",
	},
}

const most = protocol.MaxLimit

// natives are the events that concern us. BeforeReadFile, AfterFileEdit and the like
// repeat what the tool events say.
var natives = []protocol.Native{
	{Name: "SessionStart", MapsTo: []protocol.EventType{protocol.PreSession}, Can: protocol.CanMessage, Limit: most, Source: "source"},
	{Name: "SessionEnd", MapsTo: []protocol.EventType{protocol.PostSession}, Limit: time.Minute, Source: "source"},
	{Name: "UserPromptSubmit", MapsTo: []protocol.EventType{protocol.PreAgentTurn}, Limit: most, Source: "source"},
	{Name: "Stop", MapsTo: []protocol.EventType{protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn},
		Can: protocol.CanBlock | protocol.CanContinue, Limit: most, Source: "source"},
	{Name: "PreToolUse", MapsTo: []protocol.EventType{protocol.PreToolCall}, Can: protocol.CanBlock, Limit: most, Source: "source"},
	{Name: "PostToolUse", Outcome: protocol.Ending{Sure: true}, MapsTo: []protocol.EventType{protocol.PostToolCall}, Limit: most, Source: "source"},
	{Name: "PostToolUseFailure", MapsTo: []protocol.EventType{protocol.PostToolCallFailure}, Limit: most, Source: "source"},
}

var (
	pathKeys  = []protocol.Key{{Portable: "file_path", Native: "path"}}
	writeKeys = []protocol.Key{{Portable: "file_path", Native: "path"}, {Portable: "content", Native: "file_text"}}
	editKeys  = []protocol.Key{
		{Portable: "file_path", Native: "path"},
		{Portable: "old_string", Native: "old_str"}, {Portable: "old_string", Native: "before"},
		{Portable: "new_string", Native: "new_str"}, {Portable: "new_string", Native: "after"},
	}
)

// tools are those of Goose's developer extension. The input says what text_editor
// does (goose/7).
var tools = protocol.Tools{
	{Native: "developer__shell", Name: protocol.Shell},
	{Native: "developer__text_editor", Name: protocol.EditFile, Also: []string{protocol.ReadFile, protocol.WriteFile}, Keys: editKeys},
	{Native: "developer__write", Name: protocol.WriteFile, Keys: writeKeys},
	{Native: "developer__edit", Name: protocol.EditFile, Keys: editKeys},
	{Native: "developer__read_file", Name: protocol.ReadFile, Keys: pathKeys},
	{Native: "shell", Name: protocol.Shell},
	{Native: "text_editor", Name: protocol.EditFile, Also: []string{protocol.ReadFile, protocol.WriteFile}, Keys: editKeys},
	{Native: "write", Name: protocol.WriteFile, Keys: writeKeys},
	{Native: "edit", Name: protocol.EditFile, Keys: editKeys},
	{Native: "computercontroller__automation_script", Name: "computercontroller__automation_script", Also: []string{protocol.Shell}, Does: protocol.Runs},
}

const seen = "source of 2026-08"

var quirks = []protocol.Quirk{
	{ID: "goose/1", Seen: seen, Text: "any output that is not a verdict, even {}, makes the hook fail; for no opinion we print nothing"},
	{ID: "goose/2", Seen: seen, Text: "the event's name is event, a call's id is tool_call_id, and a prompt is message"},
	{ID: "goose/3", Seen: seen, Text: "most payloads name no folder; we use the process's"},
	{ID: "goose/4", Seen: seen, Text: "of an answer only the reason of a block reaches the model"},
	{ID: "goose/5", Seen: seen, Text: "a message for the user is shown only at the start of a session, as a banner"},
	{ID: "goose/6", Seen: seen, Text: "it does not say whether a stop was blocked before; only our own limit ends a loop"},
	{ID: "goose/7", Seen: seen, Text: "text_editor reads, writes or edits, depending on its command; the call is named after what it does"},
	{ID: "goose/8", Seen: seen, Text: "each tool is EXTENSION__TOOL, and extensions are MCP servers; we name those that Goose does not ship mcp__EXTENSION__TOOL"},
	{ID: "goose/9", Seen: seen, Text: "a matcher that is not a regular expression, such as *, drops the whole rule; we write none"},
}
