package runner

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// A process is a started one, in a job object that holds what it starts.
type process struct {
	p   *os.Process
	job windows.Handle // 0 if it could not be had: then only the process itself can be stopped
	own bool           // a script in our own sh
}

// A grouping is what a process leads.
type grouping uint8

const (
	ownGroup   grouping = iota // a hook: its job can be stopped as one
	ownSession                 // the supervisor: no console, out of the agent's job where that allows it
)

// start is the one function that starts processes.
func start(argv []string, dir string, env []string, stdio [3]*os.File, g grouping) (*process, error) {
	flags := uint32(windows.CREATE_NEW_PROCESS_GROUP)
	if g == ownSession {
		flags |= windows.DETACHED_PROCESS | windows.CREATE_BREAKAWAY_FROM_JOB
	} else {
		flags |= windows.CREATE_SUSPENDED // until it is in its job, which holds what it starts
	}
	attr := &os.ProcAttr{
		Dir:   dir,
		Env:   env,
		Files: stdio[:],
		Sys:   &syscall.SysProcAttr{CreationFlags: flags, HideWindow: true},
	}
	argv, line, err := scripted(argv)
	if err != nil {
		return nil, err
	}
	attr.Sys.CmdLine = line
	p, err := os.StartProcess(argv[0], argv, attr)
	if err != nil && g == ownSession {
		// A job may forbid breaking away; then the supervisor lives as long as it.
		attr.Sys.CreationFlags &^= windows.CREATE_BREAKAWAY_FROM_JOB
		p, err = os.StartProcess(argv[0], argv, attr)
	}
	if err != nil {
		return nil, err
	}
	started := &process{p: p, own: len(argv) > 1 && argv[1] == ShellVerb}
	if g == ownGroup {
		if started.job, err = begin(p.Pid); err != nil {
			started.kill()
			started.release()
			return nil, err
		}
	}
	return started, nil
}

// begin puts a suspended process into a job object of its own, as far as that can be
// had, and lets it go on.
func begin(pid int) (job windows.Handle, err error) {
	h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE|windows.PROCESS_SUSPEND_RESUME, false, uint32(pid))
	if err != nil {
		return 0, os.NewSyscallError("OpenProcess", err)
	}
	defer windows.CloseHandle(h)
	if job, err = windows.CreateJobObject(nil, nil); err == nil && windows.AssignProcessToJobObject(job, h) != nil {
		windows.CloseHandle(job)
		job = 0
	}
	// The thread's own handle is not to be had: package os closes it.
	resume := windows.NewLazySystemDLL("ntdll.dll").NewProc("NtResumeProcess")
	if status, _, _ := resume.Call(uintptr(h)); status != 0 {
		return job, fmt.Errorf("letting it go on: %w", windows.NTStatus(status))
	}
	return job, nil
}

// wait waits for the process itself, not for those that hold its pipes.
func (p *process) wait() status {
	s, err := p.p.Wait()
	if err != nil {
		return status{exit: -1}
	}
	if code := uint32(s.ExitCode()); code >= 0xC0000000 {
		return status{exit: -1, signal: fmt.Sprintf("exception %#08x", code)}
	}
	if p.own {
		return status{exit: OfOwnShell(s.ExitCode())}
	}
	return status{exit: s.ExitCode()}
}

// terminate asks the group to end, where it shares our console.
func (p *process) terminate() {
	_ = windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, uint32(p.p.Pid))
}

// kill ends the process and its job.
func (p *process) kill() {
	if p.job != 0 {
		_ = windows.TerminateJobObject(p.job, 1)
	}
	_ = p.p.Kill()
}

// groupAlive reports whether anything is left in the job.
func (p *process) groupAlive() bool {
	if p.job == 0 {
		return false
	}
	var info struct {
		TotalUserTime, TotalKernelTime           int64
		ThisPeriodUserTime, ThisPeriodKernelTime int64
		TotalPageFaultCount, TotalProcesses      uint32
		ActiveProcesses, TotalTerminated         uint32
	}
	const basicAccounting = 1
	err := windows.QueryInformationJobObject(p.job, basicAccounting, uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)), nil)
	return err == nil && info.ActiveProcesses > 0
}

// release gives the job up; what still runs in it is left alone.
func (p *process) release() {
	if p.job != 0 {
		windows.CloseHandle(p.job)
		p.job = 0
	}
}

// inPipe makes a pipe that a process reads b from. Nothing is in it yet: it may take
// less than asked for, and waits.
func inPipe(b []byte) (r, w *os.File, rest []byte, err error) {
	r, w, err = os.Pipe()
	return r, w, b, err
}

// outPipe makes a pipe that a process writes to.
func outPipe() (r, w *os.File, err error) { return os.Pipe() }

const atOnce = 0

const separators = `/\:`

var standardPath = []string{`C:\Windows\System32`, `C:\Windows`, `C:\Program Files\Git\bin`}

// executableExts are what a program's name may have behind it. A file without an
// extension is none that the system starts.
func executableExts(name string, env []string) []string {
	exts := strings.Split(variable(env, "PATHEXT"), ";")
	if exts[0] == "" {
		exts = []string{".com", ".exe", ".bat", ".cmd"}
	}
	if filepath.Ext(name) != "" {
		exts = append([]string{""}, exts...)
	}
	return exts
}

// executable: what the Store installs, Python for one, is on the PATH by files that are
// not regular. The bash that begins a Linux is on most PATHs too, and no path of a hook
// means anything there.
func executable(path string, info fs.FileInfo) bool {
	dir := filepath.Base(filepath.Dir(path))
	linux := strings.EqualFold(filepath.Base(path), "bash.exe") && (strings.EqualFold(dir, "System32") || strings.EqualFold(dir, "WindowsApps"))
	return !info.IsDir() && !linux
}

func mayExecute(string) bool { return true }
