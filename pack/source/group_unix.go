//go:build unix

package source

import (
	"os/exec"
	"syscall"
)

// group makes a command end together with everything that it started: git's helpers
// fetch for it, and in a session of its own no helper can wait at a terminal for a
// password. If git may ask the user, it stays in the terminal's process group;
// otherwise it could not read the answer.
func group(cmd *exec.Cmd, terminal bool) {
	if terminal {
		return
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
