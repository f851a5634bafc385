package scratch

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/linktest"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// write makes a file, with the folders above it.
func write(t *testing.T, path, content string, mode os.FileMode) {
	t.Helper()
	must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must.Do(t, os.WriteFile(path, []byte(content), mode))
}

func link(t *testing.T, to, path string) {
	t.Helper()
	linktest.Make(t, to, path)
}

func TestCopyFolderFollowsLinksAndCannotBeWritten(t *testing.T) {
	t.Parallel()
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	write(t, filepath.Join(from, "scripts", "run"), "#!/bin/sh\n", 0o755)
	write(t, filepath.Join(from, "real"), "text", 0o644)
	link(t, "real", filepath.Join(from, "linked"))
	must.Do(t, CopyFolder(nil, from, to))
	if b, err := os.ReadFile(filepath.Join(to, "linked")); err != nil || string(b) != "text" {
		t.Errorf("linked: %q, %v", b, err)
	}
	for path, want := range map[string]os.FileMode{"": 0o555, "scripts": 0o555, "scripts/run": 0o555, "real": 0o444, "linked": 0o444} {
		t.Run(fmt.Sprintf("%q", path), func(t *testing.T) {
			info, err := os.Lstat(filepath.Join(to, path))
			must.Do(t, err)
			if got := info.Mode().Perm(); got != want && runtime.GOOS != "windows" {
				t.Errorf("%q is %v, want %v", path, got, want)
			}
		})
	}
	RemoveAll(to)
	if _, err := os.Lstat(to); !os.IsNotExist(err) {
		t.Errorf("still there: %v", err)
	}
}

func TestCopyFolderEnds(t *testing.T) {
	t.Parallel()
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	link(t, from, filepath.Join(from, "itself"))
	if err := CopyFolder(nil, from, to); err == nil || !strings.Contains(err.Error(), "too deep") {
		t.Errorf("a folder that holds itself: %v", err)
	}
	RemoveAll(to)
}

func TestCopyFilesLeavesLinksOut(t *testing.T) {
	t.Parallel()
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	write(t, filepath.Join(from, "hook", "seen"), "1", 0o400)
	link(t, filepath.Join(from, "hook", "seen"), filepath.Join(from, "hook", "linked"))
	must.Do(t, CopyFiles(from, to))
	if _, err := os.Lstat(filepath.Join(to, "hook", "linked")); !os.IsNotExist(err) {
		t.Errorf("a link was copied: %v", err)
	}
	// A hook can still write its own data.
	if err := os.WriteFile(filepath.Join(to, "hook", "seen"), []byte("2"), 0o600); err != nil {
		t.Error(err)
	}
	if b, _ := os.ReadFile(filepath.Join(from, "hook", "seen")); string(b) != "1" {
		t.Errorf("the original is %q now", b)
	}
	if err := CopyFiles(filepath.Join(from, "no-such-folder"), to); err != nil {
		t.Errorf("a folder that is not there: %v", err)
	}
}

func TestCopiesAreBounded(t *testing.T) {
	t.Parallel()
	from := t.TempDir()
	big := filepath.Join(from, "big")
	write(t, big, "", 0o644)
	if err := os.Truncate(big, maxSize+1); err != nil { // has no blocks
		t.Fatal(err)
	}
	for name, copyTo := range map[string]func(from, to string) error{
		"CopyFolder": func(from, to string) error { return CopyFolder(nil, from, to) }, "CopyFiles": CopyFiles,
	} {
		t.Run(name, func(t *testing.T) {
			to := filepath.Join(t.TempDir(), "copy")
			if err := copyTo(from, to); err == nil || !strings.Contains(err.Error(), "more than 64 MiB") {
				t.Errorf("%s: %v", name, err)
			}
			if _, err := os.Lstat(filepath.Join(to, "big")); !os.IsNotExist(err) {
				t.Errorf("%s: the file was begun: %v", name, err)
			}
			RemoveAll(to)
		})
	}
}
