package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/protocol/spec"
)

// maxEvent is how large an event may be, in bytes (RULINGS 1).
const maxEvent = 64 << 20

func agentFlag() cli.Flag {
	return &cli.StringFlag{Name: "agent", Usage: "the event is a payload of the agent `ID`"}
}

func nativeFlag() cli.Flag {
	return &cli.StringFlag{Name: "event", Usage: "the agent's `NATIVE` name, if not in it"}
}

// readEvents reads an event from --input or stdin, in spec form or as an agent's
// payload. event is what it is if it does not say so itself, "" for nothing.
func (t *tool) readEvents(c *cli.Context, event string) ([]*protocol.Event, error) {
	command := c.Command.Name
	raw, err := t.readInput(c)
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, withHint(fmt.Errorf("%s: the event is empty", command), "want it on stdin or with --input FILE: agents-hooks "+command+" --help")
	}
	payload, err := protocol.ParseObject(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: the event cannot be read: %v", command, err)
	}
	d, err := t.dialectOf(c, payload)
	if err != nil {
		return nil, err
	}
	if d == spec.Dialect && event != "" && !payload.Has("event_type") {
		payload.SetText("event_type", event)
	}
	events, err := d.Decode(protocol.Input{Payload: payload, Event: c.String("event"), WorkDir: t.host.WorkDir, Env: t.host.Getenv, Now: t.host.Now()})
	if err != nil {
		return nil, fmt.Errorf("%s: the event cannot be read: %v", command, err)
	}
	if len(events) == 0 {
		return nil, noEventIn(command, d, payload, c.String("event"))
	}
	return events, nil
}

// noEventIn says why a payload is no event of the format.
func noEventIn(command string, d *protocol.Dialect, payload protocol.Object, native string) error {
	if d == spec.Dialect {
		return noSuchEvent(command, payload.Text("event_type"))
	}
	if name := payload.Text("hook_event_name"); name != "" {
		native = name
	}
	if _, ok := d.Native(native); ok {
		return fmt.Errorf("%s: %s sends this %s for something that is no event of the format", command, d.Name, native)
	}
	return withHint(fmt.Errorf("%s: %s has no event %q that the format knows", command, d.Name, native), "agents-hooks agents "+d.ID)
}

// dialectOf is the dialect that was named, or the one that the payload is in.
func (t *tool) dialectOf(c *cli.Context, payload protocol.Object) (*protocol.Dialect, error) {
	if id := c.String("agent"); id != "" {
		if d, ok := agents.Lookup(id); ok {
			return d, nil
		}
		return lookupAgent(id)
	}
	if payload.Has("event_type") {
		return spec.Dialect, nil
	}
	if d := agents.Detect(payload, t.host.Getenv); d != nil {
		return d, nil
	}
	if payload.Has("hook_event_name") {
		return nil, withHint(fmt.Errorf("%s: cannot tell which agent this payload is from", c.Command.Name), "name it with --agent ID")
	}
	return spec.Dialect, nil
}

// readInput reads --input, or stdin where it is "-" or not given.
func (t *tool) readInput(c *cli.Context) ([]byte, error) {
	command, name := c.Command.Name, c.String("input")
	in := t.in
	if name != "" && name != "-" {
		path, err := t.abs(name)
		if err != nil {
			return nil, err
		}
		f, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("%s: reading the event: %w", command, err)
		}
		defer f.Close()
		in = f
	} else if isTerminal(in) {
		return nil, withHint(usagef("%s: no event: want it on stdin, or with --input FILE", command), "agents-hooks "+command+" --help")
	}
	raw, err := io.ReadAll(io.LimitReader(in, maxEvent+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: reading the event: %w", command, err)
	case len(raw) > maxEvent:
		return nil, errors.New(command + ": the event is larger than 64 MiB")
	}
	return raw, nil
}
