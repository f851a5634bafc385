//go:build unix

package evolution

import (
	"fmt"
	"syscall"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// become replaces this process, so that signals, the exit code and the process id are the other
// program's.
func become(sh *shell.Shell, program string, args []string) error {
	err := syscall.Exec(program, append([]string{program}, args...), sh.Host.Env)
	return fmt.Errorf("evolution serve: starting %q: %w", program, err)
}
