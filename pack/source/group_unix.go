//go:build unix

package source

import (
	"os/exec"
	"syscall"
)

// group has a command end with all that it started: git's helpers fetch for it, and in
// a session of its own no helper finds a terminal to wait at for a password.
// Where git may ask the person it stays in the group of the terminal, or it could
// not read the answer.
func group(cmd *exec.Cmd, terminal bool) {
	if terminal {
		return
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
