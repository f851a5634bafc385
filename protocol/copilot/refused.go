package copilot

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// refused finds in a part of a transcript those of our answers that had no effect:
// the record of a hook's end says so, and names the file of its entry.
func refused(transcript []byte) (list []protocol.Refusal) {
	protocol.FromEnd(transcript, `"hook.end"`, func(o protocol.Object) bool {
		end := o.Sub("data")
		name := end.Text("hookType")
		if o.Text("type") == "hook.end" && name != "" && !end.Bool("success") && strings.Contains(end.Sub("error").Text("source"), "agents-hooks") {
			list = append(list, protocol.Refusal{Event: strings.ToUpper(name[:1]) + name[1:]})
		}
		return false
	})
	return list
}
