package internal_test

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/cmd/internal/webpage"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// The next page removes what a process left that was killed while writing; what a
// running process is writing stays, and so do other files.
func TestLeftoversOfPagesAreRemoved(t *testing.T) {
	t.Parallel()
	gone := exec.Command(os.Args[0], "-test.run=^$")
	must.Do(t, gone.Run())
	dir := t.TempDir()
	if os.Getppid() == 0 {
		t.Skip("what started this test is no process here: Wine started it for a program of Linux")
	}
	left := ".page.html.agents-hooks-" + strconv.Itoa(gone.ProcessState.Pid()) + ".html"
	stays := []string{".page.html.agents-hooks-" + strconv.Itoa(os.Getppid()) + ".html", ".page.html.agents-hooks-x", ".page.html-1234", ".other.html.agents-hooks-1.html"}
	for _, name := range append(stays, left) {
		must.Write(t, filepath.Join(dir, name), "half")
	}
	sh := shelltest.New(t)
	for range 2 {
		must.Do(t, must.Err(webpage.Write(sh, webpage.Overview, page{}, sh.Host.Home, webpage.Options{Out: filepath.Join(dir, "page.html")})))
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(stays)+1 {
		t.Errorf("%v %v", entries, err)
	}
	for _, name := range append(stays, "page.html") {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

// An error names the file that a user named, and no other.
func TestErrorsOfPagesNameThePath(t *testing.T) {
	t.Parallel()
	sh := shelltest.New(t)
	file := filepath.Join(t.TempDir(), "nowhere", "x.html")
	_, err := webpage.Write(sh, webpage.Overview, page{}, sh.Host.Home, webpage.Options{Out: file})
	if err == nil || !strings.HasPrefix(err.Error(), "view: writing "+file+": ") || strings.Count(err.Error(), "x.html") != 1 {
		t.Errorf("%v", err)
	}
	_, err = webpage.Write(sh, "memory", page{}, sh.Host.Home, webpage.Options{Out: filepath.Dir(filepath.Dir(file))})
	if err == nil || !strings.HasPrefix(err.Error(), "memory view: writing ") || !strings.Contains(err.Error(), "it is a folder") {
		t.Errorf("%v", err)
	}
}

// A page takes the place of a page alone: what else is in a file stays.
func TestAPageReplacesNothingButAPage(t *testing.T) {
	t.Parallel()
	sh := shelltest.New(t)
	for content, replaced := range map[string]bool{"# Core memory\n- x\n": false, "<!doctyp": false, "": true, "<!DOCTYPE html><p>older</p>": true} {
		t.Run(content, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "MEMORY.md")
			must.Write(t, file, content)
			_, err := webpage.Write(sh, "memory", page{}, sh.Host.Home, webpage.Options{Out: file})
			if have := must.Read(t, file); (err == nil) != replaced || (have == content) == replaced {
				t.Errorf("%v, and the file has %q", err, have)
			}
			if err != nil && !strings.Contains(err.Error(), file) {
				t.Errorf("%v does not name the file", err)
			}
		})
	}
}

type page struct{}

func (page) Write(w io.Writer) error {
	_, err := io.WriteString(w, "<!doctype html>")
	return err
}
