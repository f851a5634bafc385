package vscode

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// The head is Copilot CLI's, which reads the same folder.
var config = &protocol.Config{
	Shape:   protocol.FlatJSON,
	Events:  "hooks",
	Head:    `{"version": 1}`,
	Fields:  `{"type": "command"}`,
	File:    file,
	Unit:    time.Second,
	Windows: protocol.QuotePowerShell,
}

// folder is where VS Code keeps a user's files on every system.
func folder(s protocol.Site) string { return s.Join(s.Home, ".vscode") }

func file(s protocol.Site) string {
	return s.ByScope(s.Join(s.Project, ".github", "hooks", "agents-hooks-vscode.json"), s.Join(s.Home, ".copilot", "hooks", "agents-hooks-vscode.json"))
}
