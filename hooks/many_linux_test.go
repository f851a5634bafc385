package hooks

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// size is what a process holds.
type size struct {
	resident   int // bytes
	files      int
	goroutines int
}

func measure(t *testing.T, pid int) size {
	t.Helper()
	statm := must.Read(t, fmt.Sprintf("/proc/%d/statm", pid))
	pages, err := strconv.Atoi(strings.Fields(statm)[1])
	must.Do(t, err)
	files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	must.Do(t, err)
	return size{pages * os.Getpagesize(), len(files), runtime.NumGoroutine()}
}

// Ten thousand events (1,500 without -slow) leave nothing behind in the agent and in the
// program that it asks; and this is how many a second it is, beside a process for each.
func TestTenThousandEventsLeaveNothingBehind(t *testing.T) {
	count := slowtest.Count(600, 10_000)
	ways(t, func(t *testing.T, p *person, with func(Options) *Session) {
		s := with(Options{})
		event := PreToolCall("1", "Shell", map[string]string{"command": "ls"})
		var own, other [2]size
		took := timed(count, func(i int) {
			must.Do(t, must.Err(s.Dispatch(t.Context(), event)))
			if i != count/5 && i != count-1 {
				return
			}
			runtime.GC()
			n := i / (count - 1)
			own[n] = measure(t, os.Getpid())
			if by, ok := s.hooks.engine.(*program); ok {
				other[n] = measure(t, by.stream.cmd.Process.Pid)
			}
		})
		t.Logf("%d events: %s; this process %+v, then %+v; the program %+v, then %+v", count, took, own[0], own[1], other[0], other[1])
		for _, o := range [][2]size{own, other} {
			if o[1].resident > o[0].resident+8<<20 || o[1].files > o[0].files || o[1].goroutines > o[0].goroutines {
				t.Errorf("it grew from %+v to %+v", o[0], o[1])
			}
		}
	})
	p := newPerson(t)
	event := []byte(`{"event_type": "pre-tool-call", "session_id": "s", "work_dir": "` + p.home + `", "tool_name": "Shell", "tool_input": {"command": "ls"}, "tool_use_id": "1"}`)
	took := timed(count/15, func(int) {
		cmd := exec.Command(filepath.Join(built, "agents-hooks-run"), "run", "--json")
		cmd.Env, cmd.Stdin = p.env(), bytes.NewReader(event)
		if out, err := cmd.Output(); err != nil || !bytes.Contains(out, []byte(`"outcome"`)) {
			t.Fatalf("%s %v", out, err)
		}
	})
	t.Logf("%d events, a process for each: %s", count/15, took)
}

// timed says how long each of so many took.
func timed(count int, do func(i int)) string {
	var all []time.Duration
	var whole time.Duration
	for i := range count {
		began := time.Now()
		do(i)
		all = append(all, time.Since(began))
		whole += all[i]
	}
	slices.Sort(all)
	return fmt.Sprintf("%.0f a second, p95 %.2f ms", float64(count)/whole.Seconds(), all[count*95/100].Seconds()*1000)
}
