package beneath

import "golang.org/x/sys/unix"

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
