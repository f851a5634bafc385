package evolution

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// become starts the other program, waits, and ends as it did. Windows sends what
// ends a console's program (Ctrl-C, Ctrl-Break, closing it) to both: this one
// leaves it to the other.
func become(sh *shell.Shell, program string, args []string) error {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	cmd := exec.Command(program, args...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = sh.Host.Env, sh.In, sh.Out, sh.Err
	err := cmd.Run()
	var ended *exec.ExitError
	switch {
	case errors.As(err, &ended):
		return shell.ExitCode(ended.ExitCode())
	case err != nil:
		return fmt.Errorf("evolution serve: starting %q: %w", program, err)
	}
	return nil
}
