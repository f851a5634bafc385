//go:build linux && (amd64 || arm64)

package confine

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

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
