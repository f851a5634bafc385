package protocol

import "time"

// A PluginForm describes how the plugins of an agent contain hooks, so that a plugin's
// folder can be a source of hooks. It is data of the agent: package discovery reads the
// folder.
//
//	{"hooks": {EVENT: [{"matcher": …, "hooks": [{"type": "command", "command": …, "timeout": …}]}]}}
type PluginForm struct {
	Kind     string // its kind in hooks.toml
	Manifest string // of a plugin, below its folder, with slashes
	Hooks    string // the file with its hooks, in addition to those in the manifest

	Unit  time.Duration // of a timeout
	Limit time.Duration // if an entry has no timeout

	Command string   // the type of an entry that is a command
	Foreign []string // the other types, which only the agent can run
	Words   []string // the members of an entry that are known

	// Root and Data are the variables that name the plugin's folder, and a folder that
	// outlasts its versions. A command may use them as "${NAME}".
	Root, Data string

	// Event maps an event of the agent to ours, "" if there is none.
	Event func(native string) EventType

	// Condition reads an entry's member "if", which restricts it to some calls, or
	// returns why that cannot be expressed as a matcher.
	Condition func(text string) (c Condition, why string)
}

// A Condition restricts a hook to some calls, in addition to its matcher: expressions,
// "" for any.
type Condition struct {
	Tools   []string // which tools, by the agent's names; a * at the end is any text
	Command string
	Path    string
	Pattern string
}
