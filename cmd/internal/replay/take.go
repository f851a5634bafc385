package replay

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/cmd/internal/eventarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/record"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/translate"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/protocol/spec"
)

// A take is one event of a file.
type take struct {
	line  int
	entry record.Entry
	bare  bool  // a payload, without an answer
	bad   error // it is not an event
}

// takes reads a file: one payload, or one event a line. An invalid line does not keep
// the others from being played; the last one may have been cut when its writer ended.
func (p *player) takes(path string) ([]take, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, eventarg.MaxSize+1))
	switch {
	case err != nil:
		return nil, err
	case len(b) > eventarg.MaxSize:
		return nil, fmt.Errorf("%s: larger than %d MiB", path, eventarg.MaxSize>>20)
	}
	first := p.take(1, b)
	if first.bad == nil {
		return []take{first}, nil
	}
	var list []take
	good := false
	for i, line := range bytes.Split(b, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		t := p.take(i+1, line)
		good = good || t.bad == nil
		list = append(list, t)
	}
	if !good {
		return nil, shell.WithHint(fmt.Errorf("%s: it contains no event: %v", path, first.bad), "want a file of agents-hooks record, or one JSON payload of an agent")
	}
	return list, nil
}

func (p *player) take(line int, b []byte) take {
	o, err := protocol.ParseObject(b)
	if err != nil {
		return take{line: line, bad: err}
	}
	if e, ok := record.Parse(o); ok {
		return take{line: line, entry: e}
	}
	return take{line: line, bare: true, entry: record.Entry{Payload: o.Raw(), Flag: p.Native}}
}

// events are what a take becomes in the agent that it is played as.
func (p *player) events(t take, state string) (*protocol.Dialect, []*protocol.Event, error) {
	if t.entry.Payload == nil {
		return nil, nil, fmt.Errorf("the payload was too large to be kept (%d bytes)", t.entry.Omitted)
	}
	payload := protocol.ObjectOf(t.entry.Payload)
	d, err := p.dialect(t, payload)
	if err != nil {
		return nil, nil, err
	}
	in := protocol.Input{Payload: payload, Event: t.entry.Flag, WorkDir: cmp.Or(t.entry.WorkDir, p.host.WorkDir), Env: p.host.Getenv, Now: t.entry.Time}
	if in.Now.IsZero() {
		in.Now = p.host.Now()
	}
	events, err := d.Decode(in)
	if err != nil {
		return nil, nil, err
	}
	if len(events) == 0 {
		return nil, nil, eventarg.NoneIn("replay", d, payload, t.entry.Flag)
	}
	for _, ev := range events {
		if p.Dir != "" {
			ev.WorkDir = p.Dir
		}
	}
	// The recorded session's file is not ours to write to.
	if events[0].EnvFile = ""; t.entry.EnvFile {
		events[0].EnvFile = filepath.Join(state, "env")
	}
	if p.As == nil || p.As == d {
		return d, events, nil
	}
	events, err = p.translated(events, in)
	return p.As, events, err
}

// translated are events as they would have come from the agent that they are
// played as.
func (p *player) translated(events []*protocol.Event, in protocol.Input) ([]*protocol.Event, error) {
	if p.As == spec.Dialect {
		var err error
		if in.Payload, err = protocol.ParseObject(events[0].JSON()); err != nil {
			return nil, err
		}
		return spec.Dialect.Decode(in)
	}
	var there []*protocol.Event
	for i, ev := range events {
		as, ok := translate.Event(p.As, ev)
		if !ok && i == 0 {
			return nil, fmt.Errorf("%s has no event for %s", p.As.Name, ev.Type)
		}
		if ok {
			there = append(there, as)
		}
	}
	return there, nil
}

// dialect is a take's dialect.
func (p *player) dialect(t take, payload protocol.Object) (*protocol.Dialect, error) {
	switch {
	case !t.bare:
		d, ok := agents.Lookup(t.entry.Agent)
		if !ok {
			return nil, fmt.Errorf("no such agent: %q", t.entry.Agent)
		}
		return d, nil
	case p.From != nil:
		return p.From, nil
	}
	if d := agents.Detect(payload); d != nil {
		return d, nil
	}
	if payload.Has("event_type") {
		return spec.Dialect, nil
	}
	return nil, errors.New("cannot tell which agent this payload is from; name it with --from ID")
}
