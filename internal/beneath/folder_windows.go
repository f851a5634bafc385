package beneath

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// A Folder is a directory, for whoever looks into all the folders in it. It is
// listed and read by its path.
type Folder struct {
	Path string
	in   *Root
}

// Folder opens a directory.
func (r *Root) Folder(path string) (*Folder, error) {
	info, err := r.Stat(path)
	if err == nil && !info.IsDir() {
		err = &fs.PathError{Op: "open", Path: path, Err: syscall.ENOTDIR}
	}
	if err != nil {
		return nil, err
	}
	return &Folder{path, r}, nil
}

// Again is the folder, opened once more for another thread.
func (d *Folder) Again() (Folder, error) { return *d, nil }

// Close gives the folder back.
func (d *Folder) Close() {}

// ReadStart reads the start of a regular file in a folder in this one into buf, as
// much as fits. Below a project the folder may be a link to another place of it,
// and the file one to another of that folder.
func (d *Folder) ReadStart(folder, file string, buf []byte) ([]byte, Stamp, error) {
	if d.in != nil {
		b, err := d.readLong(folder, file, buf)
		return b, Stamp{}, err
	}
	f, err := d.in.Open(filepath.Join(d.Path, folder, file))
	if err != nil {
		return nil, Stamp{}, err
	}
	defer f.Close()
	b, err := start(f, buf)
	return b, Stamp{}, err
}

// A Stamp tells one state of a file from all others. Here there is none that does: what
// a file is without opening it says too little.
type Stamp struct{}

// Settled reports whether what is written later will change the stamp.
func (Stamp) Settled(time.Time) bool { return false }

// Stamp is that of a file which [Folder.ReadStart] would read now.
func (d *Folder) Stamp(folder, file string, known bool) Stamp { return Stamp{} }

// Written is the size of a regular file in the folder, and when it was written: here
// [Root.Stat] tells.
func (d *Folder) Written(file string) (size, at int64, ok bool) { return 0, 0, false }

// Beside reports whether two stamps are of one device.
func (s Stamp) Beside(Stamp) bool { return false }

// StampSize is how long a stamp is in bytes.
const StampSize = 0

// Append adds the stamp to b.
func (s Stamp) Append(b []byte) []byte { return b }

// Is reports whether kept is what Append made of the stamp: nothing is.
func (s Stamp) Is(kept string) bool { return false }

// Own is the stamp of the folder itself.
func (d *Folder) Own() Stamp { return Stamp{} }

// StampAt is the stamp of what lies at a path.
func StampAt(path string) Stamp { return Stamp{} }

// Local reports whether a stamp tells every change: it does not.
func (d *Folder) Local() bool { return false }

// Exists reports whether there is something at a path: nothing is opened.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// IsFolder is Exists for a folder.
func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// IsLink reports whether a path is a link itself.
func IsLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && linked(info)
}

// NoFolder reports whether an error says that part of a path is no folder.
func NoFolder(err error) bool {
	const errorDirectory = syscall.Errno(267) // ERROR_DIRECTORY
	return errors.Is(err, syscall.ENOTDIR) || errors.Is(err, errorDirectory)
}
