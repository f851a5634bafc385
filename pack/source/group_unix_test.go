//go:build unix

package source

import (
	"os/exec"
	"syscall"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A command has a group of processes of its own, but where it may ask at the terminal.
func TestACommandHasAGroupOfItsOwn(t *testing.T) {
	t.Parallel()
	for _, terminal := range []bool{false, true} {
		cmd := exec.CommandContext(t.Context(), "cat")
		group(cmd, terminal)
		in, err := cmd.StdinPipe()
		must.Do(t, err)
		must.Do(t, cmd.Start())
		of, err := syscall.Getpgid(cmd.Process.Pid)
		must.Do(t, err)
		if own := of == cmd.Process.Pid; own == terminal {
			t.Errorf("terminal %t: a group of its own %t", terminal, own)
		}
		in.Close()
		must.Do(t, cmd.Wait())
	}
}
