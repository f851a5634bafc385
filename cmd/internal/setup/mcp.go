package setup

import (
	"slices"

	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/internal/toolref"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Hooks' texts name tools of our MCP server if it is registered, and commands if it
// is not. The state directory records that: for each agent the servers in its
// configurations, one for a project, "" for the user.

// ServerTold reports whether hooks have been told of the server.
func ServerTold(stateDir, agent, project string) bool {
	b, _ := statefile.Read(toolref.File(stateDir, agent))
	return slices.ContainsFunc(toolref.Parse(b), func(s toolref.Server) bool { return s.Project == project })
}

// TellServer tells hooks about the server as it is configured now, nil if it is not.
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

// ProjectOf is the project of a configuration, "" for the user's.
func ProjectOf(site protocol.Site) string {
	if site.Scope == protocol.ProjectScope {
		return site.Project
	}
	return ""
}
