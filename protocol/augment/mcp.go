package augment

import "github.com/agents-hooks/agents-hooks/protocol"

var servers = &protocol.MCP{
	File:   mcpFile,
	Fields: `{"type": "stdio"}`,
	Source: "observed",
}

func mcpFile(s protocol.Site) string {
	if s.Scope == protocol.ProjectScope {
		return ""
	}
	return s.Join(folder(s), "settings.json")
}
