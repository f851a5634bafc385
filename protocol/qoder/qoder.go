package qoder

import (
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

const id = "qoder"

// Dialect is Qoder CLI.
var Dialect = &protocol.Dialect{
	ID:           id,
	Aliases:      []string{"qodercli"},
	Name:         "Qoder CLI",
	Observed:     "1.1.52",
	Doc:          "https://docs.qoder.com/cli/hooks",
	NativeEvents: natives,
	Others:       others,
	Tools:        tools,
	ToolSource:   "source",
	Quirks:       quirks,
	FieldMax:     fieldMax,
	Detect:       detect,
	Tells:        []string{"QODER_HOOK_VERSION"},
	Decode:       decode,
	Encode:       encode,
	Refused:      claudelike.Refused,
	Speaks:       speaks,
	NoOpinion:    protocol.Silence,
	Config:       config,
	Custom:       custom,
	MCP:          servers,
	Programs:     []string{"qodercli"},
	Markers:      []string{"QODER_CLI"},
	Folder:       folder,
	Skills:       protocol.Skills{Project: ".qoder/skills", User: folder},
	Notes: []string{
		"restart open sessions",
		"in an interactive session, hooks are held until the folder is trusted",
	},
}

// fieldMax is the most that one text of an answer can hold (qoder/7).
const fieldMax = 10_000

const (
	most    = protocol.MaxLimit
	context = protocol.CanContext
	says    = protocol.CanContext | protocol.CanMessage
	goingOn = protocol.CanBlock | protocol.CanContinue
)

// natives are the events that concern us, in session order.
var natives = []protocol.Native{
	{Name: "SessionStart", MapsTo: []protocol.EventType{protocol.PreSession}, Can: says, Limit: most, Source: "observed"},
	{Name: "SessionEnd", MapsTo: []protocol.EventType{protocol.PostSession}, Limit: most, Source: "observed"},
	{Name: "UserPromptSubmit", MapsTo: []protocol.EventType{protocol.PreAgentTurn}, Can: protocol.CanBlock | says, Limit: most, Source: "observed"},
	{Name: "Stop", MapsTo: []protocol.EventType{protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn},
		Can: goingOn | protocol.CanMessage, Limit: most, Source: "observed"},
	{Name: "StopFailure", MapsTo: []protocol.EventType{protocol.PostAgentTurn}, Limit: most, Source: "observed"},
	{Name: "PreToolUse", MapsTo: []protocol.EventType{protocol.PreToolCall},
		Can: protocol.CanBlock | protocol.CanAsk | protocol.CanModify | protocol.CanAllow | says, Halts: true, Limit: most, Source: "observed"},
	{Name: "PermissionRequest", MapsTo: []protocol.EventType{protocol.PermissionRequest}, Can: protocol.CanBlock | protocol.CanAllow, Limit: most, Source: "observed"},
	{Name: "PostToolUse", Outcome: protocol.Ending{Sure: true}, MapsTo: []protocol.EventType{protocol.PostToolCall}, Can: protocol.CanOutput | says, Limit: most, Source: "observed"},
	{Name: "PostToolUseFailure", Outcome: protocol.Ending{Exit: "^Exit code "}, MapsTo: []protocol.EventType{protocol.PostToolCallFailure}, Can: context, Limit: most, Source: "observed"},
	{Name: "SubagentStart", MapsTo: []protocol.EventType{protocol.PreSubagent}, Can: context, Limit: most, Source: "observed"},
	{Name: "SubagentStop", MapsTo: []protocol.EventType{protocol.PostSubagent}, Can: goingOn, Limit: most, Source: "observed"},
	{Name: "PreCompact", MapsTo: []protocol.EventType{protocol.PreContextCompact}, Can: protocol.CanBlock | context, Limit: most, Source: "observed"},
	{Name: "PostCompact", MapsTo: []protocol.EventType{protocol.PostContextCompact}, Limit: most, Source: "observed"},
	{Name: "Notification", MapsTo: []protocol.EventType{protocol.Notification}, Limit: most, Source: "source"},
}

// others are the remaining events that the program offers.
var others = []string{
	"Setup", "ConfigChange", "TeammateIdle", "InstructionsLoaded", "CwdChanged", "FileChanged", "WorktreeCreate",
	"WorktreeRemove", "Elicitation", "ElicitationResult", "TaskCreated", "TaskCompleted", "PermissionDenied",
}

// notebookKeys belong to the tool for notebooks.
var notebookKeys = []protocol.Key{{Portable: "file_path", Native: "notebook_path"}, {Portable: "new_string", Native: "new_source"}}

// tools is completed from the captures and from what the program offers its model.
// Keys are the portable ones unless stated otherwise.
var tools = protocol.Tools{
	{Native: "Bash", Name: protocol.Shell, Source: "observed"},
	{Native: "Read", Name: protocol.ReadFile, Source: "observed"},
	{Native: "Write", Name: protocol.WriteFile, Source: "observed"},
	{Native: "Edit", Name: protocol.EditFile, Source: "observed"},
	{Native: "NotebookEdit", Name: protocol.EditFile, Keys: notebookKeys},
	{Native: "Grep", Name: protocol.Search},
	{Native: "Glob", Name: protocol.Search},
	{Native: "WebFetch", Name: protocol.Fetch},
	{Native: "WebSearch", Name: protocol.WebSearch},
	{Native: "Agent", Name: protocol.Task, Source: "observed"},
	{Native: "Monitor", Name: "Monitor", Also: []string{protocol.Shell}, Does: protocol.Runs},
	{Native: "Skill", Name: "Skill", Does: protocol.Nothing},
	{Native: "TaskCreate", Name: "TaskCreate", Does: protocol.Nothing},
}

var quirks = []protocol.Quirk{
	{ID: "qoder/1", Seen: "1.1.52", Text: "a block of a tool call shows the model and the user the hook's command before the reason, even in JSON; our entry has its arguments in a field of their own, and a statusMessage as its name"},
	{ID: "qoder/2", Seen: "1.1.52", Text: "permissionDecision allow skips the user's permission prompt; we print it only to give a permission, since a changed input does not need it"},
	{ID: "qoder/3", Seen: "1.1.52", Text: "in the mode that never asks, permissionDecision ask is ignored and the tool runs; there an ask becomes a block"},
	{ID: "qoder/4", Seen: "1.1.52", Text: "SessionStart also fires after a compaction; it becomes pre-session with source compact"},
	{ID: "qoder/5", Seen: "1.1.52", Text: "a variable in the file of QODER_ENV_FILE makes every command of its shell a syntax error; we write none"},
	{ID: "qoder/6", Seen: "1.1.52", Text: "PreCompact takes plain text, which joins the instructions for the summary; its name in hookSpecificOutput fails a check, and the answer is dropped"},
	{ID: "qoder/7", Seen: "1.1.52", Text: "of a context at a tool call the model gets 10,000 characters, and the name of a file with the rest"},
	{ID: "qoder/8", Seen: "1.1.52", Text: "an answer to PreToolUse that is not valid JSON denies the tool; we print one object or nothing"},
	{ID: "qoder/9", Seen: "1.1.52", Text: "decision block on PostToolUse shows the model the command line twice; feedback goes as additionalContext"},
	{ID: "qoder/10", Seen: "1.1.52", Text: "a Stop hook that always blocks loops for ever; only our own limit ends it"},
	{ID: "qoder/11", Seen: "1.1.52", Text: "Stop has no additionalContext; we print a follow-up as a block"},
	{ID: "qoder/12", Seen: "1.1.52", Text: "updatedToolOutput accepts a string as the result of any tool"},
	{ID: "qoder/13", Seen: "1.1.52", Text: "updatedInput replaces the whole input; we print it complete"},
	{ID: "qoder/14", Seen: "1.1.52", Text: "systemMessage is shown in its terminal, but not with a block, and not in a run with -p"},
}
