//go:build linux && (amd64 || arm64)

package confine

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// reached is nil if a system call came as far as the kernel itself: it may have
// disliked the arguments.
func reached(errno syscall.Errno) error {
	if errno == unix.EPERM || errno == unix.ENOSYS || errno == unix.EACCES || errno == unix.EOPNOTSUPP {
		return errno
	}
	return nil
}

func call(nr uintptr, args ...uintptr) error {
	var a [6]uintptr
	copy(a[:], args)
	_, _, errno := unix.Syscall6(nr, a[0], a[1], a[2], a[3], a[4], a[5])
	return reached(errno)
}

func text(s string) uintptr {
	b, _ := unix.BytePtrFromString(s)
	return uintptr(unsafe.Pointer(b))
}

func socket(domain, kind, protocol int) error {
	fd, err := unix.Socket(domain, kind, protocol)
	if err == nil {
		unix.Close(fd)
	}
	return err
}

func sockets() map[string]func(w world) error {
	dial := func(network string, address func(w world) string) func(w world) error {
		return func(w world) error {
			c, err := net.Dial(network, address(w))
			if err != nil {
				return err
			}
			defer c.Close()
			_, err = c.Write([]byte("x"))
			return err
		}
	}
	return map[string]func(w world) error{
		"tcp":      dial("tcp4", func(w world) string { return w.tcp }),
		"udp":      dial("udp4", func(w world) string { return w.udp }),
		"path":     dial("unix", func(w world) string { return w.unixPath }),
		"datagram": dial("unixgram", func(w world) string { return w.datagram }),
		"abstract": dial("unix", func(w world) string { return w.abstract }),
		"listen": func(w world) error {
			l, err := net.Listen("unix", filepath.Join(w.state, "listen"))
			if err == nil {
				l.Close()
			}
			return err
		},
		"netlink": func(world) error { return socket(unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_ROUTE) },
		"raw":     func(world) error { return socket(unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP) },
		"packet":  func(world) error { return socket(unix.AF_PACKET, unix.SOCK_RAW, 0) },
		"vsock":   func(world) error { return socket(unix.AF_VSOCK, unix.SOCK_STREAM, 0) },
		"crypto":  func(world) error { return socket(unix.AF_ALG, unix.SOCK_SEQPACKET, 0) },
		"pair that turns": func(w world) error {
			// A pair of datagram sockets can send to any other.
			pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
			if err != nil {
				return err
			}
			return unix.Sendto(pair[0], []byte("x"), 0, &unix.SockaddrUnix{Name: w.datagram})
		},
		"ring": func(world) error { return call(unix.SYS_IO_URING_SETUP, 1, 0) },
	}
}

func processes() map[string]func(w world) error {
	at := func(nr uintptr, args ...uintptr) func(w world) error {
		return func(w world) error { return call(nr, append([]uintptr{uintptr(w.neighbour)}, args...)...) }
	}
	return map[string]func(w world) error{
		"kill":   func(w world) error { return unix.Kill(w.neighbour, 0) },
		"tgkill": func(w world) error { return unix.Tgkill(w.neighbour, w.neighbour, 0) },
		"kill of its own": func(w world) error {
			return sh(`setsid sh -c 'kill -0 $1' sh "$1"`, fmt.Sprint(w.neighbour))
		},
		"parent": func(world) error { return unix.Kill(os.Getppid(), 0) },
		"pidfd": func(w world) error {
			fd, err := unix.PidfdOpen(w.neighbour, 0)
			if err != nil {
				return err
			}
			return unix.PidfdSendSignal(fd, 0, nil, 0)
		},
		"pidfd_getfd": func(w world) error {
			fd, err := unix.PidfdOpen(w.neighbour, 0)
			if err != nil {
				return err
			}
			_, err = unix.PidfdGetfd(fd, 0, 0)
			return err
		},
		"ptrace":        func(w world) error { return call(unix.SYS_PTRACE, unix.PTRACE_SEIZE, uintptr(w.neighbour), 0, 0) },
		"vm read":       at(unix.SYS_PROCESS_VM_READV, 0, 0, 0, 0, 0),
		"vm write":      at(unix.SYS_PROCESS_VM_WRITEV, 0, 0, 0, 0, 0),
		"compare":       func(w world) error { return call(unix.SYS_KCMP, uintptr(w.neighbour), uintptr(w.neighbour), 1, 0, 0) },
		"limits":        func(w world) error { return unix.Prlimit(w.neighbour, unix.RLIMIT_CORE, &unix.Rlimit{}, nil) },
		"priority":      func(w world) error { return unix.Setpriority(unix.PRIO_PROCESS, w.neighbour, 1) },
		"group":         func(w world) error { return unix.Setpriority(unix.PRIO_PGRP, syscall.Getpgrp(), 0) },
		"user":          func(w world) error { return call(unix.SYS_SETPRIORITY, unix.PRIO_USER, 1<<30, 0) },
		"affinity":      func(w world) error { return affinity(w.neighbour) },
		"scheduler":     func(w world) error { return call(unix.SYS_SCHED_SETPARAM, uintptr(w.neighbour), 0) },
		"io priority":   func(w world) error { return call(unix.SYS_IOPRIO_SET, 1, uintptr(w.neighbour), 2<<13|4) },
		"pages":         at(unix.SYS_MIGRATE_PAGES, 0, 0, 0),
		"segment":       func(world) error { return call(unix.SYS_SHMAT, 1<<30, 0, 0) },
		"semaphore":     func(world) error { return call(unix.SYS_SEMOP, 1<<30, 0, 0) },
		"queue":         func(world) error { return call(unix.SYS_MSGRCV, 1<<30, 0, 0, 0, 0) },
		"posix queue":   func(world) error { return call(unix.SYS_MQ_UNLINK, text("confine-none")) },
		"owner signals": func(w world) error { return call(unix.SYS_PERF_EVENT_OPEN, 0, uintptr(w.neighbour), 0, 0, 0) },
	}
}

