package setup

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
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
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
	Took  time.Duration
	Err   error
}

// Fire runs the very command that stands in an agent's configuration, through
// the shell that the agent uses, with an event that runs no hook, and looks for
// the line of it in the run log.
func Fire(sh *shell.Shell, d *protocol.Dialect, site protocol.Site, e protocol.Registered) probe {
	p := probe{entry: e}
	dir, err := os.MkdirTemp("", "agents-hooks-probe-")
	if err != nil {
		p.Err = err
		return p
	}
	defer os.RemoveAll(dir)
	session := dispatch.ProbePrefix + RandomID()
	argv := d.Config.Starting(site, e.Command)
	if d.Config.Shape == protocol.Wrappers {
		argv = startingFile(site, e.File)
	}
	ctx, cancel := context.WithTimeout(context.Background(), probeLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	verbatim(cmd)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, sh.Host.Env, time.Second
	cmd.Stdin = bytes.NewReader(probePayload(e.Event, session, dir))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	err = cmd.Run()
	p.Took = time.Since(start)
	want := strings.TrimSpace(string(d.NoOpinion(e.Event).Stdout))
	switch said := strings.TrimSpace(stdout.String()); {
	case ctx.Err() != nil:
		p.Err = fmt.Errorf("it did not answer within %s", probeLimit)
	case err != nil:
		p.Err = fmt.Errorf("%w%s", err, colon(shell.FirstLine(stderr.String())))
	case said != want:
		p.Err = fmt.Errorf("it answered %q, want %q", shell.Clip(said, 60), want)
	case !logged(sh, e, session):
		p.Err = fmt.Errorf("it answered, but left no line in the run log in %s", sh.Short(StateOf(e, sh.Host.State)))
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
func logged(sh *shell.Shell, e protocol.Registered, session string) bool {
	lines, err := runner.ReadLog(StateOf(e, sh.Host.State), runner.LogFilter{Session: session, Last: 1})
	return err == nil && len(lines) > 0
}

// StateOf and configOf are the directories that an entry was given, else what
// the default is.
func StateOf(e protocol.Registered, def string) string { return OrElse(FlagOf(e, "--state="), def) }

func ConfigOf(e protocol.Registered, def string) string { return OrElse(FlagOf(e, "--config="), def) }

func FlagOf(e protocol.Registered, prefix string) string {
	for _, a := range e.Argv {
		if v, ok := strings.CutPrefix(a, prefix); ok {
			return v
		}
	}
	return ""
}

// startingFile is how an agent starts an executable file of ours.
func startingFile(s protocol.Site, path string) []string {
	if s.GOOS == "windows" {
		return []string{"powershell.exe", "-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-File", path}
	}
	return []string{path}
}

// probePayload is an event of an agent, marked as a probe: it is answered before
// the agent's own fields are looked at.
func probePayload(native, session, dir string) []byte {
	var o protocol.Object
	o.SetText(dispatch.ProbeMember, session)
	o.SetText("hook_event_name", native)
	o.SetText("cwd", dir)
	return o.Append(nil)
}

func RandomID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// AskVersion starts an agent's program for its version, for a short time.
func AskVersion(sh *shell.Shell, program string) string {
	ctx, cancel := context.WithTimeout(context.Background(), versionLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "--version")
	cmd.Env, cmd.WaitDelay = sh.Host.Env, time.Second
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return shell.Clip(shell.FirstLine(string(out)), 40)
}
