package claude

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// plugin is how Claude Code's plugins bring hooks.
var plugin = &protocol.PluginForm{
	Kind:      "claude-plugin",
	Manifest:  ".claude-plugin/plugin.json",
	Hooks:     "hooks/hooks.json",
	Unit:      time.Second,
	Limit:     protocol.MaxLimit,
	Command:   "command",
	Foreign:   []string{"http", "prompt", "agent", "mcp_tool"},
	Words:     []string{"type", "command", "args", "shell", "timeout", "async", "asyncRewake", "if", "once", "statusMessage", "description"},
	Root:      "CLAUDE_PLUGIN_ROOT",
	Data:      "CLAUDE_PLUGIN_DATA",
	Event:     eventOf,
	Condition: condition,
}

// eventOf is the event that the hooks of a native one are for: the first that it
// feeds, since the others only repeat it.
func eventOf(native string) protocol.EventType {
	if n, ok := protocol.FindNative(natives, native); ok {
		return n.MapsTo[0]
	}
	return ""
}