func affinity(pid int) error {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(pid, &set); err != nil {
		return err
	}
	return unix.SchedSetaffinity(pid, &set)
}

func system() map[string]func(w world) error {
	plain := func(nr uintptr, args ...uintptr) func(w world) error {
		return func(world) error { return call(nr, args...) }
	}
	return map[string]func(w world) error{
		"unshare":     plain(unix.SYS_UNSHARE, unix.CLONE_NEWUSER),
		"setns":       plain(unix.SYS_SETNS, 1<<20, 0),
		"clone":       func(world) error { return cloned(unix.CLONE_NEWUSER) },
		"clone3":      plain(unix.SYS_CLONE3, 0, 0),
		"mount":       plain(unix.SYS_MOUNT, 0, 0, 0, 0, 0),
		"umount":      plain(unix.SYS_UMOUNT2, text("/confine-none"), 0),
		"new mount":   plain(unix.SYS_FSOPEN, text("confine-none"), 0),
		"tree":        plain(unix.SYS_OPEN_TREE, 1<<20, text("none"), 0),
		"chroot":      plain(unix.SYS_CHROOT, text("/confine-none")),
		"bpf":         plain(unix.SYS_BPF, 1<<20, 0, 0),
		"keys":        plain(unix.SYS_KEYCTL, 0, ^uintptr(2), 0),
		"add key":     plain(unix.SYS_ADD_KEY, 0, 0, 0, 0, 0),
		"faults":      plain(unix.SYS_USERFAULTFD, 1),
		"module":      plain(unix.SYS_FINIT_MODULE, 1<<20, 0, 0),
		"kexec":       plain(unix.SYS_KEXEC_FILE_LOAD, 1<<20, 1<<20, 0, 0, 1<<10),
		"host name":   plain(unix.SYS_SETHOSTNAME, 0, 1<<20),
		"clock":       plain(unix.SYS_CLOCK_SETTIME, 1<<20, 0),
		"kernel log":  plain(unix.SYS_SYSLOG, 10, 0, 0),
		"fanotify":    plain(unix.SYS_FANOTIFY_INIT, 0, 0),
		"swap":        plain(unix.SYS_SWAPOFF, text("/confine-none")),
		"new numbers": func(world) error { return callOrSame(last+1, last+2) },
		"terminal":    func(world) error { return ioctl(unix.TIOCSTI) },
		"console":     func(world) error { return ioctl(unix.TIOCLINUX) },
		"user": func(w world) error {
			out, err := exec.Command("env", "CONFINE_TEST_ROLE=euid", filepath.Join(w.project, "setuid")).Output()
			if err == nil && strings.TrimSpace(string(out)) == fmt.Sprint(os.Geteuid()) {
				err = fmt.Errorf("the effective user stays %s", out)
			}
			return err
		},
		"capabilities": func(world) error {
			head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
			var data [2]unix.CapUserData
			if err := unix.Capget(&head, &data[0]); err != nil {
				return err
			}
			if data[0].Permitted&^(1<<unix.CAP_DAC_OVERRIDE|1<<unix.CAP_DAC_READ_SEARCH) == 0 {
				return errors.New("none but past the modes of files")
			}
			return nil
		},
	}
}

// callOrSame is an error where a number is not there, as it would be in any case:
// it is there for a process only if the kernel knows it.
func callOrSame(numbers ...uintptr) error {
	for _, nr := range numbers {
		if err := call(nr); err == nil {
			return nil
		}
	}
	return unix.ENOSYS
}

func cloned(flags uintptr) error {
	p, err := os.StartProcess("/bin/true", []string{"true"}, &os.ProcAttr{Sys: &syscall.SysProcAttr{Cloneflags: flags}})
	if err != nil {
		return err
	}
	_, err = p.Wait()
	return err
}

// ioctl is nil if a request comes as far as a device: here a file, which has no
// such thing, and says so by another error.
func ioctl(request uintptr) error {
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	c := byte('x')
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), request, uintptr(unsafe.Pointer(&c)))
	if errno == unix.ENOTTY {
		return errno
	}
	return nil
}
