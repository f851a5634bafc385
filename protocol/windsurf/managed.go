package windsurf

import "github.com/agents-hooks/agents-hooks/protocol"

// managed is the machine's hooks, which run beside the user's own.
var managed = &protocol.Managed{
	Linux:   []string{"/etc/windsurf/hooks.json"},
	Mac:     []string{"/Library/Application Support/Windsurf/hooks.json"},
	Windows: []string{`C:\ProgramData\Windsurf\hooks.json`},
	// Beyond files: hooks that the team's dashboard gives.
}
