package qwen

import "github.com/agents-hooks/agents-hooks/protocol"

// managed is the system's settings, which override all others.
var managed = &protocol.Managed{
	Linux:   []string{"/etc/qwen-code/settings.json"},
	Mac:     []string{"/Library/Application Support/QwenCode/settings.json"},
	Windows: []string{`C:\ProgramData\qwen-code\settings.json`},
	// Beyond files: QWEN_CODE_SYSTEM_SETTINGS_PATH, which names another file.
	Off: off,
}
