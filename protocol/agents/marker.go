package agents

import "strings"

// otherMarkers belong to agents that have no dialect here yet.
var otherMarkers = [...]string{
	"AI_AGENT", "CLAUDE_PROJECT_DIR", // set by several
	"OPENCODE",
}

// Marker returns a variable of an environment ("NAME=value" each) that an agent sets
// for its child processes, "" if there is none. If there is one, the agent may be
// typing, and not its user.
func Marker(env []string) string {
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		if value == "" {
			continue
		}
		for _, d := range list {
			if marked(d.Markers, name) {
				return name
			}
		}
		if marked(otherMarkers[:], name) {
			return name
		}
	}
	return ""
}

func marked(markers []string, name string) bool {
	for _, m := range markers {
		if prefix, open := strings.CutSuffix(m, "*"); m == name || open && strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
