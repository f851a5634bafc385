package setup

import (
	"os/exec"
	"strings"
	"syscall"
)

// verbatim gives cmd.exe its command as it is: it does not understand the quotes
// that other programs' arguments are put into.
func verbatim(cmd *exec.Cmd) {
	if len(cmd.Args) == 5 && cmd.Args[0] == "cmd.exe" {
		cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: strings.Join(cmd.Args[:4], " ") + ` "` + cmd.Args[4] + `"`}
	}
}
