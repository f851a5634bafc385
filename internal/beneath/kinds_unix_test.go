//go:build unix

package beneath

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// What is no file is refused at once, below a project and in the person's own
// folders.
func TestNothingIsWaitedFor(t *testing.T) {
	t.Parallel()
	dir, outside := project(t)
	pipe, socket, folder := filepath.Join(dir, "pipe"), filepath.Join(dir, "s"), filepath.Join(dir, "store")
	must.Do(t, syscall.Mkfifo(pipe, 0o600))
	paths := []string{pipe, folder}
	if l, err := net.Listen("unix", socket); err == nil {
		defer l.Close()
		paths = append(paths, socket)
	}
	zero := filepath.Join(dir, "zero")
	if err := syscall.Mknod(zero, syscall.S_IFCHR|0o600, 1<<8|5); err == nil {
		paths = append(paths, zero)
	}
	begun := time.Now()
	for _, r := range []*Root{nil, At(dir)} {
		for _, path := range paths {
			if _, err := r.Read(path, 0); !errors.Is(err, ErrRefused) {
				t.Errorf("reading %s: %v", path, err)
			}
			for _, flag := range []int{os.O_WRONLY | os.O_APPEND, os.O_RDWR | os.O_CREATE} {
				if _, err := r.OpenFile(path, flag, 0o600); err == nil {
					t.Errorf("writing %s: no error", path)
				}
			}
			if path != folder {
				if _, err := r.List(path); err == nil {
					t.Errorf("listing %s: no error", path)
				}
			}
		}
	}
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	second := filepath.Join(dir, "second")
	must.Do(t, os.Link(filepath.Join(outside, "file"), second))
	if _, err := At(dir).OpenFile(second, os.O_WRONLY|os.O_APPEND, 0); !errors.Is(err, ErrRefused) {
		t.Errorf("appending to a file with a second name: %v", err)
	}
}

// Whoever swaps a folder for a link, over and over, gets nothing out of it.
func TestSwappedMeanwhile(t *testing.T) {
	t.Parallel()
	dir, outside := project(t)
	store, away, kept := filepath.Join(dir, "store"), filepath.Join(dir, "away"), filepath.Join(dir, "kept")
	must.Do(t, os.Symlink(outside, away))
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
			}
			_ = os.Rename(store, kept)
			_ = os.Rename(away, store)
			_ = os.Rename(store, away)
			_ = os.Rename(kept, store)
		}
	}()
	r := At(dir)
	ours := 0
	for end := time.Now().Add(500 * time.Millisecond); time.Now().Before(end); {
		if b, err := r.Read(filepath.Join(store, "file"), 0); err == nil && string(b) == "ours" {
			ours++
		} else if err == nil {
			t.Fatalf("read %q", b)
		}
		if f, err := r.OpenFile(filepath.Join(store, "lines"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600); err == nil {
			f.Close()
		}
	}
	close(stop)
	<-done
	if list, _ := os.ReadDir(outside); len(list) != 1 {
		t.Errorf("outside holds %v", list)
	}
	if ours == 0 {
		t.Error("nothing was read at all: this proves nothing")
	}
}
