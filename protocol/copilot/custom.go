package copilot

import (
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

var custom = &protocol.Custom{
	Files:      files,
	Speaks:     "claude-code",
	OnlyPascal: true,
	Camel:      "an event that is spelled like preToolUse is told in a protocol that we do not speak (toolName, toolArgs): spell it like PreToolUse if the script reads tool_name",
	Own:        []string{"toolName", "toolArgs", "modifiedArgs", "tool_result", "toolResult"},
	Limit:      30 * time.Second,
	Whole:      true,
}

// files are all files in the folder of hooks, whatever their names.
func files(s protocol.Site) []string {
	ours := file(s)
	dir := ours[:len(ours)-len("/agents-hooks.json")]
	if s.List == nil {
		return []string{ours}
	}
	var list []string
	for _, name := range s.List(dir) {
		if strings.HasSuffix(name, ".json") {
			list = append(list, s.Join(dir, name))
		}
	}
	return list
}
