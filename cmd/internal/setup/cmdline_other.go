//go:build !windows

package setup

import (
	"os/exec"
)

// verbatim does nothing where a process is given its arguments one by one.
func verbatim(*exec.Cmd) {}
