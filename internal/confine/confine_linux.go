//go:build linux && (amd64 || arm64)

package confine

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Supported asks the kernel what it can enforce.
func Supported() Support {
	s := Support{System: true}
	if v, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION); errno == 0 {
		s.Landlock = int(v)
	}
	action := uint32(unix.SECCOMP_RET_ERRNO)
	_, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action)))
	s.Seccomp = errno == 0
	return s
}

// Do runs f on a thread that is confined, and so is whatever f starts. Nothing
// else of this process is. f was not run if there is an error. What the system
// cannot enforce is left out, see [Supported].
func (r Rules) Do(f func()) (err error) {
	onThread(func() {
		if err = r.confine(Supported()); err == nil {
			f()
		}
	})
	return err
}

// onThread runs f on a thread that ends with it. That cannot be the first one of
// a process, which is kept for ever: who waits holds its own, which mostly is that
// one, and if the first was free nevertheless, it is held too.
func onThread(f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	done := make(chan struct{})
	go func() {
		defer close(done)
		// Never unlocked, so that the thread ends with the goroutine.
		runtime.LockOSThread()
		if unix.Gettid() == unix.Getpid() {
			onThread(f)
			runtime.UnlockOSThread()
			return
		}
		f()
	}()
	<-done
}

// confine confines the calling thread. What this process was given open is not
// for those that it starts.
func (r Rules) confine(s Support) error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("giving up new privileges: %w", err)
	}
	if err := dropCapabilities(); err != nil {
		return fmt.Errorf("giving up capabilities: %w", err)
	}
	if err := unix.CloseRange(3, 1<<31-1, unix.CLOSE_RANGE_CLOEXEC); err != nil && s.Landlock > 0 { // mutant: a kernel that has Landlock can do this, too
		return fmt.Errorf("closing what was inherited: %w", err)
	}
	if s.Landlock > 0 {
		if err := r.landlock(s.Landlock); err != nil {
			return err
		}
	}
	if s.Seccomp {
		filter := r.filter(s.Landlock)
		prog := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
		_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&prog)))
		runtime.KeepAlive(filter)
		if errno != 0 {
			return fmt.Errorf("filtering system calls: %w", errno)
		}
	}
	return nil
}

// dropCapabilities gives up all capabilities of the thread but those past the
// modes of files, which root has: a project may belong to somebody else.
func dropCapabilities() error {
	const keep = 1<<unix.CAP_DAC_OVERRIDE | 1<<unix.CAP_DAC_READ_SEARCH
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if err := unix.Capget(&head, &data[0]); err != nil {
		return err
	}
	low := data[0].Permitted & keep
	data = [2]unix.CapUserData{{Effective: low, Permitted: low}}
	return unix.Capset(&head, &data[0])
}
