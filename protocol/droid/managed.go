package droid

import "github.com/agents-hooks/agents-hooks/protocol"

// managed is the machine's settings, which the organization sets.
var managed = &protocol.Managed{
	Linux:   []string{"/etc/factory/settings.json"},
	Mac:     []string{"/Library/Application Support/Factory/settings.json"},
	Windows: []string{`C:\Program Files\Factory\settings.json`},
	Only:    "allowManagedHooksOnly",
	// Beyond files: the organization's own settings, which its server gives.
	Off: func(settings protocol.Object) string {
		if settings.Bool("allowManagedHooksOnly") {
			return "allowManagedHooksOnly is set: only hooks of the organization run"
		}
		return ""
	},
}
