//go:build unix

package runner

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// stopLimit is what a hook of the role has, and what its whole event has.
const stopLimit = 2 * time.Second

// stoppedByItsHook is a dispatcher with one core, as ours is, that its hook stops.
func stoppedByItsHook() int {
	h := entryHook(os.Getenv("HOOK"))
	ctx := context.Background()
	if os.Getenv("LIMIT") == "hook" {
		h.Timeout = stopLimit
	} else {
		var cancel func()
		ctx, cancel = context.WithTimeout(ctx, stopLimit)
		defer cancel()
	}
	rep := (&Runner{Env: os.Environ()}).Run(ctx, event(protocol.PreToolCall), set(h))
	fmt.Print(rep.Outcome.Decision, " ", rep.Outcome.Reason)
	return 0
}

// A terminal may stop an agent and what is in its process group, which hooks are not: a
// hook that has judged in time has, whatever the clock says when the dispatcher goes on.
func TestJudgedWhileWeWereStopped(t *testing.T) {
	t.Parallel()
	for _, limit := range []string{"hook", "event"} {
		t.Run("limit of the "+limit, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			guard := filepath.Join(dir, "guard")
			write(guard, "#!/bin/sh\nkill -STOP $PPID\necho no >&2\necho > $OUT/judged\nexit 2\n", 0o755)
			out, err := os.Create(filepath.Join(dir, "out"))
			must.Do(t, err)
			defer out.Close()
			begun := time.Now()
			p := startRole(t, "stopped", out, "GOMAXPROCS=1", "OUT="+dir, "LIMIT="+limit, "HOOK="+guard)
			eventually(t, "the hook has judged, and its time is over", func() bool {
				_, err := os.Stat(filepath.Join(dir, "judged"))
				return err == nil && time.Since(begun) > 2*stopLimit
			})
			must.Do(t, syscall.Kill(p.pid, syscall.SIGCONT))
			if s := guarded(t, p.wait); s.exit != 0 {
				t.Fatalf("%+v", s)
			}
			if got := must.Read(t, out.Name()); got != "block [hook] no" {
				t.Errorf("%q", got)
			}
		})
	}
}
