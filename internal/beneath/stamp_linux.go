package beneath

import (
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Local reports whether the folder is on a file system of this machine that is known
// to stamp every change of a file at once. What is elsewhere answers from a memory of
// its own for a while, and may be behind.
func (d *Folder) Local() bool {
	var st unix.Statfs_t
	if unix.Fstatfs(d.fd, &st) != nil {
		return false
	}
	switch int64(st.Type) {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC,
		unix.TMPFS_MAGIC, unix.OVERLAYFS_SUPER_MAGIC, zfs, bcachefs:
		return true
	}
	return false
}

const (
	zfs      = 0x2fc12fc1
	bcachefs = 0xca451a4e
)

// look is [Folder.lookLong] without asking for memory: an event does this for each hook.
func (d *Folder) look(folder, file string, flags int) (s Stamp, regular bool) {
	var path [512]byte
	n := len(folder) + 1 + len(file)
	if n >= len(path) {
		return d.lookLong(folder, file, flags)
	}
	copy(path[:], folder)
	path[len(folder)] = '/'
	copy(path[len(folder)+1:], file)
	if slices.Contains(path[:n], 0) {
		return Stamp{}, false
	}
	var st unix.Statx_t
	const mask = unix.STATX_TYPE | unix.STATX_INO | unix.STATX_SIZE | unix.STATX_CTIME | unix.STATX_MTIME
	_, _, err := unix.Syscall6(unix.SYS_STATX, uintptr(d.fd), uintptr(unsafe.Pointer(&path)), uintptr(flags), mask, uintptr(unsafe.Pointer(&st)), 0)
	switch {
	case err == unix.ENOSYS || err == unix.EPERM || err == 0 && st.Mask&mask != mask:
		return d.lookLong(folder, file, flags)
	case err != 0:
		return Stamp{}, false
	}
	return Stamp{
		dev: unix.Mkdev(st.Dev_major, st.Dev_minor), ino: st.Ino, size: int64(st.Size),
		changed: moment{st.Ctime.Sec, int64(st.Ctime.Nsec)}, written: moment{st.Mtime.Sec, int64(st.Mtime.Nsec)},
	}, st.Mode&unix.S_IFMT == unix.S_IFREG
}
