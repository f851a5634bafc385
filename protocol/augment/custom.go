package augment

import "github.com/agents-hooks/agents-hooks/protocol"

var custom = &protocol.Custom{Files: files}

// files are the settings of the user or, for a project, its own and the user's for it.
func files(s protocol.Site) []string {
	if s.Scope == protocol.ProjectScope {
		return []string{s.Join(s.Project, ".augment", "settings.json"), file(s)}
	}
	return []string{file(s)}
}
