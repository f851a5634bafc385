//go:build !windows

package setup

import (
	"os/exec"
)

// verbatim does nothing on systems where a process gets its arguments one by one.
func verbatim(*exec.Cmd) {}
