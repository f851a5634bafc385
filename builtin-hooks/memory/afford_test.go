package memory

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// hole makes a file of some size, which costs no disk.
func hole(t *testing.T, path string, size int64) {
	t.Helper()
	must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	must.Do(t, f.Truncate(size))
}

// Beyond a bound the largest files of a project are left out, and that is said in one
// line; what is small counts, and what is left out stays. The person's own folder has no bound.
// BM-STO-17.
func TestWhatACloneBringsIsReadUpToABound(t *testing.T) {
	root := t.TempDir()
	var said, opened []string
	p := Place{Root: root, Dir: filepath.Join(root, "memory"), Within: &beneath.Root{
		Dir: root, Refused: func(err error) { said = append(said, err.Error()) }, Touched: func(path string) { opened = append(opened, filepath.Base(path)) },
	}}
	daily := func(name string) string { return filepath.Join(p.Dir, dailyDir, name) }
	for _, name := range []string{"2026-01-01.jsonl", "2099-01-01.jsonl"} {
		hole(t, daily(name), 60<<20)
	}
	hole(t, daily("2026-01-02.jsonl"), 4<<10)
	hole(t, daily("2026-01-03.jsonl"), 20<<20)
	want := []string{"daily/2026-01-02.jsonl", "daily/2026-01-03.jsonl", "own/" + factsFile, factsFile}
	if got := p.FactFiles(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if len(said) != 1 || !strings.Contains(said[0], "its files have 140 MiB, of which at most 32 are read: the largest are left out, 2 files with daily/2026-01-01.jsonl") {
		t.Errorf("%q", said)
	}
	// on Windows a size is asked of an open file
	if runtime.GOOS != "windows" && slices.ContainsFunc(opened, func(name string) bool { return strings.HasSuffix(name, ".jsonl") && name != factsFile }) {
		t.Errorf("opened %q", opened)
	}
	if info, err := os.Stat(daily("2099-01-01.jsonl")); err != nil || info.Size() != 60<<20 {
		t.Errorf("%v %v", info, err)
	}
	if own := (Place{Dir: p.Dir}); len(own.FactFiles()) != 6 {
		t.Errorf("the person's own: %q", own.FactFiles())
	}
}

// A link that leads to nothing or out of the project, and a folder where a file belongs, are left
// out, each with the reason; the files beside them count.
// BM-STO-18.
func TestWhatIsNoFileIsInTheWayOfNothing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a right there")
	}
	root := t.TempDir()
	var said []string
	p := Place{Root: root, Dir: filepath.Join(root, "memory"), Within: &beneath.Root{Dir: root, Refused: func(err error) { said = append(said, err.Error()) }}}
	daily := func(name string) string { return filepath.Join(p.Dir, dailyDir, name) }
	must.Write(t, daily("2026-01-01.jsonl"), "{}\n")
	must.Do(t, os.Symlink("nowhere", daily("2026-01-02.jsonl")))
	must.Do(t, os.Symlink(t.TempDir(), daily("2026-01-03.jsonl")))
	must.Do(t, os.Mkdir(daily("2026-01-04.jsonl"), 0o755))
	must.Do(t, os.Symlink("2026-01-01.jsonl", daily("2026-01-05.jsonl")))
	must.Do(t, os.Symlink("nowhere", filepath.Join(p.Dir, sessionsFile)))
	if got, want := p.FactFiles(), []string{"daily/2026-01-01.jsonl", "daily/2026-01-05.jsonl", "own/" + factsFile, factsFile}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := p.SummaryFiles(); slices.Contains(got, sessionsFile) {
		t.Errorf("%q", got)
	}
	for _, part := range []string{"02.jsonl: the link leads to nothing", "03.jsonl: the link leads out", "04.jsonl: it is no file", "sessions.jsonl: the link leads to nothing"} {
		if !strings.Contains(strings.Join(said, "\n"), part) {
			t.Errorf("%q is not among %q", part, said)
		}
	}
}
