package claudelike

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// PlainValue is the text of a string, a number or a boolean.
func PlainValue(raw protocol.Raw) (string, bool) {
	switch {
	case raw[0] == '"':
		text := protocol.TextOf(raw)
		return text, !strings.ContainsRune(text, 0)
	case raw[0] == '{' || raw[0] == '[' || raw[0] == 'n':
		return "", false
	}
	return string(raw), true
}

// Variable reports whether a shell takes name as that of a variable.
func Variable(name string) bool {
	for i, c := range name {
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}
