package crush

import "github.com/agents-hooks/agents-hooks/protocol"

var custom = &protocol.Custom{Files: files}

// files are both spellings of a project's configuration, or the user's.
func files(s protocol.Site) []string {
	if s.Scope == protocol.ProjectScope {
		return []string{s.Join(s.Project, "crush.json"), file(s)}
	}
	return []string{file(s)}
}
