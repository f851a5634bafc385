//go:build unix

package runner

import (
	"io/fs"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

// A process is a started one. It leads a process group of its own (or a
// session), so that a signal reaches all that it started and nothing else.
type process struct{ pid int }

// A grouping is what a process leads.
type grouping uint8

const (
	ownGroup   grouping = iota // a hook: its group can be stopped as one
	ownSession                 // the supervisor: no terminal, out of reach of the agent's group
)

// start is the one function that starts processes. It does without package
// os/exec: a program that starts one process and ends pays an eighth of a
// millisecond for the probes of its first start (performance.md 1).
//
// A file that somebody else has open for writing right now ("text file busy",
// go.dev/issue/22315) is tried again for a short time.
func start(argv []string, dir string, env []string, stdio [3]*os.File, g grouping) (*process, error) {
	attr := &syscall.ProcAttr{
		Dir:   dir,
		Env:   env,
		Files: []uintptr{stdio[0].Fd(), stdio[1].Fd(), stdio[2].Fd()},
		Sys:   &syscall.SysProcAttr{Setpgid: g == ownGroup, Setsid: g == ownSession},
	}
	defer runtime.KeepAlive(stdio)
	for wait := time.Millisecond; ; wait *= 2 {
		pid, err := syscall.ForkExec(argv[0], argv, attr)
		if err == nil {
			return &process{pid}, nil
		}
		if err != syscall.ETXTBSY || wait > 64*time.Millisecond {
			return nil, err
		}
		time.Sleep(wait)
	}
}

// wait waits for the process itself, not for those that hold its pipes.
func (p *process) wait() status {
	var ws syscall.WaitStatus
	for {
		_, err := syscall.Wait4(p.pid, &ws, 0, nil)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return status{exit: -1}
		}
		return statusOf(ws)
	}
}

// over is how the process has ended, if it has by now; ended is where a wait for it tells
// the same, perhaps later.
func (p *process) over(ended <-chan status) (status, bool) {
	var ws syscall.WaitStatus
	switch pid, err := syscall.Wait4(p.pid, &ws, syscall.WNOHANG, nil); {
	case err == syscall.ECHILD: // the other wait was first
		return <-ended, true
	case err != nil || pid == 0:
		return status{}, false
	}
	return statusOf(ws), true
}

func statusOf(ws syscall.WaitStatus) status {
	if ws.Signaled() {
		return status{exit: -1, signal: signalName(ws.Signal())}
	}
	return status{exit: ws.ExitStatus()}
}

// terminate asks the whole group to end. A member that is stopped, by reading
// from the terminal for instance, is woken to hear it.
func (p *process) terminate() {
	_ = syscall.Kill(-p.pid, syscall.SIGTERM)
	_ = syscall.Kill(-p.pid, syscall.SIGCONT)
}

// kill ends the whole group.
func (p *process) kill() { _ = syscall.Kill(-p.pid, syscall.SIGKILL) }

// groupAlive reports whether anything is left of the group once its leader was waited
// for. A process that has ended and was not reaped does not count: whoever inherited it
// may take its time, or be us.
func (p *process) groupAlive() bool {
	for {
		if pid, err := syscall.Wait4(-p.pid, nil, syscall.WNOHANG, nil); err != nil || pid <= 0 {
			break
		}
	}
	return syscall.Kill(-p.pid, 0) != syscall.ESRCH && !allDead(p.pid)
}

// release has nothing to give up here.
func (p *process) release() {}

// inPipe makes a pipe that a process reads b from. It already contains as much of b as
// fits without waiting; w is for the rest, nil if there is none. Most events fit, and
// need no writer beside the process.
func inPipe(b []byte) (r, w *os.File, rest []byte, err error) {
	fds, err := pipe()
	if err != nil {
		return nil, nil, nil, err
	}
	_ = syscall.SetNonblock(fds[1], true)
	n, _ := syscall.Write(fds[1], b)
	r = os.NewFile(uintptr(fds[0]), "|0")
	if n == len(b) {
		syscall.Close(fds[1])
		return r, nil, nil, nil
	}
	return r, os.NewFile(uintptr(fds[1]), "|1"), b[max(n, 0):], nil
}

// outPipe makes a pipe that a process writes to.
func outPipe() (r, w *os.File, err error) {
	fds, err := pipe()
	if err != nil {
		return nil, nil, err
	}
	_ = syscall.SetNonblock(fds[0], true)
	return os.NewFile(uintptr(fds[0]), "|0"), os.NewFile(uintptr(fds[1]), "|1"), nil
}

// pipe takes the place of [os.Pipe], which registers both ends with the poller: the
// process's end would have to be taken out again, and an end that can be written to
// wakes a thread at once.
func pipe() (fds [2]int, err error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := syscall.Pipe(fds[:]); err != nil {
		return fds, os.NewSyscallError("pipe", err)
	}
	syscall.CloseOnExec(fds[0])
	syscall.CloseOnExec(fds[1])
	return fds, nil
}

// atOnce opens a file without waiting for anybody. A regular file makes nobody wait,
// and this saves the five system calls by which os finds that out.
const atOnce = syscall.O_NONBLOCK

func signalName(s syscall.Signal) string {
	switch s {
	case syscall.SIGHUP:
		return "SIGHUP"
	case syscall.SIGINT:
		return "SIGINT"
	case syscall.SIGQUIT:
		return "SIGQUIT"
	case syscall.SIGILL:
		return "SIGILL"
	case syscall.SIGTRAP:
		return "SIGTRAP"
	case syscall.SIGABRT:
		return "SIGABRT"
	case syscall.SIGBUS:
		return "SIGBUS"
	case syscall.SIGFPE:
		return "SIGFPE"
	case syscall.SIGKILL:
		return "SIGKILL"
	case syscall.SIGUSR1:
		return "SIGUSR1"
	case syscall.SIGSEGV:
		return "SIGSEGV"
	case syscall.SIGUSR2:
		return "SIGUSR2"
	case syscall.SIGPIPE:
		return "SIGPIPE"
	case syscall.SIGALRM:
		return "SIGALRM"
	case syscall.SIGTERM:
		return "SIGTERM"
	case syscall.SIGXCPU:
		return "SIGXCPU"
	case syscall.SIGXFSZ:
		return "SIGXFSZ"
	case syscall.SIGSYS:
		return "SIGSYS"
	}
	return "signal " + strconv.Itoa(int(s))
}

const separators = "/"

// standardPath is appended to a PATH that lacks it, as that of an agent started
// from a desktop often does.
var standardPath = []string{"/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin", "/opt/homebrew/bin"}

// readable is what a program wrote: what is not UTF-8 has no other meaning here.
func readable(b []byte, _ bool) []byte { return b }

func executableExts(string, []string) []string { return []string{""} }

func executable(_ string, info fs.FileInfo) bool {
	return info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

const executeBit = 1 // X_OK

// mayExecute reports whether this user may execute a file, or enter a directory.
func mayExecute(path string) bool { return syscall.Access(path, executeBit) == nil }

// readNow reads what is in a pipe, and waits for nothing.
func readNow(r *os.File, buf []byte) (n int) {
	conn, err := r.SyscallConn()
	if err != nil || r.SetReadDeadline(time.Time{}) != nil {
		return 0
	}
	_ = conn.Read(func(fd uintptr) bool {
		n, err = syscall.Read(int(fd), buf)
		return true
	})
	return n
}
