package gemini

import "github.com/agents-hooks/agents-hooks/protocol"

// managed is the system's settings, which override all others.
var managed = &protocol.Managed{
	Linux:   []string{"/etc/gemini-cli/settings.json"},
	Mac:     []string{"/Library/Application Support/GeminiCli/settings.json"},
	Windows: []string{`C:\ProgramData\gemini-cli\settings.json`},
	// Beyond files: GEMINI_CLI_SYSTEM_SETTINGS_PATH, which names another file.
	Off: off,
}
