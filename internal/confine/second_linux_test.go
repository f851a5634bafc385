//go:build linux && (amd64 || arm64)

package confine

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"unsafe"

	"golang.org/x/sys/unix"
)

// secondLook are ways out that were thought of once all of the others were shut.
func secondLook() map[string]func(w world) error {
	return map[string]func(w world) error{
		"a mapping made writable": func(w world) error {
			f, err := os.Open(filepath.Join(w.project, "swapped2"))
			if err != nil {
				return err
			}
			defer f.Close()
			b, err := unix.Mmap(int(f.Fd()), 0, 4, unix.PROT_READ, unix.MAP_SHARED)
			if err != nil {
				return err
			}
			if err := unix.Mprotect(b, unix.PROT_READ|unix.PROT_WRITE); err != nil {
				// Not even without a sandbox: the way is a writable descriptor.
				g, oerr := os.OpenFile(f.Name(), os.O_RDWR, 0)
				if oerr != nil {
					return oerr
				}
				defer g.Close()
				b, err = unix.Mmap(int(g.Fd()), 0, 4, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
				if err != nil {
					return err
				}
			}
			b[0] = 'X'
			return nil
		},
		"a file without a name": func(w world) error {
			fd, err := unix.Open(w.outside, unix.O_TMPFILE|unix.O_RDWR, 0o600)
			if err != nil {
				return err
			}
			return unix.Linkat(unix.AT_FDCWD, fmt.Sprintf("/proc/self/fd/%d", fd), unix.AT_FDCWD, filepath.Join(w.outside, "named"), unix.AT_SYMLINK_FOLLOW)
		},
		"a link of a descriptor": func(w world) error {
			fd, err := unix.Open(w.secret, unix.O_PATH, 0)
			if err != nil {
				return err
			}
			to := filepath.Join(w.state, "of-descriptor")
			if err := unix.Linkat(unix.AT_FDCWD, fmt.Sprintf("/proc/self/fd/%d", fd), unix.AT_FDCWD, to, unix.AT_SYMLINK_FOLLOW); err != nil {
				return err
			}
			return read1(to)
		},
		"a root of its own": func(w world) error {
			at, err := unix.Open("/", unix.O_PATH, 0)
			if err != nil {
				return err
			}
			fd, err := unix.Openat2(at, w.secret, &unix.OpenHow{Flags: unix.O_RDONLY, Resolve: unix.RESOLVE_IN_ROOT})
			if err == nil {
				unix.Close(fd)
			}
			return err
		},
		"queued": func(w world) error { return queued(unix.SYS_RT_SIGQUEUEINFO, uintptr(w.neighbour)) },
		"queued to a thread": func(w world) error {
			return queued(unix.SYS_RT_TGSIGQUEUEINFO, uintptr(w.neighbour), uintptr(w.neighbour))
		},
		"a disk": func(world) error {
			disks, _ := filepath.Glob("/dev/[vsn][dv][a-e]*")
			if len(disks) == 0 {
				return errors.New("no disk here")
			}
			return openOnly(disks[0])
		},
		"memory of the kernel": func(world) error { return openOnly("/dev/kmsg") },
		"a terminal":           func(world) error { return openOnly("/dev/ptmx") },
		"a setting of the kernel": func(world) error {
			f, err := os.OpenFile("/proc/sys/kernel/core_pattern", os.O_WRONLY, 0)
			if err == nil {
				f.Close()
			}
			return err
		},
		"a switch of the kernel": func(world) error {
			f, err := os.OpenFile("/sys/kernel/mm/transparent_hugepage/enabled", os.O_WRONLY, 0)
			if err == nil {
				f.Close()
			}
			return err
		},
		"the loader": func(w world) error {
			loaders, _ := filepath.Glob("/lib*/ld-linux-*.so.?")
			if len(loaders) == 0 {
				return errors.New("no loader here")
			}
			return exec.Command(loaders[0], filepath.Join(w.outside, "true")).Run()
		},
		"a program by its descriptor": func(w world) error {
			fd, err := unix.Open(filepath.Join(w.outside, "true"), unix.O_PATH, 0)
			if err != nil {
				return err
			}
			return exec.Command(fmt.Sprintf("/proc/self/fd/%d", fd)).Run()
		},
		"its state moved": func(w world) error {
			if err := os.Rename(w.state, w.state+".old"); err != nil {
				return err
			}
			return os.Rename(w.state+".old", w.state)
		},
		"its folder removed": func(w world) error { return os.Remove(filepath.Join(w.dir, "home", "empty")) },
		"a link in place of its state": func(w world) error {
			return os.Symlink(w.outside, filepath.Join(filepath.Dir(w.state), "state2"))
		},
		"attributes through the descriptor": func(w world) error {
			f, err := os.Open(filepath.Join(w.project, "file"))
			if err != nil {
				return err
			}
			defer f.Close()
			return unix.Fsetxattr(int(f.Fd()), "user.y", []byte("y"), 0)
		},
		"sealed for ever": func(w world) error {
			f, err := os.Open(filepath.Join(w.project, "swapped2"))
			if err != nil {
				return err
			}
			defer f.Close()
			const fsSetXattr = 0x401c5820
			var attr [28]byte
			_, _, errno := unix.Syscall(unix.SYS_IOCTL, f.Fd(), fsSetXattr, uintptr(unsafe.Pointer(&attr)))
			if errno != 0 {
				return errno
			}
			return nil
		},
		"a profile of the processor": func(world) error { return call(unix.SYS_PERF_EVENT_OPEN, 0, ^uintptr(0), 0, 0, 0) },
		"a filter of its own": func(w world) error {
			// One that allows all does not stand over the one that denies.
			allow := unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW}
			prog := unix.SockFprog{Len: 1, Filter: &allow}
			if _, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&prog))); errno != 0 && errno != unix.EACCES {
				return errno
			}
			return socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		},
	}
}

func queued(nr uintptr, to ...uintptr) error {
	var info [128]byte
	*(*int32)(unsafe.Pointer(&info[8])) = -1 // SI_QUEUE
	args := append(to, uintptr(unix.SIGURG), uintptr(unsafe.Pointer(&info)))
	return call(nr, args...)
}

// fatal are ways to end another process that is not confined, whatever the call
// says: who looks afterwards is the test.
func fatal() map[string]func(w world) error {
	return map[string]func(w world) error{
		"kill": func(w world) error { return unix.Kill(w.neighbour, unix.SIGTERM) },
		"a pipe that signals": func(w world) error {
			var p [2]int
			if err := unix.Pipe2(p[:], unix.O_NONBLOCK); err != nil {
				return err
			}
			if _, err := unix.FcntlInt(uintptr(p[0]), unix.F_SETOWN, w.neighbour); err != nil {
				return err
			}
			const setSignal = 10 // F_SETSIG
			if _, err := unix.FcntlInt(uintptr(p[0]), setSignal, int(unix.SIGTERM)); err != nil {
				return err
			}
			if _, err := unix.FcntlInt(uintptr(p[0]), unix.F_SETFL, unix.O_ASYNC|unix.O_NONBLOCK); err != nil {
				return err
			}
			_, err := unix.Write(p[1], []byte("x"))
			return err
		},
		"a group that it joins": func(w world) error {
			group, err := unix.Getpgid(w.neighbour)
			if err != nil {
				return err
			}
			return exec.Command("perl", "-e", `setpgrp(0, $ARGV[0]) or exit 1; $SIG{TERM} = "IGNORE"; kill "TERM", 0; exit 0`, fmt.Sprint(group)).Run()
		},
	}
}
