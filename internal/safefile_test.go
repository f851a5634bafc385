package internal_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/linktest"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/safefile"
)

func TestReadKeepsItsBound(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	must.Write(t, path, strings.Repeat("x", 5000))
	if b, err := safefile.Read(path, 5000); err != nil || len(b) != 5000 {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	if _, err := safefile.Read(path, 4999); err == nil || err.Error() != "5000 bytes, over the limit of 4999" {
		t.Errorf("over the bound: %v", err)
	}
	if _, err := safefile.Read(dir, 10); !errors.Is(err, safefile.ErrIrregular) || !strings.HasSuffix(err.Error(), "but a folder") {
		t.Errorf("a folder: %v", err)
	}
	if _, err := safefile.Read(filepath.Join(dir, "none"), 10); err == nil || strings.Contains(safefile.Reason(err), dir) {
		t.Errorf("no file: %v", err)
	}
	// The size that a file of the kernel states is no bound for what it holds.
	if runtime.GOOS == "linux" {
		if _, err := safefile.Read("/proc/self/status", 10); err == nil || err.Error() != "over the limit of 10 bytes" {
			t.Errorf("a file that grows: %v", err)
		}
	}
}

func TestKindsOfWhatIsNoFile(t *testing.T) {
	t.Parallel()
	for mode, want := range map[fs.FileMode]string{
		fs.ModeDir | 0o755: "a folder", fs.ModeNamedPipe: "a named pipe", fs.ModeSocket: "a socket",
		fs.ModeDevice: "a device", fs.ModeDevice | fs.ModeCharDevice: "a device", fs.ModeIrregular: "something else", fs.ModeSymlink: "something else",
	} {
		if got := safefile.Kind(mode); got != want {
			t.Errorf("%v is %s, want %s", mode, got, want)
		}
	}
}

func TestResolveStaysInside(t *testing.T) {
	t.Parallel()
	base, err := filepath.EvalSymlinks(t.TempDir())
	must.Do(t, err)
	dir := filepath.Join(base, "dir")
	for _, d := range []string{filepath.Join(dir, "sub", ".GIT", "hooks"), filepath.Join(dir, ".git"), dir + "-beside"} {
		must.Do(t, os.MkdirAll(d, 0o755))
	}
	linktest.Make(t, "sub", filepath.Join(dir, "in"))
	for name, target := range map[string]string{"up": "..", "beside": dir + "-beside", "far": filepath.Join("in", "..", "..", "dir-beside"), "git": ".git", "git-below": filepath.Join("in", ".GIT", "hooks")} {
		t.Run(name, func(t *testing.T) {
			linktest.Make(t, target, filepath.Join(dir, name))
			if real, err := safefile.Resolve(filepath.Join(dir, name), dir); !errors.Is(err, safefile.ErrOutside) {
				t.Errorf("%s: %q, %v", name, real, err)
			}
		})
	}
	if real, err := safefile.Resolve(filepath.Join(dir, "in"), dir); err != nil || real != filepath.Join(dir, "sub") {
		t.Errorf("%q, %v", real, err)
	}
	if !safefile.Inside("/a", "/") || !safefile.Inside("/a/b", "/a") || !safefile.Inside("/a", "/a") || safefile.Inside("/ab", "/a") || safefile.Inside("/", "/a") {
		t.Error("inside")
	}
}
