package cursor

import (
	"github.com/agents-hooks/agents-hooks/protocol"
)

var custom = &protocol.Custom{
	Speaks:  id,
	Project: "CURSOR_PROJECT_DIR",
	Beside:  true,
	Subjects: []protocol.Subject{
		{Event: "subagentStart", Member: "subagent_type"},
		{Event: "subagentStop", Member: "subagent_type"},
	},
}
