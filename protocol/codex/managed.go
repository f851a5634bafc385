package codex

import "github.com/agents-hooks/agents-hooks/protocol"

// managed is the requirements, which no user's configuration can override.
var managed = &protocol.Managed{
	Linux:   []string{"/etc/codex/requirements.toml"},
	Mac:     []string{"/etc/codex/requirements.toml"},
	Windows: []string{`C:\ProgramData\OpenAI\Codex\requirements.toml`},
	TOML:    true,
	Only:    "allow_managed_hooks_only",
	// Beyond files: requirements that its server or a device management gives.
	Off: func(settings protocol.Object) string {
		switch {
		case settings.Bool("allow_managed_hooks_only"):
			return "allow_managed_hooks_only is set: only hooks of the requirements run"
		case string(settings.Sub("features").Get("hooks")) == "false":
			return "[features] hooks is false"
		}
		return ""
	},
}
