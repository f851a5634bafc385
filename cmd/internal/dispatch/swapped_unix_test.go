//go:build unix

package dispatch

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// Where nobody has to approve, a hook runs where it lies: a pipe that changes places
// with its entry all the time makes no event wait, neither for a writer nor for what
// one who holds it open does not write.
func TestAPipeForAnEntryIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(w.projectHooks(), "guard", "trigger: pre-tool-call\ntimeout: 2", "echo held >&2; exit 2")
	entry := filepath.Join(w.projectHooks(), "guard", "scripts", "run")
	at := func(name string) string { return filepath.Join(filepath.Dir(w.project), name) }
	must.Do(t, os.Link(entry, at("file")))
	must.Do(t, syscall.Mkfifo(at("pipe"), 0o755))
	held, err := os.OpenFile(at("pipe"), os.O_RDWR, 0)
	must.Do(t, err)
	defer held.Close()
	stop := make(chan struct{})
	var swapping sync.WaitGroup
	swapping.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			_ = os.Remove(at("next"))
			if os.Link(at([]string{"pipe", "file"}[i%2]), at("next")) == nil {
				_ = os.Rename(at("next"), entry)
			}
			time.Sleep(time.Duration(i%7) * 100 * time.Microsecond)
		}
	})
	defer swapping.Wait()
	defer close(stop)
	ran, met := 0, 0
	for i := 0; i < 300 && (ran == 0 || met == 0 || i < 20); i++ {
		r := w.run(strings.Replace(w.claude("PreToolUse", bash), "toolu_1", "toolu_"+time.Now().Format("150405.000000000"), 1), "--agent=claude-code", "--trust=always")
		if r.took > 5*time.Second {
			t.Fatalf("event %d took %s: %s%s", i, r.took, r.stdout, r.stderr)
		}
		if strings.Contains(r.stdout, "held") {
			ran++
		}
		if strings.Contains(w.log(), "permission denied") {
			met++ // the pipe was there when the system was to start it
		}
	}
	if ran == 0 || met == 0 {
		t.Errorf("the hook ran %d times, and met the pipe %d times: this proves nothing", ran, met)
	}
}
