package discovery

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// What is left out and let in again leaves the file as it was, and all that anybody
// wrote around it.
func TestSetLeftOut(t *testing.T) {
	for _, before := range []string{
		"",
		"[hooks]\ndebug = true # why\n",
		"[[hooks.except]]\nname = \"other\"\nagents = [\"codex\"]\n",
		"[hooks]\r\ndebug = true\r\n",
	} {
		t.Run(fmt.Sprintf("%q", before), func(t *testing.T) {
			out, err := SetLeftOut([]byte(before), "guard", []string{"claude-code", "codex"}, true)
			must.Do(t, err)
			if f, _ := editable(string(out)); !slices.Equal(f.leavesOut("guard"), []string{"claude-code", "codex"}) || len(f.problems) > 0 {
				t.Errorf("%q became %q: %v", before, out, f.problems)
			}
			again, err := SetLeftOut(out, "guard", []string{"codex"}, true)
			if err != nil || string(again) != string(out) {
				t.Errorf("twice: %q, %v", again, err)
			}
			one, err := SetLeftOut(out, "guard", []string{"claude-code"}, false)
			if f, _ := editable(string(one)); err != nil || !slices.Equal(f.leavesOut("guard"), []string{"codex"}) {
				t.Errorf("one let in: %q, %v", one, err)
			}
			back, err := SetLeftOut(one, "guard", []string{"codex"}, false)
			if err != nil || strings.TrimSpace(string(back)) != strings.TrimSpace(before) {
				t.Errorf("%q came back as %q, %v", before, back, err)
			}
		})
	}
	inline := "[hooks]\nexcept = [{name = 'guard', agents = ['codex', \"cursor\"]}, {name = 'x', agents = ['codex']}]\n"
	out, err := SetLeftOut([]byte(inline), "guard", []string{"codex", "cursor"}, false)
	if err != nil || string(out) != "[hooks]\nexcept = [{name = 'x', agents = ['codex']}]\n" {
		t.Errorf("an array on one line: %q, %v", out, err)
	}
	if out, err = SetLeftOut(out, "y", []string{"codex"}, true); err != nil || !strings.Contains(string(out), `, {name = "y", agents = ["codex"]}]`) {
		t.Errorf("added to it: %q, %v", out, err)
	}
	for _, bad := range []string{`name = "a"`, `agents = ["codex"]`, "name = \"a\"\nagents = \"codex\"", "name = \"a\"\nagents = []", "name = \"a\"\nagents = [1]", "name = \"a\"\nagents = [\"codex\"]\nwhy = 1"} {
		t.Run(fmt.Sprintf("%q", bad), func(t *testing.T) {
			if f, _ := editable("[[hooks.except]]\n" + bad + "\n"); len(f.problems) == 0 {
				t.Errorf("nothing is said of %q", bad)
			}
		})
	}
}
