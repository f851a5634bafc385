package dispatch

import (
	"strings"
	"testing"
)

// stop_limit = 0 is none at all, and not the default.
func TestStopLimitOfNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		toml string
		want int // of seven stops
	}{
		{"stop_limit = 0", 0},
		{"stop_limit = {row = 0}", 0},
		{"stop_limit = {total = 0}", 0},
		{"stop_limit = {row = 3, total = 2}", 2},
		{"", 5},
	} {
		t.Run(c.toml, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.file(w.settings(), "[hooks]\n"+c.toml+"\n", 0o644)
			w.hook(w.userHooks(), "gate", "trigger: pre-agent-turn-stop", "echo go on >&2; exit 2")
			went, last := 0, ""
			for range 7 {
				r := w.run(w.claude("Stop", `,"stop_hook_active":false`), "--agent=claude-code")
				if r.exit != 0 || r.stderr != "" {
					t.Fatalf("%+v", r)
				}
				if strings.Contains(r.stdout, `"block"`) {
					went++
				}
				last = r.stdout
			}
			if went != c.want {
				t.Errorf("went on %d times of 7, want %d; last answer %s", went, c.want, last)
			}
			has(t, "log", w.log(), "it may stop now")
		})
	}
}
