//go:build linux && (amd64 || arm64)

package confine

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Rights of Landlock, as far as they are given to somebody.
const (
	readFile  = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_EXECUTE
	read      = readFile | unix.LANDLOCK_ACCESS_FS_READ_DIR
	writeFile = readFile | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	write     = read | writeFile | unix.LANDLOCK_ACCESS_FS_REFER |
		unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG |
		unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_MAKE_FIFO
)

// handled is all that a version of Landlock can deny, so that it is denied unless
// a rule gives it.
func (r Rules) handled(version int) unix.LandlockRulesetAttr {
	all := [...]struct {
		since int
		files uint64
	}{
		{1, 1<<13 - 1},
		{2, unix.LANDLOCK_ACCESS_FS_REFER},
		{3, unix.LANDLOCK_ACCESS_FS_TRUNCATE},
		{5, unix.LANDLOCK_ACCESS_FS_IOCTL_DEV},
		{9, unix.LANDLOCK_ACCESS_FS_RESOLVE_UNIX},
	}
	var a unix.LandlockRulesetAttr
	for _, v := range all {
		if version >= v.since {
			a.Handled_access_fs |= v.files
		}
	}
	if version >= 4 && !r.Network {
		a.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	if version >= scopes {
		a.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	return a
}

// landlock confines the calling thread to the files of the rules.
func (r Rules) landlock(version int) (err error) {
	attr := r.handled(version)
	made, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
	runtime.KeepAlive(&attr)
	if errno != 0 {
		return fmt.Errorf("making a Landlock ruleset: %w", errno)
	}
	ruleset := int(made)
	defer unix.Close(ruleset)
	root := unix.AT_FDCWD
	if len(r.ReadBelow)+len(r.WriteBelow) > 0 {
		if root, err = unix.Open(r.Root, unix.O_PATH|unix.O_CLOEXEC, 0); err != nil {
			return fmt.Errorf("opening %q: %w", r.Root, err)
		}
		defer unix.Close(root)
	}
	for _, set := range [...]struct {
		paths        []string
		folder, file uint64
		resolve      uint64
	}{{r.Read, read, readFile, 0}, {r.Write, write, writeFile, 0}, {r.ReadBelow, read, readFile, unix.RESOLVE_BENEATH}, {r.WriteBelow, write, writeFile, unix.RESOLVE_BENEATH}} {
		how := unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: set.resolve}
		for _, path := range set.paths {
			fd, err := unix.Openat2(root, path, &how)
			if err != nil {
				continue // what cannot be reached needs no rule
			}
			err = allow(ruleset, fd, set.folder&attr.Handled_access_fs, set.file&attr.Handled_access_fs)
			unix.Close(fd)
			if err != nil {
				return fmt.Errorf("allowing %q: %w", path, err)
			}
		}
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(ruleset), 0, 0); errno != 0 {
		return fmt.Errorf("enforcing Landlock: %w", errno)
	}
	return nil
}

// allow adds what a descriptor stands for to a ruleset. The rights of a folder are
// none of a file, which the kernel says: to ask first would cost a call more for
// each of them.
func allow(ruleset, fd int, folder, file uint64) error {
	errno := addRule(ruleset, fd, folder)
	if errno == unix.EINVAL {
		errno = addRule(ruleset, fd, file)
	}
	if errno != 0 {
		return errno
	}
	return nil
}

func addRule(ruleset, fd int, access uint64) unix.Errno {
	rule := unix.LandlockPathBeneathAttr{Allowed_access: access, Parent_fd: int32(fd)}
	_, _, errno := unix.RawSyscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	return errno
}
