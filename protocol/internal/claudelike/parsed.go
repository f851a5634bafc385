package claudelike

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// Parsed parses a text that holds a JSON object or array; any other value stays as it
// is.
func Parsed(v protocol.Raw) protocol.Raw {
	text := strings.TrimSpace(protocol.TextOf(v))
	if text == "" || text[0] != '{' && text[0] != '[' || protocol.ValidValue([]byte(text)) != nil {
		return v
	}
	return protocol.Raw(text)
}
