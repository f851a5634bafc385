package beneath

import (
	"bytes"
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// Children lists the folders and links of a folder, in no order, without those
// whose name begins with a dot. The kernel's own records tell folders from
// files, so no file is asked.
func (d *Folder) Children() ([]Child, error) {
	const reclen, kind, name = 16, 18, 19 // struct linux_dirent64
	var out []Child
	var buf [8192]byte
	for {
		n, err := unix.Getdents(d.fd, buf[:])
		if err == unix.EINTR {
			continue
		}
		if err == nil && n > 0 && d.in != nil {
			err = d.in.alive(d.Path)
		}
		if err != nil || n <= 0 {
			return out, err
		}
		for b := buf[:n]; len(b) > name; {
			size := int(binary.NativeEndian.Uint16(b[reclen:]))
			rec := b[:size]
			b = b[size:]
			text := rec[name:]
			if i := bytes.IndexByte(text, 0); i >= 0 {
				text = text[:i]
			}
			if len(text) == 0 || text[0] == '.' {
				continue
			}
			switch rec[kind] {
			case unix.DT_DIR:
				out = append(out, Child{string(text), false})
			case unix.DT_LNK:
				out = append(out, Child{string(text), true})
			case unix.DT_UNKNOWN:
				if c, ok := d.ask(string(text)); ok {
					out = append(out, c)
				}
			}
		}
	}
}

// ask finds out what a child is on a file system whose records do not tell.
func (d *Folder) ask(name string) (Child, bool) {
	var st unix.Stat_t
	if unix.Fstatat(d.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW) != nil {
		return Child{}, false
	}
	kind := st.Mode & unix.S_IFMT
	return Child{name, kind == unix.S_IFLNK}, kind == unix.S_IFDIR || kind == unix.S_IFLNK
}
