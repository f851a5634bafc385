//go:build !linux

package beneath

import (
	"errors"
	"io/fs"
	"os"
)

// The short ways are those of another system.

var errNotPlain = errors.New("a link on the way")

func openPlain(int, string, int, fs.FileMode) (int, error) { return 0, errNotPlain }

func (r *Root) plain(string, string, int, fs.FileMode) (f *os.File, done bool, err error) {
	return nil, false, nil
}

func (r *Root) plainInfo(string, string, bool) (info fs.FileInfo, done bool, err error) {
	return nil, false, nil
}
