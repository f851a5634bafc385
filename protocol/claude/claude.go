package claude

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

const id = "claude-code"

// Dialect is Claude Code.
var Dialect = &protocol.Dialect{
	ID:           id,
	Aliases:      []string{"claude"},
	Name:         "Claude Code",
	Observed:     "2.1.332",
	Doc:          "https://code.claude.com/docs/en/hooks",
	NativeEvents: natives,
	Others:       others,
	Tools:        tools,
	ToolSource:   "source",
	Quirks:       quirks,
	FieldMax:     fieldMax,
	StopMax:      8,
	Detect:       detect,
	Tells:        []string{"AI_AGENT", "CLAUDE_ENV_FILE", entrypoint, attended},
	Decode:       decode,
	Encode:       encode,
	Usage:        usage,
	Final:        finalText,
	Refused:      claudelike.Refused,
	Headless:     headless,
	Tongue:       tongue,
	TakesEnv:     takesEnv,
	NoOpinion:    protocol.Silence,
	Managed:      managed,
	Config:       config,
	Custom:       custom,
	MCP:          servers,
	Programs:     []string{"claude"},
	Markers:      []string{"CLAUDECODE"},
	Folder:       folder,
	Skills:       protocol.Skills{Project: ".claude/skills", User: folder},
	PlanMode:     true,
	Notes: []string{
		"open sessions pick up the change by themselves",
		"in an interactive session, hooks are held until the folder is trusted",
	},
}

// fieldMax is the most that one text of an answer can hold.
const fieldMax = 10_000

const feedback = protocol.CanContext | protocol.CanMessage

// natives are the events that concern us, in session order. There are 19 more;
// WorktreeCreate among them must never be registered, since a hook there replaces
// git's own work.
var natives = []protocol.Native{
	{Name: "SessionStart", MapsTo: []protocol.EventType{protocol.PreSession}, Can: feedback, Limit: most, Source: "observed"},
	{Name: "SessionEnd", MapsTo: []protocol.EventType{protocol.PostSession}, Limit: 60 * time.Second, Source: "observed"},
	{Name: "UserPromptSubmit", MapsTo: []protocol.EventType{protocol.PreAgentTurn}, Can: protocol.CanBlock | feedback, Limit: most, Source: "observed"},
	{Name: "Stop", MapsTo: []protocol.EventType{protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn},
		Can: protocol.CanBlock | protocol.CanContinue | protocol.CanMessage, Limit: most, Source: "observed"},
	{Name: "StopFailure", MapsTo: []protocol.EventType{protocol.PostAgentTurn}, Limit: most, Source: "observed"},
	{Name: "PreToolUse", MapsTo: []protocol.EventType{protocol.PreToolCall},
		Can: protocol.CanBlock | protocol.CanAsk | protocol.CanModify | protocol.CanAllow | feedback, Halts: true, Limit: most, Source: "observed"},
	{Name: "PreSkillShellCommand", MapsTo: []protocol.EventType{protocol.PreToolCall}, Can: protocol.CanBlock, Limit: most, Source: "observed"},
	{Name: "PermissionRequest", MapsTo: []protocol.EventType{protocol.PermissionRequest},
		Can: protocol.CanBlock | protocol.CanAllow | protocol.CanMessage, Limit: most, Source: "observed"},
	{Name: "PostToolUse", Outcome: protocol.Ending{Sure: true}, MapsTo: []protocol.EventType{protocol.PostToolCall}, Can: protocol.CanOutput | feedback, Halts: true, Limit: most, Source: "observed"},
	{Name: "PostToolUseFailure", Outcome: protocol.Ending{Exit: "^Exit code "}, MapsTo: []protocol.EventType{protocol.PostToolCallFailure}, Can: feedback, Limit: most, Source: "observed"},
	{Name: "SubagentStart", MapsTo: []protocol.EventType{protocol.PreSubagent}, Can: feedback, Limit: most, Source: "observed"},
	{Name: "SubagentStop", MapsTo: []protocol.EventType{protocol.PostSubagent},
		Can: protocol.CanBlock | protocol.CanContinue | protocol.CanMessage, Limit: most, Source: "observed"},
	{Name: "PreCompact", MapsTo: []protocol.EventType{protocol.PreContextCompact}, Can: protocol.CanBlock | protocol.CanContext, Limit: most, Source: "observed"},
	{Name: "PostCompact", MapsTo: []protocol.EventType{protocol.PostContextCompact}, Limit: most, Source: "documentation"},
	{Name: "Notification", MapsTo: []protocol.EventType{protocol.Notification}, Limit: most, Source: "observed"},
}

const most = protocol.MaxLimit

