//go:build e2e && linux

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// isolate runs the command that half makes in a network namespace that has
// nothing but the loopback interface. Who may not make one as they are gets a
// user namespace to have it in. started is false if neither is allowed; err then
// says why.
func isolate(half func() *exec.Cmd) (cmd *exec.Cmd, started bool, err error) {
	// Pdeathsig is about the thread that forks, so it must live on.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, flags := range []uintptr{syscall.CLONE_NEWNET, syscall.CLONE_NEWNET | syscall.CLONE_NEWUSER} {
		cmd = half()
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: flags, Pdeathsig: syscall.SIGKILL}
		if flags&syscall.CLONE_NEWUSER != 0 {
			cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
			cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
		}
		if err = cmd.Start(); err == nil {
			return cmd, true, cmd.Wait()
		}
	}
	return nil, false, err
}

// raiseLoopback brings the loopback interface of a new namespace up.
func raiseLoopback() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("raise the loopback interface: %w", err)
	}
	defer unix.Close(fd)
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	lo.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo); err != nil {
		return fmt.Errorf("raise the loopback interface: %w", err)
	}
	return nil
}
