//go:build unix

package beneath

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
)

// A Folder is an open directory, for whoever looks into all the folders in it: a
// folder of hooks. What lies below a project is held to in what it holds as well;
// the person's own is read with bare system calls, since what os.File adds was
// half of the time of discovery.
type Folder struct {
	Path string
	in   *Root
	fd   int
	file *os.File // whose fd it is, nil: nobody's
}

// Folder opens a directory.
func (r *Root) Folder(path string) (*Folder, error) {
	if r == nil {
		fd, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: path, Err: err}
		}
		return &Folder{Path: path, fd: fd}, nil
	}
	f, err := r.OpenFolder(path)
	if err != nil {
		return nil, err
	}
	return &Folder{path, r, int(f.Fd()), f}, nil
}

// Again is the folder, opened once more for another thread: the kernel counts the users of
// one descriptor, so that two threads that use it wait for each other at each call.
func (d *Folder) Again() (Folder, error) {
	fd, err := unix.Openat(d.fd, ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return Folder{}, &fs.PathError{Op: "open", Path: d.Path, Err: err}
	}
	return Folder{Path: d.Path, in: d.in, fd: fd}, nil
}

// Close gives the folder back.
func (d *Folder) Close() {
	if d.file != nil {
		d.file.Close()
		return
	}
	unix.Close(d.fd)
}

// ReadStart reads the start of a regular file in a folder in this one into buf, as
// much as fits. Opening does not wait, whatever it is. Below a project the folder
// may be a link to another place of it, and the file one to another of that folder.
// The stamp is of what was read, as it was before that.
func (d *Folder) ReadStart(folder, file string, buf []byte) ([]byte, Stamp, error) {
	const flags = unix.O_RDONLY | unix.O_CLOEXEC | unix.O_NONBLOCK | unix.O_NOCTTY
	name := folder + "/" + file
	var fd int
	var err error
	if d.in == nil {
		fd, err = unix.Openat(d.fd, name, flags, 0)
	} else if fd, err = openPlain(d.fd, name, flags, 0); errors.Is(err, errNotPlain) {
		b, err := d.readLong(folder, file, buf)
		return b, Stamp{}, err
	}
	if err != nil {
		return nil, Stamp{}, err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, Stamp{}, err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG {
		return nil, Stamp{}, safefile.Irregular(typeOf(uint32(st.Mode)))
	}
	n := 0
	for n < len(buf) {
		m, err := unix.Read(fd, buf[n:])
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return nil, Stamp{}, err
		}
		if m == 0 {
			break
		}
		n += m
		if int64(n) >= st.Size {
			break
		}
	}
	return buf[:n], stampOf(&st), nil
}

func typeOf(mode uint32) fs.FileMode {
	switch mode & unix.S_IFMT {
	case unix.S_IFDIR:
		return fs.ModeDir
	case unix.S_IFIFO:
		return fs.ModeNamedPipe
	case unix.S_IFSOCK:
		return fs.ModeSocket
	case unix.S_IFBLK, unix.S_IFCHR:
		return fs.ModeDevice
	}
	return fs.ModeIrregular
}

// Exists reports whether there is something at a path, at the price of one system
// call: nothing is opened.
func Exists(path string) bool {
	var st unix.Stat_t
	return unix.Stat(path, &st) == nil
}

// IsFolder is Exists for a folder.
func IsFolder(path string) bool {
	var st unix.Stat_t
	return unix.Stat(path, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFDIR
}

// IsLink reports whether a path is a link itself.
func IsLink(path string) bool {
	var st unix.Stat_t
	return unix.Lstat(path, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFLNK
}

// NoFolder reports whether an error says that part of a path is no folder.
func NoFolder(err error) bool { return errors.Is(err, unix.ENOTDIR) }
