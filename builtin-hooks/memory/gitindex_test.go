package memory

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// What git tracks is known from its index in each form that git writes, and if it cannot be
// read, that is known: a file that may be tracked is not moved.
// BM-GIT-15.
func TestWhatGitTracksIsKnownFromEveryFormOfItsIndex(t *testing.T) {
	t.Parallel()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not here")
	}
	for form, c := range map[string]struct {
		init, then []string
		known      bool
	}{
		"version 2":              {nil, nil, true},
		"version 3":              {nil, []string{"add", "-N", "later"}, true},
		"version 4":              {nil, []string{"update-index", "--index-version", "4"}, true},
		"version 4 with SHA-256": {[]string{"--object-format=sha256"}, []string{"update-index", "--index-version", "4"}, true},
		"split":                  {nil, []string{"update-index", "--split-index"}, false},
		"not one":                {nil, nil, false},
	} {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			run := func(args ...string) {
				t.Helper()
				cmd := exec.Command(git, args...)
				cmd.Dir, cmd.Env = dir, []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1"}
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("git %v: %v\n%s", args, err, out)
				}
			}
			run(append([]string{"init", "-q", "-b", "main"}, c.init...)...)
			at := Place{Tree: dir}.Checkout()
			if yes, known := at.tracks("a"); yes || !known {
				t.Errorf("of a repository without an index: %v, %v", yes, known)
			}
			names := []string{"a", ".agents/memory-data/daily/2026-11-21.jsonl", ".agents/memory-data/daily/2026-11-22.jsonl", ".agents/x", "z/y"}
			for _, name := range append(names, "later") {
				must.Write(t, filepath.Join(dir, name), name)
			}
			run(append([]string{"add"}, names...)...)
			if c.then != nil {
				run(c.then...)
			}
			if form == "not one" {
				must.Write(t, filepath.Join(dir, ".git", "index"), "DIRC\x00\x00\x00\x04\x00\x00\x00\x09short")
			}
			at = Place{Tree: dir}.Checkout()
			for _, name := range names {
				if yes, known := at.tracks(name); yes != c.known || known != c.known {
					t.Errorf("%s: %v, %v", name, yes, known)
				}
			}
			for _, name := range []string{"2026-11-21.jsonl2", "2026-11-21.jsonl", "y", "daily/2026-11-22.jsonl", ".agents/memory-data/daily/2026-11-23.jsonl", ""} {
				if yes, _ := at.tracks(name); yes {
					t.Errorf("%q is tracked", name)
				}
			}
		})
	}
}
