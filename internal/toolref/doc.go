// Package toolref decides how an agent is told to call one of our operations: by the
// name of the MCP server's tool in this agent, if the server is registered there, or
// else as a shell command. Texts that hooks give to an agent use it, so that they never
// name something that does not exist there.
//
//	n := c.Names() // of a behaviour's call
//	n.Call("memory_save", "memory save", toolref.Text("content", "one sentence"), toolref.Word("type", "W"))
//
// becomes one of
//
//	mcp__agents-hooks__memory_save {"content": "one sentence", "type": "W"}
//	/usr/bin/agents-hooks memory save --content "one sentence" --type W
//
// # The marker
//
// An event has no time to parse the agent's configuration. So install records
// registered servers in the state directory, in mcp/AGENT, a JSON object with one entry
// of "servers" for each scope:
//
//	{"schema": 1, "servers": [{"project": "", "spelling": "mcp__agents-hooks__TOOL", "tools": ["memory_save"]}]}
//
// project is the root of the project that it applies to, "" for all. If the marker
// cannot be read, the server counts as not registered: the command always exists.
package toolref
