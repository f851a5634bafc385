package eventarg

import (
	"fmt"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/protocol/spec"
)

// Words completes an event of the format.
func Words(cli.Line) (list []cli.Suggestion, kind cli.Kind) {
	for _, e := range protocol.EventTypes() {
		list = append(list, cli.Suggestion{Word: string(e)})
	}
	return list, ""
}

// NativeWords completes an event of the agent that --agent names, or of the
// format.
func NativeWords(l cli.Line) (list []cli.Suggestion, kind cli.Kind) {
	d, ok := agents.Lookup(l.Flag("agent"))
	if !ok || l.Flag("agent") == "" {
		return Words(l)
	}
	for _, n := range d.NativeEvents {
		list = append(list, cli.Suggestion{Word: n.Name, Text: string(n.MapsTo[0])})
	}
	return list, ""
}

// ToolWords completes the portable name of a tool.
func ToolWords(l cli.Line) ([]cli.Suggestion, cli.Kind) {
	return shell.Fixed(protocol.PortableTools()...)(l)
}

// Unknown is the error for a word that is not an event, with what was probably meant.
func Unknown(command, word string) error {
	return shell.WithHint(shell.Usagef("%s: no such event: %q", command, word), agents.EventHints(word)...)
}

// NoneIn says why a payload is not an event of the format. native is its specified
// name, "" for none.
func NoneIn(command string, d *protocol.Dialect, payload protocol.Object, native string) error {
	if d == spec.Dialect {
		return Unknown(command, payload.Text("event_type"))
	}
	if name := payload.Text("hook_event_name"); name != "" {
		native = name
	}
	if _, ok := d.Native(native); ok {
		return fmt.Errorf("%s: %s sends this %s for something that is not an event of the format", command, d.Name, native)
	}
	return shell.WithHint(fmt.Errorf("%s: %s has no event %q that the format knows", command, d.Name, native), "agents-hooks agents "+d.ID)
}

// CallText is an event's tool call in short, after a colon; "" if it has none.
func CallText(ev *protocol.Event) string {
	if ev.Call == nil {
		return ""
	}
	input := shell.Plain(string(ev.Call.Input.Raw()))
	if input == "{}" { // there is none, or the log did not keep it
		return ": " + shell.Plain(ev.Call.Name)
	}
	return ": " + shell.Plain(ev.Call.Name) + " " + text.Clip(input, 120)
}
