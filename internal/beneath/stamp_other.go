//go:build unix && !linux && !darwin

package beneath

// Local reports whether the folder is on a file system of this machine that is known
// to stamp every change of a file at once: here nobody knows.
func (d *Folder) Local() bool { return false }

func (d *Folder) look(folder, file string, flags int) (s Stamp, regular bool) {
	return d.lookLong(folder, file, flags)
}
