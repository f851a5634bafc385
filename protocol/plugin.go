package protocol

import "time"

// A PluginForm says how the plugins of an agent bring hooks along, so that one of
// its folders is a source of hooks as it is. It is data of the agent: package
// discovery reads the folder.
//
//	{"hooks": {EVENT: [{"matcher": …, "hooks": [{"type": "command", "command": …, "timeout": …}]}]}}
type PluginForm struct {
	Kind     string // what a source of hooks.toml calls it
	Manifest string // of a plugin, below its folder, with slashes
	Hooks    string // where its hooks stand, whatever the manifest names besides

	Unit  time.Duration // of a timeout
	Limit time.Duration // where an entry has no timeout

	Command string   // the type of an entry that is a command
	Foreign []string // the other types, which only the agent can run
	Words   []string // the members of an entry that are known

	// Root and Data are the variables that name the plugin's folder, and a folder
	// that outlasts its versions. A command may have them as "${NAME}".
	Root, Data string

	// Event is what an event of the agent is here, "" for one that is not.
	Event func(native string) EventType

	// Condition reads an entry's member "if", which lets only some calls through, or
	// says why that cannot be said in a matcher.
	Condition func(text string) (c Condition, why string)
}

// A Condition is which calls a hook is for, beside its matcher: expressions, "" for
// any.
type Condition struct {
	Tools   []string // which tools, by the agent's names; a * at the end is any text
	Command string
	Path    string
	Pattern string
}
