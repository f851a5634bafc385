//go:build unix

package conformance

import (
	"os/exec"
	"syscall"
)

// ownGroup puts a program into a process group of its own, so that all of it
// can be ended.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }

func killProcess(pid int) { _ = syscall.Kill(pid, syscall.SIGKILL) }

func makeFifo(path string) error { return syscall.Mkfifo(path, 0o644) }

func privileged() bool { return syscall.Geteuid() == 0 }
