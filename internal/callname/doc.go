// Package callname decides how an agent is told to call something of ours: by
// the name that a tool of the MCP server has in this agent, where the server is
// registered there, and as a command of the shell where it is not. Texts that
// hooks give to an agent are written with it, so that no text names what does
// not exist where it is read.
//
//	n := c.Names() // of a behaviour's call
//	n.Call("memory_save", "memory save", callname.Text("content", "one sentence"), callname.Word("type", "W"))
//
// becomes one of
//
//	mcp__agents-hooks__memory_save {"content": "one sentence", "type": "W"}
//	/usr/bin/agents-hooks memory save --content "one sentence" --type W
//
// # The marker
//
// Whether a server is registered is not looked up in the agent's configuration,
// which an event has no time to parse: install notes it in the state directory,
// in mcp/AGENT, one JSON object with a line of "servers" for each scope:
//
//	{"schema": 1, "servers": [{"project": "", "spelling": "mcp__agents-hooks__TOOL", "tools": ["memory_save"]}]}
//
// project is the root of the project that it holds for, "" for all. What cannot
// be read counts as not registered: the command exists in any case.
package callname
