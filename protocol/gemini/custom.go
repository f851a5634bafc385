package gemini

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

var custom = &protocol.Custom{
	Speaks:  id,
	Skipped: skipped,
	Project: "GEMINI_PROJECT_DIR",
	Limit:   time.Minute,
	Subjects: []protocol.Subject{
		{Event: "SessionStart", Member: "source"},
		{Event: "SessionEnd", Member: "reason"},
		{Event: "PreCompress", Member: "trigger"},
		{Event: "Notification", Member: "notification_type"},
	},
}
