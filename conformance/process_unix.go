//go:build unix

package conformance

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// ownGroup puts a program into a process group of its own, so that all of it
// can be ended.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }

func killProcess(pid int) { _ = syscall.Kill(pid, syscall.SIGKILL) }

func makeFifo(path string) error { return syscall.Mkfifo(path, 0o644) }

// makeSocket binds a socket to a name; it stays when nobody listens any more.
func makeSocket(path string) error {
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return err
	}
	defer syscall.Close(fd)
	// The name of a socket is short: it is made in a short place and moved.
	dir, err := os.MkdirTemp("", "s")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "s")
	if err := syscall.Bind(fd, &syscall.SockaddrUnix{Name: name}); err != nil {
		return err
	}
	return os.Rename(name, path)
}

// makeDevice makes one that never ends: the system's own zero.
func makeDevice(path string) error {
	info, err := os.Stat("/dev/zero")
	if err != nil {
		return err
	}
	return syscall.Mknod(path, syscall.S_IFCHR|0o644, int(info.Sys().(*syscall.Stat_t).Rdev))
}

// canMakeDevices reports whether this process may: a superuser, mostly.
func canMakeDevices() bool {
	dir, err := os.MkdirTemp("", "conformance-device")
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
	return makeDevice(filepath.Join(dir, "zero")) == nil
}

func privileged() bool { return syscall.Geteuid() == 0 }
