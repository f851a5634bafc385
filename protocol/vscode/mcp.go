package vscode

import "github.com/agents-hooks/agents-hooks/protocol"

var servers = &protocol.MCP{
	File:   mcpFile,
	Path:   func(protocol.Site) []string { return []string{"servers"} },
	Fields: `{"type": "stdio"}`,
	Source: "documentation",
}

func mcpFile(s protocol.Site) string {
	if s.Scope == protocol.ProjectScope {
		return s.Join(s.Project, ".vscode", "mcp.json")
	}
	switch s.GOOS {
	case "windows":
		if dir := s.Getenv("APPDATA"); dir != "" {
			return s.Join(dir, "Code", "User", "mcp.json")
		}
		return s.Join(s.Home, "AppData", "Roaming", "Code", "User", "mcp.json")
	case "darwin":
		return s.Join(s.Home, "Library", "Application Support", "Code", "User", "mcp.json")
	}
	if dir := s.Getenv("XDG_CONFIG_HOME"); dir != "" {
		return s.Join(dir, "Code", "User", "mcp.json")
	}
	return s.Join(s.Home, ".config", "Code", "User", "mcp.json")
}
