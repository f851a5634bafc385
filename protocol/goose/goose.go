package goose

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

const id = "goose"

// Dialect is Goose.
var Dialect = &protocol.Dialect{
	ID:         id,
	Aliases:    []string{"block-goose"},
	Name:       "Goose",
	Doc:        "https://github.com/aaif-goose/goose/blob/main/crates/goose/src/hooks/mod.rs",
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
	Programs:   []string{"goose"},
	Folder:     folder,
	Skills:     protocol.Skills{Project: ".goose/skills", User: folder},
	Notes: []string{
		"sessions that are open must be started again",
		"Goose lists the plugin agents-hooks in its config.yaml, where it can be switched off",
	},
}

const most = protocol.MaxLimit

// natives are the events that concern us. BeforeReadFile, AfterFileEdit and the
// like tell again what the tool events tell.
var natives = []protocol.Native{
	{Name: "SessionStart", Feeds: []protocol.EventType{protocol.PreSession}, Can: protocol.CanMessage, Limit: most, Source: "source"},
	{Name: "SessionEnd", Feeds: []protocol.EventType{protocol.PostSession}, Limit: time.Minute, Source: "source"},
	{Name: "UserPromptSubmit", Feeds: []protocol.EventType{protocol.PreAgentTurn}, Limit: most, Source: "source"},
	{Name: "Stop", Feeds: []protocol.EventType{protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn},
		Can: protocol.CanBlock | protocol.CanContinue, Limit: most, Source: "source"},
	{Name: "PreToolUse", Feeds: []protocol.EventType{protocol.PreToolCall}, Can: protocol.CanBlock, Limit: most, Source: "source"},
	{Name: "PostToolUse", Outcome: protocol.Ending{Sure: true}, Feeds: []protocol.EventType{protocol.PostToolCall}, Limit: most, Source: "source"},
	{Name: "PostToolUseFailure", Feeds: []protocol.EventType{protocol.PostToolCallFailure}, Limit: most, Source: "source"},
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

// tools are those of the extension that Goose brings for developers. What
// text_editor does is said by its input (goose/7).
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
	{ID: "goose/1", Seen: seen, Text: "anything on stdout that is no verdict, {} too, makes the hook a failed one; no opinion is empty"},
	{ID: "goose/2", Seen: seen, Text: "the name of the event is the member event, that of a call's id tool_call_id, and a prompt is message"},
	{ID: "goose/3", Seen: seen, Text: "most payloads name no folder; it is that of the process"},
	{ID: "goose/4", Seen: seen, Text: "an answer has no words for the model; only the reason of a block reaches it"},
	{ID: "goose/5", Seen: seen, Text: "a message for the user is shown at the start of a session only, as its banner"},
	{ID: "goose/6", Seen: seen, Text: "a stop that is blocked again and again is not said to be; only our own guard ends it"},
	{ID: "goose/7", Seen: seen, Text: "text_editor reads, writes or edits, as its command says; the call is named after what it does"},
	{ID: "goose/8", Seen: seen, Text: "each tool is EXTENSION__TOOL, extensions are MCP servers; those that Goose does not bring itself are mcp__EXTENSION__TOOL"},
	{ID: "goose/9", Seen: seen, Text: "a matcher that is no regular expression, * too, drops the whole rule; none is written"},
}
