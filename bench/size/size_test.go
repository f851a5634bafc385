package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A table that leaves bytes out, or counts some twice, sends whoever reads it to
// the wrong place.
func TestEachByteIsCountedOnce(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "empty")
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go here")
	}
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-w", "-o", file, ours+"bench/empty")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p, err := read(file)
	must.Do(t, err)
	stripped := filepath.Join(t.TempDir(), "stripped")
	cmd = exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", stripped, ours+"bench/empty")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	info, err := os.Stat(stripped)
	must.Do(t, err)
	if sum, size := p.sum(), int(info.Size()); sum > size || sum < size*8/10 {
		t.Errorf("of %d bytes %d are somebody's", size, sum)
	}
	var out strings.Builder
	p.rest = int(info.Size()) - p.sum()
	p.print(&out, owner, 5)
	if part := p.parts["runtime"]; part == nil || part.code < 100_000 || part.tables < 50_000 || !strings.Contains(out.String(), "  Go\n") {
		t.Errorf("%+v\n%s", part, out.String())
	}
}

func TestSymbolsBelongToWhoWroteThem(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"gopkg.in/yaml%2ev3.(*decoder).scalar":                  "gopkg.in/yaml.v3",
		"slices.pdqsortCmpFunc[go.shape.struct { a/b.x int }]":  "slices",
		"type:.eq.github.com/a/b/c.T":                           "github.com/a/b/c",
		"go:itab.*github.com/a/b.T,io.Writer":                   "github.com/a/b",
		"github.com/a/b.init":                                   "github.com/a/b",
		"go.shape.struct { File string \"json:\\\"file\\\"\" }": "runtime",
		"memeqbody": "runtime",
	} {
		t.Run(name, func(t *testing.T) {
			if got := pkgOf(name); got != want {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		})
	}
}
