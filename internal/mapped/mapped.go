// Package mapped maps files into memory: of a large file only the pages that are used
// are read.
//
//	f, err := mapped.Open(path, 1<<31-1)
//	defer f.Close()
//	use(f.Bytes) // read-only; gone after Close
//
// A mapped file is never changed in place, only replaced or removed; Windows refuses
// both while it is mapped.
package mapped

import (
	"fmt"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
)

// A File is a file in memory. Close gives it back.
type File struct {
	Bytes []byte
	end   func()
}

// Close ends the use of the bytes. It may be called of none.
func (f *File) Close() {
	if f != nil && f.end != nil {
		f.end()
		f.Bytes, f.end = nil, nil
	}
}

// Open maps a regular file of at most max bytes. One that is empty has no bytes.
func Open(path string, max int64) (*File, error) {
	f, err := safefile.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, safefile.Irregular(info.Mode())
	case info.Size() > max || info.Size() != int64(int(info.Size())):
		return nil, fmt.Errorf("%d bytes, over the limit of %d", info.Size(), max)
	case info.Size() == 0:
		return &File{}, nil
	}
	b, end, err := lay(f, int(info.Size()))
	if err != nil {
		return nil, fmt.Errorf("mapping %q: %w", path, err)
	}
	return &File{b, end}, nil
}
