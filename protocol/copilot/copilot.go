package copilot

import "github.com/agents-hooks/agents-hooks/protocol"

const id = "copilot-cli"

// Dialect is GitHub Copilot CLI.
var Dialect = &protocol.Dialect{
	ID:             id,
	Aliases:        []string{"copilot", "copilot-cloud-agent"},
	Name:           "GitHub Copilot CLI",
	Observed:       "1.0.102",
	Doc:            "https://docs.github.com/en/copilot/reference/hooks-reference",
	NativeEvents:   natives,
	Others:         []string{"postResult", "preMcpToolCall", "prePRDescription", "userPromptTransformed"},
	EventName:      func(p protocol.Object) string { return nativeName(protocol.Input{Payload: p}) },
	Tools:          tools,
	ToolSource:     "source",
	Usage:          usage,
	Refused:        refused,
	RefusedLate:    true, // copilot-cli/22
	Final:          final,
	Quirks:         quirks,
	FieldMax:       fieldMax,
	StopMax:        7, // copilot-cli/8
	EchoesFollowup: true,
	Detect:         detect,
	Decode:         decode,
	Encode:         encode,
	Speaks:         speaks,
	Tongue:         tongue,
	NoOpinion:      protocol.EmptyObject,
	Managed:        managed,
	Config:         config,
	Custom:         custom,
	MCP:            servers,
	Programs:       []string{"copilot"},
	Markers:        []string{"COPILOT_CLI", "COPILOT_PROJECT_DIR", "COPILOT_HOOK_DIR"},
	Folder:         folder,
	Skills:         protocol.Skills{Project: ".agents/skills", User: folder},
	AlsoReads:      []string{"claude-code/project", "vscode"},
	BorrowSigns:    []string{"timestamp"},
	Notes: []string{
		"restart open sessions",
		"Copilot denies every tool call if the program that an entry names is gone: uninstall before you remove it, and do not commit a project's entry",
		"a project's entries run only in a folder that Copilot trusts; with -p it skips them silently",
		"in a project, Copilot also runs Claude Code's entries (.claude/settings.json and settings.local.json)",
	},
}

// fieldMax is the most that one text can hold: 10 KB are documented.
const fieldMax = 10_000

const (
	context  = protocol.CanContext
	feedback = protocol.CanContext | protocol.CanMessage
	goingOn  = protocol.CanBlock | protocol.CanContinue
)

const most = protocol.MaxLimit

var natives = []protocol.Native{
	{Name: "SessionStart", MapsTo: []protocol.EventType{protocol.PreSession}, Can: feedback, Limit: most, Source: "observed"},
	{Name: "SessionEnd", MapsTo: []protocol.EventType{protocol.PostSession}, Limit: most, Source: "observed"},
	{Name: "UserPromptSubmit", MapsTo: []protocol.EventType{protocol.PreAgentTurn}, Can: protocol.CanBlock | feedback, Limit: most, Source: "observed"},
	{Name: "Stop", MapsTo: []protocol.EventType{protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn},
		Can: goingOn | protocol.CanMessage, Limit: most, Source: "observed"},
	{Name: "ErrorOccurred", MapsTo: []protocol.EventType{protocol.PostAgentTurn}, Limit: most, Source: "observed"},
	{Name: "PreToolUse", MapsTo: []protocol.EventType{protocol.PreToolCall},
		Can: protocol.CanBlock | protocol.CanAsk | protocol.CanModify | protocol.CanAllow | feedback, Limit: most, Source: "observed"},
	{Name: "PermissionRequest", MapsTo: []protocol.EventType{protocol.PermissionRequest}, Can: protocol.CanBlock | protocol.CanAllow, Limit: most, Source: "observed", As: "permissionRequest"}, // copilot-cli/20
	{Name: "PostToolUse", Outcome: protocol.Ending{Sure: true, Exit: "completed with exit code "}, MapsTo: []protocol.EventType{protocol.PostToolCall}, Instead: []protocol.EventType{protocol.PostToolCallFailure},
		Can: protocol.CanOutput | feedback, Limit: most, Source: "observed"},
	{Name: "PostToolUseFailure", MapsTo: []protocol.EventType{protocol.PostToolCallFailure}, Can: context, Limit: most, Source: "observed"},
	{Name: "SubagentStart", MapsTo: []protocol.EventType{protocol.PreSubagent}, Can: context, Limit: most, Source: "observed", Unnamed: true}, // copilot-cli/3
	{Name: "SubagentStop", MapsTo: []protocol.EventType{protocol.PostSubagent}, Can: goingOn, Limit: most, Source: "observed"},
	{Name: "PreCompact", MapsTo: []protocol.EventType{protocol.PreContextCompact}, Limit: most, Source: "observed", As: "preCompact", Unnamed: true}, // copilot-cli/4
	{Name: "Notification", MapsTo: []protocol.EventType{protocol.Notification}, Limit: most, Source: "observed", As: "notification"},                 // copilot-cli/20
}

