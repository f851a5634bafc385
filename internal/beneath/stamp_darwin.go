package beneath

import "golang.org/x/sys/unix"

// Local reports whether the folder is on a file system of this machine. What is
// elsewhere answers from a memory of its own for a while, and may be behind.
func (d *Folder) Local() bool {
	var st unix.Statfs_t
	return unix.Fstatfs(d.fd, &st) == nil && st.Flags&unix.MNT_LOCAL != 0
}

func (d *Folder) look(folder, file string, flags int) (s Stamp, regular bool) {
	return d.lookLong(folder, file, flags)
}
