//go:build unix

package discovery

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/pack/lockfile"
	"github.com/agents-hooks/agents-hooks/trust"
)

// A hook of a pack runs by its bare hash where no executable bit is kept, and by that
// alone: not on another system, and not with other bytes. A lock of before, with one
// hash for all, breaks what it cannot be held against.
func TestPinnedWithoutExecutableBits(t *testing.T) {
	t.Parallel()
	write := func(t *testing.T, path, text string) {
		t.Helper()
		must.Write(t, path, text)
	}
	const full = "1111111111111111111111111111111111111111111111111111111111111111"
	for _, c := range []struct {
		name, goos string
		bare       bool // the lock has it
		edited     bool
		want       Status
	}{
		{"as locked", "windows", true, false, Ready},
		{"other bytes", "windows", true, true, Broken},
		{"on a system that keeps the bit", "linux", true, false, Broken},
		{"a lock of before", "windows", false, false, Broken},
	} {
		t.Run(c.name, func(t *testing.T) {
			user := t.TempDir()
			dir := filepath.Join(user, "hooks", "guard")
			write(t, filepath.Join(dir, "HOOK.md"), "---\nname: guard\ndescription: d\ntrigger: pre-tool-call\n---\n")
			write(t, filepath.Join(dir, "scripts", "run.py"), "pass\n")
			hash, err := trust.Hash(t.Context(), dir)
			must.Do(t, err)
			lock := &lockfile.Lock{Packs: []lockfile.Pack{{Name: "p", Source: "./p", Hooks: map[string]string{"guard": full}}}}
			if c.bare {
				lock.Packs[0].Bare = map[string]string{"guard": hash}
			}
			write(t, filepath.Join(user, lockfile.Name), string(lock.Format()))
			if c.edited {
				write(t, filepath.Join(dir, "scripts", "run.py"), "import os\n")
			}
			set := Load(Sources{User: user, Home: user, State: filepath.Join(user, "state"), GOOS: c.goos}, "")
			if len(set.Hooks) != 1 || set.Hooks[0].Status != c.want {
				t.Errorf("%s: %+v", c.name, set.Hooks)
				return
			}
			if c.want == Broken && !strings.Contains(set.Hooks[0].Problems[0].Message, "not as hooks.lock has it") {
				t.Errorf("%s: %v", c.name, set.Hooks[0].Problems)
			}
		})
	}
}
