package claudelike

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// refusedType is what a transcript calls an answer that was rejected.
const refusedType = "hook_non_blocking_error"

// Refused finds our rejected answers in a part of a transcript that stores such
// rejections as attachments. Our entry's command or its label tells which are ours.
func Refused(transcript []byte) (list []protocol.Refusal) {
	protocol.FromEnd(transcript, `"`+refusedType+`"`, func(o protocol.Object) bool {
		at := o.Sub("attachment")
		said := at.Text("stderr")
		_, what, invalid := strings.Cut(said, "validation failed")
		if at.Text("type") != refusedType || !invalid || !strings.Contains(at.Text("command"), "agents-hooks") {
			return false
		}
		field, _, _ := strings.Cut(strings.TrimLeft(what, " —-:"), ":")
		r := protocol.Refusal{Event: at.Text("hookEvent"), Field: field}
		if _, shown, ok := strings.Cut(said, "output was: "); ok {
			answer, _, _ := strings.Cut(shown, "\n\n")
			r.Answer, _ = protocol.ParseObject([]byte(answer))
		}
		list = append(list, r)
		return false
	})
	return list
}
