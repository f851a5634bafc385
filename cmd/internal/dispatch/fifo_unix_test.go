//go:build unix

package dispatch

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// fifo is a pipe in the home folder: it ends when the last one that holds it does.
func (w *world) fifo() *os.File {
	w.t.Helper()
	path := filepath.Join(w.home, "fifo")
	must.Do(w.t, syscall.Mkfifo(path, 0o600))
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	must.Do(w.t, err)
	w.t.Cleanup(func() { f.Close() })
	return f
}

// written waits until somebody wrote a byte.
func written(t *testing.T, f *os.File) {
	t.Helper()
	b := make([]byte, 1)
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if n, _ := f.Read(b); n == 1 {
			must.Do(t, f.SetReadDeadline(time.Now().Add(20*time.Second)))
			return
		}
	}
	t.Fatal("nobody came")
}
