package conformance

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// ownGroup keeps a program apart from the console's signals. Its children are
// not ended with it: Windows has no process groups in that sense.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

func killGroup(pid int) { killProcess(pid) }

func killProcess(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill()
	}
}

func makeSocket(string) error { return errors.New("Windows has other sockets") }

func makeDevice(string) error { return errors.New("Windows has no devices in the file system") }

func canMakeDevices() bool { return false }

func makeFifo(string) error { return errors.New("Windows has no named pipes in the file system") }

func privileged() bool { return false }
