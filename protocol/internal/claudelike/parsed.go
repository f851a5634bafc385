package claudelike

import (
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Parsed parses a text that holds a JSON object or array; any other value stays as it
// is.
func Parsed(v protocol.Raw) protocol.Raw {
	if value, _ := protocol.ParseText(protocol.TextOf(v)); value != nil {
		return value
	}
	return v
}
