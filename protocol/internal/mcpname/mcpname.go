// Package mcpname makes the portable name of an MCP server's tool,
// mcp__SERVER__TOOL, from names in which agents join the two with a single
// underscore. If such a name is ambiguous, it returns every way to split it, so that
// a matcher finds the call in any case.
package mcpname

// ServerFirst are the names that SERVER_TOOL may stand for, the most likely first:
// underscores are more common in tools' names than in servers'.
func ServerFirst(name string) []string {
	var names []string
	for i := 1; i < len(name)-1; i++ {
		if name[i] == '_' {
			names = append(names, Of(name[:i], name[i+1:]))
		}
	}
	return names
}

// ToolFirst are the names that TOOL_SERVER may stand for, the most likely first.
func ToolFirst(name string) []string {
	var names []string
	for i := len(name) - 2; i > 0; i-- {
		if name[i] == '_' {
			names = append(names, Of(name[i+1:], name[:i]))
		}
	}
	return names
}

// Of is the portable name of a server's tool.
func Of(server, tool string) string { return "mcp__" + server + "__" + tool }
