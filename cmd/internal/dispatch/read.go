package dispatch

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/runner"
)

// options are the arguments of run. None of them is an error: an argument that cannot be
// understood is a warning, because a stale entry in an agent's configuration must not stop the
// agent.
type options struct {
	agent     string
	event     string
	deadline  time.Duration
	entry     host.Entry // the places and the trust that it names
	noProject bool
	json      bool     // the answer is one object, in spec form
	stream    bool     // one event per line, one answer per line
	odd       []string // what could not be understood
}

func parseArgs(args []string) options {
	var o options
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if !strings.HasPrefix(arg, "-") || arg == "-" {
			o.warn("argument %q is not understood, ignored", arg)
			continue
		}
		name, value, inline := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		switch name {
		case "no-project":
			o.noProject = true
			continue
		case "json":
			o.json = true
			continue
		case "stream":
			o.json, o.stream = true, true
			continue
		}
		if !takesValue(name) {
			o.warn("flag %q is not known, ignored", arg)
			continue
		}
		if !inline {
			if len(args) == 0 {
				o.warn("flag %q wants a value, ignored", arg)
				continue
			}
			value, args = args[0], args[1:]
		}
		o.set(name, value)
	}
	switch {
	case o.agent == "" || !o.json:
	case o.stream && o.hasPlugin():
		o.json = false
	default:
		o.warn("--json and --stream speak the format's own form, not that of --agent %s; ignored", o.agent)
		o.json, o.stream = false, false
	}
	return o
}

// hasPlugin reports whether the agent has a plugin of ours, which uses streams.
func (o *options) hasPlugin() bool {
	d, ok := agents.Lookup(o.agent)
	return ok && d.Config != nil && d.Config.Shape == protocol.Plugin
}

func takesValue(name string) bool {
	switch name {
	case "agent", "event", "deadline", "home", "config", "state", "cache", "data", "system", "trust":
		return true
	}
	return false
}

func (o *options) set(name, value string) {
	switch name {
	case "agent":
		o.agent = value
	case "event":
		o.event = value
	case "deadline":
		d, err := time.ParseDuration(value)
		if err != nil || d <= 0 {
			o.warn("--deadline %q is not a duration such as 5s, ignored", value)
			return
		}
		o.deadline = d
	case "trust":
		if _, ok := o.entry.Set(name, value); !ok {
			o.warn("--trust %q is not \"always\", ignored", value)
		}
	default:
		if _, ok := o.entry.Set(name, value); !ok {
			o.warn("--%s %q is not an absolute path, ignored", name, value)
		}
	}
}

func (o *options) warn(format string, args ...any) {
	o.odd = append(o.odd, fmt.Sprintf(format, args...))
}

// warnings are about arguments that were not understood.
func (o *options) warnings() []runner.Warning {
	var list []runner.Warning
	for _, text := range o.odd {
		list = append(list, runner.Warning{Kind: "arguments", Text: text})
	}
	return list
}

// Limits of stdin. Exceeding one is refused, never cut, because guards cannot read a cut event.
const (
	maxInput   = 64 << 20
	firstByte  = 10 * time.Second // for an agent that starts us and then says nothing
	wholeInput = 5 * time.Second  // from the first byte to the end
)

var errEmpty = errors.New("nothing on stdin")

// A given is what came of an event.
type given struct {
	object protocol.Object
	unread string // what hooks do not get of it
	begin  []byte // all that was read, for what can be recognized in what is no object
	err    error
}

// read reads the JSON object on stdin.
func read(r io.Reader) (in given) {
	if in.begin, in.err = readInput(r); in.err == nil {
		in.parse()
	}
	return in
}

func (in *given) parse() { in.object, in.unread, in.err = protocol.ParseEvent(in.begin) }

// readInput reads stdin to its end, or refuses, with what it read until then.
func readInput(r io.Reader) (buf []byte, err error) {
	read := inTime(r)
	buf = make([]byte, 0, 4<<10)
	for end := time.Now().Add(firstByte); err == nil; {
		begun := len(buf) > 0
		if buf, err = more(read, buf, time.Until(end)); !begun && len(buf) > 0 {
			end = time.Now().Add(wholeInput)
		}
	}
	switch {
	case err == errLate && len(buf) == 0:
		return nil, fmt.Errorf("reading stdin: no input for %s", firstByte)
	case err == errLate:
		return buf, fmt.Errorf("reading stdin: still no end %s after the first byte", wholeInput)
	case err != io.EOF:
		return buf, fmt.Errorf("reading stdin: %v", err)
	case len(buf) > maxInput:
		return buf, fmt.Errorf("reading stdin: more than %d MiB", maxInput>>20)
	case len(bytes.TrimSpace(buf)) == 0:
		return nil, errEmpty
	}
	return buf, nil
}

// more adds what can be read within a limit. Of what is too much nothing is kept, but it is
// read, so that the agent does not meet a broken pipe.
func more(read timedRead, buf []byte, limit time.Duration) ([]byte, error) {
	if len(buf) == cap(buf) {
		buf = slices.Grow(buf, len(buf))
	}
	n, err := read(buf[len(buf):cap(buf)], limit)
	if len(buf) <= maxInput {
		buf = buf[:len(buf)+n]
	}
	return buf, err
}

// A timedRead is a Read that waits no longer than a limit, and then fails with errLate.
type timedRead func(p []byte, limit time.Duration) (int, error)

var errLate = errors.New("nothing came in time")

// inTime reads from r. A file is waited for where the system can do that (readable): another
// goroutine, which reads from all else, takes 2 % of an event. It is left behind
// blocked if the time is over; the process is about to end.
func inTime(r io.Reader) timedRead {
	if f, ok := r.(*os.File); ok && readable != nil {
		return func(p []byte, limit time.Duration) (int, error) {
			if !readable(f, limit) {
				return 0, errLate
			}
			return f.Read(p)
		}
	}
	out, in := io.Pipe()
	go func() {
		_, err := io.Copy(in, r)
		in.CloseWithError(err)
	}()
	return func(p []byte, limit time.Duration) (int, error) {
		late := time.AfterFunc(limit, func() { in.CloseWithError(errLate) })
		defer late.Stop()
		return out.Read(p)
	}
}
