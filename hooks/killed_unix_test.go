//go:build unix

package hooks

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// An agent that is killed leaves nothing behind: not the program that it started, not the
// hook that runs, no file.
func TestAKilledAgentLeavesNothingBehind(t *testing.T) {
	slowtest.Only(t, "five seconds, which spec/STREAM.md gives the hook; the dispatcher's TestStreamEndsWhatHangs kills and ends too")
	p := newPerson(t)
	p.hook("slow", "trigger: pre-tool-call", `echo $PPID $$ >"$HOME/new"; mv "$HOME/new" "$HOME/pids"; sleep 600`)
	tmp := t.TempDir()
	self, err := os.Executable()
	must.Do(t, err)
	agent := exec.Command(self)
	agent.Dir = p.home
	agent.Env = append(p.env(), "TMPDIR="+tmp, agentRole+"="+filepath.Join(built, "agents-hooks-run"))
	must.Do(t, agent.Start())
	pids := strings.Fields(p.await("pids"))
	if len(pids) != 2 {
		t.Fatalf("the hook said %q", pids)
	}
	_ = agent.Process.Kill()
	_ = agent.Wait()
	for _, pid := range pids {
		for alive(t, pid) { // 5 seconds at most, which spec/STREAM.md gives the hook
			time.Sleep(10 * time.Millisecond)
		}
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left in TMPDIR: %v %v", left, err)
	}
}

// await is what a file below the home has, once it is there.
func (p *person) await(name string) string {
	for {
		if b, err := os.ReadFile(filepath.Join(p.home, name)); err == nil {
			return string(b)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// alive reports whether a process runs. One that ended and that nobody has waited for does not.
func alive(t *testing.T, text string) bool {
	t.Helper()
	pid, err := strconv.Atoi(text)
	must.Do(t, err)
	if stat, err := os.ReadFile("/proc/" + text + "/stat"); err == nil {
		_, rest, _ := strings.Cut(string(stat), ") ")
		return !strings.HasPrefix(rest, "Z")
	}
	return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}
