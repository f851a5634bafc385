package copilot

import "github.com/agents-hooks/agents-hooks/protocol"

// managed is the machine's hooks, which run first and cannot be switched off.
var managed = &protocol.Managed{
	Linux:   []string{"/etc/github-copilot/policy.d/*"},
	Mac:     []string{"/etc/github-copilot/policy.d/*"},
	Windows: []string{`C:\ProgramData\GitHub\Copilot\policy.d\*`},
}