// tools is completed from the captures and the program's own list of tools. Keys are
// the portable ones unless stated otherwise.
var tools = protocol.Tools{
	{Native: "Bash", Name: protocol.Shell, Source: "observed"},
	{Native: "PowerShell", Name: protocol.Shell, Does: protocol.RawShell},
	{Native: "Read", Name: protocol.ReadFile, Source: "observed"},
	{Native: "NotebookRead", Name: protocol.ReadFile, Keys: []protocol.Key{{Portable: "file_path", Native: "notebook_path"}}},
	{Native: "Write", Name: protocol.WriteFile},
	{Native: "Edit", Name: protocol.EditFile},
	{Native: "MultiEdit", Name: protocol.EditFile},
	{Native: "NotebookEdit", Name: protocol.EditFile, Keys: []protocol.Key{
		{Portable: "file_path", Native: "notebook_path"}, {Portable: "new_string", Native: "new_source"}}},
	{Native: "Grep", Name: protocol.Search},
	{Native: "Glob", Name: protocol.Search},
	{Native: "WebFetch", Name: protocol.Fetch},
	{Native: "WebSearch", Name: protocol.WebSearch},
	{Native: "Agent", Name: protocol.Task},
	{Native: "Task", Name: protocol.Task},
	{Native: "Monitor", Name: "Monitor", Also: []string{protocol.Shell}, Does: protocol.Runs},
	{Native: "SlashCommand", Name: "SlashCommand", Does: protocol.Nothing},
	{Native: "Skill", Name: "Skill", Does: protocol.Nothing},
	{Native: "LSP", Name: "LSP", Does: protocol.Nothing},
	{Native: "TaskCreate", Name: "TaskCreate", Does: protocol.Nothing, Source: "observed"},
}

var quirks = []protocol.Quirk{
	{ID: "claude-code/1", Seen: "2.1.329", Text: "exit 2 shows the model the hook's whole command line; we print a block as JSON on exit 0"},
	{ID: "claude-code/2", Seen: "2.1.329", Text: "permissionDecision allow skips the user's permission prompt; we print it only to give a permission"},
	{ID: "claude-code/3", Seen: "2.1.329", Text: "SubagentStop also fires for the agent that compacts, with an empty agent_type; we ignore that"},
	{ID: "claude-code/4", Seen: "2.1.329", Text: "UserPromptSubmit also fires for the notice that a background task is done; its source is notification"},
	{ID: "claude-code/5", Seen: "2.1.329", Text: "SessionStart also fires after a compaction; it becomes pre-session with source compact"},
	{ID: "claude-code/6", Seen: "2.1.329", Text: "decision block on PostToolUse shows the model the command line too; feedback goes as additionalContext"},
	{ID: "claude-code/7", Seen: "2.1.329", Text: "the 9th block of Stop in a row is overridden and the result is then empty; our limit is 8"},
	{ID: "claude-code/8", Seen: "2.1.329", Text: "additionalContext on Stop makes it go on without an error banner; we use it for a follow-up, but not for a block"},
	{ID: "claude-code/9", Seen: "2.1.329", Text: "PreCompact takes plain text, which joins the instructions for the summary"},
	{ID: "claude-code/10", Seen: "2.1.329", Text: "an answer whose hookEventName is not the event's own is ignored completely; ours always matches"},
	{ID: "claude-code/11", Seen: "2.1.329", Text: "updatedInput replaces the whole input; we print it complete"},
	{ID: "claude-code/12", Seen: "2.1.239", Text: "SessionEnd has 1.5 s unless an entry asks for more, and at most 60 s; ours asks for 60 s"},
	{ID: "claude-code/13", Seen: "2.1.329", Text: "the version is only in AI_AGENT, with hyphens: claude-code_2-1-263_agent"},
	{ID: "claude-code/14", Seen: "2.1.329", Text: "session variables are set on SessionStart, through a file of export lines that CLAUDE_ENV_FILE names"},
	{ID: "claude-code/15", Seen: "2.1.329", Text: "exit 2 on PermissionRequest has no effect; a denial is decision with behavior deny"},
	{ID: "claude-code/16", Seen: "2.1.329", Text: "updatedToolOutput is ignored unless it has the tool's own shape; for an MCP tool we use updatedMCPToolOutput, and any other result stays"},
	{ID: "claude-code/17", Seen: "2.1.332", Text: "a shell command in the text of a skill is not a tool call: since 2.1.330 PreSkillShellCommand comes instead, which can only block it; before, no hook runs"},
}

// others are the program's remaining events; a hook on WorktreeCreate would replace
// git's own work.
var others = []string{
	"PostToolBatch", "UserPromptExpansion", "PreModelSwitch", "PostModelSwitch", "PermissionDenied", "Setup",
	"TeammateIdle", "TaskCreated", "TaskCompleted", "Elicitation", "ElicitationResult", "ConfigChange",
	"WorktreeCreate", "WorktreeRemove", "InstructionsLoaded", "CwdChanged", "FileChanged", "DirectoryAdded",
	"MessageDisplay",
}
