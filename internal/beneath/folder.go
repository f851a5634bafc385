package beneath

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// A Child is one entry of an open folder.
type Child struct {
	Name string
	Link bool // a link, wherever it leads
}

// readLong is [Folder.ReadStart] of what has links, or of a system without a short
// way: the folder is opened in the project, and the file in the folder.
func (d *Folder) readLong(folder, file string, buf []byte) ([]byte, error) {
	dir := filepath.Join(d.Path, folder)
	f, err := d.in.Sub(dir).Open(filepath.Join(dir, file))
	if err != nil {
		if info, serr := d.in.Stat(dir); serr == nil && !info.IsDir() {
			err = syscall.ENOTDIR // systems say that differently
		}
		return nil, err
	}
	defer f.Close()
	return start(f, buf)
}

// start reads as much of a file as fits into buf.
func start(f *os.File, buf []byte) ([]byte, error) {
	n, err := io.ReadFull(f, buf)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return buf[:n], err
}
