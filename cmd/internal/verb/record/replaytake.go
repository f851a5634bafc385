package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/record"
	"github.com/agents-hooks/agents-hooks/cmd/internal/scratch"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/protocol/spec"
)

// A take is one event of a file.
type take struct {
	line  int
	entry record.Entry
	bare  bool  // a payload, without an answer
	bad   error // it is no event
}

// takes reads a file: one payload, or a line for each event. A line that is
// none does not keep the others from being played; the last one may have been cut
// off by whatever ended its writer.
func (p *player) takes(path string) ([]take, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, hookset.MaxEvent+1))
	switch {
	case err != nil:
		return nil, err
	case len(b) > hookset.MaxEvent:
		return nil, fmt.Errorf("%s: larger than %d MiB", path, hookset.MaxEvent>>20)
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
		return nil, shell.WithHint(fmt.Errorf("%s: no event in it: %v", path, first.bad), "want a file of agents-hooks record, or one JSON payload of an agent")
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
	return take{line: line, bare: true, entry: record.Entry{Payload: o.Raw(), Flag: p.event}}
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
	in := protocol.Input{Payload: payload, Event: t.entry.Flag, WorkDir: setup.OrElse(t.entry.WorkDir, p.Host.WorkDir), Env: p.Host.Getenv, Now: t.entry.Time}
	if in.Now.IsZero() {
		in.Now = p.Host.Now()
	}
	events, err := d.Decode(in)
	if err != nil {
		return nil, nil, err
	}
	if len(events) == 0 {
		return nil, nil, hookset.NoEventIn("replay", d, payload, t.entry.Flag)
	}
	for _, ev := range events {
		if p.dir != "" {
			ev.WorkDir = p.dir
		}
	}
	// The file of the session that this was recorded in is not ours to write to.
	if events[0].EnvFile = ""; t.entry.EnvFile {
		events[0].EnvFile = filepath.Join(state, "env")
	}
	if p.as == nil || p.as == d {
		return d, events, nil
	}
	events, err = p.translated(events, in)
	return p.as, events, err
}

// translated are events as they would have come from the agent that they are
// played as.
func (p *player) translated(events []*protocol.Event, in protocol.Input) ([]*protocol.Event, error) {
	if p.as == spec.Dialect {
		var err error
		if in.Payload, err = protocol.ParseObject(events[0].JSON()); err != nil {
			return nil, err
		}
		return spec.Dialect.Decode(in)
	}
	var there []*protocol.Event
	for i, ev := range events {
		as, ok := hookset.EventFor(p.as, ev)
		if !ok && i == 0 {
			return nil, fmt.Errorf("%s has no event for %s", p.as.Name, ev.Type)
		}
		if ok {
			there = append(there, as)
		}
	}
	return there, nil
}

// dialect is what a take is in.
func (p *player) dialect(t take, payload protocol.Object) (*protocol.Dialect, error) {
	switch {
	case !t.bare:
		d, ok := agents.Lookup(t.entry.Agent)
		if !ok {
			return nil, fmt.Errorf("no such agent: %q", t.entry.Agent)
		}
		return d, nil
	case p.from != nil:
		return p.from, nil
	}
	if d := agents.Detect(payload, p.Host.Getenv); d != nil {
		return d, nil
	}
	if payload.Has("event_type") {
		return spec.Dialect, nil
	}
	return nil, errors.New("cannot tell which agent this payload is from; name it with --from ID")
}

// on is the host with its state directory in another place.
func (p *player) on(state string) host.Host {
	h := p.Host
	h.State = state
	return h
}

func dedupDir(state string) string { return filepath.Join(state, "dedup") }

// maxState bounds what is copied of the state of hooks, in bytes.
const maxState = 64 << 20

// copyState makes a state directory that has of the user's what hooks and their
// trust go by: the approvals, and what hooks keep for themselves. What sessions
// remember is left out: a replay begins them anew.
func (p *player) copyState() (string, error) {
	dir, err := os.MkdirTemp("", "agents-hooks-replay-")
	if err != nil {
		return "", fmt.Errorf("making a state directory: %w", err)
	}
	if b, err := os.ReadFile(filepath.Join(p.Host.State, "trust.json")); err == nil {
		if err := os.WriteFile(filepath.Join(dir, "trust.json"), b, 0o600); err != nil {
			return dir, err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return dir, err
	}
	if err := copyTree(filepath.Join(p.Host.State, "hooks"), filepath.Join(dir, "hooks")); err != nil {
		p.Say("replay: hooks begin without their state: %v", err)
		scratch.RemoveAll(filepath.Join(dir, "hooks"))
	}
	return dir, nil
}

// copyTree copies the files of a folder; links and the like are left out. A
// folder that is not there is empty.
func copyTree(from, to string) error {
	left := int64(maxState)
	return filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch dst := filepath.Join(to, rel); {
		case e.IsDir():
			return os.MkdirAll(dst, 0o700)
		case e.Type().IsRegular():
			info, err := e.Info()
			if err != nil {
				return err
			}
			if left -= info.Size(); left < 0 {
				return fmt.Errorf("%s holds more than %d MiB", from, maxState>>20)
			}
			return scratch.CopyFile(path, dst, info.Mode().Perm()|0o600)
		}
		return nil
	})
}

// asKept is an answer as record would have kept it, with the user's own state
// directory in place of the copy.
func (p *player) asKept(a record.Answer, state string) record.Answer {
	quoted := func(s string) string { q := string(protocol.Quote(s)); return q[1 : len(q)-1] }
	back := strings.NewReplacer(state, p.Host.State, quoted(state), quoted(p.Host.State)).Replace
	a.Reason, a.Stdout, a.Stderr = back(a.Reason), back(a.Stdout), back(a.Stderr)
	for i := range a.Files {
		a.Files[i] = back(a.Files[i])
	}
	return a.Redact()
}
