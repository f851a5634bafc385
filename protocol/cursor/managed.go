package cursor

import "github.com/agents-hooks/agents-hooks/protocol"

// managed is the hooks of the machine, which run beside those of the person.
var managed = &protocol.Managed{
	Linux:   []string{"/etc/cursor/hooks.json"},
	Mac:     []string{"/Library/Application Support/Cursor/hooks.json"},
	Windows: []string{`C:\ProgramData\Cursor\hooks.json`},
	Beyond:  "hooks that the team's dashboard gives",
}
