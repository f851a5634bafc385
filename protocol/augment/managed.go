package augment

import "github.com/agents-hooks/agents-hooks/protocol"

// managed is the machine's settings, whose hooks run beside the user's own.
var managed = &protocol.Managed{
	Linux:   []string{"/etc/augment/settings.json"},
	Mac:     []string{"/etc/augment/settings.json"},
	Windows: []string{`C:\ProgramData\Augment\settings.json`},
}
