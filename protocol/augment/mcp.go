package augment

import "github.com/agents-hooks/agents-hooks/protocol"

var servers = &protocol.MCP{
	File:   mcpFile,
	Fields: `{"type": "stdio"}`,
	Source: "observed",
}

func mcpFile(s protocol.Site) string {
	return s.ByScope("", s.Join(folder(s), "settings.json"))
}
