package beneath

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
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

// Close gives the folder back.
func (d *Folder) Close() {}

// ReadStart reads the start of a regular file in a folder in this one into buf, as
// much as fits. Below a project the folder may be a link to another place of it,
// and the file one to another of that folder.
func (d *Folder) ReadStart(folder, file string, buf []byte) ([]byte, error) {
	if d.in != nil {
		return d.readLong(folder, file, buf)
	}
	f, err := d.in.Open(filepath.Join(d.Path, folder, file))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return start(f, buf)
}

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
