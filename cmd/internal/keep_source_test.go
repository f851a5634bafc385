package internal_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/keep"
)

func TestProgramsThatWillBeGone(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	machine := host.New([]string{"HOME=" + root, "GOCACHE=" + filepath.Join(root, "my cache")}, "linux", root, "", time.Now)
	for path, want := range map[string]bool{
		"usr/local/bin/agents-hooks":               false,
		"go/bin/agents-hooks":                      false,
		"tmp/go-build123/b001/exe/agents-hooks":    true,
		".cache/go-build/ab/abcdef-d/agents-hooks": true,
		"my cache/ab/abcdef-d/agents-hooks":        true,
		"my cache 2/agents-hooks":                  false,
		"src/my-go-build/agents-hooks":             false,
	} {
		t.Run(path, func(t *testing.T) {
			if got := keep.Passing(machine, filepath.Join(root, filepath.FromSlash(path))); got != want {
				t.Errorf("%s: %t, want %t", path, got, want)
			}
		})
	}
}
