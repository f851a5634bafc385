package gemini

import "github.com/agents-hooks/agents-hooks/protocol"

// managed is the settings of the system, which have the last word.
var managed = &protocol.Managed{
	Linux:   []string{"/etc/gemini-cli/settings.json"},
	Mac:     []string{"/Library/Application Support/GeminiCli/settings.json"},
	Windows: []string{`C:\ProgramData\gemini-cli\settings.json`},
	Beyond:  "GEMINI_CLI_SYSTEM_SETTINGS_PATH, which names another file",
	Off:     off,
}
