package statefile

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/windows"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// open opens a file as most programs do: others may read and write it, and not replace it.
func open(t *testing.T, path string) windows.Handle {
	t.Helper()
	name, err := windows.UTF16PtrFromString(path)
	must.Do(t, err)
	h, err := windows.CreateFile(name, windows.GENERIC_READ, windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE, nil, windows.OPEN_EXISTING, 0, 0)
	must.Do(t, err)
	return h
}

// A file that another program has open is replaced once that lets go of it; until then,
// and if it never does, it stands as it was, with nothing left beside it.
func TestAFileThatIsOpen(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "settings.json")
	s := In(nil)
	must.Write(t, path, "old")
	change := func(wait time.Duration) error {
		return s.Update(path, wait, func([]byte) ([]byte, error) { return []byte("new"), nil })
	}
	held := open(t, path)
	if err := change(50 * time.Millisecond); err == nil {
		t.Error("replaced while it was open")
	}
	if b, err := os.ReadFile(path); string(b) != "old" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	if _, err := os.Stat(path + tempMark + "next"); err == nil {
		t.Error("a temporary file is left")
	}
	if err := s.Append(path, time.Second, []byte("line")); err != nil { // a log that is being read
		t.Error(err)
	}
	done := make(chan error, 1)
	go func() { done <- change(time.Minute) }()
	for { // until it is about to be replaced
		if _, err := os.Stat(path + tempMark + "next"); err == nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	windows.CloseHandle(held)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if b, err := os.ReadFile(path); string(b) != "new" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
}
