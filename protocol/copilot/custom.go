package copilot

import (
	"regexp"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

var custom = &protocol.Custom{
	Files:    func(s protocol.Site) []string { return s.JSONBeside(file(s)) }, // the folder is read whole
	Speaks:   "claude-code",
	Spelled:  secondForm,
	Misread:  misread,
	Project:  "CLAUDE_PROJECT_DIR",
	Own:      []string{"toolName", "toolArgs", "modifiedArgs", "tool_result", "toolResult"},
	Limit:    30 * time.Second,
	Whole:    true,
	Subjects: []string{"notification", "preCompact", "subagentStart"},
}

// parsed finds a script that parses the input of a call.
const parsed = `toolArgs["'\])}]*\s*\|\s*(try )?\(?fromjson|(JSON\.parse|json\.loads)\([^()\n]*toolArgs|toolArgs["'\])}]*\s*\|\s*ConvertFrom-Json`

// misread tells of a script that takes the input of a call for a text, as earlier
// versions sent it. One that tries both asks first what it is.
func misread(script string) string {
	if !regexp.MustCompile(parsed).MatchString(script) || regexp.MustCompile(`\btype\b|typeof|isinstance|// *\.toolArgs`).MatchString(script) {
		return ""
	}
	return "it takes toolArgs for a text with JSON, as Copilot once sent it; now that is an object, here as there, and such a script may see nothing in it (jq reads both with .toolArgs | fromjson? // .)"
}
