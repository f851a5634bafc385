package claude

import "github.com/agents-hooks/agents-hooks/protocol"

// managed is the settings that override everybody's own.
var managed = &protocol.Managed{
	Linux:   []string{"/etc/claude-code/managed-settings.json", "/etc/claude-code/managed-settings.d/*"},
	Mac:     []string{"/Library/Application Support/ClaudeCode/managed-settings.json", "/Library/Application Support/ClaudeCode/managed-settings.d/*"},
	Windows: []string{`C:\Program Files\ClaudeCode\managed-settings.json`, `C:\Program Files\ClaudeCode\managed-settings.d\*`},
	Entries: 1,
	Only:    "allowManagedHooksOnly",
	// Beyond files: settings that its server or a device management gives.
	Off: func(settings protocol.Object) string {
		switch {
		case settings.Bool("disableAllHooks"):
			return "disableAllHooks is set"
		case settings.Bool("allowManagedHooksOnly"):
			return "allowManagedHooksOnly is set: only hooks of the administrator's own settings run"
		}
		return ""
	},
}
