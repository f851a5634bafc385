// Package eventarg reads an event for a command: from --input or stdin, in the format's
// own form or as an agent sends it, or named by a word of the command line. It has the
// flags for that, the completions, and the error messages for anything that is not an
// event.
package eventarg

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/protocol/spec"
)

// MaxSize is the maximum size of an event, in bytes.
const MaxSize = 64 << 20

// Flags are those of a command that takes an event.
func Flags() []cli.Flag {
	return []cli.Flag{
		cli.Offer(&cli.StringFlag{Name: "input", Usage: "the event, from `FILE` (- for stdin)"}, shell.Files),
		AgentFlag(), NativeFlag(),
	}
}

// AgentFlag says which agent an event comes from.
func AgentFlag() cli.Flag {
	return cli.Offer(&cli.StringFlag{Name: "agent", Usage: "the event is a payload of the agent `ID`"}, agentarg.Words)
}

// NativeFlag says which of the agent's events it is.
func NativeFlag() cli.Flag {
	return cli.Offer(&cli.StringFlag{Name: "event", Usage: "the agent's `NATIVE` name, if not in it"}, NativeWords)
}

// Options are what [Flags] say.
type Options struct {
	Command string // the command that gets the event, for messages
	File    string // "" or "-" for stdin
	Agent   string // "" for the one that the payload is from
	Native  string // the agent's name for it, "" if the payload says it
	Given   bool   // --input was typed
	Told    bool   // --agent or --event was typed
}

// OptionsOf are the options of a command line.
func OptionsOf(c *cli.Context) Options {
	return Options{
		Command: c.Command.Name, File: c.String("input"), Agent: c.String("agent"), Native: c.String("event"),
		Given: c.IsSet("input"), Told: c.IsSet("agent") || c.IsSet("event"),
	}
}

// Read reads an event, which may become several of the format. event is its name if
// it does not say so itself, "" for none.
func (o Options) Read(sh *shell.Shell, event string) ([]*protocol.Event, error) {
	if err := o.Named(); err != nil {
		return nil, err
	}
	raw, err := o.bytes(sh)
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, shell.WithHint(fmt.Errorf("%s: the event is empty", o.Command), "want it on stdin or with --input FILE: agents-hooks "+o.Command+" --help")
	}
	payload, unread, err := protocol.ParseEvent(raw)
	if err != nil {
		return nil, o.unreadable(err)
	}
	d, err := o.dialect(payload)
	if err != nil {
		return nil, err
	}
	if d == spec.Dialect && event != "" && !payload.Has("event_type") {
		payload.SetText("event_type", event)
	}
	events, err := d.Decode(protocol.Input{Payload: payload, Unread: unread, Event: o.Native, WorkDir: sh.Host.WorkDir, Env: sh.Host.Getenv, Now: sh.Host.Now()})
	if err != nil {
		return nil, o.unreadable(err)
	}
	if len(events) == 0 {
		return nil, NoneIn(o.Command, d, payload, o.Native)
	}
	return events, nil
}

func (o Options) unreadable(err error) error {
	return shell.WithHint(fmt.Errorf("%s: the event cannot be read: %v", o.Command, err), `want what an agent sends, or {"event_type": "pre-tool-call", …}; agents-hooks explain pre-tool-call takes a sample`)
}

// Named rejects an unknown agent, and an event that no agent has, before anything is
// read.
func (o Options) Named() error {
	if o.Agent != "" {
		if _, err := agentarg.LookupFormat(o.Agent); err != nil {
			return err
		}
	}
	has := func(d *protocol.Dialect) bool { _, ok := d.Native(o.Native); return ok }
	if o.Native != "" && !slices.Contains(protocol.EventTypes(), protocol.EventType(o.Native)) && !slices.ContainsFunc(agents.All(), has) {
		return Unknown(o.Command, o.Native)
	}
	return nil
}

// dialect is the named one, or the one that the payload is in.
func (o Options) dialect(payload protocol.Object) (*protocol.Dialect, error) {
	if o.Agent != "" {
		return agentarg.LookupFormat(o.Agent)
	}
	if payload.Has("event_type") {
		return spec.Dialect, nil
	}
	if d := agents.Detect(payload); d != nil {
		return d, nil
	}
	if payload.Has("hook_event_name") {
		return nil, shell.WithHint(fmt.Errorf("%s: cannot tell which agent this payload is from", o.Command), callers(payload.Text("hook_event_name")))
	}
	return spec.Dialect, nil
}

// callers is the hint to name the agent: one of those that have such an event.
func callers(native string) string {
	var ids []string
	for _, d := range agents.All() {
		if _, ok := d.Native(native); ok {
			ids = append(ids, d.ID)
		}
	}
	if len(ids) == 0 {
		return "name it with --agent ID"
	}
	return "name it with --agent ID: " + native + " is an event of " + strings.Join(ids, ", ")
}

// bytes reads the file, or stdin.
func (o Options) bytes(sh *shell.Shell) ([]byte, error) {
	in := sh.In
	if o.File != "" && o.File != "-" {
		path, err := sh.Abs(o.File)
		if err != nil {
			return nil, err
		}
		f, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("%s: reading the event: %w", o.Command, err)
		}
		defer f.Close()
		in = f
	} else if shell.IsTerminal(in) {
		return nil, shell.WithHint(shell.Usagef("%s: no event: want it on stdin, or with --input FILE", o.Command), "agents-hooks "+o.Command+" --help")
	}
	raw, err := io.ReadAll(io.LimitReader(in, MaxSize+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: reading the event: %w", o.Command, err)
	case len(raw) > MaxSize:
		return nil, errors.New(o.Command + ": the event is larger than 64 MiB")
	}
	return raw, nil
}

// Decode decodes an event in the format's own form.
func Decode(h host.Host, payload protocol.Object) (*protocol.Event, error) {
	events, err := spec.Dialect.Decode(protocol.Input{Payload: payload, Env: h.Getenv, Now: h.Now()})
	if err != nil {
		return nil, err
	}
	if len(events) == 0 {
		return nil, Unknown("the event", payload.Text("event_type"))
	}
	return events[0], nil
}
