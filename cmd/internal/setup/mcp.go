package setup

import (
	"slices"

	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/internal/toolref"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Hooks name tools of our MCP server in their texts where it is registered, and
// commands where it is not. What they go by is kept in the state directory: for
// each agent the servers that stand in its configurations, one for a project, ""
// for the user.

// ServerTold reports whether hooks have been told of the server.
func ServerTold(stateDir, agent, project string) bool {
	b, _ := statefile.Read(toolref.File(stateDir, agent))
	return slices.ContainsFunc(toolref.Parse(b), func(s toolref.Server) bool { return s.Project == project })
}

// TellServer tells hooks of the server as it stands now, nil if it does not.
func TellServer(stateDir, agent, project string, now *toolref.Server) error {
	path := toolref.File(stateDir, agent)
	if old, _ := statefile.Read(path); old == nil && now == nil {
		return nil
	}
	return statefile.UpdateDurable(path, installWait, func(old []byte) ([]byte, error) {
		list := slices.DeleteFunc(toolref.Parse(old), func(s toolref.Server) bool { return s.Project == project })
		if now != nil {
			list = append(list, *now)
		}
		if b := toolref.Format(list); b != nil {
			return b, nil
		}
		return []byte("{}\n"), nil
	})
}

// ProjectOf is the project that a configuration is of, "" for the user's.
func ProjectOf(site protocol.Site) string {
	if site.Scope == protocol.ProjectScope {
		return site.Project
	}
	return ""
}
