package claudelike

import (
	"strconv"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// Clock takes over the agent's own time of an event: a text in RFC 3339, or
// milliseconds since 1970. Anything else keeps ours.
func Clock(ev *protocol.Event, at protocol.Raw) {
	if text := protocol.TextOf(at); text != "" {
		if t, err := time.Parse(time.RFC3339, text); err == nil {
			ev.Timestamp = protocol.Timestamp(t)
		}
		return
	}
	// Up to the year 9999, the last that the form can hold.
	if ms, err := strconv.ParseInt(string(at), 10, 64); err == nil && ms > 0 && ms < 253402300800000 {
		ev.Timestamp = protocol.Timestamp(time.UnixMilli(ms))
	}
}
