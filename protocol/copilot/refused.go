package copilot

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// refused reads from a part of a transcript which answers of ours came to nothing: the
// end of a hook says so, with the file whose entry it was.
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
