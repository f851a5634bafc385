//go:build unix

package hooks

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// onAFullDisk may write files of 1 KiB, which is what a full disk looks like to a writer: names fit
// and blocks do not.
func onAFullDisk(dir string) {
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1024, Max: 1024}); err != nil {
		fmt.Println("no limit:", err)
		return
	}
	fmt.Println(memory.Place{Dir: dir}.Writable(7))
}

func init() { fullDisk = onAFullDisk }

// A disk on which a name has room and a block has none cannot be written, and nothing is left
// there. BM-STO-19.
func TestAFullDiskCannotBeWritten(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	must.Do(t, err)
	dir := t.TempDir()
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), "MEMORY_TEST_FULL="+dir)
	out, err := cmd.CombinedOutput()
	must.Do(t, err)
	if !strings.Contains(string(out), "file too large") {
		t.Errorf("%s", out)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("%v is left", left)
	}
	if err := (memory.Place{Dir: dir}).Writable(7); err != nil {
		t.Error(err)
	}
}
