package augment

import "github.com/agents-hooks/agents-hooks/protocol"

// managed is the settings of the machine, whose hooks run beside those of the person.
var managed = &protocol.Managed{
	Linux:   []string{"/etc/augment/settings.json"},
	Mac:     []string{"/etc/augment/settings.json"},
	Windows: []string{`C:\ProgramData\Augment\settings.json`},
}
