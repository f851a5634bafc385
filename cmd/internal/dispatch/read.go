package dispatch

import (
	"bytes"
	"errors"
	"fmt"
	"io"
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

// read reads the JSON object on stdin. If that fails, begin is what was read before.
func read(r io.Reader) (payload protocol.Object, begin []byte, err error) {
	raw, err := readInput(r)
	if err != nil {
		return nil, raw, err
	}
	payload, err = protocol.ParseObject(raw)
	return payload, raw, err
}

// readInput reads stdin to its end, or refuses, with what it read until then. A reader that
// exceeds its time stays blocked; the process is about to end.
func readInput(r io.Reader) ([]byte, error) {
	type piece struct {
		bytes []byte
		err   error
	}
	first := make(chan piece, 1)
	done := make(chan error, 1)
	var buf bytes.Buffer
	go func() {
		chunk := make([]byte, 16<<10)
		n, err := r.Read(chunk)
		for n == 0 && err == nil {
			n, err = r.Read(chunk)
		}
		buf.Write(chunk[:n])
		first <- piece{chunk[:n], err}
		if err == nil {
			_, err = buf.ReadFrom(io.LimitReader(r, maxInput+1-int64(n)))
			if buf.Len() > maxInput {
				// Read on, so that the agent does not meet a broken pipe.
				_, err = io.Copy(io.Discard, r)
			}
		}
		done <- err
	}()
	var begin piece
	select {
	case begin = <-first:
		if begin.err != nil && begin.err != io.EOF {
			return begin.bytes, fmt.Errorf("reading stdin: %v", begin.err)
		}
	case <-time.After(firstByte):
		return nil, fmt.Errorf("reading stdin: no input for %s", firstByte)
	}
	select {
	case err := <-done:
		if err != nil && err != io.EOF {
			return buf.Bytes(), fmt.Errorf("reading stdin: %v", err)
		}
	case <-time.After(wholeInput):
		return begin.bytes, fmt.Errorf("reading stdin: still no end %s after the first byte", wholeInput)
	}
	if buf.Len() > maxInput {
		return buf.Bytes(), fmt.Errorf("reading stdin: more than %d MiB", maxInput>>20)
	}
	if len(bytes.TrimSpace(buf.Bytes())) == 0 {
		return nil, errEmpty
	}
	return buf.Bytes(), nil
}
