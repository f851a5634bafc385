package cline

import (
	"github.com/agents-hooks/agents-hooks/protocol"
)

var custom = &protocol.Custom{
	Files: folders,
	Why:   "its hooks read a payload of its own (hookName, preToolUse) and answer in one, and their exit codes mean nothing: we do not speak that",
}

// folders are those that either runtime reads (cline/1).
func folders(s protocol.Site) []string {
	if s.Scope == protocol.ProjectScope {
		return []string{file(s), s.Join(s.Project, ".cline", "hooks")}
	}
	return []string{file(s), s.Join(folder(s), "hooks")}
}
