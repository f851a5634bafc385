// Package compat has the names that other programs gave to things: files, folders
// and variables of the tools whose data the built-in behaviours share, and the agents
// they were written for. They are part of formats that we read and write, so we cannot
// choose them. No other built-in code names an agent.
package compat

// The memory of skillix-hub, whose place is in a project.
const (
	// MemoryData is its folder, "memory-data", by slash-separated path.
	MemoryData = ".cursor/skills/memory-data"
	// MemoryHome tells that a project is one of that agent.
	MemoryHome = ".cursor"
	// MemoryDisable is the file that switches memory off in a project.
	MemoryDisable = ".cursor/skills/.memory-disable"
	// MemoryConfig is its configuration below the home directory.
	MemoryConfig = ".memory/config.json"
)

// NoAutoMemory is the variable by which an agent is told to keep no memory; ours
// obeys it too.
const NoAutoMemory = "CLAUDE_CODE_DISABLE_AUTO_MEMORY"

// The workspaces of TanmiWorkspace, in the home directory and in a project.
const (
	Workspace    = ".tanmi-workspace"
	WorkspaceDev = ".tanmi-workspace-dev"
	// WorkspaceDevEnv is the variable by which its developers choose their own
	// store, with the value "true".
	WorkspaceDevEnv = "TANMI_DEV"
	// WorkspaceRepeats is the agent that it told the whole context with every
	// prompt, because it heard of no begin of a session there.
	WorkspaceRepeats     = "cursor"
	WorkspaceRepeatsName = "Cursor"
	// WorkspaceContext is the setting that says when it is told.
	WorkspaceContext = WorkspaceRepeats + "_context"
)

// TasksOfAgent is what a list of tasks is called that an agent keeps for itself, and
// that a workspace can be made of.
const TasksOfAgent = "claude-tasks"

// EvolutionConfig is the configuration of Prismer's plugin, below the home
// directory: api_key and base_url.
const EvolutionConfig = ".prismer/config.toml"

// KeyPrefix is how a key of its service begins, and so one of ours; what begins
// otherwise counts as none.
const KeyPrefix = "sk-prismer-"

// A Mark is how far a client of the original's service has read, under the name
// that its documents and files have for it.
type Mark struct {
	Cursor int64 `json:"cursor"` // ms
}

// SkillPlaces are the folders in which agents look for skills, in a project and
// in the home directory.
var SkillPlaces = [...]string{".agents/skills", ".claude/skills", ".cursor/skills"}
