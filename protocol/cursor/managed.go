package cursor

import "github.com/agents-hooks/agents-hooks/protocol"

// managed is the machine's hooks, which run beside the user's own.
var managed = &protocol.Managed{
	Linux:   []string{"/etc/cursor/hooks.json"},
	Mac:     []string{"/Library/Application Support/Cursor/hooks.json"},
	Windows: []string{`C:\ProgramData\Cursor\hooks.json`},
	// Beyond files: hooks that the team's dashboard gives.
}
