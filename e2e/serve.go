//go:build e2e && unix

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"

	"github.com/agents-hooks/agents-hooks/e2e/model"
)

// runOn gives the agent one prompt and waits until it has really stopped: hooks may
// make it go on. If an unattended run ends at the first stop whatever hooks say, the
// agent runs as a server.
func (l *Lab) runOn(script model.Script) *Run {
	l.t.Helper()
	if l.Agent.Serve == nil {
		return l.run(script).well()
	}
	stopped := l.mark("stopped")
	l.userHook(Hook{Name: "stopped", Trigger: "post-agent-turn-stop", Script: ": > '" + stopped + "'"})
	url := l.serve()
	r := l.start(script, l.Agent.Attach(l, url, promptMark+": do what the script says.")).well()
	if !l.eventually(func() bool { return l.marked("stopped") }) {
		r.fatalf("the agent did not stop")
	}
	r.Turns = l.Model.Turns()
	return r
}

// serve starts the agent as a server until the end of the check, and returns its URL.
func (l *Lab) serve() string {
	l.t.Helper()
	log, err := os.Create(l.mark("serve.log"))
	if err != nil {
		l.t.Fatal(err)
	}
	cmd := l.command(filepath.Join(l.bin(), l.Agent.Command), l.Agent.Serve...)
	cmd.Env = append(cmd.Env, l.Agent.Env(l)...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { stop(cmd, log) })
	var url, text string
	if !l.eventually(func() bool {
		data, _ := os.ReadFile(log.Name())
		text = string(data)
		url = serverURL.FindString(text)
		return url != ""
	}) {
		l.t.Fatalf("the server does not say where it listens: %s", text)
	}
	return strings.TrimSpace(url)
}

var serverURL = regexp.MustCompile(`http://127\.0\.0\.1:\d+\s`)

func stop(cmd *exec.Cmd, log *os.File) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	_ = cmd.Wait()
	_ = log.Close()
}