var (
	pathKeys  = []protocol.Key{{Portable: "file_path", Native: "path"}}
	writeKeys = []protocol.Key{{Portable: "file_path", Native: "path"}, {Portable: "content", Native: "file_text"}}
	editKeys  = []protocol.Key{{Portable: "file_path", Native: "path"}, {Portable: "old_string", Native: "old_str"}, {Portable: "new_string", Native: "new_str"}}
	findKeys  = []protocol.Key{{Portable: "path", Native: "paths"}}
	taskKeys  = []protocol.Key{{Portable: "subagent_type", Native: "agent_type"}}
)

// tools is completed from the captures and the program's own list of tools. The names
// of both forms are here; the keys are the tool's own in both. Keys are the portable
// ones unless stated otherwise.
var tools = protocol.Tools{
	{Native: "Bash", Name: protocol.Shell, Source: "observed"},
	{Native: "bash", Name: protocol.Shell, Source: "observed"},
	{Native: "powershell", Name: protocol.Shell, Does: protocol.RawShell},
	{Native: "Read", Name: protocol.ReadFile, Keys: pathKeys},
	{Native: "view", Name: protocol.ReadFile, Keys: pathKeys, Source: "observed"},
	{Native: "Write", Name: protocol.WriteFile, Keys: writeKeys, Source: "observed"},
	{Native: "create", Name: protocol.WriteFile, Keys: writeKeys},
	{Native: "Edit", Name: protocol.EditFile, Keys: editKeys, Source: "observed"},
	{Native: "edit", Name: protocol.EditFile, Keys: editKeys},
	{Native: "apply_patch", Name: protocol.EditFile, Also: []string{protocol.WriteFile, "Edit", "Write"}},
	{Native: "Grep", Name: protocol.Search, Keys: findKeys, Source: "observed"},
	{Native: "grep", Name: protocol.Search, Keys: findKeys},
	{Native: "rg", Name: protocol.Search, Keys: findKeys},
	{Native: "Glob", Name: protocol.Search, Keys: findKeys, Source: "observed"},
	{Native: "glob", Name: protocol.Search, Keys: findKeys},
	{Native: "WebFetch", Name: protocol.Fetch},
	{Native: "web_fetch", Name: protocol.Fetch},
	{Native: "WebSearch", Name: protocol.WebSearch},
	{Native: "web_search", Name: protocol.WebSearch},
	{Native: "Agent", Name: protocol.Task, Keys: taskKeys},
	{Native: "task", Name: protocol.Task, Keys: taskKeys},
	{Native: "write_bash", Name: "write_bash", Also: []string{protocol.Shell}, Does: protocol.Runs, Keys: []protocol.Key{{Portable: "command", Native: "input"}}},
	{Native: "write_powershell", Name: "write_powershell", Also: []string{protocol.Shell}, Does: protocol.RawShell, Keys: []protocol.Key{{Portable: "command", Native: "input"}}},
	{Native: "str_replace_editor", Name: protocol.EditFile, Also: []string{protocol.WriteFile}, Keys: editKeys},
	{Native: "read_bash", Name: "read_bash", Does: protocol.Nothing},
	{Native: "stop_bash", Name: "stop_bash", Does: protocol.Nothing},
	{Native: "report_intent", Name: "report_intent", Does: protocol.Nothing},
}

