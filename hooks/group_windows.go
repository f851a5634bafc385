package hooks

import (
	"os/exec"
	"syscall"
)

// ownGroup shields the program from signals that a terminal sends to the agent, such as
// a Ctrl+C that ends only a step. The end of its input, or a cancel request, ends it.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
