package gemini

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

var custom = &protocol.Custom{
	Speaks:   id,
	Skipped:  skipped,
	Project:  "GEMINI_PROJECT_DIR",
	Limit:    time.Minute,
	Subjects: []string{"SessionStart", "SessionEnd", "PreCompress", "Notification"},
}
