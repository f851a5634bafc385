package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// Every line is read, however long the one before, and a team that has no summary has no
// file of them.
func TestUnreadable(t *testing.T) {
	long := `"` + strings.Repeat("x", 100_000) + "\"\n"
	for _, c := range []struct {
		what  string
		files map[string]string
		want  int
	}{
		{"no summaries", map[string]string{"daily/a.jsonl": "{}\n"}, 0},
		{"a line behind a long one", map[string]string{"daily/a.jsonl": long + "{\n"}, 1},
		{"a line that was cut", map[string]string{"daily/a.jsonl": "{}\n\n{\"id\": ", "sessions.jsonl": "{}\n{\n"}, 2},
	} {
		t.Run(c.what, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range c.files {
				file := filepath.Join(dir, filepath.FromSlash(name))
				must.Write(t, file, text)
			}
			if got, err := unreadable(dir); err != nil || got != c.want {
				t.Errorf("%d, %v, want %d", got, err, c.want)
			}
		})
	}
}
