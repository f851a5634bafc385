package hooks

import (
	"os/exec"
	"syscall"
)

// ownGroup keeps what a terminal sends to the agent, such as a Ctrl+C that only ends a
// step, from the program: its input's end and cancel are what ends it.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