var quirks = []protocol.Quirk{
	{ID: "copilot-cli/1", Seen: "1.0.102", Text: "on a tool call any exit code but 0 denies, and 2 loses the reason; ours is always 0"},
	{ID: "copilot-cli/2", Seen: "1.0.102", Text: "the spelling of an event's name in the configuration selects the payload's form; we read both"},
	{ID: "copilot-cli/3", Seen: "1.0.102", Text: "SubagentStart gets a mix of both forms, without the event's name; its entry has --event"},
	{ID: "copilot-cli/4", Seen: "1.0.102", Text: "a compaction was seen only under the name preCompact; we register that name, with --event"},
	{ID: "copilot-cli/5", Seen: "1.0.102", Text: "hookSpecificOutput is ignored except on PreToolUse; we put every member at the top level, which all events accept"},
	{ID: "copilot-cli/6", Seen: "1.0.102", Text: "the reference says that a prompt cannot be blocked; decision block does block it, exit 2 does not"},
	{ID: "copilot-cli/7", Seen: "1.0.102", Text: "the text that makes it go on comes back as the prompt of a UserPromptSubmit; we do not report that as an event"},
	{ID: "copilot-cli/8", Seen: "1.0.102", Text: "a Stop hook that always blocks is overridden after 7 or 8 times in a row; our limit is 7"},
	{ID: "copilot-cli/9", Seen: "1.0.102", Text: "Stop also fires for subagents, before their SubagentStop; we do not report it there"},
	{ID: "copilot-cli/10", Seen: "1.0.102", Text: "UserPromptSubmit also fires for a subagent's task; its source is subagent"},
	{ID: "copilot-cli/11", Seen: "1.0.102", Text: "events in a subagent carry the subagent's id as the session; we report the session of parent_agent_id"},
	{ID: "copilot-cli/12", Seen: "1.0.102", Text: "a command with a non-zero exit code is reported as PostToolUse with success; its text shows the code, and it becomes post-tool-call-failure"},
	{ID: "copilot-cli/13", Seen: "1.0.102", Text: "calls have no id in either form; tool_use_id is derived from the call"},
	{ID: "copilot-cli/14", Seen: "1.0.102", Text: "MCP tools are named SERVER-TOOL, and both parts may have hyphens; a matcher tries every way to split the name"},
	{ID: "copilot-cli/15", Seen: "1.0.102", Text: "decision block on PostToolUse says that the result was blocked; we print a replaced result as modifiedResult and feedback as additionalContext"},
	{ID: "copilot-cli/16", Seen: "1.0.102", Text: "the second form names apply_patch Edit; the paths of its patch become file_path and file_paths"},
	{ID: "copilot-cli/17", Seen: "1.0.102", Text: "ErrorOccurred fires for each failed attempt to reach the model; each becomes post-agent-turn with status error, and no Stop follows the last"},
	{ID: "copilot-cli/18", Seen: "1.0.102", Text: "permissionDecision allow skips the user's permission prompt; we print it only to give a permission, since a changed input does not need it"},
	{ID: "copilot-cli/19", Seen: "1.0.102", Text: "a new session has the source new; it becomes startup"},
	{ID: "copilot-cli/20", Seen: "1.0.102", Text: "permission requests and notifications were seen only under permissionRequest and notification; we register those names. The first also fires with --allow-all-tools, and not for tools that only read"},
	{ID: "copilot-cli/21", Seen: "1.0.102", Text: "a line of stdout that is an object of type progress is shown to the user and is not part of the answer; versions before 1.0.55 do not know such lines, so we print none beside a verdict, and the message waits for the next prompt or stop"},
	{ID: "copilot-cli/22", Seen: "1.0.102", Text: "it writes its transcript some time after its events, also those of a short session's last turn; what it says of our answers is looked for again when stats, doctor or record --share is asked"},
}
