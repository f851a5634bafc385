package hooktest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// A spelling writes the same event in other bytes, or not completely. Our dispatcher never
// does; another runner may.
type spelling struct {
	name, what string
	spell      func(*protocol.Event) []byte // nil for the promised spelling
	cut        bool                         // it is not complete
}

func spellings() []spelling {
	return []spelling{
		{name: "again", what: "the same event a second time"},
		{name: "compact", what: "JSON without blanks", spell: compactJSON},
		{name: "lines", what: "JSON over many lines", spell: manyLines},
		{name: "reordered", what: "members in the opposite order", spell: reordered},
		{name: "escapes", what: `"/" as "\/", letters beyond ASCII as \u`, spell: escapedJSON},
		{name: "cut", what: "stdin ends in the middle of the event", spell: cutJSON, cut: true},
		{name: "empty", what: "stdin ends at once", spell: func(*protocol.Event) []byte { return nil }, cut: true},
	}
}

// compactJSON leaves out all white space.
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

// reordered reverses the members, also those of the tool's input.
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

// escapedJSON uses the escapes that JSON allows but does not require.
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

// canary is the value of fields that do not concern a hook.
const canary = "canary-4f1d7c20-do-not-repeat"

// An addition is a set of fields that do not concern a hook.
type addition struct {
	name, what string
	members    []protocol.Member
}

func additions() []addition {
	text := func(name, value string) []protocol.Member {
		return []protocol.Member{{Name: name, Value: protocol.Quote(value)}}
	}
	return []addition{
		{"unknown", "fields nobody has heard of, one of them secret", append(text("x_token", canary),
			protocol.Member{Name: "x_novel", Value: protocol.Raw(`{"deep": [1, null, {"command": "ls"}]}`)})},
		{"quotes", "a text that looks like JSON, before the real one", text("x_note", "say \"command\": \"ls\", \"file_path\": \"a\"\n\tor 'so'; $(true) `true` \\ %s")},
		{"unicode", "text in many scripts", text("x_note", "日本語 · ñandú · עברית · 🦊 · \u2028")},
		{"large", "1 MiB of input", text("x_padding", strings.Repeat("padding ", 1<<17))},
	}
}

// withFields adds meaningless members: before all others in the tool's input, or in the event
// if it has none.
func withFields(ev *protocol.Event, members ...protocol.Member) *protocol.Event {
	out := ev.Clone()
	if out.Call == nil {
		out.Fields = append(slices.Clone(members), out.Fields...)
		return out
	}
	out.SetInput(append(slices.Clone(protocol.Object(members)), out.Call.Input...))
	return out
}
