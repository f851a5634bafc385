package claude

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// tongue is how to talk to hooks that were written for Claude Code. docs/dialects.md
// lists what another agent cannot know of such a payload.
var tongue = &protocol.Tongue{
	ID:     id,
	Name:   "Claude Code",
	Events: protocol.EventTypes(),
	Say:    speak,
	List:   listed,
	Env:    variablesOf,
	Leaves: leaves,
	Hear:   hear,
	Plugin: plugin,
}

// listed reads a matcher as the program does: an empty one and a star match anything;
// letters, digits, underscores, hyphens, blanks, commas and bars are exact names
// separated by bars or commas; anything else is a regular expression. On a failed
// turn a hyphen, a blank or a comma makes it an expression too.
func listed(on protocol.EventType, matcher string) (names []string, ok bool) {
	if matcher == "" || matcher == "*" {
		return nil, true
	}
	parts := "_|, -"
	if on == protocol.PostAgentTurn || on == protocol.PostAgentTurnStop {
		parts = "_|"
	}
	for i := 0; i < len(matcher); i++ {
		switch c := matcher[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte(parts, c) >= 0:
		default:
			return nil, false
		}
	}
	names = []string{}
	for _, name := range strings.FieldsFunc(matcher, func(r rune) bool { return r == '|' || r == ',' }) {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names, true
}

// variablesOf are the variables that the program sets for a hook.
func variablesOf(s protocol.Seat) []string {
	var env []string
	for _, v := range [...]struct{ name, value string }{
		{"CLAUDE_PROJECT_DIR", s.Project},
		{"CLAUDE_PLUGIN_ROOT", s.Root},
		{"CLAUDE_PLUGIN_DATA", s.Data},
		{"CLAUDE_ENV_FILE", s.EnvFile},
		{"CLAUDE_CODE_SESSION_ID", s.Session},
	} {
		if v.value == "" {
			env = append(env, v.name)
		} else {
			env = append(env, v.name+"="+v.value)
		}
	}
	return env
}
