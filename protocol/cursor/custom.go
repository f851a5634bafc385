package cursor

import (
	"github.com/agents-hooks/agents-hooks/protocol"
)

var custom = &protocol.Custom{
	Speaks:   id,
	Project:  "CURSOR_PROJECT_DIR",
	Beside:   true,
	Subjects: []string{"subagentStart", "subagentStop"},
}
