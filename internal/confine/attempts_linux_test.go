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
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// An attempt is something that a process tries; nil means that it worked.
type attempt struct {
	name   string
	may    bool // a confined process must be able to
	deadly bool // it may end the process
	fatal  bool // it may end another one, which is all that counts
	try    func(w world) error
}

// attack tries all of them, or one, and tells of each.
func attack() {
	w, only := worldOf(os.Getenv("CONFINE_TEST_WORLD")), os.Getenv("CONFINE_TEST_ONLY")
	for _, a := range attempts() {
		if only == "" && (a.deadly || a.fatal) || only != "" && only != a.name {
			continue
		}
		text := ""
		if err := a.try(w); err != nil {
			text = strings.ReplaceAll(err.Error(), "\n", " ")
		}
		fmt.Printf("%s\t%s\n", a.name, text)
	}
}

func attempts() []attempt {
	var all []attempt
	add := func(kind string, may bool, list map[string]func(w world) error) {
		for name, try := range list {
			all = append(all, attempt{kind + "/" + name, may, kind == "deadly", kind == "fatal", try})
		}
	}
	add("read", false, reading())
	add("write", false, writing())
	add("attribute", false, attributes())
	add("socket", false, sockets())
	add("process", false, processes())
	add("system", false, system())
	add("deadly", false, otherCalls())
	add("second", false, secondLook())
	add("fatal", false, fatal())
	add("may", true, mayDo())
	return all
}

func read1(path string) error {
	b, err := os.ReadFile(path)
	if err == nil && len(b) == 0 {
		err = errors.New("empty")
	}
	return err
}

