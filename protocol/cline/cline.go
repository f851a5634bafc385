package cline

import (
	"cmp"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

const id = "cline"

// Dialect is Cline.
var Dialect = &protocol.Dialect{
	ID:           id,
	Aliases:      []string{"cline-cli"},
	Name:         "Cline",
	Observed:     "3.0.65",
	Doc:          "https://github.com/cline/cline/tree/main/sdk/packages/core/src/hooks",
	NativeEvents: natives,
	Others:       []string{"PreCompact"}, // in its list of hooks, but never called
	EventName:    func(p protocol.Object) string { name, _ := nativeName(protocol.Input{Payload: p}); return name },
	Tools:        tools,
	ToolSource:   "source",
	Quirks:       quirks,
	FieldMax:     fieldMax,
	Detect:       detect,
	Decode:       decode,
	Encode:       encode,
	Input:        nativeInput,
	Refuse:       refuse,
	NoOpinion:    noOpinion,
	Config:       config,
	Custom:       custom,
	MCP:          servers,
	Markers:      []string{"CLINE_ACTIVE"},
	Programs:     []string{"cline"},
	Folder:       folder,
	Skills:       protocol.Skills{Project: ".agents/skills", User: protocol.SharedFolder},
	Notes: []string{
		"restart open runs",
		"the entries serve both the VS Code extension, where hooks must be switched on in its settings, and the terminal program, which runs no hooks with --yolo",
		"a single call cannot be denied: in place of a blocked command the program runs one that prints the reason and fails; any other block ends the whole run",
	},
}

var config = &protocol.Config{
	Shape:   protocol.Wrappers,
	File:    file,
	Unit:    time.Second,
	Windows: protocol.QuotePowerShell,
}

// folder is where the program keeps a user's files.
func folder(s protocol.Site) string {
	return cmp.Or(s.Getenv("CLINE_DIR"), s.Join(s.Home, ".cline"))
}

// file is the folder for hooks that both runtimes read (cline/1).
func file(s protocol.Site) string {
	return s.ByScope(s.Join(s.Project, ".clinerules", "hooks"), s.Join(s.Home, "Documents", "Cline", "Hooks"))
}

// fieldMax is the most that one text of an answer can hold.
const fieldMax = 50_000

// limit is the time that the extension gives a hook; the program gives hooks on tools
// 120 s (cline/10).
const limit = 30 * time.Second

var natives = []protocol.Native{
	{Name: "TaskStart", MapsTo: []protocol.EventType{protocol.PreSession}, Instead: []protocol.EventType{protocol.PreSubagent},
		Can: stopping, Lacks: stopping, Limit: limit, Source: "source"},
	{Name: "TaskResume", MapsTo: []protocol.EventType{protocol.PreSession}, Limit: limit, Source: "source"},
	{Name: "SessionShutdown", MapsTo: []protocol.EventType{protocol.PostSession}, Limit: limit, Source: "observed"},
	{Name: "UserPromptSubmit", MapsTo: []protocol.EventType{protocol.PreAgentTurn}, Can: stopping, Limit: limit, Source: "source"},
	{Name: "TaskComplete", MapsTo: []protocol.EventType{protocol.PostAgentTurnStop, protocol.PostAgentTurn},
		Instead: []protocol.EventType{protocol.PostSubagent}, Limit: limit, Source: "observed"},
	{Name: "TaskCancel", MapsTo: []protocol.EventType{protocol.PostAgentTurn}, Instead: []protocol.EventType{protocol.PostSubagent}, Limit: limit, Source: "source"},
	{Name: "TaskError", MapsTo: []protocol.EventType{protocol.PostAgentTurn}, Instead: []protocol.EventType{protocol.PostSubagent}, Limit: limit, Source: "observed"},
	{Name: "PreToolUse", MapsTo: []protocol.EventType{protocol.PreToolCall},
		Can: protocol.CanBlock | protocol.CanModify | feedback, Limit: limit, Source: "observed"},
	{Name: "PostToolUse", Outcome: protocol.Ending{Sure: true}, MapsTo: []protocol.EventType{protocol.PostToolCall}, Instead: []protocol.EventType{protocol.PostToolCallFailure},
		Can: feedback, Limit: limit, Source: "observed"},
}

const (
	feedback = protocol.CanContext | protocol.CanMessage
	stopping = protocol.CanBlock | protocol.CanMessage

	// What each runtime supports of these events.
	extension = protocol.CanBlock | feedback
	program   = protocol.CanBlock | protocol.CanModify | protocol.CanContext
)

var (
	pathKeys = []protocol.Key{{Portable: "file_path", Native: "path"}}
	taskKeys = []protocol.Key{{Portable: "prompt", Native: "task"}}
)

// tools are the program's, completed from the captures and its source, and those that
// the extension had before it adopted the program's. Keys are the portable ones
// unless stated otherwise; keys that hold lists are in lists.
var tools = protocol.Tools{
	{Native: "run_commands", Name: protocol.Shell, Keys: []protocol.Key{{Portable: "command", Native: "cmd"}}, Source: "observed"},
	{Native: "read_files", Name: protocol.ReadFile, Keys: []protocol.Key{{Portable: "file_path", Native: "path"}, {Portable: "file_path", Native: "filePath"}}},
	{Native: "editor", Name: protocol.EditFile, Also: writes, Keys: []protocol.Key{
		{Portable: "file_path", Native: "path"}, {Portable: "old_string", Native: "old_text"}, {Portable: "new_string", Native: "new_text"}}},
	{Native: "apply_patch", Name: protocol.EditFile, Also: writes},
	{Native: "search_codebase", Name: protocol.Search},
	{Native: "fetch_web_content", Name: protocol.Fetch},
	{Native: "web_search", Name: protocol.WebSearch},
	{Native: "spawn_agent", Name: protocol.Task, Keys: taskKeys, Source: "observed"},
	{Native: "execute_command", Name: protocol.Shell},
	{Native: "read_file", Name: protocol.ReadFile, Keys: pathKeys},
	{Native: "write_to_file", Name: protocol.WriteFile, Keys: pathKeys},
	{Native: "replace_in_file", Name: protocol.EditFile, Keys: []protocol.Key{{Portable: "file_path", Native: "path"}, {Portable: "new_string", Native: "diff"}}},
	{Native: "search_files", Name: protocol.Search, Keys: []protocol.Key{{Portable: "pattern", Native: "regex"}}},
	{Native: "list_files", Name: protocol.Search},
	{Native: "web_fetch", Name: protocol.Fetch},
	{Native: "browser_action", Name: protocol.Fetch},
	{Native: "new_task", Name: protocol.Task, Keys: []protocol.Key{{Portable: "prompt", Native: "context"}}},
	{Native: "new_rule", Name: protocol.WriteFile, Keys: pathKeys},
}

// writes are further names by which a matcher may mean a tool that edits and can
// create a file.
var writes = []string{protocol.WriteFile}

var quirks = []protocol.Quirk{
	{ID: "cline/1", Seen: "3.0.65", Text: "the extension and the program read the same folders; our entry is in one that both read, and only there"},
	{ID: "cline/2", Seen: "3.0.65", Text: "cancel on a tool call ends the whole run, and the model is told nothing; a single call cannot be denied (see cline/16)"},
	{ID: "cline/3", Seen: "3.0.65", Text: "exit codes are ignored, and exit 2 lets the call run; only JSON on stdout counts"},
	{ID: "cline/4", Seen: "3.0.65", Text: "the program starts hooks on TaskStart, UserPromptSubmit and at the end of a run but ignores their answers; only the extension can be stopped there"},
	{ID: "cline/5", Seen: "3.0.65", Text: "the extension shows errorMessage without cancel to the user, the program passes it to the model; we give the program none"},
	{ID: "cline/6", Seen: "3.0.65", Text: "the program's payloads use other names, such as tool_call for PreToolUse; we use the file's name"},
	{ID: "cline/7", Seen: "3.0.65", Text: "commands, files, queries and requests are lists; we read command, file_path, pattern and url from them, and write them back as lists"},
	{ID: "cline/8", Seen: "3.0.65", Text: "there is no event for a failed tool, and success may be true for a failed command; PostToolUse becomes post-tool-call-failure if it, or a part of it, has an error or success false"},
	{ID: "cline/9", Seen: "3.0.65", Text: "a subagent starts and ends like a task, with parent_agent_id; these become pre-subagent and post-subagent"},
	{ID: "cline/10", Seen: "3.0.65", Text: "the extension gives a hook 30 s, the program 120 s; we use 30 s"},
	{ID: "cline/11", Seen: "4.2.0", Text: "the extension's parameters are strings, even where the tool takes a list, and cannot be changed"},
	{ID: "cline/12", Seen: "4.2.0", Text: "the time is a string: milliseconds in the extension, ISO 8601 in the program"},
	{ID: "cline/13", Seen: "3.0.65", Text: "the program does not know its version: clineVersion is empty"},
	{ID: "cline/14", Seen: "3.0.65", Text: "a run cannot be made to go on at its end, and there is no event for a compaction, although a file of that name is accepted"},
	{ID: "cline/15", Seen: "3.0.65", Text: "SessionShutdown comes only after an abort or SIGINT; UserPromptSubmit does not come in a one-shot run"},
	{ID: "cline/16", Seen: "3.0.65", Text: "in the program, a blocked run_commands gets another command, started without a shell, that prints the reason and fails; hooks get no PostToolUse for it; [hooks] blocked_command = \"block\" ends the run instead, as does a block of any other tool"},
}
