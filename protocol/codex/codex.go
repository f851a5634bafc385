package codex

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

const id = "codex"

// Dialect is OpenAI Codex.
var Dialect = &protocol.Dialect{
	ID:           id,
	Aliases:      []string{"codex-cli"},
	Name:         "OpenAI Codex",
	Observed:     "0.171.0",
	Doc:          "https://developers.openai.com/codex/hooks",
	NativeEvents: natives,
	Others:       []string{"PreModelRequest", "PostModelRequest"},
	Tools:        tools,
	ToolSource:   "source",
	Quirks:       quirks,
	FieldMax:     fieldMax,
	Detect:       detect,
	Decode:       decode,
	Applies:      takes,
	Input:        input,
	Encode:       encode,
	Usage:        usage,
	Final:        final,
	Headless:     headless,
	NoOpinion:    protocol.Silence,
	Managed:      managed,
	Config:       config,
	Custom:       custom,
	MCP:          servers,
	Programs:     []string{"codex"},
	Markers:      []string{"CODEX_THREAD_ID", "CODEX_SESSION_ID", "CODEX_TOOL_CALL_ID", "CODEX_CI", "CODEX_SANDBOX*"},
	Folder:       home,
	Skills:       protocol.Skills{Project: ".agents/skills", User: home},
	PlanMode:     true,
	Notes: []string{
		"restart open sessions",
		"the entries' approval is recorded in config.toml: Codex skips entries without one",
		"a project's entries run only in a project that Codex trusts",
	},
}

// fieldMax is the most that one text can hold: Codex moves a text of more than 2,500
// tokens, at four bytes each, into a file.
const fieldMax = 10_000

const (
	feedback = protocol.CanContext | protocol.CanMessage
	goingOn  = protocol.CanBlock | protocol.CanContinue | protocol.CanMessage
)

const (
	most  = protocol.MaxLimit
	short = 3 * time.Second // what Codex clamps SessionEnd and Interrupt to
)

var natives = []protocol.Native{
	{Name: "SessionStart", MapsTo: []protocol.EventType{protocol.PreSession}, Can: protocol.CanBlock | feedback, Limit: most, Source: "observed"},
	{Name: "SessionEnd", MapsTo: []protocol.EventType{protocol.PostSession}, Limit: short, Source: "observed"},
	{Name: "UserPromptSubmit", MapsTo: []protocol.EventType{protocol.PreAgentTurn}, Can: protocol.CanBlock | feedback, Limit: most, Source: "observed"},
	{Name: "Stop", MapsTo: []protocol.EventType{protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn},
		Can: goingOn, Limit: most, Source: "observed"},
	{Name: "Interrupt", MapsTo: []protocol.EventType{protocol.PostAgentTurn}, Can: protocol.CanMessage, Limit: short, Source: "source"},
	{Name: "PreToolUse", MapsTo: []protocol.EventType{protocol.PreToolCall}, Can: protocol.CanBlock | protocol.CanModify | feedback, Limit: most, Source: "observed"},
	{Name: "PermissionRequest", MapsTo: []protocol.EventType{protocol.PermissionRequest}, Can: protocol.CanBlock | protocol.CanAllow, Limit: most, Source: "observed"},
	{Name: "PostToolUse", Outcome: protocol.Ending{Exit: "^Exit code: "}, MapsTo: []protocol.EventType{protocol.PostToolCall}, Can: protocol.CanOutput | feedback, Limit: most, Source: "observed"},
	{Name: "SubagentStart", MapsTo: []protocol.EventType{protocol.PreSubagent}, Can: feedback, Limit: most, Source: "observed"},
	{Name: "SubagentStop", MapsTo: []protocol.EventType{protocol.PostSubagent}, Can: goingOn, Limit: most, Source: "observed"},
	{Name: "PreCompact", MapsTo: []protocol.EventType{protocol.PreContextCompact}, Can: protocol.CanMessage, Limit: most, Source: "observed"},
	{Name: "PostCompact", MapsTo: []protocol.EventType{protocol.PostContextCompact}, Can: protocol.CanMessage, Limit: most, Source: "source"},
}

// spawnKeys are the keys of tools that start a subagent.
var spawnKeys = []protocol.Key{
	{Portable: "prompt", Native: "message"},
	{Portable: "subagent_type", Native: "agent_type"},
	{Portable: "description", Native: "task_name"},
}

