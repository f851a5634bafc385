package statefile

import (
	"errors"
	"os"
	"syscall"
)

// Runs reports whether there is a process of a number, such as one whose temporary
// file lies somewhere. Where that cannot be asked there is.
func Runs(pid int) bool {
	p, err := os.FindProcess(pid)
	return err == nil && !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
