package hooktest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// The spellings below say the same thing in other bytes. A dispatcher of ours
// never writes them; that of somebody else may.

// compactJSON leaves all blanks out.
func compactJSON(ev *protocol.Event) []byte {
	var b bytes.Buffer
	if err := json.Compact(&b, ev.JSON()); err != nil {
		return ev.JSON()
	}
	return b.Bytes()
}

// manyLines puts each member on a line of its own.
func manyLines(ev *protocol.Event) []byte {
	var b bytes.Buffer
	if err := json.Indent(&b, ev.JSON(), "", "  "); err != nil {
		return ev.JSON()
	}
	return b.Bytes()
}

// reordered turns the members around, those of the tool's input as well.
func reordered(ev *protocol.Event) []byte {
	o, err := protocol.ParseObject(ev.JSON())
	if err != nil {
		return ev.JSON()
	}
	slices.Reverse(o)
	if input := o.Sub("tool_input"); input != nil {
		slices.Reverse(input)
		o.Set("tool_input", input.Raw())
	}
	return append(o.Raw(), '\n')
}

// escapedJSON uses the escapes that JSON allows and nobody needs.
func escapedJSON(ev *protocol.Event) []byte {
	var b strings.Builder
	for _, r := range string(ev.JSON()) {
		switch {
		case r == '/':
			b.WriteString(`\/`)
		case r > 0xffff:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		case r > 0x7e:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return []byte(b.String())
}

// cutJSON ends in the middle of the event.
func cutJSON(ev *protocol.Event) []byte {
	b := ev.JSON()
	return b[:len(b)/2]
}

// withFields adds members that mean nothing: before all others of the tool's
// input, and of the event where it has none.
func withFields(ev *protocol.Event, members ...protocol.Member) *protocol.Event {
	out := ev.Clone()
	if out.Call == nil {
		out.Fields = append(slices.Clone(members), out.Fields...)
		return out
	}
	out.SetInput(append(slices.Clone(protocol.Object(members)), out.Call.Input...))
	return out
}
