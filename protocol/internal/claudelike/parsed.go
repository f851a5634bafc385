package claudelike

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// Parsed is what a text says that holds an object or an array in JSON; any other
// value as it is.
func Parsed(v protocol.Raw) protocol.Raw {
	text := strings.TrimSpace(protocol.TextOf(v))
	if text == "" || text[0] != '{' && text[0] != '[' || protocol.ValidValue([]byte(text)) != nil {
		return v
	}
	return protocol.Raw(text)
}
