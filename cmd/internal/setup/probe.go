package setup

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/dispatch"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/runlog"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// probeLimit is how long an entry may take to answer.
const probeLimit = 10 * time.Second

// Fire runs the very command in an agent's configuration as the agent starts it,
// through its shell or without one, with an event that runs no hook, and looks for
// its line in the run log.
func Fire(h host.Host, d *protocol.Dialect, site protocol.Site, e protocol.Registered) (took time.Duration, err error) {
	dir, err := os.MkdirTemp("", "agents-hooks-probe-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	session := dispatch.ProbePrefix + RandomID()
	argv := d.Config.Starting(site, e)
	if d.Config.Shape == protocol.Wrappers {
		argv = startingFile(site, e.File)
	}
	ctx, cancel := context.WithTimeout(context.Background(), probeLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	verbatim(cmd)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, h.Env, time.Second
	cmd.Stdin = bytes.NewReader(probePayload(e.Event, session, dir))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	err = cmd.Run()
	took = time.Since(start)
	want := strings.TrimSpace(string(d.NoOpinion(e.Event).Stdout))
	state := cmp.Or(EntryFlag(e.Argv, "state"), h.State)
	switch said := strings.TrimSpace(stdout.String()); {
	case ctx.Err() != nil:
		return took, fmt.Errorf("it did not answer within %s", probeLimit)
	case err != nil:
		return took, fmt.Errorf("%w%s", err, colon(shell.FirstLine(stderr.String())))
	case said != want:
		return took, fmt.Errorf("it answered %q, want %q", text.Clip(said, 60), want)
	case !logged(state, session):
		return took, fmt.Errorf("it answered, but left no line in the run log in %s", h.Short(state))
	}
	return took, nil
}

func colon(s string) string {
	if s == "" {
		return ""
	}
	return ": " + s
}

// logged reports whether a run log has a line of a session.
func logged(state, session string) bool {
	lines, _, err := runlog.Newest(state, runlog.Filter{Session: session}, 1)
	return err == nil && len(lines) > 0
}

// startingFile is how an agent starts an executable file of ours.
func startingFile(s protocol.Site, path string) []string {
	if s.GOOS == "windows" {
		return []string{"powershell.exe", "-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-File", path}
	}
	return []string{path}
}

// probePayload is an event of an agent, marked as a probe: it is answered before
// anything reads the agent's own fields.
func probePayload(native, session, dir string) []byte {
	var o protocol.Object
	o.SetText(dispatch.ProbeMember, session)
	o.SetText("hook_event_name", native)
	o.SetText("cwd", dir)
	return o.Append(nil)
}

// RandomID is a name that nothing else has.
func RandomID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
