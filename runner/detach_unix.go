//go:build unix

package runner

import (
	"os"
	"path/filepath"
)

// jobFile is the supervisor's stdin, with its job in it. Most jobs fit into a
// pipe that nobody reads yet; a larger one goes into a file that has lost its
// name by the time we are gone. Either way the dispatcher waits for nobody.
func (r *Runner) jobFile(job []byte) (stdin *os.File, discard func(), err error) {
	if r, w, _, err := inPipe(job); err == nil {
		if w == nil {
			return r, func() { r.Close() }, nil
		}
		r.Close()
		w.Close()
	}
	f, err := r.tempFile()
	if err != nil {
		return nil, nil, err
	}
	os.Remove(f.Name())
	if _, err := f.Write(job); err != nil {
		f.Close()
		return nil, nil, err
	}
	if _, err := f.Seek(0, 0); err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, func() { f.Close() }, nil
}

func (r *Runner) tempFile() (f *os.File, err error) {
	for _, dir := range []string{filepath.Join(r.State, "async"), variable(r.Env, "TMPDIR"), "/tmp"} {
		if !filepath.IsAbs(dir) {
			continue
		}
		if err = os.MkdirAll(dir, 0o700); err != nil {
			continue
		}
		if f, err = os.CreateTemp(dir, "job-"); err == nil {
			return f, nil
		}
	}
	return nil, err
}
