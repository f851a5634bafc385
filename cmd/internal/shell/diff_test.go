package shell

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

func TestUnifiedDiff(t *testing.T) {
	t.Parallel()
	numbers := func(n int, change map[int]string) string {
		var b strings.Builder
		for i := 1; i <= n; i++ {
			if s, ok := change[i]; ok {
				b.WriteString(s)
				continue
			}
			fmt.Fprintln(&b, i)
		}
		return b.String()
	}
	for _, tc := range []struct{ name, before, after, want string }{
		{"nothing", "a\n", "a\n", ""},
		{"new file", "", "a\nb\n", "--- /dev/null\n+++ f\n@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"removed file", "a\n", "", "--- f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"},
		{"one line", "a\nb\nc\n", "a\nx\nc\n", "--- f\n+++ f\n@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n"},
		{"no final newline", "a", "a\n", "--- f\n+++ f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		{"line ends alone", "a\r\n", "a\n", "--- f\n+++ f\n@@ -1 +1 @@\n-a␍\n+a\n"},
		{"two hunks", numbers(20, nil), numbers(20, map[int]string{2: "x\n", 19: ""}),
			"--- f\n+++ f\n@@ -1,5 +1,5 @@\n 1\n-2\n+x\n 3\n 4\n 5\n@@ -16,5 +16,4 @@\n 16\n 17\n 18\n-19\n 20\n"},
		{"what a terminal obeys is written out", "a\n", "a\x1b[2Jb\u202ec\n", "--- f\n+++ f\n@@ -1 +1 @@\n-a\n+a\\x1b[2Jb\\u{202e}c\n"},
		{"a binary file", "a\x00", "b", "f: not a text (2 bytes before, 1 after)\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			before, after := []byte(tc.before), []byte(tc.after)
			if tc.before == "" {
				before = nil
			}
			if tc.after == "" {
				after = nil
			}
			if got := UnifiedDiff("f", before, after); got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}

// The real patch program accepts what we print.
func TestUnifiedDiffIsAPatch(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("patch"); err != nil {
		t.Skip("no patch program here")
	}
	before := "{\n  // comment\n  \"a\": 1,\n  \"b\": [1, 2],\n" + strings.Repeat("  // more\n", 30) + "  \"z\": 0\n}\n"
	after := strings.NewReplacer("\"a\": 1,", "\"a\": 2,\n  \"new\": 1,", "\"z\": 0\n}\n", "\"z\": 0\n}").Replace(before)
	dir := t.TempDir()
	file := filepath.Join(dir, "f")
	must.Write(t, file, before)
	cmd := exec.Command("patch", "-s", file)
	cmd.Stdin = strings.NewReader(UnifiedDiff("f", []byte(before), []byte(after)))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("patch: %v: %s", err, out)
	}
	if got, _ := os.ReadFile(file); string(got) != after {
		t.Errorf("patched to\n%s\nwant\n%s", got, after)
	}
}