func write1(path string, flags int) error {
	f, err := os.OpenFile(path, flags, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteString("x")
	return err
}

func sh(script string, args ...string) error {
	out, err := exec.Command("/bin/sh", append([]string{"-c", script, "sh"}, args...)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %.200s", err, out)
	}
	return nil
}

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

func reading() map[string]func(w world) error {
	return map[string]func(w world) error{
		"ssh":        func(w world) error { return read1(w.secret) },
		"home file":  func(w world) error { return read1(filepath.Join(w.dir, "home", "notes")) },
		"home list":  func(w world) error { _, err := os.ReadDir(filepath.Join(w.dir, "home")); return err },
		"relative":   func(w world) error { return read1("../.ssh/id") },
		"other tmp":  func(w world) error { return read1(filepath.Join(w.outside, "file")) },
		"proc root":  func(w world) error { return read1("/proc/self/root" + w.secret) },
		"proc cwd":   func(w world) error { return read1("/proc/self/cwd/../.ssh/id") },
		"chdir":      func(w world) error { return sh(`cd "$1" && cat id`, filepath.Dir(w.secret)) },
		"descriptor": func(w world) error { _, err := unix.Read(w.descriptor, make([]byte, 4)); return err },
		"proc fd":    func(w world) error { return read1(fmt.Sprintf("/proc/self/fd/%d", w.descriptor)) },
		"path descriptor": func(w world) error {
			fd, err := unix.Open(w.secret, unix.O_PATH, 0)
			if err != nil {
				return err
			}
			defer unix.Close(fd)
			return read1(fmt.Sprintf("/proc/self/fd/%d", fd))
		},
		"link": func(w world) error {
			if err := os.Symlink(w.secret, filepath.Join(w.state, "link")); err != nil {
				return nil // a sandbox may have links; then it must not follow them out
			}
			return read1(filepath.Join(w.state, "link"))
		},
		"hard link": func(w world) error {
			if err := os.Link(w.secret, filepath.Join(w.state, "hard")); err != nil {
				return err
			}
			return read1(filepath.Join(w.state, "hard"))
		},
		"handle": func(w world) error {
			h, _, err := unix.NameToHandleAt(unix.AT_FDCWD, w.secret, 0)
			if err != nil {
				return err
			}
			at, err := unix.Open(w.project, unix.O_RDONLY, 0)
			if err != nil {
				return err
			}
			fd, err := unix.OpenByHandleAt(at, h, unix.O_RDONLY)
			if err != nil {
				return err
			}
			_, err = unix.Read(fd, make([]byte, 4))
			return err
		},
		"environment of another": func(w world) error { return read1(fmt.Sprintf("/proc/%d/environ", w.neighbour)) },
		"command of another":     func(w world) error { return read1(fmt.Sprintf("/proc/%d/cmdline", w.neighbour)) },
		"descriptors of another": func(w world) error { _, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", w.neighbour)); return err },
		"memory of another":      func(w world) error { return openOnly(fmt.Sprintf("/proc/%d/mem", w.neighbour)) },
		"root of another":        func(w world) error { return read1(fmt.Sprintf("/proc/%d/root%s", w.neighbour, w.secret)) },
		"processes":              func(w world) error { _, err := os.ReadDir("/proc"); return err },
		"helper":                 func(w world) error { return sh(`cp "$1" "$2"`, w.secret, filepath.Join(w.state, "copied")) },
		"child of a child":       func(w world) error { return sh(`(sh -c 'sh -c "cat $1" sh "$1"' sh "$1")`, w.secret) },
		"session of its own":     func(w world) error { return detached(w, `cat "$1" >"$2/detached" && echo done >>"$2/detached"`) },
		"outside program":        func(w world) error { return exec.Command(filepath.Join(w.outside, "tool")).Run() },
		"watched": func(w world) error {
			fd, err := unix.InotifyInit1(0)
			if err != nil {
				return err
			}
			_, err = unix.InotifyAddWatch(fd, filepath.Dir(w.secret), unix.IN_ALL_EVENTS)
			return err
		},
	}
}

func openOnly(path string) error {
	f, err := os.Open(path)
	if err == nil {
		f.Close()
	}
	return err
}

// detached runs a script that has left its session and its parent, and waits for
// the line that it leaves.
func detached(w world, script string) error {
	file := filepath.Join(w.state, "detached")
	if err := sh(`setsid sh -c '(`+script+` || echo failed >"$2/detached") &' sh "$1" "$2" >/dev/null 2>&1`, w.secret, w.state); err != nil {
		return err
	}
	for range 2000 {
		b, _ := os.ReadFile(file)
		switch {
		case strings.HasSuffix(string(b), "failed\n"):
			return errors.New("failed")
		case strings.HasSuffix(string(b), "done\n"):
			return nil
		}
		time.Sleep(5 * time.Millisecond)
	}
	return errors.New("never ended")
}

func writing() map[string]func(w world) error {
	const create = os.O_WRONLY | os.O_CREATE
	return map[string]func(w world) error{
		"outside":   func(w world) error { return write1(filepath.Join(w.outside, "new"), create) },
		"overwrite": func(w world) error { return write1(filepath.Join(w.dir, "home", "notes"), os.O_WRONLY) },
		"append":    func(w world) error { return write1(filepath.Join(w.dir, "home", "notes"), os.O_WRONLY|os.O_APPEND) },
		"project":   func(w world) error { return write1(filepath.Join(w.project, "new"), create) },
		"truncate":  func(w world) error { return os.Truncate(filepath.Join(w.dir, "home", "notes"), 1) },
		"by opening": func(w world) error {
			f, err := os.OpenFile(filepath.Join(w.dir, "home", "notes"), os.O_RDONLY|os.O_TRUNC, 0)
			if err == nil {
				f.Close()
			}
			return err
		},
		"link": func(w world) error {
			link := filepath.Join(w.temp, "out")
			if err := os.Symlink(w.outside, link); err != nil {
				return err
			}
			return write1(filepath.Join(link, "through"), create)
		},
		"hard link out": func(w world) error {
			if err := os.WriteFile(filepath.Join(w.state, "mine"), nil, 0o600); err != nil {
				return err
			}
			return os.Link(filepath.Join(w.state, "mine"), filepath.Join(w.outside, "mine"))
		},
		"rename out": func(w world) error {
			if err := os.WriteFile(filepath.Join(w.state, "moved"), nil, 0o600); err != nil {
				return err
			}
			return os.Rename(filepath.Join(w.state, "moved"), filepath.Join(w.outside, "moved"))
		},
		"rename in": func(w world) error {
			return os.Rename(filepath.Join(w.outside, "tool"), filepath.Join(w.state, "tool"))
		},
		"exchange": func(w world) error {
			if err := os.WriteFile(filepath.Join(w.state, "swap"), nil, 0o600); err != nil {
				return err
			}
			return unix.Renameat2(unix.AT_FDCWD, filepath.Join(w.state, "swap"), unix.AT_FDCWD, filepath.Join(w.project, "swapped"), unix.RENAME_EXCHANGE)
		},
		"remove":           func(w world) error { return sh(`touch "$1/gone"; rm "$1/gone"`, w.outside) },
		"folder":           func(w world) error { return os.Mkdir(filepath.Join(w.outside, "folder"), 0o700) },
		"fifo":             func(w world) error { return unix.Mkfifo(filepath.Join(w.outside, "fifo"), 0o600) },
		"device":           func(w world) error { return unix.Mknod(filepath.Join(w.state, "dev"), unix.S_IFCHR|0o600, 1<<8|3) },
		"shared memory":    func(w world) error { return sh(`: >"/dev/shm/confine-$$" && rm "/dev/shm/confine-$$"`) },
		"common temporary": func(w world) error { return sh(`: >"/tmp/confine-$$" && rm "/tmp/confine-$$"`) },
		"session":          func(w world) error { return detached(w, `echo x >"$1.new" && echo done >"$2/detached"`) },
	}
}

func attributes() map[string]func(w world) error {
	file := func(w world) string { return filepath.Join(w.project, "file") }
	return map[string]func(w world) error{
		"chmod": func(w world) error { return os.Chmod(w.secret, 0o644) },
		"fchmod": func(w world) error {
			f, err := os.Open(file(w))
			if err != nil {
				return err
			}
			defer f.Close()
			return f.Chmod(0o644)
		},
		"fchmodat2": func(w world) error {
			return call(unix.SYS_FCHMODAT2, ^uintptr(99), text(w.secret), 0o600, 0)
		},
		"chown":    func(w world) error { return os.Lchown(w.secret, os.Getuid(), os.Getgid()) },
		"xattr":    func(w world) error { return unix.Setxattr(file(w), "user.x", []byte("x"), 0) },
		"times":    func(w world) error { return os.Chtimes(w.secret, time.Now(), time.Now()) },
		"touch":    func(w world) error { return exec.Command("touch", w.secret).Run() },
		"flags":    func(w world) error { return flags(file(w)) },
		"lease":    func(w world) error { return lease(filepath.Join(w.project, "setuid")) },
		"setattr2": func(w world) error { return call(unix.SYS_FILE_SETATTR, ^uintptr(99), text(file(w)), 0, 0, 0) },
	}
}

func flags(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	n, err := unix.IoctlGetUint32(int(f.Fd()), unix.FS_IOC_GETFLAGS)
	if err != nil {
		return err
	}
	return unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, int(n))
}

func lease(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_RDLCK)
	return err
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

func mayDo() map[string]func(w world) error {
	return map[string]func(w world) error{
		"read the project": func(w world) error { return read1(filepath.Join(w.project, "file")) },
		"list the project": func(w world) error { _, err := os.ReadDir(w.project); return err },
		"write its state": func(w world) error {
			return sh(`cd "$1" && echo a >a && echo b >>a && mkdir d && mv a d && cat d/a && rm -r d`, w.state)
		},
		"touch":          func(w world) error { return sh(`touch "$1/t" && touch "$1/t"`, w.state) },
		"temporary file": func(w world) error { return sh(`f=$(mktemp) && echo x >"$f" && test -s "$f"`) },
		"move between": func(w world) error {
			return sh(`echo x >"$1/m" && mv "$1/m" "$2/m" && ln "$2/m" "$1/n"`, w.state, w.temp)
		},
		"links and fifos": func(w world) error { return sh(`ln -s x "$1/sym" && mkfifo "$1/ff"`, w.state) },
		"null":            func(w world) error { return write1("/dev/null", os.O_WRONLY) },
		"pipes":           func(w world) error { return sh(`test "$(echo a | cat /dev/stdin | tr a b)" = b`) },
		"children":        func(w world) error { return sh(`sleep 9 & kill $! && ! wait $!`) },
		"session":         func(w world) error { return sh(`setsid true`) },
		"limits":          func(w world) error { return sh(`ulimit -c 0; nice -n 1 true`) },
		"pairs": func(w world) error {
			pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
			if err != nil {
				return err
			}
			_, err = unix.Write(pair[0], []byte("x"))
			return err
		},
		"program of its own": func(w world) error { return sh(`cp /bin/true "$1/true" && "$1/true"`, w.state) },
	}
}
