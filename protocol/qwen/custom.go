package qwen

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

var custom = &protocol.Custom{
	Speaks:    "claude-code",
	Own:       []string{"tool_call_id", "submitted_prompt"},
	Project:   "QWEN_PROJECT_DIR",
	Variables: []protocol.Renamed{{Name: "QWEN_PROJECT_DIR", As: "CLAUDE_PROJECT_DIR"}, {Name: "GEMINI_PROJECT_DIR", As: "CLAUDE_PROJECT_DIR"}},
	Limit:     600 * time.Second,
	Millis:    1000,
	Subjects:  []string{"SessionStart", "SessionEnd", "PermissionRequest", "SubagentStart", "SubagentStop", "PreCompact", "Notification"},
}