// spawnNames are further names by which a matcher may mean such a tool; Codex itself
// tries Agent.
var spawnNames = []string{"spawn_agent", "Agent"}

// tools is completed from the captures. Codex reports every way of running a command
// as Bash; the other names are its own tools', in case one is ever reported under its
// own name.
var tools = protocol.Tools{
	{Native: "Bash", Name: protocol.Shell, Source: "observed"},
	{Native: "exec_command", Name: protocol.Shell, Keys: []protocol.Key{{Portable: "command", Native: "cmd"}}},
	{Native: "shell_command", Name: protocol.Shell},
	{Native: "local_shell", Name: protocol.Shell},
	{Native: "shell", Name: protocol.Shell},
	{Native: "apply_patch", Name: protocol.EditFile, Also: []string{protocol.WriteFile, "Edit", "Write"}, Source: "observed"},
	{Native: "read_file", Name: protocol.ReadFile},
	{Native: "view_image", Name: protocol.ReadFile, Keys: []protocol.Key{{Portable: "file_path", Native: "path"}}},
	{Native: "grep_files", Name: protocol.Search},
	{Native: "web_search", Name: protocol.WebSearch},
	{Native: "spawn_agent", Name: protocol.Task, Also: spawnNames, Keys: spawnKeys},
	{Native: "write_stdin", Name: "write_stdin", Also: []string{protocol.Shell}, Does: protocol.Runs, Keys: []protocol.Key{{Portable: "command", Native: "chars"}}},
	{Native: "list_dir", Name: "list_dir", Does: protocol.Nothing},
	{Native: "update_plan", Name: "update_plan", Does: protocol.Nothing},
}

var quirks = []protocol.Quirk{
	{ID: "codex/1", Seen: "0.169.0", Text: "an answer with a member that its schema does not have makes the hook fail and the action proceed; we print only the schema's members"},
	{ID: "codex/2", Seen: "0.169.0", Text: "a block with an empty reason fails open; we always give a reason"},
	{ID: "codex/3", Seen: "0.169.0", Text: "permissionDecision allow is accepted only with updatedInput, and updatedInput only with allow"},
	{ID: "codex/4", Seen: "0.169.0", Text: "stopping PreCompact stops the turn as well; we never print a block there"},
	{ID: "codex/5", Seen: "0.169.0", Text: "decision block on PostToolUse replaces the tool's result, and we use it only for that; feedback goes as additionalContext"},
	{ID: "codex/6", Seen: "0.169.0", Text: "PostToolUse also fires for failed commands and does not distinguish them; there is no post-tool-call-failure"},
	{ID: "codex/7", Seen: "0.169.0", Text: "the input of apply_patch is a patch; its paths become file_path and file_paths, and a matcher also tries WriteFile, Edit and Write"},
	{ID: "codex/8", Seen: "0.169.0", Text: "collaboration tools are named without a separator: collaborationspawn_agent, multi_agent_v1wait_agent"},
	{ID: "codex/9", Seen: "0.169.0", Text: "UserPromptSubmit also fires for a subagent's task; its source is subagent"},
	{ID: "codex/10", Seen: "0.169.0", Text: "additionalContext on Stop makes the hook fail; we print a follow-up as a block"},
	{ID: "codex/11", Seen: "0.169.0", Text: "SessionStart also fires after a compaction, in the middle of a turn; we print no block there"},
	{ID: "codex/12", Seen: "0.169.0", Text: "entries without a matching trusted_hash in config.toml are skipped silently; install records the hash"},
	{ID: "codex/13", Seen: "0.169.0", Text: "the time limits of SessionEnd and Interrupt are clamped to 3 s before hashing; we write 3 s"},
	{ID: "codex/14", Seen: "0.169.0", Text: "answers are read on exit 0 only; ours is always 0"},
	{ID: "codex/15", Seen: "0.169.0", Text: "a Stop hook that always blocks loops for ever, 187 requests in 6 s; only our own limit ends it"},
	{ID: "codex/16", Seen: "0.169.0", Text: "an approval is keyed by position; when an entry of ours with others behind it is removed, an empty group keeps their positions"},
}
