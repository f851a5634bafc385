package setup

import (
	"os/exec"
	"strings"
	"syscall"
)

// verbatim passes a command to cmd.exe unchanged: cmd does not understand the quoting
// of other programs' arguments.
func verbatim(cmd *exec.Cmd) {
	if len(cmd.Args) == 5 && cmd.Args[0] == "cmd.exe" {
		cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: strings.Join(cmd.Args[:4], " ") + ` "` + cmd.Args[4] + `"`}
	}
}
