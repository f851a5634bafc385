package claude

import "github.com/agents-hooks/agents-hooks/protocol"

// tongue is how hooks are spoken to that were written for Claude Code.
var tongue = &protocol.Tongue{
	ID:     id,
	Name:   "Claude Code",
	Events: protocol.EventTypes(),
}
