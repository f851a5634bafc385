package builtin

import (
	"context"
	"errors"
	"slices"
	"testing"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A hook under another runner leaves nothing behind: what it would have left to a
// process that nobody waits for is run, and waited for, once it has answered.
func TestWhatAHookLeavesForLaterIsDoneWhenItIsOver(t *testing.T) {
	t.Parallel()
	var ran [][]string
	world := &builtinhooks.Runtime{
		Tool: func(ctx context.Context, dir string, env []string, _ []byte, args ...string) ([]byte, error) {
			if _, bounded := ctx.Deadline(); !bounded {
				t.Errorf("%q may take for ever", args)
			}
			ran = append(ran, append([]string{dir, env[0]}, args...))
			return nil, errors.New("it failed, which concerns nobody")
		},
		Detach: func(string, []string, ...string) error {
			t.Error("a process was left behind")
			return nil
		},
	}
	world, finish := waiting(world)
	for _, args := range [][]string{{"builtin", "worker", "memory"}, {"evolution", "sync"}} {
		must.Do(t, world.Detach("/project", []string{"A=1"}, args...))
	}
	if len(ran) > 0 {
		t.Errorf("%q ran before the hook had answered", ran)
	}
	finish(t.Context())
	want := [][]string{{"/project", "A=1", "builtin", "worker", "memory"}, {"/project", "A=1", "evolution", "sync"}}
	if !slices.EqualFunc(ran, want, slices.Equal) {
		t.Errorf("%q ran, want %q", ran, want)
	}
}
