package hookset

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/protocol/spec"
)

// maxEvent is how large an event may be, in bytes (RULINGS 1).
const MaxEvent = 64 << 20

func AgentFlag() cli.Flag {
	return shell.Offer(&cli.StringFlag{Name: "agent", Usage: "the event is a payload of the agent `ID`"}, Agents)
}

func NativeFlag() cli.Flag {
	return shell.Offer(&cli.StringFlag{Name: "event", Usage: "the agent's `NATIVE` name, if not in it"}, NativeEvents)
}

// ReadEvents reads an event from --input or stdin, in spec form or as an agent's
// payload. event is what it is if it does not say so itself, "" for nothing.
func ReadEvents(sh *shell.Shell, c *cli.Context, event string) ([]*protocol.Event, error) {
	command := c.Command.Name
	raw, err := readInput(sh, c)
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, shell.WithHint(fmt.Errorf("%s: the event is empty", command), "want it on stdin or with --input FILE: agents-hooks "+command+" --help")
	}
	payload, err := protocol.ParseObject(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: the event cannot be read: %v", command, err)
	}
	d, err := dialectOf(sh, c, payload)
	if err != nil {
		return nil, err
	}
	if d == spec.Dialect && event != "" && !payload.Has("event_type") {
		payload.SetText("event_type", event)
	}
	events, err := d.Decode(protocol.Input{Payload: payload, Event: c.String("event"), WorkDir: sh.Host.WorkDir, Env: sh.Host.Getenv, Now: sh.Host.Now()})
	if err != nil {
		return nil, fmt.Errorf("%s: the event cannot be read: %v", command, err)
	}
	if len(events) == 0 {
		return nil, NoEventIn(command, d, payload, c.String("event"))
	}
	return events, nil
}

// NoEventIn says why a payload is no event of the format.
func NoEventIn(command string, d *protocol.Dialect, payload protocol.Object, native string) error {
	if d == spec.Dialect {
		return NoSuchEvent(command, payload.Text("event_type"))
	}
	if name := payload.Text("hook_event_name"); name != "" {
		native = name
	}
	if _, ok := d.Native(native); ok {
		return fmt.Errorf("%s: %s sends this %s for something that is no event of the format", command, d.Name, native)
	}
	return shell.WithHint(fmt.Errorf("%s: %s has no event %q that the format knows", command, d.Name, native), "agents-hooks agents "+d.ID)
}

// dialectOf is the dialect that was named, or the one that the payload is in.
func dialectOf(sh *shell.Shell, c *cli.Context, payload protocol.Object) (*protocol.Dialect, error) {
	if id := c.String("agent"); id != "" {
		if d, ok := agents.Lookup(id); ok {
			return d, nil
		}
		return LookupAgent(id)
	}
	if payload.Has("event_type") {
		return spec.Dialect, nil
	}
	if d := agents.Detect(payload, sh.Host.Getenv); d != nil {
		return d, nil
	}
	if payload.Has("hook_event_name") {
		return nil, shell.WithHint(fmt.Errorf("%s: cannot tell which agent this payload is from", c.Command.Name), "name it with --agent ID")
	}
	return spec.Dialect, nil
}

// readInput reads --input, or stdin where it is "-" or not given.
func readInput(sh *shell.Shell, c *cli.Context) ([]byte, error) {
	command, name := c.Command.Name, c.String("input")
	in := sh.In
	if name != "" && name != "-" {
		path, err := sh.Abs(name)
		if err != nil {
			return nil, err
		}
		f, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("%s: reading the event: %w", command, err)
		}
		defer f.Close()
		in = f
	} else if shell.IsTerminal(in) {
		return nil, shell.WithHint(shell.Usagef("%s: no event: want it on stdin, or with --input FILE", command), "agents-hooks "+command+" --help")
	}
	raw, err := io.ReadAll(io.LimitReader(in, MaxEvent+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: reading the event: %w", command, err)
	case len(raw) > MaxEvent:
		return nil, errors.New(command + ": the event is larger than 64 MiB")
	}
	return raw, nil
}
