//go:build unix

package runlog

import "syscall"

func fifo(path string) error { return syscall.Mkfifo(path, 0o600) }
