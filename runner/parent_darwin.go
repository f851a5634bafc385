package runner

import "golang.org/x/sys/unix"

// parentOf is the parent of a process, 0 if it is gone.
func parentOf(pid int) int {
	p, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return 0
	}
	return int(p.Eproc.Ppid)
}
