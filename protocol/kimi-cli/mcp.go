package kimicli

import "github.com/agents-hooks/agents-hooks/protocol"

var servers = &protocol.MCP{
	File:   mcpFile,
	Source: "documentation",
}

func mcpFile(s protocol.Site) string {
	return s.ByScope("", s.Join(folder(s), "mcp.json"))
}
