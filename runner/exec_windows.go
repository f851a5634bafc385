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
	}
	attr := &os.ProcAttr{
		Dir:   dir,
		Env:   env,
		Files: stdio[:],
		Sys:   &syscall.SysProcAttr{CreationFlags: flags, HideWindow: true},
	}
	argv = scripted(argv)
	p, err := os.StartProcess(argv[0], argv, attr)
	if err != nil && g == ownSession {
		// A job may forbid breaking away; then the supervisor lives as long as it.
		attr.Sys.CreationFlags &^= windows.CREATE_BREAKAWAY_FROM_JOB
		p, err = os.StartProcess(argv[0], argv, attr)
	}
	if err != nil {
		return nil, err
	}
	started := &process{p: p}
	if g == ownGroup {
		started.job = jobObject(p.Pid)
	}
	return started, nil
}

// scripted puts the interpreter before a PowerShell script, which Windows does
// not start by itself.
func scripted(argv []string) []string {
	if !strings.EqualFold(filepath.Ext(argv[0]), ".ps1") {
		return argv
	}
	shell := "powershell.exe"
	if system, err := windows.GetSystemDirectory(); err == nil {
		shell = filepath.Join(system, "WindowsPowerShell", "v1.0", shell)
	}
	return append([]string{shell, "-NoLogo", "-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-File"}, argv...)
}

// jobObject puts a process into a job object of its own. What it started before
// that stays outside: best effort.
func jobObject(pid int) windows.Handle {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0
	}
	h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		windows.CloseHandle(job)
		return 0
	}
	defer windows.CloseHandle(h)
	if err := windows.AssignProcessToJobObject(job, h); err != nil {
		windows.CloseHandle(job)
		return 0
	}
	return job
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

func executableExts(env []string) []string {
	exts := strings.Split(variable(env, "PATHEXT"), ";")
	if exts[0] == "" {
		exts = []string{".com", ".exe", ".bat", ".cmd"}
	}
	return append(exts, "")
}

func executable(fs.FileInfo) bool { return true }

func mayExecute(string) bool { return true }
