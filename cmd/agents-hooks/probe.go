package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/dispatch"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// probeLimit is how long an entry may take to answer, and an agent to tell its
// version.
const (
	probeLimit   = 10 * time.Second
	versionLimit = 5 * time.Second
)

// A probe is what came of firing one entry.
type probe struct {
	entry protocol.Registered
	took  time.Duration
	err   error
}

// fire runs the very command that stands in an agent's configuration, through
// the shell that the agent uses, with an event that runs no hook, and looks for
// the line of it in the run log.
func (t *tool) fire(d *protocol.Dialect, site protocol.Site, e protocol.Registered) probe {
	p := probe{entry: e}
	dir, err := os.MkdirTemp("", "agents-hooks-probe-")
	if err != nil {
		p.err = err
		return p
	}
	defer os.RemoveAll(dir)
	session := dispatch.ProbePrefix + randomID()
	argv := d.Config.Starting(site, e.Command)
	ctx, cancel := context.WithTimeout(context.Background(), probeLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, t.host.Env, time.Second
	cmd.Stdin = bytes.NewReader(probePayload(d, e.Event, session, dir))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	err = cmd.Run()
	p.took = time.Since(start)
	want := strings.TrimSpace(string(d.NoOpinion(e.Event).Stdout))
	switch said := strings.TrimSpace(stdout.String()); {
	case ctx.Err() != nil:
		p.err = fmt.Errorf("it did not answer within %s", probeLimit)
	case err != nil:
		p.err = fmt.Errorf("%w%s", err, colon(firstLine(stderr.String())))
	case said != want:
		p.err = fmt.Errorf("it answered %q, want %q", clip(said, 60), want)
	case !t.logged(e, session):
		p.err = fmt.Errorf("it answered, but left no line in the run log in %s", t.short(stateOf(e, t.host.State)))
	}
	return p
}

func colon(s string) string {
	if s == "" {
		return ""
	}
	return ": " + s
}

// logged reports whether the log of an entry has a line of a session.
func (t *tool) logged(e protocol.Registered, session string) bool {
	lines, err := runner.ReadLog(stateOf(e, t.host.State), runner.LogFilter{Session: session, Last: 1})
	return err == nil && len(lines) > 0
}

// stateOf and configOf are the directories that an entry was given, else what
// the default is.
func stateOf(e protocol.Registered, def string) string  { return orElse(flagOf(e, "--state="), def) }
func configOf(e protocol.Registered, def string) string { return orElse(flagOf(e, "--config="), def) }

func flagOf(e protocol.Registered, prefix string) string {
	for _, a := range e.Argv {
		if v, ok := strings.CutPrefix(a, prefix); ok {
			return v
		}
	}
	return ""
}

// probePayload is an event as an agent would send it. It holds what the payloads
// of all events need, since what an event does not have is ignored there.
func probePayload(d *protocol.Dialect, native, session, dir string) []byte {
	shell := "probe"
	for _, tool := range d.Tools {
		if tool.Name == protocol.Shell {
			shell = tool.Native
			break
		}
	}
	var o protocol.Object
	text := func(name, value string) { o.SetText(name, value) }
	text("session_id", session)
	text("cwd", dir)
	text("hook_event_name", native)
	text("source", "startup")
	text("reason", "other")
	text("trigger", "manual")
	text("prompt", "a probe of agents-hooks doctor")
	text("agent_id", "probe")
	text("agent_type", "probe")
	text("tool_name", shell)
	o.Set("tool_input", protocol.Raw(`{"command": "true"}`))
	text("tool_use_id", session)
	o.Set("tool_response", protocol.Raw(`{}`))
	o.Set("stop_hook_active", protocol.Raw("false"))
	return o.Append(nil)
}

func randomID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// askVersion starts an agent's program for its version, for a short time.
func (t *tool) askVersion(program string) string {
	ctx, cancel := context.WithTimeout(context.Background(), versionLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "--version")
	cmd.Env, cmd.WaitDelay = t.host.Env, time.Second
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return clip(firstLine(string(out)), 40)
}
