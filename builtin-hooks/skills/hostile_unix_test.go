//go:build unix

package skills

import (
	"slices"
	"syscall"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A pipe where a folder or a file is due is told, and nobody waits for
// who might write into it.
//
// BS-FIL-06.
func TestNobodyWaitsForAPipe(t *testing.T) {
	t.Parallel()
	dir := put(t, t.TempDir(), map[string]string{"a/SKILL.md": "a", "b/hooks/x.md": "x", "c/hooks/hooks.json": `{"hooks": [` + entryA + `}]}`})
	for _, path := range []string{"a/hooks", "b/hooks/hooks.json", "c/hooks/a.md"} {
		must.Do(t, syscall.Mkfifo(dir+"/"+path, 0o644))
	}
	hooks, problems := Scan(nil, dir)
	want := []string{
		`error a/hooks/hooks.json: skill "a": cannot be read: hooks is not a folder`,
		`error b/hooks/hooks.json: skill "b": cannot be read: it is not a regular file`,
		`error c/hooks/hooks.json:1:34: hooks[0].file: skill "c", entry "a": "a.md" cannot be read: it is not a regular file`,
	}
	if got := texts(problems, dir); len(hooks) > 0 || !slices.Equal(got, want) {
		t.Errorf("%v %q", hooks, got)
	}
}
