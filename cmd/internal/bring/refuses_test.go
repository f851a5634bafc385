package bring

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A guard that refuses all that its matcher finds comes with a test of one such call;
// one whose matcher nothing was found for, or that is no guard, with none.
func TestGuardsShowWhatTheyRefuse(t *testing.T) {
	for group, want := range map[string]string{
		`"matcher": "WebFetch", `:        `"tool_name": "WebFetch"`,
		`"matcher": "Edit|Write", `:      `"tool_name": "`,
		``:                               `"tool_name": "`,
		`"matcher": "mcp__memory__.*", `: `"tool_name": "mcp__memory__`,
	} {
		t.Run(fmt.Sprintf("%q", group), func(t *testing.T) {
			row, _ := one(t, ".claude/settings.json", claude("PreToolUse", group, `"command": "echo 'not here' >&2; exit 2"`))
			b, err := os.ReadFile(filepath.Join(row.Folder, "tests", "refuses.txtar"))
			if err != nil || !strings.Contains(string(b), "stderr-has: not here") || !strings.Contains(string(b), want) {
				t.Errorf("%s: %v\n%s", group, err, b)
			}
		})
	}
	for _, c := range [][2]string{{"PostToolUse", `"command": "echo 'x' >&2; exit 2"`}, {"PreToolUse", `"command": "true"`}} {
		t.Run(c[0], func(t *testing.T) {
			row, _ := one(t, ".claude/settings.json", claude(c[0], "", c[1]))
			if _, err := os.Stat(filepath.Join(row.Folder, "tests", "refuses.txtar")); err == nil {
				t.Errorf("%v is no guard that refuses everything", c)
			}
		})
	}
}

// A line refuses whatever it is told if it only prints and ends with 2; what has to be
// found out, or could end in another way, is not taken for one.
func TestLinesThatRefuseEverything(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`echo 'no' >&2; exit 2`:                     "no",
		`echo "use pnpm" >&2 && exit 2`:             "use pnpm",
		"echo first >&2\necho second >&2\nexit 2\n": "first",
		`echo out; echo no >&2; exit 2; echo never`: "no",
		`echo no >&2; exit 1`:                       "",
		`echo no >&2 || exit 2`:                     "",
		`grep -q x && echo no >&2 && exit 2`:        "",
		`if true; then echo no >&2; exit 2; fi`:     "",
		`echo "$HOME" >&2; exit 2`:                  "",
		`echo no >&2; exit "$X"`:                    "",
		`echo no > out; exit 2`:                     "",
		`echo no; exit 2`:                           "",
		`exit 2`:                                    "",
		`(echo no >&2; exit 2)`:                     "",
		`echo no >&2 & exit 2`:                      "",
		`! echo no >&2; exit 2`:                     "",
		`echo -n no >&2; exit 2`:                    "",
		`X=1 echo no >&2; exit 2`:                   "",
		`python3 guard.py`:                          "",
		`echo no >&2; exit 2 | cat`:                 "",
		`echo 'no`:                                  "",
	} {
		t.Run(fmt.Sprintf("%q", line), func(t *testing.T) {
			if got, ok := refusesAll(line); ok != (want != "") || ok && got != want {
				t.Errorf("%s: %q %t, want %q", line, got, ok, want)
			}
		})
	}
}
