package runner

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// jobFile is the supervisor's stdin, with its job in it: a file that goes away
// when the last handle to it is closed, which is the supervisor's.
func (r *Runner) jobFile(job []byte) (stdin *os.File, discard func(), err error) {
	for _, dir := range []string{filepath.Join(r.State, "async"), variable(r.Env, "TEMP")} {
		if !filepath.IsAbs(dir) {
			continue
		}
		if err = os.MkdirAll(dir, 0o700); err != nil {
			continue
		}
		if stdin, err = fleetingFile(filepath.Join(dir, "job-"+newID())); err != nil {
			continue
		}
		if _, err = stdin.Write(job); err == nil {
			_, err = stdin.Seek(0, 0)
		}
		if err == nil {
			return stdin, func() { stdin.Close() }, nil
		}
		stdin.Close()
	}
	return nil, nil, err
}

func fleetingFile(path string) (*os.File, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	h, err := windows.CreateFile(name,
		windows.GENERIC_READ|windows.GENERIC_WRITE|windows.DELETE,
		windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE,
		nil, windows.CREATE_NEW, windows.FILE_ATTRIBUTE_TEMPORARY|windows.FILE_FLAG_DELETE_ON_CLOSE, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(h), path), nil
}
