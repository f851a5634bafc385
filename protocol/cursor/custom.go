package cursor

import (
	"github.com/agents-hooks/agents-hooks/protocol"
)

var custom = &protocol.Custom{
	Speaks:  id,
	Project: "CURSOR_PROJECT_DIR",
	Calls: []protocol.CallEvent{
		{Event: "beforeShellExecution", Tool: "^Shell$", Key: "command"},
		{Event: "afterShellExecution", Tool: "^Shell$", Key: "command"},
		{Event: "beforeMCPExecution", Tool: "^(mcp__|MCP:)", Key: "tool"},
		{Event: "afterMCPExecution", Tool: "^(mcp__|MCP:)", Key: "tool"},
		{Event: "beforeReadFile", Tool: "^(Read|ReadFile)$", Key: "tool"},
		{Event: "afterFileEdit", Tool: "^(Write|Edit|StrReplace|EditFile|WriteFile)$", Key: "tool"},
	},
	Subjects: []protocol.Subject{
		{Event: "subagentStart", Member: "subagent_type"},
		{Event: "subagentStop", Member: "subagent_type"},
	},
}
