package discovery

import (
	"strings"
	"time"

	texts "github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// meantEvent is the fix for an invalid trigger: the event that was probably meant, in
// any spelling, or a list of the events.
func meantEvent(name string) string {
	if t := eventMeant(name); t != "" {
		return "write " + t
	}
	if w := texts.Nearest(kebab(name), protocol.EventNames(), 4); w != "" {
		return "did you mean " + w + "?"
	}
	return meant(kebab(name), protocol.EventNames())
}

// kebab spells a name as events are spelled: PreToolUse is pre-tool-use.
func kebab(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch {
		case c == '_' || c == ' ' || c == '.':
			c = '-'
		case c >= 'A' && c <= 'Z':
			if i > 0 && name[i-1] >= 'a' && name[i-1] <= 'z' {
				b.WriteByte('-')
			}
			c += 'a' - 'A'
		}
		b.WriteByte(c)
	}
	return b.String()
}

// oldEvent is the event with an old name (spec/SPEC.md, Old event names). A hyphen may
// replace each underscore.
func oldEvent(name string) (protocol.EventType, bool) {
	switch strings.ReplaceAll(name, "-", "_") {
	case "session_start":
		return protocol.PreSession, true
	case "session_end":
		return protocol.PostSession, true
	case "before_agent":
		return protocol.PreAgentTurn, true
	case "after_agent":
		return protocol.PostAgentTurn, true
	case "before_stop":
		return protocol.PreAgentTurnStop, true
	case "before_tool":
		return protocol.PreToolCall, true
	case "after_tool":
		return protocol.PostToolCall, true
	case "after_tool_failure":
		return protocol.PostToolCallFailure, true
	case "subagent_start":
		return protocol.PreSubagent, true
	case "subagent_stop":
		return protocol.PostSubagent, true
	case "pre_compact":
		return protocol.PreContextCompact, true
	}
	return "", false
}

func orWord(s, word string) string {
	if ValidName(s) {
		return s
	}
	return word
}

// secondsMeant reports whether a timeout is so short that it was probably meant in
// seconds: shorter than any hook's can be.
func secondsMeant(timeout int) bool { return timeout > 0 && timeout < int(MinTimeout/time.Millisecond) }

const nameForm = "small letters, digits and single hyphens between them, 64 characters at most"
